#pragma once

#include "eslabon/report/report.hpp"
#include "eslabon/study/study_table.hpp"

namespace eslabon::study {

/// Adds what a study found: how probable converging is, errors and costs against the quantity that was swept with the most values, a line
/// for each combination of the others; all points as a table.
void add_study(report::Report& report, const StudyTable& table);

/// The page of a study that has run. `note`: what is to be said first; empty: nothing.
report::Report study_report(const StudyPlan& plan, const std::vector<core::Column>& outputs,
                            const std::vector<PointSummary>& summaries, const std::string& note);

}  // namespace eslabon::study
