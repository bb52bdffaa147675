#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/drivers/driven_mechanism.hpp"
#include "eslabon/kinematics/state.hpp"

namespace eslabon::kinematics {

class KinematicSolver;

/// A singular position on the way of a driven mechanism.
struct MotionEvent {
  enum class Kind {
    kLimit,   ///< a driver cannot go farther: a toggle; the motion ends here
    kPassed,  ///< branches meet here; the motion went straight on
    kJump,    ///< the function of a driver jumps
    kLost,    ///< the position could not be solved and no limit was found
  };
  Kind kind = Kind::kLost;
  double t = 0.0;  ///< [s]
  std::vector<std::string> joints =
      {};  ///< that can move while the drivers stand still, those that move most first
  std::vector<double> driver_values = {};  ///< (drivers) at that time [rad or m]
  std::string driver = {};                 ///< kLimit, kJump: the driver that is meant

  /// "t = 1.25 s: driver 'motor' cannot go beyond A.q = 1.3 rad; joint P1 is at a toggle (P1, A, P2 …)"
  std::string brief(const model::Mechanism& mechanism) const;
  /// The sentence for a user when the motion ends here.
  core::ErrorText error_text(const model::Mechanism& mechanism) const;
};

/// Looks for the end of the motion ahead of `state`, which is a solution near it. The curve of solutions (q, t) is
/// followed by its own length instead of by time, which is possible at a limit too:
///   Phi_q q' + Phi_t t' = 0,   |(q', t')| = 1                                                     (1)
/// The limit is where t' changes its sign; there Phi_q q' = 0, so q' is the motion that the toggle allows.
/// Source: pseudo-arclength continuation [Keller1977]. Nothing when t' keeps its sign up to the end of the run, `until`.
std::optional<MotionEvent> find_limit(const KinematicSolver& solver, const DrivenMechanism& driven,
                                      const State& state, double step, double until);

/// The driver whose function jumps right after t, if there is one: over `step` it changes by far more than its speed
/// explains.
std::optional<MotionEvent> find_jump(const DrivenMechanism& driven, double t, double step, double until);

}  // namespace eslabon::kinematics
