#pragma once

#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "eslabon/dynamics/statics/freedom_chart.hpp"
#include "eslabon/dynamics/statics/modes.hpp"

namespace eslabon::dynamics {

/// What can be pushed from outside: an effort in a joint coordinate [N or N m], or a load of the file, whose number is a factor of it.
struct LinearInput {
  std::variant<model::JointCoordinate, std::size_t> what;  ///< or the position in Mechanism::loads()
  std::string name;                                        ///< "A.q", "pull"
  std::string unit;                                        ///< "N m", "N", "1"
};

/// The input that a name means. Throws core::ModelError with the nearest name.
LinearInput find_input(const model::Mechanism& mechanism, const std::string& name);

/// The output that a name means: positions, rates, accelerations, lengths, rates and forces of springs and dampers.
/// Throws core::ModelError for names that are none, and for reactions of joints and efforts of drivers.
model::Variable find_linear_output(const model::Mechanism& mechanism, const std::string& name);

/// A mechanism near one state, x = (δy, δẏ, auxiliary states) with as many y as degrees of freedom, each a coordinate with a name:
///   ẋ = A x + B u,   δ outputs = C x + D u                                                                      (1)
struct LinearSystem {
  Eigen::MatrixXd A, B, C, D;
  std::vector<std::string> state_names, state_units;  ///< (2 f + s) "A.q", …, "A.v", …, "lag.value", …
  std::vector<std::string> input_names, input_units;
  std::vector<std::string> output_names, output_units;
  double error =
      0.0;  ///< of A in parts of its largest entry, and of C in parts of the largest of each row, as estimated
  Eigen::VectorXd rates, accelerations;  ///< (f) ẏ and ÿ of the state
  bool is_equilibrium = false;           ///< at rest, and it stays so
  bool is_undamped =
      false;  ///< at rest, and forces near by are those of an energy: modes are found with M and K
  State state;
  Eigen::MatrixXd directions;   ///< (n × f) R
  Eigen::MatrixXd mass;         ///< (f × f) Rᵀ M R
  Eigen::VectorXd scales;       ///< (f) by which y are measured: lengths by the mechanism's size
  Eigen::VectorXd state_sizes;  ///< (s) by which auxiliary states are
  RigidMotions rigid;           ///< motions without stiffness, y so measured; without auxiliary states
  double none =
      0.0;  ///< with them: what counts as no singular value of A, each row measured by its largest entry

  /// Of A; slowest first.
  std::vector<Mode> modes() const;
};

/// Linearises about a state whose constraints are closed. With y as coordinates of all positions near by (FreedomChart),
///   A = [ 0  I; ∂ÿ/∂y  ∂ÿ/∂ẏ ],   B = [ 0; M⁻¹ b ],   b_k: power of the input for a unit rate of y_k             (2)
/// ∂ by extrapolated central differences along the constraints, which hold at every point; b without differences: ÿ is affine in u. With
/// auxiliary states ẋ = g(y, ẏ, x), which are held beside the state, there are rows ∂g and columns M⁻¹ ∂f/∂x, ∂g/∂x behind, these by dual
/// numbers.
/// At a state that is no equilibrium A depends on the choice of y; its eigenvalues are those of the frozen state.
/// Throws core::ModelError when nothing can move, when constraints or masses are singular, when a force has no value, and where no small
/// motion changes what acts in proportion: check_linear.
LinearSystem linearise(FreedomChart& chart, const State& state, const std::vector<LinearInput>& inputs,
                       const std::vector<model::Variable>& outputs);

/// Throws core::ModelError where something holds that no small motion changes: what touches a rigid stop or is beyond one, dry friction
/// below its creep speed, and dry friction by a load.
void check_linear(FreedomChart& chart, const State& state);

}  // namespace eslabon::dynamics
