#pragma once

#include "apps/cli/study_table.hpp"

#include "eslabon/report/report.hpp"

namespace eslabon::cli {

/// Adds what a study found: how probable converging is, errors and costs against the quantity that was swept with the most values, a line
/// for each combination of the others; all points as a table.
void add_study(report::Report& report, const StudyTable& table);

}  // namespace eslabon::cli
