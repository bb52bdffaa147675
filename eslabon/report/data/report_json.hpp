#pragma once

#include <string>

#include "eslabon/report/report.hpp"

namespace eslabon::report {

/// The whole report as `Report` of viewer/src/report_data.ts, JSON in ASCII. Throws core::ContractError for numbers that are not finite;
/// lists must fit together (check_report.hpp).
std::string report_json(const Report& report, const std::string& made_by);

}  // namespace eslabon::report
