#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/kinematics/kinematic_solver.hpp"
#include "eslabon/kinematics/motion_event.hpp"

namespace eslabon::kinematics {

/// What a run cost and how well it went.
struct MotionStatistics {
  long steps = 0;              ///< positions solved and accepted, between outputs too
  long rejected = 0;           ///< attempts that were repeated with a smaller step
  long iterations = 0;         ///< of Newton
  double worst_residual = 0.0; ///< largest constraint residual accepted, lengths in units of the mechanism's size
};

/// Follows a driven mechanism through time on the branch on which it starts.
///
/// Each step is predicted with what is known, corrected by Newton, and accepted only if the corrector found what the
/// predictor meant:
///   q ← q + h v + ½ h² a,   then Newton;                                                            (1)
///   |correction| ≤ ¼ |increment|, corrections that shrink, and the same sign of det Phi_q           (2)
/// otherwise the step is halved. det Phi_q can change its sign only where the Jacobian is singular, so a solution with
/// the other sign lies beyond a singular position: another branch, or the same after passing through. Which of the
/// two is decided by looking there (motion_event.hpp); nothing is passed over in silence.
class Motion {
 public:
  /// `driven` must outlive the motion. Solves the start position; see KinematicSolver for what it throws.
  Motion(std::string_view method, std::string_view kind, const DrivenMechanism& driven);

  const State& state() const { return state_; }
  const KinematicSolver& solver() const { return solver_; }
  const MotionStatistics& statistics() const { return statistics_; }
  /// Singular positions that were passed or that ended the run, in the order of time.
  const std::vector<MotionEvent>& events() const { return events_; }

  /// Goes on to time t [s]. False when the motion cannot go on: then the state is the last one reached and the last
  /// event says why.
  [[nodiscard]] bool advance_to(double t);

  /// Motion of all bodies at the present state.
  void evaluate_bodies(coordinates::MechanismMotion& out);
  /// Largest residual of the present state, lengths in m.
  double constraint_error() const { return residual_ * solver_.length(); }

 private:
  enum class Verdict { kAccepted, kRejected, kOtherSign };
  Verdict try_step(double t);
  void accept(double t);
  /// Accepts a step over a singular position that the prediction held for, and notes where it is.
  void pass(double t);
  /// Steps have become too small: finds out why; whether the motion can go on.
  bool overcome(double t_end, double wanted);
  MotionEvent make_singular_event(MotionEvent::Kind kind, double t);

  const DrivenMechanism& driven_;
  KinematicSolver solver_;
  State state_;
  int sign_ = 1;
  double step_ = 0.0;  ///< the last that was accepted; 0: none yet
  double residual_ = 0.0;
  MotionStatistics statistics_;
  std::vector<MotionEvent> events_;
  // Scratch.
  std::vector<coordinates::CoordinateValue> values_;
  std::vector<double> trial_;
  std::vector<double> increment_;
  NewtonReport newton_;
  coordinates::BodiesWorkspace bodies_workspace_;
};

}  // namespace eslabon::kinematics
