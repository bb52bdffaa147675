#pragma once

#include <string>
#include <vector>

#include "eslabon/runs/estimation/filter_case.hpp"

/// What a user of a filter should know, one sentence each.
namespace eslabon::runs {

/// Before it runs: what of the model and of its sensors it does not reckon with.
std::vector<std::string> notes_before(const EstimateRequest& request, FilterCase& filter);
/// Afterwards: where it was lost.
std::vector<std::string> notes_after(FilterCase& filter);

}  // namespace eslabon::runs
