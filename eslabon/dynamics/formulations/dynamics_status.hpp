#pragma once

namespace eslabon::dynamics {

/// Outcome of an evaluation. Not being solvable is an answer, not an exception.
enum class DynamicsStatus {
  kSolved,
  kNotClosed,  ///< the positions of the dependent coordinates could not be found
  kSingular,   ///< the constraints are singular here, or the mass is
  kJammed,     ///< friction by load and accelerations do not agree: CoupledForces
  kNoValue,    ///< a force or a driver has no value here: Formulation::why_not tells which
};

}  // namespace eslabon::dynamics
