#pragma once

#include "eslabon/report/report.hpp"

namespace eslabon::cli {

/// Adds a table of what the outputs did to a page, one for each recording that is no readings: start, end, least and largest value of
/// each, as the terminal shows them.
void add_output_tables(report::Report& report);

}  // namespace eslabon::cli
