#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/diagnosis.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"

namespace eslabon::integration {

/// What a run cost and how well it went.
struct RunStatistics {
  long steps = 0;                       ///< accepted
  long rejected = 0;                    ///< attempts that were repeated with a smaller step
  long evaluations = 0;                 ///< of accelerations, those for outputs and tangents too
  long iterations = 0;                  ///< of Newton, implicit integrators with a step of their own only
  long tangents = 0;                    ///< of them, matrices that were made anew
  double worst_constraint_error = 0.0;  ///< of all accepted steps and outputs [m]
};

/// Why an evaluation or a step could not be done. Not going on is an answer, not an exception.
struct Trouble {
  enum class Kind {
    kNone,
    kNotClosed,  ///< the dependent coordinates could not be found
    kSingular,   ///< constraints or mass are singular
    kJammed,     ///< friction by load finds no load that belongs to the accelerations
    kForce,      ///< a force or a driver has no value; `cause` says which
    kNotFinite,  ///< accelerations are not numbers
    kJump,  ///< positions at the end of a step do not fit the velocities: another branch, or too large a step
    kTurn,  ///< a body turns by a quarter of a turn or more in a step; `residual`: by how much [rad]
    kOpened,        ///< joints have come open on the way
    kNotConverged,  ///< the equations of an implicit step were not solved
    kTooSmall       ///< steps have become so small that the run would never end
  };
  Kind kind = Kind::kNone;
  double t = 0.0;         ///< where it was met [s]
  double step = 0.0;      ///< the last that was tried [s]
  double residual = 0.0;  ///< constraint error there [m]; kNotConverged: relative size of the last correction
  core::ErrorText cause = {};  ///< kForce
  dynamics::State state = {};  ///< that could not be had; empty where there is none
  // What a run that ends finds out about it: see Simulation::explain.
  std::string driver = {};  ///< "Driver 'motor'", or "A driver" where there are several; empty: none
  std::string place = {};   ///< kNotClosed: what is open, "joint 'A'"; kTooSmall: what happened last
  std::optional<core::ErrorText> limit = {};       ///< of drivers that leave no DOF: see driver_limit
  std::vector<std::string> without_mass = {};      ///< kSingular: bodies that move without mass
  std::optional<dynamics::FastElement> fast = {};  ///< that is too fast for the step

  /// Whether it may be that a driver is at a limit of its range.
  bool is_stuck() const { return kind == Kind::kNotClosed || kind == Kind::kJump || kind == Kind::kTooSmall; }
  /// The sentence for a user when the run ends with it.
  core::ErrorText error_text(bool is_adaptive) const;
};

}  // namespace eslabon::integration
