#include "eslabon/kinematics/group_equations.hpp"

#include <cmath>

namespace eslabon::kinematics {

namespace {

using Eigen::Index;

constexpr double kSingular = 1e-13;  // of the largest pivot

}  // namespace

void GroupEquations::resize(Index rows, Index unknowns) {
  A.resize(rows, unknowns);
  b.resize(rows);
  tau_.resize(unknowns);
  diagonal_.resize(unknowns);
}

bool GroupEquations::factor() {
  const Index m = A.rows(), n = A.cols();
  double smallest = HUGE_VAL, largest = 0.0;
  sign_ = 1;
  for (Index k = 0; k < n; ++k) {
    double* const h = &A(0, k);
    double square = 0.0;
    for (Index i = k; i < m; ++i) square += h[i] * h[i];
    const double norm = std::sqrt(square);
    if (!(norm > 0.0)) {
      sign_ = 0;
      return false;  // zero, or no number
    }
    if (k + 1 == m) {
      // One row is left: nothing to reflect.
      diagonal_[k] = h[k];
      tau_[k] = 0.0;
    } else {
      diagonal_[k] = h[k] > 0.0 ? -norm : norm;
      h[k] -= diagonal_[k];
      tau_[k] = -1.0 / (diagonal_[k] * h[k]);  // 2 / |h|²
      sign_ = -sign_;                          // a reflection
      for (Index j = k + 1; j < n; ++j) {
        double* const column = &A(0, j);
        double along = 0.0;
        for (Index i = k; i < m; ++i) along += h[i] * column[i];
        along *= tau_[k];
        for (Index i = k; i < m; ++i) column[i] -= along * h[i];  // (1)
      }
    }
    if (diagonal_[k] < 0.0) sign_ = -sign_;
    smallest = std::min(smallest, std::abs(diagonal_[k]));
    largest = std::max(largest, std::abs(diagonal_[k]));
  }
  if (m != n) sign_ = 0;
  if (smallest > kSingular * largest) return true;
  sign_ = 0;
  return false;
}

void GroupEquations::solve() {
  const Index m = A.rows(), n = A.cols();
  double* const x = b.data();
  for (Index k = 0; k < n; ++k) {
    if (tau_[k] == 0.0) continue;
    const double* const h = &A(0, k);
    double along = 0.0;
    for (Index i = k; i < m; ++i) along += h[i] * x[i];
    along *= tau_[k];
    for (Index i = k; i < m; ++i) x[i] -= along * h[i];
  }
  for (Index k = n - 1; k >= 0; --k) {
    x[k] /= diagonal_[k];
    const double* const column = &A(0, k);
    for (Index i = 0; i < k; ++i) x[i] -= column[i] * x[k];
  }
}

}  // namespace eslabon::kinematics
