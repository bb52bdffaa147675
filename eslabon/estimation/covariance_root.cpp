#include "eslabon/estimation/covariance_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace eslabon::estimation {

namespace {

using Eigen::Index;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

// Cholesky's method column by column. A pivot within roundoff of zero counts as that roundoff: what it adds to S is not more than what S
// has lost by being written in doubles.
bool find_root(const Eigen::Ref<const Eigen::MatrixXd>& S, MatrixRef L) {
  const Index n = S.rows();
  const double tolerance = 8.0 * static_cast<double>(n) * kEpsilon;
  if (!S.allFinite()) return false;
  L.setZero();
  for (Index j = 0; j < n; ++j) {
    const double pivot = S(j, j) - L.row(j).head(j).squaredNorm(), least = tolerance * S(j, j);
    if (S(j, j) < 0.0 || pivot < -least) return false;
    L(j, j) = std::sqrt(std::max(pivot, least));
    for (Index i = j + 1; i < n; ++i) {
      const double size = std::sqrt(S(j, j)) * std::sqrt(std::abs(S(i, i)));
      if (std::abs(S(i, j)) > (1.0 + tolerance) * size || std::abs(S(i, j) - S(j, i)) > 1e-9 * size)
        return false;
      if (L(j, j) > 0.0)
        L(i, j) = (0.5 * (S(i, j) + S(j, i)) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
    }
  }
  return true;
}

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

bool CovarianceRoot::predict(const Eigen::Ref<const Eigen::MatrixXd>& F,
                             const Eigen::Ref<const Eigen::MatrixXd>& Q_w) {
  const Index n = num_states();
  if (!F.allFinite() || !find_root(Q_w, noise_root_)) return false;
  rows_.topRows(n).noalias() = L_.transpose().lazyProduct(F.transpose());
  rows_.bottomRows(n) = noise_root_.transpose();
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
  if (!H.allFinite() || !find_root(R_n, S_root_.topLeftCorner(m_, m_))) return false;
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
