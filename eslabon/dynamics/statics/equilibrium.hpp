#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/statics/equilibrium_stability.hpp"
#include "eslabon/dynamics/statics/freedom_chart.hpp"

namespace eslabon::dynamics {

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

}  // namespace eslabon::dynamics
