#pragma once

#include <string>

namespace eslabon::report {

/// Throws core::ContractError: "A report cannot show `what`: expected `expected`, got `actual`." `actual` may be empty.
[[noreturn]] void fail_report(const std::string& what, const std::string& expected,
                              const std::string& actual = {});

}  // namespace eslabon::report
