#pragma once

#include <optional>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::dynamics {

/// Of the mechanism's size, or radians: a gap that is none.
inline constexpr double kTouching = 1e-9;

/// By what gaps of a side are measured: the mechanism's size, or 1 rad.
double gap_scale(const model::Mechanism& mechanism, const StopSide& side);

/// Whether something is beyond a rigid limit, by more than kTouching: which, what was expected and how far. What that means and
/// what to do (`what`, `next`) is left to the caller.
std::optional<core::ErrorText> find_passed_stop(const DynamicModel& model, double t,
                                                const coordinates::MechanismMotion& bodies,
                                                const ForceMemory& memory);

}  // namespace eslabon::dynamics
