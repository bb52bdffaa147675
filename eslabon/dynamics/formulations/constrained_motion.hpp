#pragma once

#include <memory>
#include <span>
#include <vector>

#include "eslabon/coordinates/velocity_rows.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/dynamics/mass/mass_model.hpp"

namespace eslabon::dynamics {

/// What formulations in dependent coordinates have in common: rows, masses and forces of a mechanism in one kind of coordinates, at
/// one state after the other,
///   M a + Phi_qᵀ λ = Q − h,   Phi_q a = gamma.                                                              (1)
/// Where discs roll there are rows on velocities beside them, with multipliers μ that do no work, because A v = 0:
///   M a + Phi_qᵀ λ + Aᵀ μ = Q − h,   Phi_q a = gamma,   A a = gamma_A.                                      (2)
/// Scratch: one per thread.
class ConstrainedMotion {
 public:
  ConstrainedMotion(std::string_view kind, const DynamicModel& model);

  const DynamicModel& model() const { return model_; }
  const coordinates::ConstraintSystem& system() const { return system_; }
  const MassModel& mass() const { return *mass_; }
  double length() const { return length_; }
  int n() const { return system_.num_coordinates(); }
  /// (n) by which coordinates are measured: lengths by the mechanism's size.
  const std::vector<double>& scales() const { return scales_; }
  /// Rows that are independent where the mechanism starts, ascending; the others repeat them.
  const std::vector<int>& rows() const { return rows_; }
  /// In position.
  int num_freedoms() const { return n() - static_cast<int>(rows_.size()); }
  /// Rows on velocities, and those of them that are independent where the mechanism starts, ascending.
  const coordinates::VelocityRows& rolling() const { return rolling_; }
  const std::vector<int>& rolling_rows() const { return rolling_rows_; }
  /// "natural: 5 coordinates, 4 constraint rows, 1 DOF"
  std::string description() const;

  /// Phi, Phi_q, Phi_t and A at q. False where a driver has no value, or a disc lies flat.
  [[nodiscard]] bool evaluate_rows(double t, std::span<const double> q);
  /// M, h, Q, gamma and gamma_A of a state, whose rows are evaluated too. False where a driver or a force has no value, or a disc lies
  /// flat.
  [[nodiscard]] bool evaluate(const State& state);
  /// Formulation::why_not.
  core::ErrorText why_not(const State& state);
  /// The same for callers who must have them: throw core::ModelError with what why_not says.
  void evaluate_rows_or_throw(const State& state);
  void evaluate_or_throw(const State& state);
  /// M alone, for projections; after evaluate_rows.
  void evaluate_mass(std::span<const double> q, std::span<const double> v);

  const coordinates::PositionLevel& level() const { return level_; }
  const coordinates::VelocityLevel& rolling_level() const { return rolling_level_; }
  const MassValues& masses() const { return masses_; }
  const Eigen::VectorXd& gamma() const { return gamma_; }
  std::span<const double> state_rates() const { return state_rates_; }
  /// Of what evaluate() does, in relative coordinates; formulations add their own steps.
  StepTimer& timer() { return masses_.timer; }
  const StepTimer& timer() const { return masses_.timer; }

  /// Position in these coordinates, velocities zero.
  State state_of(const coordinates::MechanismMotion& bodies, double t) const;
  void evaluate_bodies(const State& state, std::span<const double> a, coordinates::MechanismMotion& out);
  double constraint_error(const State& state);
  /// Whether rows on velocities that repeat others at the start still do: where they do not, something would have to slip. After
  /// evaluate_rows at this state, whose velocities satisfy the others.
  bool all_roll(const State& state) const { return !find_slipping_row(state); }
  /// Largest component, lengths in units of the mechanism's size.
  double scaled_norm(std::span<const double> dq) const;
  /// Keeps the angles of springs near those of the state.
  void follow_angles(State& state);

 private:
  std::optional<int> find_slipping_row(const State& state) const;

  DynamicModel model_;
  coordinates::ConstraintSystem system_;
  coordinates::VelocityRows rolling_;
  std::unique_ptr<MassModel> mass_;
  double length_;
  std::vector<double> scales_;
  std::vector<int> rows_;
  std::vector<int> rolling_rows_;
  // Scratch.
  std::vector<coordinates::CoordinateValue> values_;
  coordinates::PositionLevel level_;
  coordinates::VelocityLevel rolling_level_;
  coordinates::GammaWorkspace gamma_workspace_;
  coordinates::BodiesWorkspace bodies_workspace_;
  coordinates::MechanismMotion bodies_;
  std::vector<Wrench> wrenches_;
  std::vector<double> state_rates_;
  std::vector<double> zero_;
  MassValues masses_;
  Eigen::VectorXd gamma_;
};

}  // namespace eslabon::dynamics
