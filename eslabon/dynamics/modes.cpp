#include "eslabon/dynamics/modes.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace eslabon::dynamics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<Mode> undamped_modes(const MatrixXd& K, const MatrixXd& M, double tolerance, double least) {
  std::vector<Mode> modes;
  if (K.rows() == 0) return modes;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(0.5 * (K + K.transpose()), M);
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  for (Index k = 0; k < K.rows(); ++k) {
    const double square = solver.eigenvalues()[k];
    Mode mode;
    mode.shape = solver.eigenvectors().col(k).normalized().cast<std::complex<double>>();
    if (std::abs(square) <= std::max(tolerance * largest, least)) {
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

std::vector<Mode> modes_of(const MatrixXd& A, double tolerance, double least) {
  std::vector<Mode> modes;
  const Index f = A.rows() / 2;
  if (f == 0) return modes;
  const Eigen::EigenSolver<MatrixXd> solver(A);
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  std::vector<Mode> rigid;
  for (Index k = 0; k < A.rows(); ++k) {
    const std::complex<double> value = solver.eigenvalues()[k];
    if (value.imag() < 0.0) continue;
    Mode mode;
    mode.eigenvalue = value;
    mode.shape = solver.eigenvectors().col(k).head(f);
    if (const double size = mode.shape.norm(); size > 0.0) mode.shape /= size;
    if (std::norm(value) <= std::max(tolerance * largest * largest, least)) {
      mode.kind = Mode::Kind::kRigid;
      mode.eigenvalue = 0.0;
      rigid.push_back(mode);
      continue;
    }
    if (value.imag() == 0.0) mode.kind = Mode::Kind::kReal;
    modes.push_back(std::move(mode));
  }
  // The two zeros of one rigid motion have the same shape: it is one mode.
  for (const Mode& mode : rigid) {
    MatrixXd kept(f, 0);
    for (const Mode& other : modes)
      if (other.kind == Mode::Kind::kRigid) {
        kept.conservativeResize(f, kept.cols() + 1);
        kept.rightCols(1) = other.shape.real();
      }
    VectorXd rest = mode.shape.real();
    if (rest.norm() < 0.5) rest = mode.shape.imag();
    rest.normalize();
    Mode real = mode;
    real.shape = rest.cast<std::complex<double>>();
    if (kept.cols() > 0) rest -= kept * kept.colPivHouseholderQr().solve(rest);
    if (rest.norm() > 1e-3) modes.push_back(real);
  }
  std::ranges::stable_sort(modes, {}, &Mode::natural_frequency);
  return modes;
}

}  // namespace eslabon::dynamics
