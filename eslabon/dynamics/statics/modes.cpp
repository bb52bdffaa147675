#include "eslabon/dynamics/statics/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/core/linalg/singular_values.hpp"

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kPasses = 20;
constexpr double kLeastRow = 1e-12;         // of the largest
constexpr double kUndamped = 1e-9;          // of 1/s of the fastest motion
constexpr double kLeastMass = 1e-15;        // of the largest on the diagonal
constexpr double kLeastEigenvalue = 1e-12;  // eigenvalue of masses with a diagonal of 1

/// Positions of the `count` smallest.
std::vector<bool> smallest(const VectorXd& sizes, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(sizes.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index k) { return sizes[k]; });
  std::vector<bool> is_small(order.size(), false);
  for (Index k = 0; k < std::min(count, sizes.size()); ++k)
    is_small[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = true;
  return is_small;
}

MatrixXd scaled(const MatrixXd& matrix, const VectorXd& s) {
  return s.asDiagonal() * matrix * s.asDiagonal();
}

}  // namespace

VectorXd equilibrating_scales(const MatrixXd& K, const VectorXd& acting) {
  MatrixXd N = K.cwiseAbs().cwiseMax(K.cwiseAbs().transpose());
  N.diagonal() = N.diagonal().cwiseMax(acting);
  VectorXd s = VectorXd::Ones(K.rows());
  const double largest = N.size() > 0 ? N.maxCoeff() : 0.0;
  if (!(largest > 0.0)) return s;
  N.diagonal() = N.diagonal().cwiseMax(kLeastRow * largest);
  for (int i = 0; i < kPasses; ++i) s = s.cwiseQuotient(scaled(N, s).rowwise().maxCoeff().cwiseSqrt()).eval();
  return s;
}

RigidMotions rigid_motions(const MatrixXd& K, const MatrixXd& D, const MatrixXd& M, const VectorXd& scales,
                           double none) {
  RigidMotions out;
  const Index f = K.rows();
  const core::SingularValues svd = core::full_singular_values(scaled(K, scales));
  const Index k = (svd.values.array() <= none).count();
  const MatrixXd right = scales.asDiagonal() * svd.V.rightCols(k),
                 left = scales.asDiagonal() * svd.U.rightCols(k);
  out.shapes = MatrixXd(f, k);
  for (Index i = 0; i < k; ++i) out.shapes.col(i) = right.col(i).normalized();
  out.zeros = k;
  if (k == 0) return out;
  // (w, n) with  K w + D n = 0  is a second vector of the eigenvalue 0: D n has no part that K cannot give.
  const VectorXd masses = M.diagonal().cwiseSqrt().cwiseInverse();
  const double fastest =
      std::max(std::sqrt(scaled(K, masses).cwiseAbs().maxCoeff()), scaled(D, masses).cwiseAbs().maxCoeff());
  MatrixXd L = left, R = right;
  for (Index i = 0; i < k; ++i) {  // of unit mass
    L.col(i) /= std::sqrt(left.col(i).dot(M * left.col(i)));
    R.col(i) /= std::sqrt(right.col(i).dot(M * right.col(i)));
  }
  const VectorXd dampings = core::singular_values(L.transpose() * D * R);
  out.zeros += (dampings.array() <= kUndamped * fastest).count();
  return out;
}

bool has_mass_everywhere(const MatrixXd& M) {
  const VectorXd own = M.diagonal();
  if (M.rows() == 0 || !(own.minCoeff() > kLeastMass * own.maxCoeff())) return false;
  const MatrixXd unit = scaled(M, own.cwiseSqrt().cwiseInverse());
  return core::symmetric_eigenvalues(unit).minCoeff() > kLeastEigenvalue;
}

SquaredModes squared_modes(const MatrixXd& K, const MatrixXd& M) {
  const VectorXd s = M.diagonal().cwiseSqrt().cwiseInverse();
  const core::SymmetricEigen solver =
      core::generalized_symmetric_eigen(scaled(0.5 * (K + K.transpose()), s), scaled(M, s));
  SquaredModes out{solver.values, s.asDiagonal() * solver.vectors};
  out.shapes.colwise().normalize();
  return out;
}

std::vector<Mode> undamped_modes(const MatrixXd& K, const MatrixXd& M, Index rigid) {
  std::vector<Mode> modes;
  if (K.rows() == 0) return modes;
  const SquaredModes found = squared_modes(K, M);
  const std::vector<bool> is_rigid = smallest(found.squares.cwiseAbs(), rigid);
  for (Index k = 0; k < K.rows(); ++k) {
    const double square = found.squares[k];
    Mode mode;
    mode.shape = found.shapes.col(k).cast<std::complex<double>>();
    if (is_rigid[static_cast<std::size_t>(k)] || square == 0.0) {
      mode.kind = Mode::Kind::kRigid;
    } else if (square > 0.0) {
      mode.eigenvalue = {0.0, std::sqrt(square)};
    } else {
      mode.kind = Mode::Kind::kDivergence;
      mode.eigenvalue = std::sqrt(-square);
    }
    modes.push_back(std::move(mode));
  }
  return modes;
}

std::vector<Mode> modes_of(const MatrixXd& A, const RigidMotions& rigid) {
  std::vector<Mode> modes;
  const Index f = A.rows() / 2;
  if (f == 0) return modes;
  for (Index k = 0; k < rigid.shapes.cols(); ++k) {
    Mode mode;
    mode.kind = Mode::Kind::kRigid;
    mode.shape = rigid.shapes.col(k).cast<std::complex<double>>();
    modes.push_back(std::move(mode));
  }
  const core::GeneralEigen solver = core::general_eigen(A);
  const std::vector<bool> is_zero = smallest(solver.values.cwiseAbs(), rigid.zeros);
  for (Index k = 0; k < A.rows(); ++k) {
    const std::complex<double> value = solver.values[k];
    if (value.imag() < 0.0 || is_zero[static_cast<std::size_t>(k)]) continue;
    Mode mode;
    mode.eigenvalue = value;
    mode.shape = solver.vectors.col(k).head(f);
    if (const double size = mode.shape.norm(); size > 0.0) mode.shape /= size;
    if (value.imag() == 0.0) mode.kind = value.real() == 0.0 ? Mode::Kind::kRigid : Mode::Kind::kReal;
    modes.push_back(std::move(mode));
  }
  std::ranges::stable_sort(modes, {}, &Mode::natural_frequency);
  return modes;
}

}  // namespace eslabon::dynamics
