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

/// How much rows count, and rows beside those of the system.
struct RowChoice {
  /// A coordinate of the origin of a body, in reference-point coordinates r, e in space:
  ///   (r − |e|² R(e) p_BC_B)_k − value
  struct OriginRow {
    int column;              ///< of r in q; e follows
    Eigen::Vector3d p_BC_B;  ///< (3) the reference point [m]
    int component;           ///< k
    double value;            ///< [m]
  };
  std::vector<double> weights = {};  ///< (rows) factors of S; empty: all 1
  std::vector<OriginRow> origins = {};
  double origin_weight = 1.0;
};

/// Looks for the q nearest to the given one that satisfies all rows, redundant and missing rows allowed:
///   min ½ |S Phi(q)|²                 S: lengths count in units of the mechanism's size              (1)
///   (JᵀJ + μ I) d = −Jᵀ S Phi,        J = S Phi_q D,  q ← q + D d                                    (2)
/// μ falls with the residual while steps are good and grows when they are not, so that the step is Newton's with the
/// shortest d near a solution and careful far away. Source: Levenberg and Marquardt with the update of [Nielsen1999].
/// Rows may count less, or not at all, and there may be more of them: see RowChoice.
/// Cost per iteration: one sparse Cholesky factorisation of JᵀJ.
ClosingReport close_by_least_squares(const coordinates::ConstraintSystem& system,
                                     std::span<const coordinates::CoordinateValue> values,
                                     std::span<double> q, const RowChoice& choice = {});

/// Largest |Phi|, lengths divided by `length` [m].
double scaled_residual(const coordinates::ConstraintSystem& system, const Eigen::VectorXd& Phi,
                       double length);

/// What counts as closed.
inline constexpr double kClosedResidual = 1e-10;

}  // namespace eslabon::kinematics
