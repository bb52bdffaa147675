#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/linalg/lu.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/mass/mass_model.hpp"
#include "eslabon/dynamics/state.hpp"

namespace eslabon::dynamics {

/// Whether a position was found, and forces there.
enum class ChartStatus {
  kGood,
  kNotClosed,  ///< the constraints could not be closed there
  kSingular,   ///< the constraints lose rank there: branches meet
  kNoForce,    ///< a force has no value there
};

/// What forces and rates of auxiliary states change by with the states, each measured by its size: ξ = x / size.
struct StateDerivatives {
  Eigen::MatrixXd force;  ///< (f × s) ∂(Rᵀ Q)/∂ξ
  Eigen::MatrixXd rate;   ///< (s × s) ∂ξ̇/∂ξ [1/s]
};

/// What pushes along the degrees of freedom at one state, and the masses there.
struct FreedomForces {
  Eigen::VectorXd force;       ///< (f) Rᵀ (Q − h − M c), power for a unit rate of y
  Eigen::MatrixXd mass;        ///< (f × f) Rᵀ M R
  Eigen::MatrixXd directions;  ///< (n × f) R, rates of q for unit rates of y
  Eigen::VectorXd bias;        ///< (n) c, accelerations of q when ÿ = 0
};

/// All positions of a mechanism near one of them, its centre, told by as many numbers y as it has degrees of freedom:
///   Phi(q, t) = 0,   B (q − q₀) = y;       S = [Phi_q; B],   R = S⁻¹ [0; I],   c = S⁻¹ [gamma; 0]               (1)
///   q̇ = R ẏ + S⁻¹ [−Phi_t; 0],   q̈ = R ÿ + c,   (Rᵀ M R) ÿ = Rᵀ (Q − h − M c)                                  (2)
/// Rows of B are an orthonormal basis of the tangent space at the centre, lengths counted in the mechanism's size, so that S is as far
/// from singular as the constraints are; or they pick coordinates that have names. Unlike a formulation it can hold the drivers where
/// they are: then they have positions, but no speed. Auxiliary states x are those of the state, or follow slow motions: ẋ = f(t, q, v, x) = 0,
/// by Newton from where they were, with exact derivatives. Dense, for statics and linearisation; not for steps in time. Scratch: one per thread.
class FreedomChart {
 public:
  enum class Drivers { kMove, kHeld };
  /// Throws core::ModelError for kinds of coordinates that do not exist and for mechanisms too large.
  FreedomChart(const DynamicModel& model, Drivers drivers, std::string_view kind = "relative");

  const DynamicModel& model() const { return model_; }
  const coordinates::ConstraintSystem& system() const { return system_; }
  int n() const { return system_.num_coordinates(); }
  int num_freedoms() const { return n() - static_cast<int>(rows_.size()); }
  /// The mechanism's size [m].
  double length() const { return length_; }
  int num_states() const { return static_cast<int>(model_.mechanism().states().size()); }  ///< s
  /// From now on states that move() and centre_at() make have ẋ = 0; they are not closed where that has no solution near by.
  void let_states_follow(bool follow) { states_follow_ = follow; }
  bool do_states_follow() const { return states_follow_; }

  /// These positions of the bodies at time t, at the velocities that the bodies have, or at rest.
  State state_of(const coordinates::MechanismMotion& bodies, double t) const;
  /// Where the mechanism starts, at rest, with the drivers brought to where they are at time t, other degrees of freedom left as they are.
  [[nodiscard]] ChartStatus start(double t, State& out);

  /// Makes `state` the centre, y along the tangent space. Closes its positions; velocities must satisfy the constraints.
  [[nodiscard]] ChartStatus centre_at(const State& state);
  /// The same with some of q as y: those that move most, inputs of the structure first.
  [[nodiscard]] ChartStatus centre_at_named(const State& state);
  const State& centre() const { return centre_; }
  /// y for a change of q by dq (n).
  Eigen::VectorXd y_of(const Eigen::VectorXd& dq) const { return B_ * dq; }
  /// Of centre_at_named: (f) columns of q.
  const std::vector<int>& named_columns() const { return named_columns_; }
  /// How far the centre is from a position where branches meet, relative to the start.
  double regularity() const { return regularity_; }

