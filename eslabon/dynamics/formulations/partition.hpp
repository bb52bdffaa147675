#pragma once

#include <memory>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/kinematics/global/jacobian_solver.hpp"

namespace eslabon::dynamics {

/// How S is factored.
enum class Matrices { kBySize, kDense, kSparse };

/// Coordinates parted into independent ones z and those that follow from them, and the square system
///   S = [ Phi_q ]      S x = [ c ]
///       [ B     ],           [ y ]             B picks z from q                                              (1)
/// with the independent rows of Phi_q. R = S⁻¹ [0; I] spans the motions that the constraints allow, v = R ż + S⁻¹ [−Phi_t; 0]
/// [Seed004, eqs. (26), (27)], there without drivers; [Seed003, §3.3.1] uses R and does not say how it is found.
class Partition {
 public:
  /// Chooses z where Phi_q has these entries: the columns that are left when rows are eliminated, each by its largest entry, columns
  /// measured in `scales`.
  Partition(const coordinates::ConstraintSystem& system, const std::vector<int>& rows,
            std::span<const double> Phi_q, std::span<const double> scales,
            Matrices matrices = Matrices::kBySize);

  const std::vector<int>& independent() const { return independent_; }

  [[nodiscard]] bool factor(std::span<const double> Phi_q);
  /// x (n) for c (rows of the system) and y (independent).
  void solve(std::span<const double> c, std::span<const double> y, std::span<double> x);
  /// How far S is from singular, of order 1 when the choice is good. Rows are scaled before: one that vanishes does not show.
  double pivot_ratio() const { return solver_->pivot_ratio(); }
  /// The same times the largest entry of the smallest row, columns in their scales: falls to 0 towards a singular position.
  double regularity();

 private:
  std::vector<int> rows_;
  std::vector<int> independent_;
  coordinates::SparsePattern pattern_;
  std::vector<int> from_Phi_q_;  ///< (entries) −1: a one of B
  std::unique_ptr<kinematics::JacobianSolver> solver_;
  std::vector<double> scales_;  ///< (columns)
  std::vector<double> entries_, right_, row_largest_;
};

}  // namespace eslabon::dynamics
