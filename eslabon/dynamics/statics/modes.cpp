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

namespace {

/// D with which rows and columns of D⁻¹ A D are of one size.
VectorXd balancing_scales(MatrixXd A) {
  VectorXd d = VectorXd::Ones(A.rows());
  bool is_done = false;
  for (int pass = 0; pass < 100 && !is_done; ++pass) {
    is_done = true;
    for (Index k = 0; k < A.rows(); ++k) {
      const double own = std::abs(A(k, k));
      const double column = A.col(k).cwiseAbs().sum() - own, row = A.row(k).cwiseAbs().sum() - own;
      if (!(column > 0.0) || !(row > 0.0)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (factor * column + row / factor >= 0.95 * (column + row)) continue;
      is_done = false;
      d[k] *= factor;
      A.col(k) *= factor;
      A.row(k) /= factor;
    }
  }
  return d;
}

/// Orthonormal null space and what is orthogonal to it, each row measured by its largest entry.
struct NullSpace {
  MatrixXd null, rest;
};
NullSpace null_space(const MatrixXd& A, double none) {
  MatrixXd rows = A;
  for (Index r = 0; r < rows.rows(); ++r)
    if (const double most = rows.row(r).cwiseAbs().maxCoeff(); most > 0.0) rows.row(r) /= most;
  const core::SingularValues svd = core::full_singular_values(rows);
  const Index k = (svd.values.array() <= none).count();
  return {svd.V.rightCols(k), svd.V.leftCols(A.cols() - k)};
}

}  // namespace

std::vector<Mode> modes_with_states(const MatrixXd& A, Index f, double none) {
  std::vector<Mode> modes;
  if (A.rows() == 0) return modes;
  const VectorXd d = balancing_scales(A);
  const MatrixXd B = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  const auto shape_of = [&](const Eigen::VectorXcd& x) {
    const Eigen::VectorXcd own = d.cast<std::complex<double>>().cwiseProduct(x);
    Eigen::VectorXcd shape(A.rows() - f);
    shape << own.head(f), own.tail(A.rows() - 2 * f);
    if (const double size = shape.norm(); size > 0.0) shape /= size;
    return shape;
  };
  Index zeros = 0;
  MatrixXd part = B;
  for (bool is_first = true; part.rows() > 0; is_first = false) {
    const NullSpace found = null_space(part, none);
    if (found.null.cols() == 0) break;
    zeros += found.null.cols();
    for (Index k = 0; is_first && k < found.null.cols(); ++k)
      modes.push_back({.kind = Mode::Kind::kRigid,
                       .eigenvalue = {},
                       .shape = shape_of(found.null.col(k).cast<std::complex<double>>())});
    part = (found.rest.transpose() * part * found.rest).eval();
  }
  const core::GeneralEigen solver = core::general_eigen(B);
  const std::vector<bool> is_zero = smallest(solver.values.cwiseAbs(), zeros);
  for (Index k = 0; k < A.rows(); ++k) {
    const std::complex<double> value = solver.values[k];
    if (value.imag() < 0.0 || is_zero[static_cast<std::size_t>(k)]) continue;
    modes.push_back({.kind = value.imag() == 0.0 ? Mode::Kind::kReal : Mode::Kind::kOscillation,
                     .eigenvalue = value,
                     .shape = shape_of(solver.vectors.col(k))});
  }
  std::ranges::stable_sort(modes, {}, &Mode::natural_frequency);
  return modes;
}

}  // namespace eslabon::dynamics
