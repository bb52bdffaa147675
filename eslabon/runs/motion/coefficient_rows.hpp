#pragma once

#include <span>
#include <vector>

#include "eslabon/kinematics/body_coefficients.hpp"
#include "eslabon/runs/row_sink.hpp"

namespace eslabon::runs {

/// Rows of velocity coefficients: at each row of a motion K and L of every body for its drivers z,
///   φ̇ = K ż,   φ̈ = K z̈ + Σ_i Σ_j L_ij ż_i ż_j,   L_ij = L_ji                                              (1)
/// Columns of K are called as the rate and the driven variable, `crank.rate/A.q`; those of L, one for each pair i ≤ j, as the
/// acceleration and both, `crank.angular_acceleration/A.q/B.q`. Rates are of the origins of the bodies, world axes.
class CoefficientRows {
 public:
  /// Throws core::ModelError where K does not exist.
  explicit CoefficientRows(const kinematics::DrivenMechanism& driven);

  const std::vector<core::Column>& columns() const { return columns_; }
  /// (columns) at a row.
  std::span<const double> at(const Row& row);

 private:
  kinematics::BodyCoefficients coefficients_;
  std::vector<core::Column> columns_;
  std::vector<double> row_;
};

}  // namespace eslabon::runs
