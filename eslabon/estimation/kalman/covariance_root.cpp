#include "eslabon/estimation/kalman/covariance_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace eslabon::estimation {

namespace {

using Eigen::Index;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// So much, in units of the diagonal, a covariance may be unsymmetric or negative: people type them with few digits.
constexpr double kSlack = 1e-9;

}  // namespace

void triangularise(MatrixRef A) {
  const Index k = A.rows(), n = A.cols();
  for (Index j = 0; j < n; ++j) {
    auto column = A.col(j).tail(k - j);
    const double norm = column.norm();
    if (norm == 0.0) continue;
    // The reflection I − v vᵀ / b that takes the column to −sign(first) |column| e₁: no cancellation in v.
    const double target = column(0) > 0.0 ? -norm : norm, first = column(0) - target, b = -target * first;
    column(0) = first;
    for (Index i = j + 1; i < n; ++i) {
      auto other = A.col(i).tail(k - j);
      other -= (column.dot(other) / b) * column;
    }
    column(0) = target;
    if (target < 0.0) A.row(j).tail(n - j) *= -1.0;
  }
}

namespace {

// Cholesky's method column by column. False when a pivot is so small that those after it would lose digits, or negative.
bool find_root_of_regular(const Eigen::Ref<const Eigen::MatrixXd>& S, MatrixRef L) {
  L.setZero();
  for (Index j = 0; j < S.rows(); ++j) {
    const double pivot = S(j, j) - L.row(j).head(j).squaredNorm();
    if (S(j, j) == 0.0 && S.col(j).isZero(0.0)) continue;
    if (!(pivot > 1e-3 * S(j, j))) return false;
    L(j, j) = std::sqrt(pivot);
    for (Index i = j + 1; i < S.rows(); ++i)
      L(i, j) = (S(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
  }
  return true;
}

// The same in the order of the largest pivots, in units of the diagonal, until the rest is roundoff [GolubVanLoan2013, ch. 4]; the
// root is made triangular afterwards.
bool find_root_of_singular(const Eigen::Ref<const Eigen::MatrixXd>& S, MatrixRef L) {
  const Index n = S.rows();
  const double tolerance = 8.0 * static_cast<double>(n) * kEpsilon;
  const auto left = [&](Index i, Index j, Index k) {
    return S(i, j) - L.row(i).head(k).dot(L.row(j).head(k));
  };
  const auto size = [&](Index i, Index j) { return std::sqrt(S(i, i)) * std::sqrt(S(j, j)); };
  L.setZero();
  Index rank = 0;
  for (; rank < n; ++rank) {
    Index next = -1;
    double largest = tolerance;
    for (Index i = 0; i < n; ++i)
      if (S(i, i) > 0.0 && left(i, i, rank) > largest * S(i, i)) largest = left(next = i, i, rank) / S(i, i);
    if (next < 0) break;
    const double pivot = std::sqrt(left(next, next, rank));
    for (Index i = 0; i < n; ++i) L(i, rank) = i == next ? pivot : left(i, next, rank) / pivot;
  }
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i)
      if (std::abs(left(i, j, rank)) > kSlack * size(i, j)) return false;
  L.transposeInPlace();
  triangularise(L);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) L(i, j) = L(j, i), L(j, i) = 0.0;
  return true;
}

}  // namespace

bool find_root(const Eigen::Ref<const Eigen::MatrixXd>& S, MatrixRef L) {
  const Index n = S.rows();
  if (!S.allFinite() || (S.diagonal().array() < 0.0).any()) return false;
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i)
      if (S(i, j) != S(j, i) &&
          std::abs(S(i, j) - S(j, i)) > kSlack * std::sqrt(S(i, i)) * std::sqrt(S(j, j)))
        return false;
  return find_root_of_regular(S, L) || find_root_of_singular(S, L);
}

CovarianceRoot::CovarianceRoot(Index num_states, Index most_channels)
    : L_(Eigen::MatrixXd::Zero(num_states, num_states)),
      candidate_(L_),
      S_root_(Eigen::MatrixXd::Zero(most_channels, most_channels)),
      K_root_(Eigen::MatrixXd::Zero(num_states, most_channels)),
      white_(Eigen::VectorXd::Zero(most_channels)),
      rows_(2 * num_states, num_states),
      noise_root_(num_states, num_states),
      B_(most_channels, num_states) {}

bool CovarianceRoot::propose(const Eigen::Ref<const Eigen::MatrixXd>& P) { return find_root(P, candidate_); }

void CovarianceRoot::set_deviations(const Eigen::VectorXd& deviations) {
  L_.setZero();
  L_.diagonal() = deviations;
}

void CovarianceRoot::read(MatrixRef P) const {
  for (Index j = 0; j < num_states(); ++j)
    for (Index i = j; i < num_states(); ++i)
      P(i, j) = P(j, i) = L_.row(i).head(j + 1).dot(L_.row(j).head(j + 1));  // (1)
}

