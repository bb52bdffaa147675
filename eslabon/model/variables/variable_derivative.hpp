#pragma once

#include <optional>

#include "eslabon/model/variables/variable.hpp"

namespace eslabon::model {

/// The variable that is the derivative of this one by time: crank.rate of crank.angle, A.a of A.v. None for Euler parameters, angular
/// velocities in space, accelerations and forces.
std::optional<Variable> derivative_of(const Variable& variable);

}  // namespace eslabon::model
