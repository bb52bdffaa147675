#pragma once

#include <string>
#include <vector>

#include "eslabon/runs/estimation/truth_comparison.hpp"

/// What terminals and pages tell of a filter in the same words.
namespace eslabon::recording {

/// runs::size_text of the RMSE; "–" where rows of the truth are too far apart to tell it.
std::string rmse_text(const runs::TruthComparison::Line& line);
/// Name, RMSE and largest error of each output, as cells.
std::vector<std::vector<std::string>> error_rows(const runs::TruthComparison& truth);

/// What became of the readings of each sensor, as headings and cells: counts, what they were refused or noted for, NIS.
std::vector<std::string> reading_headings();
std::vector<std::vector<std::string>> reading_rows(runs::FilterCase& filter);

}  // namespace eslabon::recording