  /// The state with this y, near the centre, and the rates of the centre plus `y_dot`.
  [[nodiscard]] ChartStatus move(const Eigen::VectorXd& y, const Eigen::VectorXd& y_dot, State& out);
  /// Of (2) at a state that move() made, or at the centre.
  [[nodiscard]] ChartStatus evaluate(const State& state, FreedomForces& out);
  /// What is said of a state at which evaluate fails. Slow.
  core::ErrorText why_not(const State& state);
  /// The same for callers who must have it: throws core::ModelError with that.
  void evaluate_or_throw(const State& state, FreedomForces& out);
  /// force alone, without masses; nothing when the position or a force there cannot be found. With states: ξ̇ behind them (f + s).
  std::optional<Eigen::VectorXd> force_at(const Eigen::VectorXd& y, const Eigen::VectorXd& y_dot,
                                          bool with_states = false);
  /// The same at a state that move() made, with other auxiliary states perhaps.
  std::optional<Eigen::VectorXd> force_at_state(const State& state, bool with_states = true);

  /// (s) ξ̇ = ẋ / size at a state that move() made, or at the centre; nothing where one has no value.
  std::optional<Eigen::VectorXd> state_rates(const State& state);
  /// Exact, by dual numbers; nothing where forces have no derivatives.
  std::optional<StateDerivatives> differentiate_states(const State& state);
  /// (s) ξ of a state, and back.
  Eigen::VectorXd measured_states(const State& state) const;
  void set_states(const Eigen::VectorXd& xi, State& state) const;

  /// Motion of all bodies with these accelerations of q (n).
  void evaluate_bodies(const State& state, std::span<const double> a, coordinates::MechanismMotion& out);
  /// Velocities of all bodies when q moves by dq (n), and nothing else does.
  void evaluate_displacement(const State& state, const Eigen::VectorXd& dq,
                             coordinates::MechanismMotion& out);
  /// How far bodies go for dq: the largest turn [rad] or shift of an origin in units of the size.
  double size_of(const State& state, const Eigen::VectorXd& dq);
  /// (f) The force that the whole of what acts on the bodies could give for a unit of each y: what roundoff of forces is measured by [J].
  /// Throws core::ModelError where evaluate finds no force.
  Eigen::VectorXd force_scales(const State& state, const Eigen::MatrixXd& directions);
  /// The largest of them.
  double force_scale(const State& state, const Eigen::MatrixXd& directions);
  double constraint_error(const State& state);

 private:
  void evaluate_rows(double t, std::span<const double> q);
  [[nodiscard]] bool factor();
  [[nodiscard]] ChartStatus close(const Eigen::VectorXd& y, State& state);
  [[nodiscard]] ChartStatus take_centre(const State& state, bool is_named);
  void follow_angles(State& state);
  /// Newton's method for ξ̇ = 0 at the position of the state. False where it does not end.
  [[nodiscard]] bool follow_states(State& state);
  /// False where a force has no value.
  [[nodiscard]] bool apply_forces(const State& state);
  Eigen::VectorXd solve(const Eigen::VectorXd& of_rows, const Eigen::VectorXd& of_y) const;
  /// R of (1) where S was factored last.
  Eigen::MatrixXd find_directions() const;
  /// c of (1) there.
  Eigen::VectorXd find_bias(const State& state);

  DynamicModel model_;
  Drivers drivers_;
  bool states_follow_ = false;
  coordinates::ConstraintSystem system_;
  std::unique_ptr<MassModel> mass_;
  double length_;
  Eigen::VectorXd scales_;  ///< (n) lengths: the mechanism's size
  std::vector<int> rows_;   ///< independent ones, ascending
  double start_regularity_ = 1.0;
  // The centre.
  State centre_;
  Eigen::MatrixXd B_;  ///< (f × n)
  Eigen::MatrixXd R_;  ///< (n × f) at the centre
  std::vector<int> named_columns_;
  double regularity_ = 1.0;
  // Scratch.
  std::vector<coordinates::CoordinateValue> values_;
  coordinates::PositionLevel level_;
  std::vector<double> level_q_;  ///< where level_ was evaluated last
  double level_t_ = 0.0, factored_t_ = 0.0;
  coordinates::GammaWorkspace gamma_workspace_;
  coordinates::BodiesWorkspace bodies_workspace_;
  coordinates::MechanismMotion bodies_;
  std::vector<Wrench> wrenches_;
  std::vector<double> zero_;
  MassValues masses_;
  Eigen::VectorXd row_scales_;
  core::Lu lu_;
  std::vector<double> factored_;  ///< q that lu_ belongs to, with the present B; of no rows any q does
  bool has_factors_ = false;      ///< lu_ belongs to the present B
  Eigen::VectorXd gamma_;
};

}  // namespace eslabon::dynamics
