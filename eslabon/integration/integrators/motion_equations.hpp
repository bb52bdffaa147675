#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/dynamics/forces/coupled_forces.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/integration/run_report.hpp"

namespace eslabon::integration {

/// An instant of a motion with all that follows from its state.
struct MotionPoint {
  dynamics::State state;          ///< t, q, v
  std::vector<double> a;          ///< (n) accelerations of all coordinates
  std::vector<double> z;          ///< (size)
  std::vector<double> z_dot;      ///< (size)
  std::vector<double> z_ddot;     ///< (size)
  double turn_rate = 0.0;         ///< of the fastest body [rad/s]: at ends of steps
  double constraint_error = 0.0;  ///< [m]: at ends of steps and where a run is asked for
};

/// A point within a step; nullptr when it cannot be had. The next one takes its place.
using PointAt = std::function<const MotionPoint*(double t)>;

inline constexpr double kSmallTurn = 1.0;  ///< a turn of a body that hides no other [rad]

/// Instants within a step, its ends apart, between which no body turns by more than kSmallTurn as far as the ends tell: what is a smooth
/// function of time between them is one that two ends can tell.
std::vector<double> instants_of_small_turns(const MotionPoint& from, const MotionPoint& to);

/// What a step relies on.
enum class StepKind {
  kControlled,  ///< an estimate of its error
  kFixed,       ///< nothing
  kImplicit     ///< equations that it solves
};

/// The equations of motion as integrators use them: z̈ = f(t, z, ż) of a formulation. Auxiliary states, ẋ = f(t, q, v, x), come behind its
/// z: in units of its size each is the rate of a z of its own, which nothing looks at,
///   ż_k = x/size,   z̈_k = ẋ/size                                                                      (0)
/// so that every integrator of motions integrates them too. Counts, helps the formulation with good guesses,
/// and keeps what went wrong. Every function that may fail returns false and leaves the reason in trouble().
// Seed000 eq. 101
class MotionEquations {
 public:
  /// `formulation` is of this model. Lives inside a Simulation, which keeps it.
  MotionEquations(dynamics::Formulation& formulation, const dynamics::DynamicModel& model)
      : formulation_(formulation),
        model_(model),
        states_(model.mechanism().states()),
        has_drivers_(!model.prescribed().empty()),
        has_discs_(std::ranges::any_of(
            model.mechanism().joints(),
            [](const model::Joint& joint) { return model::is_nonholonomic(joint.type); })),
        coupled_(model, formulation),
        rates_(states_.size()),
        bodies_(model.mechanism().bodies().size()) {}

  dynamics::Formulation& formulation() { return formulation_; }
  dynamics::CoupledForces& coupled() { return coupled_; }
  const dynamics::CoupledForces& coupled() const { return coupled_; }
  /// Integrated coordinates of the formulation, and auxiliary states behind them.
  std::size_t size() const { return num_coordinates() + states_.size(); }
  std::size_t num_coordinates() const { return static_cast<std::size_t>(formulation_.num_integrated()); }
  RunStatistics& statistics() { return statistics_; }
  const RunStatistics& statistics() const { return statistics_; }
  Trouble& trouble() { return trouble_; }

  /// A point of the right sizes around this state; nothing is evaluated.
  MotionPoint make_point(const dynamics::State& state) const;
  /// Reads z and ż from the state and evaluates accelerations there.
  [[nodiscard]] bool evaluate_state(MotionPoint& point);
  /// CoupledForces::respond.
  [[nodiscard]] bool respond(const dynamics::State& state, std::size_t side, std::span<double> change);
  /// The point at time t with the z and ż that stand in `out`; dependent coordinates are looked for from where `from` leads,
  ///   q ← q₀ + h v₀ + ½ h² a₀.                                                                          (1)
  /// Near a position where branches of the mechanism meet, what is lost there is found from both sides: see pass_across.
  [[nodiscard]] bool evaluate(const MotionPoint& from, double t, MotionPoint& out);

  /// The point at time t between two others, with the z and ż that stand in `out`, brought back to the constraints.
  [[nodiscard]] bool evaluate_between(const MotionPoint& from, const MotionPoint& to, double t,
                                      MotionPoint& out);
  /// Its positions and velocities alone. False near singular positions, too, which evaluate_between may pass.
  [[nodiscard]] bool place_between(const MotionPoint& from, const MotionPoint& to, double t,
                                   MotionPoint& out);

  /// r and Phi of a descriptor form at a point with these z, ż and accelerations, all of them integrated.
  [[nodiscard]] bool evaluate(dynamics::DescriptorForm& form, const MotionPoint& from, double t,
                              std::span<const double> a, std::span<const double> lambda, MotionPoint& out,
                              Eigen::Ref<Eigen::VectorXd> r, Eigen::Ref<Eigen::VectorXd> Phi);

