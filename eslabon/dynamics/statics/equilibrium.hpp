#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/statics/freedom_chart.hpp"

namespace eslabon::dynamics {

enum class Stability {
  kStable,    ///< pushed aside, it is pushed back
  kUnstable,  ///< some push aside grows
  kNeutral    ///< some motion is neither pushed back nor on
};

/// "stable", "unstable", "neutral"
std::string_view stability_word(Stability stability);

/// A position in which a mechanism stays at rest, and what it does near it. Matrices are in y of the tangent space there, lengths in
/// units of the mechanism's size.
struct Equilibrium {
  State state;                          ///< at rest
  coordinates::MechanismMotion bodies;  ///< (bodies)
  Eigen::MatrixXd directions;           ///< (n × f) R
  Eigen::MatrixXd stiffness;            ///< (f × f) K = −∂f/∂y [J]
  Eigen::MatrixXd damping;              ///< (f × f) −∂f/∂ẏ [J s]
  Eigen::MatrixXd mass;                 ///< (f × f) [kg m²]
  double stiffness_error = 0.0;  ///< of K, as estimated, each degree of freedom measured by its own size
  bool is_conservative = true;   ///< K is symmetric
  Stability stability = Stability::kNeutral;
  Eigen::VectorXd stiffnesses;  ///< (f) eigenvalues of the symmetric part of K, ascending [J]
  Eigen::MatrixXd neutral;      ///< (f × k) y of the directions without stiffness, each of unit length
  Eigen::VectorXd softest;      ///< (f) y of the mode with the smallest ω², of unit length
  std::optional<double>
      softest_square;  ///< ω² of it [1/s²], negative when it grows, at a kink of the softer side; none when a degree of freedom has no mass
  double potential_energy = 0.0;  ///< [J]
  double residual =
      0.0;  ///< largest part of f, in parts of what acts in its degree of freedom (FreedomChart::force_scales) or its stiffness
  std::string stop;  ///< the rigid limit that it touches or passes: "upper limit of stop 's'"; "" without one
  bool is_beyond_stop = false;  ///< it passes it: no position of the mechanism
  bool has_kink = false;        ///< stiffness differs from one side to the other
  std::vector<std::string>
      neutral_states;  ///< auxiliary states that nothing brings back: what their rates look at balances with any value
  int iterations = 0;
};

/// Outcome of looking for an equilibrium. That there is none is an answer, not an exception.
struct [[nodiscard]] EquilibriumReport {
  enum class Status {
    kFound,
    kNotFound,  ///< something is still pushed wherever it was looked
    kSingular,  ///< the way leads to a position where branches meet
    kNoForce,   ///< a force on the way, or the stiffness at its end, has no value: `cause` says why
  };
  Status status = Status::kNotFound;
  std::optional<Equilibrium> equilibrium;  ///< when found
  int iterations = 0;
  // Not found: where the min residual was left.
  std::string pushed;            ///< the coordinate that is pushed most: "A.q"
  std::string pushed_value;      ///< where it is there: "1.57 rad"
  double force = 0.0;            ///< on it
  std::string unit;              ///< of the force
  bool is_state = false;         ///< it is an auxiliary state, `pushed` "lag.value", and `force` its rate
  bool has_no_feedback = false;  ///< the same, and no position and no state changes that rate
  core::ErrorText cause;         ///< kNoForce

  bool usable() const { return status == Status::kFound; }
  /// The sentence for a user; only for reports that are not usable.
  core::ErrorText error_text(const model::Mechanism& mechanism) const;
};

/// Looks for a position near `start` where nothing is pushed along the degrees of freedom, drivers held:
///   f(y) = Rᵀ Q = 0,   K = −∂f/∂y                                                                              (1)
/// First by going where the mechanism is pushed, which leads to stable positions,
///   dy = Σ e_i (e_i·f) / max(|λ_i|, small),   λ_i, e_i of the symmetric part of K                              (2)
/// with steps on which the push along dy does not turn round by more than half. Where that does not end, by Newton with the minimum-norm step,
///   dy = K⁺ f,   |f| smaller at every step,                                                                    (3)
/// which leads to unstable ones too. No step turns a body by more than half a radian, or shifts one by half of its reach:
/// branches are not jumped. Constraints are closed at every iterate. Degrees of freedom that nothing pushes and nothing brings back stay where
/// they are. Rigid stops push nothing here, and dry friction holds nothing: Equilibrium::stop tells which limit is touched or passed.
/// Each degree of freedom is measured by its own stiffness and by what acts on it (equilibrating_scales): f, K, steps and e_i.
/// Found when the step (3) is below 10⁻¹⁰ and what is left of f in directions without stiffness below 10⁻⁹ of what acts there; then
/// Newton goes on as long as f becomes smaller.
/// Auxiliary states x rest too, ẋ = 0. Where they tell themselves (states_tell_themselves: lags) they follow every position, f(y, x(y)), and K
/// is that of slow motions; where they do not (integrals), and where the walks with following states fail, y and x are looked for together
/// (balance_with_states), then from where the mechanism rests with the states of the start; K is that with x held.
/// Throws core::ModelError when nothing can move, and the cause of kNoForce.
EquilibriumReport find_equilibrium(FreedomChart& chart, const State& start);
/// The same for searches, which pass over kNoForce: it stands in the report.
EquilibriumReport try_equilibrium(FreedomChart& chart, const State& start);
/// By (3) alone: the nearest one, of any kind.
EquilibriumReport try_nearest_equilibrium(FreedomChart& chart, const State& start);

/// Throws core::ModelError when nothing can move.
void check_has_freedoms(const FreedomChart& chart);

/// Stability, softest mode and energy of a position of rest. A stiffness counts as none below 10⁻⁹ of its degree of freedom's own size (stiffness,
/// or what acts), and below ten times its error. Symmetric K and D without a negative eigenvalue: by the signs of K's eigenvalues; at a
/// kink by those of both sides. Otherwise, with loads that follow their bodies or dampers that drive: by the eigenvalues of
///   M ÿ + D ẏ + K y = 0,                                                                                       (4)
/// where real parts count as 0 up to 10⁻⁶ of each; where a degree of freedom has no mass, by K alone. With auxiliary states x always by the
/// eigenvalues of
///   M ÿ + D ẏ + K y − F x = 0,   ẋ = G_y y + G_v ẏ + G x,                                                      (5)
/// K and D with x held; without masses by K and by G + G_y K⁻¹ F, that is with K y = F x at each instant.
/// Throws core::ModelError when the position is singular, and when forces beside it have no value.
Equilibrium describe_equilibrium(FreedomChart& chart, const State& state);

/// A rigid limit that something rests on, touches (kTouching) or passes.
std::optional<StopSide> find_touched_stop(const DynamicModel& model, const State& state,
                                          const coordinates::MechanismMotion& bodies);

/// V with the angles of springs as the state has them.
double potential_energy(const DynamicModel& model, const State& state,
                        const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::dynamics
