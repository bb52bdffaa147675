#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

namespace eslabon::dynamics {

/// One way in which a linearised mechanism moves on its own,  y(t) = shape · exp(eigenvalue t).
struct Mode {
  enum class Kind {
    kOscillation,  ///< a pair of complex eigenvalues; the one with positive imaginary part
    kDivergence,   ///< without damping: a pair ±λ of real ones; the positive one
    kReal,         ///< one real eigenvalue: decays, or grows
    kRigid,        ///< eigenvalue 0: nothing brings it back
  };
  Kind kind = Kind::kOscillation;
  std::complex<double> eigenvalue;  ///< λ [1/s]
  Eigen::VectorXcd shape;           ///< (f) of y, of unit length

  /// ω_n = |λ| [rad/s]
  double natural_frequency() const { return std::abs(eigenvalue); }
  /// ζ = −Re λ/|λ|; 0 for rigid modes.
  double damping_ratio() const {
    return kind == Kind::kRigid ? 0.0 : -eigenvalue.real() / std::abs(eigenvalue);
  }
};

/// Of  M ÿ + K y = 0  with symmetric matrices, M positive definite: one mode for each freedom, slowest first, divergences and rigid
/// modes before all others. λ² = −ω²; |ω²| up to `tolerance` times the largest, or up to `least`, is 0. Shapes are real.
std::vector<Mode> undamped_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M, double tolerance,
                                 double least = 0.0);

/// Of  ẋ = A x,  x = (y, ẏ): a mode for each pair of complex eigenvalues and for each real one; of the two zeros of a rigid motion without
/// damping one. |λ|² up to `tolerance` times the largest, or up to `least`, is 0: what is off by δ moves a double zero by √δ.
std::vector<Mode> modes_of(const Eigen::MatrixXd& A, double tolerance, double least = 0.0);

}  // namespace eslabon::dynamics
