#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/kinematics/global/jacobian_solver.hpp"
#include "eslabon/kinematics/kinematic_method.hpp"

namespace eslabon::kinematics {

/// Position, velocity and acceleration problems of a driven mechanism, all coordinates at once [Seed001, §2.3,
/// Algorithms 1 and 3] [Seed003, Algorithm 1]:
///   Phi(q, t) = 0          by Newton:  Phi_q Δq = −Phi                                       (1)
///   Phi_q v = −Phi_t                                                                         (2)
///   Phi_q a = gamma                                                                          (3)
/// with as many independent rows as coordinates; rows that repeat others are left out of the factorisation and
/// only checked. Not const: it keeps factors and scratch; one per thread. The same
/// state and values give the same result, with the sparse method to roundoff: its pivots are those of an earlier position. After the first call nothing allocates.
class KinematicSolver final : public KinematicMethod {
 public:
  /// `method`: "global" (dense) or "sparse" (KLU). `kind`: a kind of coordinates.
  /// Throws core::ModelError for an unknown name, and when the start position is singular.
  KinematicSolver(std::string_view method, std::string_view kind, const DrivenMechanism& driven);

  const coordinates::ConstraintSystem& system() const { return system_; }
  /// Rows that the factorisation uses, ascending; the others repeat them.
  const std::vector<int>& rows() const { return rows_; }
  /// Size of the mechanism [m].
  double length() const { return length_; }

  std::string_view name() const override { return method_; }
  std::string description() const override;
  bool iterates() const override { return true; }
  State start() const override;
  /// (1).
  PositionSolution solve_positions(std::span<const coordinates::CoordinateValue> values, int most,
                                   std::span<double> q) override;
  /// (2).
  SolvedVelocity solve_velocities(const SolvedPosition& position, std::span<double> v) override;
  /// (3).
  void solve_accelerations(const SolvedVelocity& velocity,
                           std::span<const coordinates::CoordinateValue> values, std::span<const double> q,
                           std::span<const double> v, std::span<double> a) override;
  double evaluate_residual(std::span<const coordinates::CoordinateValue> values,
                           std::span<const double> q) override;
  /// Of the determinants of all sets of coordinates that must be solved together.
  void branch_signs(std::vector<signed char>& signs) override;
  void evaluate_bodies(const State& state, coordinates::MechanismMotion& out) override;
  double scaled_norm(std::span<const double> dq) const override;

  /// The state in these coordinates that has these motions of the bodies at time t.
  State state_of(const coordinates::MechanismMotion& bodies, double t) const;

  /// The joints that move in the motion which the position solved last, q, forbids least: near a singular position, the motion that
  /// becomes free there.
  std::vector<std::string> joints_that_nearly_move(std::span<const double> q);

  /// Chooses the independent rows anew at q; whether there are as many as coordinates.
  bool choose_rows(std::span<const double> q, std::span<const coordinates::CoordinateValue> values);

 private:
  void make_solver();
  NewtonReport iterate(std::span<const coordinates::CoordinateValue> values, int most, std::span<double> q);

  std::string method_;
  coordinates::ConstraintSystem system_;
  DrivenMechanism driven_;
  double length_;
  std::vector<double> inverse_scale_;  ///< (n) 1 / size for lengths, 1 for others
  std::vector<int> rows_;
  std::unique_ptr<JacobianSolver> solver_;
  std::unique_ptr<JacobianSolver> sign_solver_;  ///< for the signs, where the method is dense
  // Scratch.
  coordinates::PositionLevel positions_;
  coordinates::PositionLevel check_;
  coordinates::GammaWorkspace gamma_workspace_;
  Eigen::VectorXd right_;
  std::vector<double> correction_;
  coordinates::BodiesWorkspace bodies_workspace_;
};

}  // namespace eslabon::kinematics
