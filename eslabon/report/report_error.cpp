#include "eslabon/report/report_error.hpp"

#include "eslabon/core/text/error.hpp"

namespace eslabon::report {

void fail_report(const std::string& what, const std::string& expected, const std::string& actual) {
  throw core::ContractError({"A report cannot show " + what, {}, expected, actual, {}});
}

}  // namespace eslabon::report