  /// z and ż at time t that satisfy the constraints, from those that stand in `out`; accelerations are not evaluated.
  [[nodiscard]] bool project(const MotionPoint& from, double t, MotionPoint& out);

  /// Ends a step: brings `to` back to the constraints, and refuses it if the step cannot be what the motion does:
  ///   |q₁ − q₀ − ½ h (v₀ + v₁)| ≤ 0.6 max(|q₁ − q₀|, h |v₀|, h |v₁|)                                   (2)
  /// (a motion like tⁿ from rest has ½ − 1/n), or if a body turns by a quarter of a turn or more where that matters.
  /// A mechanism that has come to another branch has moved without the velocity for it, and so does one whose step is too large.
  /// Implicit integrators may step over vibrations: what z do in this way is then allowed, and ten times as much in other
  /// coordinates.
  [[nodiscard]] bool settle(const MotionPoint& from, MotionPoint& to, StepKind kind);

  /// Whether the drivers move without jumps between these times.
  [[nodiscard]] bool check_drivers(double t0, double t1);

  /// An adaptive integrator gives up at time t with a step of h: because of the trouble that was met there, if there was any.
  /// Always false.
  bool give_up(double t, double h);

  /// Lets the formulation choose other z at this point; the sentence about it when it did. The point is then renewed.
  std::optional<std::string> choose(MotionPoint& point);

  /// The longest step in which no body turns by more than a radian, where that matters [s]: dependent coordinates are looked for
  /// from the step before, and springs see angles nearest to those before. Infinite where there is nothing of both.
  double longest_turn(const MotionPoint& point);
  /// Sets turn_rate of a point; settle does it for the end of a step.
  void measure_turn(MotionPoint& point);

 private:
  void predict(const MotionPoint& from, double t, dynamics::State& out) const;
  /// Whether what is asked of the formulation is solved at this state.
  template <class Ask>
  bool is_solved(const dynamics::State& state, const Ask& ask);
  bool complete(double t, MotionPoint& out);
  /// z and ż of a state; those z that nothing looks at stay as they are.
  void read(MotionPoint& point) const;
  /// (0), second part.
  bool differentiate_states(MotionPoint& point);
  bool project(dynamics::State& state);
  bool accelerate(MotionPoint& point);
  /// Whether no rolling disc has fallen flat in a step.
  bool check_discs(const MotionPoint& from, const MotionPoint& to);
  /// By how much a body turns in a step, where that matters; otherwise by how much more or less than before [rad].
  double turn_in_step(const MotionPoint& from, const MotionPoint& to, StepKind kind);
  /// Where two branches meet, as in the flat position of a parallelogram, positions are known to ε/δ at a distance of δ from it,
  /// velocities of dependent coordinates to ε/δ² and accelerations to ε/δ³, while the motion itself is smooth. Near such a position
  /// both are interpolated from evaluations before and behind it, along z + s ż, at t or,
  /// where there are drivers, at t + s,
  ///   f(0) ≈ ¾ (f₁ + f₋₁) − 3/10 (f₂ + f₋₂) + 1/20 (f₃ + f₋₃),   error 36/720 s⁶ f⁽⁶⁾                        (3)
  /// if the positions at s = 0, known better, agree with theirs. Otherwise the branches do not meet but pass each other closely, and
  /// everything stays as it is. True when something was replaced. `is_known`: the positions are.
  bool pass_across(const MotionPoint& from, MotionPoint& point, bool is_known);
  /// pass_across where it is needed; whether the point is good then. A point that could not be evaluated may lie in the meeting itself.
  bool pass_meeting(const MotionPoint& from, MotionPoint& point, bool is_evaluated);
  bool evaluate_sides(const MotionPoint& from, const MotionPoint& point, double s);
  bool fail(Trouble::Kind kind, const dynamics::State& state);
  bool fail(dynamics::DynamicsStatus status, const dynamics::State& state);
  bool fail(const core::ErrorText& cause, double t);

  dynamics::Formulation& formulation_;
  dynamics::DynamicModel model_;
  const std::vector<model::AuxiliaryState>& states_;  ///< of model_
  bool has_drivers_;
  bool has_discs_;  ///< that roll: see dynamics::find_fallen_disc
  dynamics::CoupledForces coupled_;
  RunStatistics statistics_;
  Trouble trouble_;
  std::vector<double> q_, v_;                    // Scratch.
  std::vector<double> rates_;                    // Scratch: (states).
  std::array<MotionPoint, 6> sides_;             // Scratch of pass_across: s, −s, 2 s, −2 s, 3 s, −3 s.
  coordinates::MechanismMotion bodies_, after_;  // Scratch.
};

}  // namespace eslabon::integration
