#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/kinematics/driven_mechanism.hpp"
#include "eslabon/kinematics/jacobian_solver.hpp"

namespace eslabon::kinematics {

/// What is true at one instant. A plain value.
struct State {
  double t = 0.0;         ///< [s]
  std::vector<double> q;  ///< (n) coordinates
  std::vector<double> v;  ///< (n) dq/dt
  std::vector<double> a;  ///< (n) dv/dt
};

/// Outcome of Newton's iteration for the positions.
struct [[nodiscard]] NewtonReport {
  bool is_converged = false;
  bool is_singular = false;  ///< the Jacobian could not be factored on the way
  int iterations = 0;
  double first_correction =
      0.0;                ///< largest change of a coordinate in the first step, lengths in units of the size
  double residual = 0.0;  ///< largest |Phi| of all rows, the redundant ones too, lengths in units of the size
};

/// Position, velocity and acceleration problems of a driven mechanism, all coordinates at once [Seed001, §2.3,
/// Algorithms 1 and 3] [Seed003, Algorithm 1]:
///   Phi(q, t) = 0          by Newton:  Phi_q Δq = −Phi                                       (1)
///   Phi_q v = −Phi_t                                                                         (2)
///   Phi_q a = gamma                                                                          (3)
/// with as many independent rows as coordinates; rows that repeat others are left out of the factorisation and
/// only checked. Not const: it keeps factors and scratch; one per thread. The same
/// state and values give the same result, with the sparse method to roundoff: its pivots are those of an earlier position. After the first call nothing allocates.
class KinematicSolver {
 public:
  /// `method`: "global" (dense) or "sparse" (KLU). `kind`: a kind of coordinates. `driven` must outlive the solver.
  /// Throws core::ModelError for an unknown name, and when the start position is singular.
  KinematicSolver(std::string_view method, std::string_view kind, const DrivenMechanism& driven);

  const coordinates::ConstraintSystem& system() const { return system_; }
  std::string_view method() const { return solver_->name(); }
  /// Rows that the factorisation uses, ascending; the others repeat them.
  const std::vector<int>& rows() const { return rows_; }
  double length() const { return length_; }

  /// The start position in these coordinates, not yet polished.
  State start() const;

  /// (1) from the q given; at most `most` iterations. Values are those of the time wanted.
  NewtonReport solve_positions(std::span<const coordinates::CoordinateValue> values, int most,
                               std::span<double> q);
  /// (2) at the q that solve_positions ended with.
  void solve_velocities(std::span<double> v);
  /// (3) at that q and the v of (2).
  void solve_accelerations(std::span<const coordinates::CoordinateValue> values, std::span<const double> q,
                           std::span<const double> v, std::span<double> a);

  /// Largest |Phi| of all rows at q, lengths in units of the mechanism's size.
  double evaluate_residual(std::span<const coordinates::CoordinateValue> values, std::span<const double> q);

  /// Signs of the determinants of all sets of coordinates that must be solved together, at the last position: they tell
  /// one branch from the next.
  void branch_signs(std::vector<signed char>& signs);
  double pivot_ratio() const { return solver_->pivot_ratio(); }

  /// The joints that move in the motion which the last factored Jacobian forbids least: near a singular position, the
  /// motion that becomes free there.
  std::vector<std::string> joints_that_nearly_move(std::span<const double> q);

  /// Chooses the independent rows anew at q; whether there are as many as coordinates.
  bool choose_rows(std::span<const double> q, std::span<const coordinates::CoordinateValue> values);

  /// Largest component, lengths in units of the mechanism's size.
  double scaled_norm(std::span<const double> dq) const;

 private:
  void make_solver();

  std::string method_;
  coordinates::ConstraintSystem system_;
  const DrivenMechanism& driven_;
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
};

/// The methods there are.
std::vector<std::string> method_names();

}  // namespace eslabon::kinematics
