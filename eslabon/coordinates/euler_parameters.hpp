#pragma once

#include <span>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "eslabon/core/geometry/rotation.hpp"

namespace eslabon::coordinates {

/// Columns of ∂(S(e) u)/∂e, S(e) = |e|² R(e) of core::scaled_rotation_matrix, u constant:
///   S u = (e₀² − ε·ε) u + 2 ε (ε·u) + 2 e₀ ε × u                                       (1)
///   ∂/∂e₀ = 2 e₀ u + 2 ε × u                                                           (2)
///   ∂/∂ε_k = −2 ε_k u + 2 k̂ (ε·u) + 2 ε u_k + 2 e₀ k̂ × u                               (3)
// Seed002 eq. 24
template <core::Scalar T>
void rotated_by_euler_parameters(const core::EulerParameters<T>& e, const core::Vector3<T>& u,
                                 std::span<core::Vector3<T>, 4> columns) {
  const core::Vector3<T> epsilon(e[1], e[2], e[3]);
  const T along = epsilon.dot(u);
  columns[0] = 2.0 * (e[0] * u + epsilon.cross(u));  // (2)
  for (int k = 0; k < 3; ++k) {
    core::Vector3<T> k_cross_u = core::Vector3<T>::Zero();
    k_cross_u[(k + 1) % 3] = -u[(k + 2) % 3];
    k_cross_u[(k + 2) % 3] = u[(k + 1) % 3];
    core::Vector3<T>& column = columns[static_cast<std::size_t>(k) + 1];
    column = 2.0 * (u[k] * epsilon - epsilon[k] * u + e[0] * k_cross_u);  // (3)
    column[k] = column[k] + 2.0 * along;
  }
}

/// Orientation of a frame B in a frame A, with angular velocity and acceleration, components in A.
struct Orientation {
  core::Rotation<double> R;
  Eigen::Vector3d w = Eigen::Vector3d::Zero();      ///< (3) [rad/s]
  Eigen::Vector3d alpha = Eigen::Vector3d::Zero();  ///< (3) [rad/s²]
};

/// The same as Euler parameters and their rates.
struct EulerParameterMotion {
  Eigen::Vector4d e;
  Eigen::Vector4d e_dot;
  Eigen::Vector4d e_ddot;
};

/// ω = 2 G ė,  α = 2 G ë,  G = [−ε, e₀ I + ε̃]  for |e| = 1. e is normalised first.            (4)
Orientation orientation_of(const EulerParameterMotion& motion);

/// ė = ½ Gᵀ ω,  ë = ½ Gᵀ α − ¼ |ω|² e:  the rates of unit parameters.                        (5)
EulerParameterMotion euler_parameters_of(const Orientation& orientation);

/// G of (4): turns rates of e into the angular velocity of B in A, components in A.
// Seed002 eq. 12
template <core::Scalar T>
Eigen::Matrix<T, 3, 4> euler_rate_matrix(const core::EulerParameters<T>& e) {
  Eigen::Matrix<T, 3, 4> G;
  G << -e[1], e[0], -e[3], e[2],  //
      -e[2], e[3], e[0], -e[1],   //
      -e[3], -e[2], e[1], e[0];
  return G;
}

}  // namespace eslabon::coordinates
