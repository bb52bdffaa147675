#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/kinematics/groups/group_kinematics.hpp"

namespace eslabon::kinematics {

/// Velocities and accelerations of every moving link as forms in the inputs z of the mechanism [Seed001, §2.2.2, eqs. (2.12),
/// (2.13)]. Rates φ̇ are, of one link after the other without the frame, v_x, v_y, ω in the plane and v, ω in space, φ̈ their
/// derivatives:
///   φ̇ = K ż,   φ̈ = K z̈ + Σ_i Σ_j L_ij ż_i ż_j,   L_ij = L_ji                                            (1)
/// In the plane φ̇ is the derivative of x, y, θ, so that K = ∂φ/∂z and L_ij = ∂²φ/∂z_i∂z_j; in space ω is no derivative, and
/// L_ij is the symmetric part of ∂K_j/∂z_i.
struct VelocityCoefficients {
  Eigen::MatrixXd K;               ///< (3 or 6 times links × inputs)
  std::vector<Eigen::MatrixXd> L;  ///< (inputs) L[i] is as K: column j is L_ij

  /// φ̇ and φ̈ of (1).
  Eigen::VectorXd velocities(const Eigen::VectorXd& z_dot) const { return K * z_dot; }
  Eigen::VectorXd accelerations(const Eigen::VectorXd& z_dot, const Eigen::VectorXd& z_ddot) const;
};

/// Finds K and L of a mechanism's drivers. Scratch; one per thread. After the first call nothing allocates.
///
/// Each group gives the rates of its links as a linear and a quadratic form in what it gets from groups before it, eqs.
/// (2.11), (2.14); sending ż = e_i through all groups in order therefore gives column i of K, as the product (2.12) of
/// all K_φh would, and its acceleration is L_ii, as the sum (2.18) would; ż = e_i + e_j gives L_ii + 2 L_ij + L_jj.
/// Inputs that never move a common link are sent together, see InputParties.
/// Differs from the source in that no K_φh or L_φh of a group is formed: the chain is followed, not multiplied out.
/// Cost: p (p + 1) / 2 solutions for p parties; p is the number of inputs that move one link, or little
/// more: 2 for the truck with 10 inputs.
template <class Link>
class VelocityCoefficientFinder {
 public:
  using Solution = typename GroupKinematics<Link>::Solution;
  using Workspace = typename GroupKinematics<Link>::Workspace;

  /// Lives beside `groups`.
  explicit VelocityCoefficientFinder(const GroupKinematics<Link>& groups);

  using Failure = typename GroupKinematics<Link>::Failure;

  /// Where the inputs are `inputs`, whose rates are not read; as GroupKinematics::solve, but rates in `at` have no meaning.
  std::optional<Failure> find(std::span<const coordinates::CoordinateValue> inputs, Solution& at,
                              Workspace& workspace);

  const VelocityCoefficients& coefficients() const { return coefficients_; }
  int num_parties() const { return static_cast<int>(parties_.size()); }

 private:
  void set_rates(std::size_t party, double rate);

  const GroupKinematics<Link>& groups_;
  std::vector<std::vector<std::size_t>> parties_;  ///< inputs that are sent together
  std::vector<std::vector<int>>
      mover_;  ///< (parties) (links) the input of the party that moves the link; −1: none
  /// (inputs) rate that is sent: 1 rad/s, or the mechanism's size per second, so that no part drowns another in differences
  std::vector<double> scale_;
  VelocityCoefficients coefficients_;
  std::vector<coordinates::CoordinateValue> inputs_;
};

extern template class VelocityCoefficientFinder<PlanarLink>;
extern template class VelocityCoefficientFinder<SpatialLink>;

}  // namespace eslabon::kinematics
