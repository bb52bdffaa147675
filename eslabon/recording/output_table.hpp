#pragma once

#include <string>
#include <string_view>

#include "eslabon/report/report.hpp"

namespace eslabon::recording {

/// "0.25", with as many digits as core::shown_digits says; roundoff of the largest value is 0.
std::string column_number(double value, double largest, std::string_view unit);

/// Adds a table of what the outputs did to a page, one for each recording that is no readings: start, end, least and largest value of
/// each, as the terminal shows them.
void add_output_tables(report::Report& report);

}  // namespace eslabon::recording
