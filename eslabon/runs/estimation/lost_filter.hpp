#pragma once

#include <exception>
#include <optional>
#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/runs/estimation/filter_case.hpp"

namespace eslabon::runs {

/// Why the estimate of a run that has ended is none: no reading was accepted, the filter was lost for most of the time
/// (estimation::LostTime), or it did not know in most rows whether tyres touch (TyreKnowledge). Nothing where it is one.
std::optional<core::ErrorText> lost_text(FilterCase& filter);
/// Throws core::ModelError for such a run. Rows and page have been written: they say where.
void check_not_lost(FilterCase& filter);

/// "12.3 s of 20 s (194 restarts, 8 reopenings)".
std::string lost_time_text(const estimation::EstimationRun& run);

}  // namespace eslabon::runs
