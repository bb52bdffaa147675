#pragma once

#include <span>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::kinematics {

/// Outcome of a search for a q with Phi(q) = 0.
struct [[nodiscard]] ClosingReport {
  bool is_closed = false;
  int iterations = 0;
  /// Largest |Phi|, lengths divided by the mechanism's size, at the q that was found.
  double residual = 0.0;
};

/// Looks for the q nearest to the given one that satisfies all rows, redundant and missing rows allowed:
///   min ½ |S Phi(q)|²                 S: lengths count in units of the mechanism's size              (1)
///   (JᵀJ + μ I) d = −Jᵀ S Phi,        J = S Phi_q D,  q ← q + D d                                    (2)
/// μ falls with the residual while steps are good and grows when they are not, so that the step is Newton's with the
/// shortest d near a solution and careful far away. Source: Levenberg and Marquardt with the update of [Nielsen1999].
/// Rows may be left out: `ignored_rows` is empty or says so for each.
/// Cost per iteration: one sparse Cholesky factorisation of JᵀJ.
ClosingReport close_by_least_squares(const coordinates::ConstraintSystem& system,
                                     std::span<const coordinates::CoordinateValue> values,
                                     std::span<double> q, const std::vector<bool>& ignored_rows = {});

/// Largest |Phi|, lengths divided by `length` [m].
double scaled_residual(const coordinates::ConstraintSystem& system, const Eigen::VectorXd& Phi,
                       double length);

/// What counts as closed.
inline constexpr double kClosedResidual = 1e-10;

}  // namespace eslabon::kinematics
