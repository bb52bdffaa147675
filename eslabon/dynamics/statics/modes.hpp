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
  Eigen::VectorXcd shape;  ///< (f) of y, of unit length; with auxiliary states (f + s), theirs behind

  /// ω_n = |λ| [rad/s]
  double natural_frequency() const { return std::abs(eigenvalue); }
  /// ζ = −Re λ/|λ|; 0 for rigid modes, and where λ is 0.
  double damping_ratio() const {
    const double size = std::abs(eigenvalue);
    return kind == Kind::kRigid || size == 0.0 ? 0.0 : -eigenvalue.real() / size;
  }
};

/// (f) s with which the largest entry of each row of diag(s) (|K| + diag(acting)) diag(s) is about 1 (Ruiz): each degree of freedom measured by
/// its own stiffness and by what acts on it. Rows below 10⁻¹² of the largest count as if they had that.
Eigen::VectorXd equilibrating_scales(const Eigen::MatrixXd& K, const Eigen::VectorXd& acting);

/// Motions without stiffness, and what their two eigenvalues 0 become with damping.
struct RigidMotions {
  Eigen::MatrixXd shapes;  ///< (f × k) y with K y = 0, each of unit length
  Eigen::Index zeros = 0;  ///< eigenvalues 0 of A: k, and one more for each motion that nothing damps
};

/// The null space of K, each degree of freedom measured by `scales` (equilibrating_scales); singular values up to `none` are 0.
RigidMotions rigid_motions(const Eigen::MatrixXd& K, const Eigen::MatrixXd& D, const Eigen::MatrixXd& M,
                           const Eigen::VectorXd& scales, double none);

/// Whether M is positive definite, each degree of freedom measured by its own mass.
bool has_mass_everywhere(const Eigen::MatrixXd& M);

/// K y = ω² M y with symmetric matrices, M positive definite, each degree of freedom measured by its own mass: ω² ascending, y of unit length.
struct SquaredModes {
  Eigen::VectorXd squares;
  Eigen::MatrixXd shapes;
};
SquaredModes squared_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

/// Of  M ÿ + K y = 0  with symmetric matrices, M positive definite: one mode for each degree of freedom, slowest first, divergences and rigid
/// modes before all others. λ² = −ω²; of the `rigid` smallest |ω²| they are 0. Shapes are real.
std::vector<Mode> undamped_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M, Eigen::Index rigid = 0);

/// Of  ẋ = A x,  x = (y, ẏ): a mode for each pair of complex eigenvalues and for each real one, slowest first. The smallest
/// `rigid.zeros` are those of the rigid motions, of which each is one mode: what A is off by δ moves a double zero by √δ.
std::vector<Mode> modes_of(const Eigen::MatrixXd& A, const RigidMotions& rigid = {});

/// Of  ẋ = A x,  x = (y, ẏ, ξ) with f y and auxiliary states ξ: a mode for each pair of complex eigenvalues and for each real one, slowest
/// first, those with eigenvalue 0 before all. Eigenvalues 0 are counted by rank: with N₁ the null space of A, N₂ that of what A does to the
/// space beside N₁, and so on, there are Σ dim N_k of them, in dim N₁ modes. Singular values up to `none` are 0, each row measured by its
/// largest entry. A is balanced first, D⁻¹ A D with powers of 2 [ParlettReinsch1969].
std::vector<Mode> modes_with_states(const Eigen::MatrixXd& A, Eigen::Index f, double none);

}  // namespace eslabon::dynamics