// Seed003 eq. 16b
bool CovarianceRoot::predict(const Eigen::Ref<const Eigen::MatrixXd>& F,
                             const Eigen::Ref<const Eigen::MatrixXd>& Q_w) {
  return find_root(Q_w, noise_root_) && predict_by_root(F, noise_root_);
}

bool CovarianceRoot::predict_by_root(const Eigen::Ref<const Eigen::MatrixXd>& F,
                                     const Eigen::Ref<const Eigen::MatrixXd>& Q_w_root) {
  const Index n = num_states();
  if (!F.allFinite()) return false;
  rows_.topRows(n).noalias() = L_.transpose().lazyProduct(F.transpose());
  rows_.bottomRows(n) = Q_w_root.transpose();
  return predict_from_rows(rows_);  // (2), transposed
}

bool CovarianceRoot::predict_from_rows(MatrixRef A) {
  triangularise(A);
  candidate_.setZero();
  for (Index i = 0; i < num_states(); ++i) candidate_.row(i).head(i + 1) = A.col(i).head(i + 1).transpose();
  return candidate_.allFinite();
}

bool CovarianceRoot::transform(const Eigen::Ref<const Eigen::MatrixXd>& T) {
  auto rows = rows_.topRows(num_states());
  rows.noalias() = L_.transpose().lazyProduct(T.transpose());
  return predict_from_rows(rows);
}

bool CovarianceRoot::weigh(const Eigen::Ref<const Eigen::MatrixXd>& H,
                           const Eigen::Ref<const Eigen::MatrixXd>& R_n) {
  m_ = H.rows();
  return find_root(R_n, S_root_.topLeftCorner(m_, m_)) && weigh_rows(H);
}

bool CovarianceRoot::weigh_by_root(const Eigen::Ref<const Eigen::MatrixXd>& H,
                                   const Eigen::Ref<const Eigen::MatrixXd>& R_n_root) {
  m_ = H.rows();
  S_root_.topLeftCorner(m_, m_) = R_n_root;
  return weigh_rows(H);
}

bool CovarianceRoot::weigh_rows(const Eigen::Ref<const Eigen::MatrixXd>& H) {
  if (!H.allFinite()) return false;
  B_.topRows(m_).noalias() = H.lazyProduct(L_);
  return rotate_reading();
}

bool CovarianceRoot::weigh_roots(const Eigen::Ref<const Eigen::MatrixXd>& B,
                                 const Eigen::Ref<const Eigen::MatrixXd>& C) {
  m_ = B.rows();
  B_.topRows(m_) = B;
  S_root_.topLeftCorner(m_, m_) = C;
  return rotate_reading();
}

// (4). Column i of the left block and column j of the right one are turned so that B(i, j) vanishes. With j falling, column i of the lower left
// block has entries in the rows after j only, as has column j of L from j on.
// Seed003 eq. 20b, eq. 20c, eq. 20e
bool CovarianceRoot::rotate_reading() {
  const Index n = num_states();
  candidate_ = L_;
  K_root_.leftCols(m_).setZero();
  for (Index i = 0; i < m_; ++i) {
    for (Index j = n - 1; j >= 0; --j) {
      if (B_(i, j) == 0.0) continue;
      const double length = std::hypot(S_root_(i, i), B_(i, j)), c = S_root_(i, i) / length,
                   s = B_(i, j) / length;
      const auto rotate = [c, s](double& left, double& right) {
        const double turned = c * left + s * right;
        right = c * right - s * left;
        left = turned;
      };
      S_root_(i, i) = length;
      B_(i, j) = 0.0;
      for (Index k = i + 1; k < m_; ++k) rotate(S_root_(k, i), B_(k, j));
      for (Index k = j; k < n; ++k) rotate(K_root_(k, i), candidate_(k, j));
    }
    if (!(S_root_(i, i) > 0.0)) return false;
  }
  return S_root_.topLeftCorner(m_, m_).allFinite() && K_root_.leftCols(m_).allFinite() &&
         candidate_.allFinite();
}

double CovarianceRoot::normalised_square(ConstStateRef innovation) {
  for (Index i = 0; i < m_; ++i)
    white_(i) = (innovation(i) - S_root_.row(i).head(i).dot(white_.head(i))) / S_root_(i, i);
  const double square = white_.head(m_).squaredNorm();
  return std::isfinite(square) ? square : std::numeric_limits<double>::max();
}

// Seed003 eq. 20d
void CovarianceRoot::correction(StateRef dx) const {
  dx.noalias() = K_root_.leftCols(m_).lazyProduct(white_.head(m_));
}

void CovarianceRoot::inflate(double factor, const Eigen::VectorXd& most) {
  for (Index k = 0; k < num_states(); ++k) {
    const double sigma = deviation(k);
    if (sigma > 0.0) L_.row(k) *= std::clamp(most(k) / sigma, 1.0, factor);
  }
}

void CovarianceRoot::limit(const Eigen::VectorXd& most) {
  for (Index k = 0; k < num_states(); ++k) {
    const double sigma = deviation(k);
    if (sigma > most(k)) L_.row(k) *= most(k) / sigma;
  }
}

}  // namespace eslabon::estimation
