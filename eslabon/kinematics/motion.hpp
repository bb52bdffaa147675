#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/kinematics/drivers/driver_pace.hpp"
#include "eslabon/kinematics/kinematic_method.hpp"
#include "eslabon/kinematics/singularity_probe.hpp"

namespace eslabon::kinematics {

/// What a run cost and how well it went.
struct MotionStatistics {
  long steps = 0;       ///< positions solved and accepted, between outputs too
  long rejected = 0;    ///< attempts that were repeated with a smaller step
  long iterations = 0;  ///< of Newton
  /// Largest constraint residual before the last correction of an accepted position, lengths in units of the
  /// mechanism's size; after it there is roundoff.
  double worst_residual = 0.0;
};

/// Follows a driven mechanism through time on the branch on which it starts.
///
/// Each step is predicted with what is known, corrected by Newton, and accepted only if the corrector found what the
/// predictor meant, seen from both ends:
///   q₁ ← q₀ + h v₀ + ½ h² a₀,   then Newton;                                                        (1)
///   |q₁ − (q₀ + h v₀ + ½ h² a₀)|, |q₀ − (q₁ − h v₁ + ½ h² a₁)|  ≤  2 % of the increment               (2)
///   |v₁ − (v₀ + h a₀)|  ≤  10 % of the speed: short steps say little in (2)                          (3)
///   and the same sign of the determinant of every diagonal block of Phi_q                            (4)
/// otherwise the step is halved. A block can change its sign only where it is singular, so a solution with
/// another sign lies beyond a singular position: another branch, or the same after passing through. Which of the
/// two is decided by looking there: branches that meet do so without a gap. Nothing is passed over in silence, but what
/// happens twice in one block within one step leaves no trace in (4).
class Motion {
 public:
  /// Solves the start position; see make_kinematic_method for `method` and `kind`, and for what
  /// it throws. `until`: the end of the run [s]; nobody asks for later times.
  Motion(std::string_view method, std::string_view kind, const DrivenMechanism& driven, double until,
         core::ProgramCompiler* compiler = nullptr);

  const State& state() const { return state_; }
  /// What drivers and held degrees of freedom are to be there: (prescribed).
  const std::vector<coordinates::CoordinateValue>& prescribed() const { return accepted_values_; }
  const KinematicMethod& method() const { return *method_; }
  const MotionStatistics& statistics() const { return statistics_; }
  /// Singular positions that were passed or that ended the run, in the order of time.
  const std::vector<MotionEvent>& events() const { return events_; }

  /// Goes on to time t [s]. False when the motion cannot go on: then the state is the last one reached, the last event
  /// says why, and every later call is false.
  [[nodiscard]] bool advance_to(double t);

  /// Called at every position on the way to the time that was asked for: for those who count turns. Their times may go back once.
  void observe(std::function<void()> on_step) { on_step_ = std::move(on_step); }

  /// Where a motion stands, for who may want to come back.
  struct Place {
    State state;
    std::vector<signed char> signs;
    std::vector<coordinates::CoordinateValue> values;
    std::size_t events;
  };
  Place place() const { return {state_, signs_, accepted_values_, events_.size()}; }
  void return_to(const Place& place);

  /// Motion of all bodies at the present state.
  void evaluate_bodies(coordinates::MechanismMotion& out);
  /// Largest residual of the present state, lengths in m; numbers without unit count as lengths of the mechanism's size.
  double constraint_error();
  /// The largest one on the way; see MotionStatistics::worst_residual.
  double worst_constraint_error() const { return statistics_.worst_residual * length_; }

 private:
  enum class Verdict { kAccepted, kRejected, kOtherSign };
  /// Writes next_; the verdict is about it.
  Verdict try_step(double t);
  /// Positions at values_ from the q given; newton_ tells how it went.
  PositionSolution solve(int most, std::vector<double>& q);
  /// v and a of next_ at its q.
  void solve_rates(const SolvedPosition& position);
  /// Whether a driver turns so far from the state that a whole turn could hide in it: poses do not determine whole turns.
  bool turns_too_far() const;
  /// Whether the prediction from one state misses the other.
  bool misses(const State& from, const State& to, double increment);
  /// Whether the speed of next_ is none that the state can lead to.
  bool jumps();
  /// Whether the position solved last has the signs of the state.
  bool is_same_branch();
  void accept();
  /// Below which a step is too small to tell anything about the mechanism [s].
  double smallest_step(double wanted) const;
  /// Whether it is the drivers that do not go on as they were at the state: then shorter steps tell more.
  bool do_drivers_turn(double t) const;
  /// Goes on to t; false when a step would have to be far shorter than `wanted` [s].
  bool follow(double t, double wanted);
  /// A step of length h over a place where branches meet, which may be t_end itself. Whether there was such a place.
  bool step_over(double h, double t_end);
  /// From a state beyond t_end, which is a step from `before`, back to t_end, where branches may meet: there rates are found by
  /// interpolation. False, and nothing changes, when the interpolated position is none of the mechanism.
  bool come_back_to(double t_end, const State& before);
  /// Whether the motion goes straight on to next_, which has other signs: branches meet on the way, which is noted, or the rows that
  /// the signs are made of have become dependent alone.
  bool pass();
  /// Steps have become too small: finds out why; whether the motion can go on. `origin`: where it came from.
  bool overcome(double t_end, double wanted, const State& origin);
  /// A speed of a driver that jumps is a corner of the path: no prediction holds over it.
  bool hop_over_corner(double hop, double t_end);
  /// The motion straight through the singular position at t_singular, seen from some way before and behind.
  bool leap(double t_singular, double t_end, double wanted, const State& origin);
  MotionEvent make_singular_event(MotionEvent::Kind kind, double t, const State& at);

  DrivenMechanism driven_;
  double until_;
  DriverPace pace_;
  std::unique_ptr<KinematicMethod> method_;
  SingularityProbe singularities_;
  double length_;  ///< size of the mechanism [m]
  State state_;
  std::vector<signed char> signs_;  ///< of the blocks of Phi_q at the state
  double step_ = 0.0;               ///< the last that was accepted; 0: none yet
  MotionStatistics statistics_;
  std::vector<MotionEvent> events_;
  std::vector<bool> is_angle_;  ///< (drivers)
  std::function<void()> on_step_;
  // Scratch.
  State next_;
  State origin_;
  std::vector<coordinates::CoordinateValue> values_;
  std::vector<coordinates::CoordinateValue> accepted_values_;  ///< at the state
  std::vector<double> difference_;
  std::vector<signed char> other_signs_;
  NewtonReport newton_;
};

}  // namespace eslabon::kinematics
