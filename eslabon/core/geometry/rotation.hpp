#pragma once

#include "eslabon/core/geometry/vector.hpp"
#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::core {

/// Euler parameters (e₀, e₁, e₂, e₃), scalar part first:  e₀ = cos(θ/2), (e₁, e₂, e₃) = sin(θ/2) u
/// for a turn by θ about the unit axis u. e and −e are the same rotation.
template <Scalar T>
using EulerParameters = Vector4<T>;

/// |e|² R_AB for any four numbers e, unit or not:
///
///   |e|² R = (e₀² − εᵀε) I + 2 ε εᵀ + 2 e₀ ε̃,    ε = (e₁, e₂, e₃)               (1)
///
/// Quadratic in e: what a solver that still iterates towards |e| = 1 may differentiate.
/// Source: [Nikravesh1988, ch. 6] writes 2e₀² − 1 for the first bracket, which is the same on |e| = 1
/// only; the form here stays a multiple of a rotation elsewhere.
template <Scalar T>
Matrix3<T> scaled_rotation_matrix(const EulerParameters<T>& e);

/// The orientation R_AB of a frame B in a frame A: takes components in B to components in A,
///
///   a_A = R_AB a_B,    R_AC = R_AB R_BC,    R_BA = R_ABᵀ.                        (2)
///
/// Always a proper rotation: every way to build one either computes it or checks it.
/// Plain value; all functions are safe to call from any thread.
template <Scalar T>
class Rotation {
 public:
  /// How far from 1 (or from I) a checked input may be: products of a few unit things computed in
  /// double, 128 ε.
  static constexpr double kUnitTolerance = 0x1.0p-45;

  /// A and B aligned.
  // Seed000 eq. 9, eq. 10, eq. 11
  Rotation() : matrix_(Matrix3<T>::Identity()) {}

  /// Turn by `angle` [rad] about the axis `u`, whose components are the same in A and B.
  /// Throws ContractError unless |u| = 1.
  static Rotation from_axis_angle(const Vector3<T>& u, const T& angle);

  /// Throws ContractError unless |e| = 1.
  static Rotation from_euler_parameters(const EulerParameters<T>& e);

  /// exp: turn by |r| [rad] about r. Any r; exact derivatives everywhere, at r = 0 too.
  static Rotation from_rotation_vector(const Vector3<T>& r);

  /// Turn by `angle` [rad] about z: the only rotation of planar mechanisms.
  static Rotation about_z(const T& angle);

  /// Throws ContractError unless ‖MᵀM − I‖_max ≤ tolerance and det M > 0.
  static Rotation from_matrix(const Matrix3<T>& M, double tolerance = kUnitTolerance);

  /// The same for a matrix that is a rotation by the way it was computed: nothing is checked.
  static Rotation from_known_matrix(const Matrix3<T>& M) { return Rotation(M); }

  // Seed000 eq. 14
  const Matrix3<T>& matrix() const { return matrix_; }

  /// Unit Euler parameters of this rotation. No singular rotation; the largest of the four is
  /// positive, so the sign jumps somewhere on every path that turns a whole turn.
  EulerParameters<T> to_euler_parameters() const;

  /// log: the shortest r with exp(r) = this, |r| ≤ π. At θ = π both r and −r qualify and the
  /// sign is that of to_euler_parameters. Exact derivatives everywhere else, at r = 0 too.
  Vector3<T> to_rotation_vector() const;

  /// R_BA.
  // Seed000 eq. 15, eq. 17, eq. 43
  Rotation inverse() const { return Rotation(matrix_.transpose()); }

  /// R_AC = R_AB R_BC.
  friend Rotation operator*(const Rotation& R_AB, const Rotation& R_BC) {
    return Rotation(R_AB.matrix_ * R_BC.matrix_);
  }

  /// a_A = R_AB a_B.
  // Seed000 eq. 16, eq. 17
  friend Vector3<T> operator*(const Rotation& R_AB, const Vector3<T>& a_B) { return R_AB.matrix_ * a_B; }

 private:
  explicit Rotation(const Matrix3<T>& M) : matrix_(M) {}

  Matrix3<T> matrix_;  ///< (3 × 3) columns: axes of B in components of A
};

#define ESLABON_DECLARE(T)                                                      \
  extern template Matrix3<T> scaled_rotation_matrix(const EulerParameters<T>&); \
  extern template class Rotation<T>;
ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::core
