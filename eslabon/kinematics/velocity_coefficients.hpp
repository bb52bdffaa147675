#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "eslabon/kinematics/group_kinematics.hpp"

namespace eslabon::kinematics {

/// Velocities and accelerations of every moving link as forms in the inputs z of the mechanism [Seed001, §2.2.2, eqs. (2.12),
/// (2.13)]. Coordinates φ are x, y of the origin and θ of one link after the other, without the frame:
///   φ̇ = K ż,   φ̈ = K z̈ + Σ_i Σ_j L_ij ż_i ż_j,    K = ∂φ/∂z,   L_ij = ∂²φ/∂z_i∂z_j = L_ji            (1)
struct VelocityCoefficients {
  Eigen::MatrixXd K;               ///< (3 links × inputs)
  std::vector<Eigen::MatrixXd> L;  ///< (inputs) L[i] is (3 links × inputs): column j is L_ij

  /// φ̇ and φ̈ of (1).
  Eigen::VectorXd velocities(const Eigen::VectorXd& z_dot) const { return K * z_dot; }
  Eigen::VectorXd accelerations(const Eigen::VectorXd& z_dot, const Eigen::VectorXd& z_ddot) const;
};

/// K and L where the inputs are `z`; `links` holds a position nearby and receives the solution, at rest.
///
/// Each group gives the rates of its links as a linear and a quadratic form in what it gets from groups before it, eqs.
/// (2.11), (2.14); sending ż = e_i through all groups in order therefore gives column i of K, as the product (2.12) of
/// all K_φh would, and its acceleration is L_ii, as the sum (2.18) would; ż = e_i + e_j gives L_ii + 2 L_ij + L_jj.
/// Differs from the source in that no K_φh or L_φh of a group is formed: the chain is followed, not multiplied out.
/// Cost: n (n + 3) / 2 solutions for n inputs. Nothing when the mechanism cannot be closed there.
std::optional<VelocityCoefficients> find_velocity_coefficients(const GroupKinematics& groups,
                                                               std::span<const double> z,
                                                               std::vector<PlanarLink>& links);

}  // namespace eslabon::kinematics
