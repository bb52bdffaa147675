#pragma once

#include <array>
#include <string>
#include <vector>

#include "eslabon/report/report.hpp"

namespace eslabon::recording {

/// What a column did, as cells of a table: name, unit, start, end, least and largest value, with as many digits as core::shown_digits says;
/// roundoff of the largest is 0.
std::vector<std::string> column_cells(const std::string& name, const std::string& unit,
                                      const std::array<double, 4>& values);

/// Adds a table of what the outputs did to a page, one for each recording that is no readings: start, end, least and largest value of
/// each, as the terminal shows them.
void add_output_tables(report::Report& report);

}  // namespace eslabon::recording
