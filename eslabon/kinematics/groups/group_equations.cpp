#include "eslabon/kinematics/groups/group_equations.hpp"

#include <cmath>
#include <numeric>

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

std::vector<int> GroupEquations::choose_rows() const {
  Eigen::MatrixXd rest = A;
  std::vector<int> rows(static_cast<std::size_t>(A.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  for (Index k = 0; k < A.cols(); ++k) {
    Index row = 0, column = 0;
    rest.bottomRightCorner(A.rows() - k, A.cols() - k).cwiseAbs().maxCoeff(&row, &column);
    rest.row(k).swap(rest.row(k + row));
    rest.col(k).swap(rest.col(k + column));
    std::swap(rows[static_cast<std::size_t>(k)], rows[static_cast<std::size_t>(k + row)]);
    if (rest(k, k) == 0.0) break;
    for (Index i = k + 1; i < A.rows(); ++i)
      rest.row(i).tail(A.cols() - k) -= rest(i, k) / rest(k, k) * rest.row(k).tail(A.cols() - k);
  }
  rows.resize(static_cast<std::size_t>(A.cols()));
  return rows;
}

namespace {

/// Of the determinant, by elimination in place.
int determinant_sign(Eigen::MatrixXd& S) {
  const Index n = S.rows();
  int sign = 1;
  for (Index k = 0; k < n; ++k) {
    Index pivot = 0;
    S.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    if (pivot > 0) {
      S.row(k).swap(S.row(k + pivot));
      sign = -sign;
    }
    if (S(k, k) == 0.0) return 0;
    if (S(k, k) < 0.0) sign = -sign;
    for (Index i = k + 1; i < n; ++i)
      S.row(i).tail(n - k - 1) -= S(i, k) / S(k, k) * S.row(k).tail(n - k - 1);
  }
  return sign;
}

}  // namespace

bool GroupEquations::factor(std::span<const int> rows) {
  const Index m = A.rows(), n = A.cols();
  int chosen_sign = 0;
  if (m != n) {
    chosen_.resize(n, n);
    for (Index k = 0; k < n; ++k) chosen_.row(k) = A.row(rows[static_cast<std::size_t>(k)]);
    chosen_sign = determinant_sign(chosen_);
  }
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
  if (m != n) sign_ = chosen_sign;
  if (smallest > kSingular * largest) return true;
  sign_ = 0;
  return false;
}

// Seed001 eq. 3.44, eq. 3.45, eq. 3.46
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
