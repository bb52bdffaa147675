#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/report/report.hpp"
#include "eslabon/runs/estimation/truth_comparison.hpp"

namespace eslabon::recording {

/// The true motion as far as the filter went: the outputs that both have, and where bodies are when the file tells the whole motion
/// (RecordedTruth), by the model of the filter. Nothing when the file has no such times. What it does not tell is said in `notes`.
std::optional<report::Recording> truth_recording(const runs::TruthComparison& truth,
                                                 const runs::FilterCase& filter, double begin, double end,
                                                 std::vector<std::string>& notes);

}  // namespace eslabon::recording
