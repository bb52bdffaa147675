#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

/// Checks of tyres and the road. Private to layer model. Each throws core::ModelError.
namespace eslabon::model::detail {

/// How big a slip is that matters.
inline constexpr double kSizeOfSlip = 0.1;

void check_tyre(const TyreDescription& description, bool is_planar);
void check_road(const tyres::Road& road, bool is_planar);
/// With these states.
Tyre make_tyre(const TyreDescription& description, StateIndex slip, StateIndex slip_angle,
               const NameLookup& lookup);

}  // namespace eslabon::model::detail
