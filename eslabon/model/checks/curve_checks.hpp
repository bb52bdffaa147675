#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/elements/element_place.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::model::detail {

/// Throws core::ModelError unless a spline goes through the points of the curve.
void check_curve(const NamedCurve& curve, bool is_planar, const Place& place);

/// Throws core::ModelError where a joint cannot follow its curve everywhere: a roller larger than a hollow, a straight face on a hollow.
void check_contact(const Joint& joint, const Mechanism& mechanism);

}  // namespace eslabon::model::detail
