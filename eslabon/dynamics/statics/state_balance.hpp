#pragma once

#include <optional>

#include "eslabon/dynamics/statics/freedom_chart.hpp"

namespace eslabon::dynamics {

/// Whether auxiliary states tell themselves where they rest: ∂ξ̇/∂ξ is regular, each row and column measured by its largest entry. Then
/// ẋ = 0 has one x at each position near by, and states can follow slow motions.
bool states_tell_themselves(const Eigen::MatrixXd& rate_by_state);

/// Where a walk for positions and auxiliary states together ended.
struct StateBalance {
  enum class Status {
    kFound,
    kNotFound,
    kSingular,  ///< branches meet on the way
    kNoForce,   ///< something has no value, at the centre of the chart
  };
  Status status = Status::kNotFound;
  State state;  ///< found, or where least was left
  int iterations = 0;
  /// kNotFound: the state whose rate is left, and the rate; nothing where it is a force.
  std::optional<std::size_t> changing;
  double rate = 0.0;             ///< of it [its unit/s]
  bool has_no_feedback = false;  ///< no position and no state changes that rate
};

/// Looks for a position and auxiliary states near `start` with nothing pushed and no state that changes, drivers held,
///   f(y, ξ) = 0,  ξ̇ = g(y, ξ) = 0,      J = ∂(f, g)/∂(y, ξ)                                                     (1)
///   d(y, ξ) = −J⁺ (f, g)                                                                                       (2)
/// the minimum-norm step of Newton's method, halved until (f, g) is smaller, each row and column of J measured by its largest entry.
/// Columns of ξ by dual numbers, of y by central differences. For states that are integrals, which no position alone tells.
StateBalance balance_with_states(FreedomChart& chart, const State& start);

/// ∂(f, ξ̇)/∂y and by ẏ at the centre, states held: ((f + s) × f), with what they may be off by. Nothing where something beside it has no
/// value.
struct PushMatrix {
  Eigen::MatrixXd value, errors;
};
std::optional<PushMatrix> differentiate_pushes(FreedomChart& chart, bool of_rates);

/// Whether the states at a state tell themselves; from then on they follow, if they do. False too where something has no value.
bool follow_if_they_can(FreedomChart& chart, const State& at);

}  // namespace eslabon::dynamics
