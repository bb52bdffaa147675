#pragma once

#include <memory>

#include "eslabon/dynamics/formulations/constrained_motion.hpp"
#include "eslabon/kinematics/global/jacobian_solver.hpp"

namespace eslabon::dynamics {

/// The symmetric matrix of the multipliers,
///   [ M      Phi_qᵀ ] [ x ]   [ b ]
///   [ Phi_q  0      ] [ λ ] = [ c ]            [Seed002, eq. (27)]                                            (1)
/// with the independent rows alone, those on velocities of ConstrainedMotion behind them, or with all of them and −ε_r on the diagonal of each, which makes it regular whatever the rows do. With b = M x* and c the residual it is also the projection that is orthogonal in the mass.
/// Masses are taken in a unit of their own size, μ, and λ with them: (1) would mix them with numbers of order 1 whatever they are.
/// Dense for a few coordinates, sparse for more.
class AugmentedMatrix {
 public:
  explicit AugmentedMatrix(const ConstrainedMotion& motion);
  /// With all rows and these ε (rows of the system).
  AugmentedMatrix(const ConstrainedMotion& motion, std::vector<double> softness);

  /// False when it is singular: a degree of freedom without mass, or rows that depend on each other here.
  [[nodiscard]] bool factor(const ConstrainedMotion& motion);
  /// x (n) and λ (rows) for b (n) and c (rows of the system, of which the independent ones are read), and 0 for rows on velocities.
  void solve(std::span<const double> b, std::span<const double> c, std::span<double> x,
             std::span<double> lambda) {
    solve(b, c, {}, x, lambda);
  }
  /// The same with c_A (rows on velocities) for those; empty: 0.
  void solve(std::span<const double> b, std::span<const double> c, std::span<const double> c_A,
             std::span<double> x, std::span<double> lambda);

 private:
  void make(const ConstrainedMotion& motion);

  std::size_t n_;
  std::vector<int> rows_;
  std::vector<int> rolling_rows_;
  std::vector<double> softness_;  ///< (rows_) ε; empty: none
  coordinates::SparsePattern pattern_;
  std::vector<int> from_M_, from_Phi_q_,
      from_A_;                         ///< (entries) which entry they come from; −1: another, or all: an ε
  std::vector<std::size_t> diagonal_;  ///< entries of M on its diagonal: the largest of all is one of them
  double mass_unit_ = 1.0;             ///< μ of the last factor, a power of two
  std::unique_ptr<kinematics::JacobianSolver> solver_;
  std::vector<double> entries_, right_, answer_;
};

}  // namespace eslabon::dynamics
