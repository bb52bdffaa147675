#include "eslabon/core/geometry/rotation.hpp"

#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::core {

namespace {

template <int kSize, Scalar T>
void require_unit(const Eigen::Matrix<T, kSize, 1>& a, const char* what, const char* where) {
  if constexpr (NumericScalar<T>) {
    const double length = std::sqrt(value_of(a.squaredNorm()));
    if (std::abs(length - 1.0) <= Rotation<T>::kUnitTolerance) return;
    throw ContractError({.what = what,
                         .where = where,
                         .expected = "length 1",
                         .actual = number_text(length),
                         .next = "Divide it by its length first."});
  }
}

/// c₀ + c₁ x + c₂ x² + …
template <Scalar T, std::size_t kTerms>
T polynomial(const std::array<double, kTerms>& c, const T& x) {
  T sum(c[kTerms - 1]);
  for (std::size_t k = kTerms - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// (−1)ᵏ / (2k + first)!  for k = 0, 1, …: the series of sin(θ)/θ (first = 1) and of (1 − cos θ)/θ²
/// (first = 2) in powers of θ².
constexpr std::array<double, 12> inverse_factorials(int first) {
  std::array<double, 12> c{};
  double term = first == 1 ? 1.0 : 0.5;
  for (std::size_t k = 0; k < c.size(); ++k) {
    c[k] = term;
    const double n = static_cast<double>(2 * k) + first;
    term /= -(n + 1.0) * (n + 2.0);
  }
  return c;
}

/// (−1)ᵏ / (2k + 1): the series of atan(x)/x in powers of x².
constexpr std::array<double, 18> inverse_odd_numbers() {
  std::array<double, 18> c{};
  for (std::size_t k = 0; k < c.size(); ++k) {
    c[k] = (k % 2 == 0 ? 1.0 : -1.0) / (2.0 * static_cast<double>(k) + 1.0);
  }
  return c;
}

constexpr auto kSinSeries = inverse_factorials(1);
constexpr auto kCosSeries = inverse_factorials(2);
constexpr auto kAtanSeries = inverse_odd_numbers();

}  // namespace

// Seed002 eq. 1
template <Scalar T>
Matrix3<T> scaled_rotation_matrix(const EulerParameters<T>& e) {
  const Vector3<T> epsilon = e.template tail<3>();
  const T bracket = e(0) * e(0) - epsilon.squaredNorm();
  return bracket * Matrix3<T>::Identity() + T(2.0) * (epsilon * epsilon.transpose() + e(0) * skew(epsilon));
}

/// Rodrigues' formula:  R = I + sin θ ũ + (1 − cos θ) ũ².
template <Scalar T>
Rotation<T> Rotation<T>::from_axis_angle(const Vector3<T>& u, const T& angle) {
  require_unit(u, "an axis of rotation has no unit length", "Rotation::from_axis_angle");
  using std::cos;
  using std::sin;
  const Matrix3<T> u_tilde = skew(u);
  return Rotation(Matrix3<T>::Identity() + sin(angle) * u_tilde +
                  (T(1.0) - cos(angle)) * (u_tilde * u_tilde));
}

template <Scalar T>
Rotation<T> Rotation<T>::from_euler_parameters(const EulerParameters<T>& e) {
  require_unit(e, "Euler parameters have no unit length", "Rotation::from_euler_parameters");
  return Rotation(scaled_rotation_matrix(e));
}

/// Rodrigues' formula in the rotation vector r, θ² = s = rᵀr:
///
///   R = I + a(s) r̃ + b(s) r̃²,   a = sin θ / θ,   b = (1 − cos θ) / θ²            (1)
///   a = Σ (−s)ᵏ/(2k+1)!,   b = Σ (−s)ᵏ/(2k+2)!                                  (2)
///
/// θ = √s has no derivative at s = 0, but a and b are entire functions of s: below s = 1 they
/// come from (2), above from (1). The first term left out of (2) is below 1/25!, with two
/// derivatives in s still below 1e-22; at s ≥ 1 (1) loses no digits to 1 − cos.
template <Scalar T>
Rotation<T> Rotation<T>::from_rotation_vector(const Vector3<T>& r) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T one(1.0);
  const T s = r.squaredNorm();
  const T s_small = select_less(s, one, s, one);
  const T s_large = select_less(s, one, one, s);
  const T theta = sqrt(s_large);
  const T a = select_less(s, one, polynomial(kSinSeries, s_small), T(sin(theta) / theta));
  const T b = select_less(s, one, polynomial(kCosSeries, s_small), T((one - cos(theta)) / s_large));
  const Matrix3<T> r_tilde = skew(r);
  return Rotation(Matrix3<T>::Identity() + a * r_tilde + b * (r_tilde * r_tilde));  // (1)
}

template <Scalar T>
Rotation<T> Rotation<T>::about_z(const T& angle) {
  using std::cos;
  using std::sin;
  const T c = cos(angle), s = sin(angle), zero(0.0);
  Matrix3<T> M;
  M << c, -s, zero, s, c, zero, zero, zero, T(1.0);
  return Rotation(M);
}

template <Scalar T>
Rotation<T> Rotation<T>::from_matrix(const Matrix3<T>& M, double tolerance) {
  if constexpr (NumericScalar<T>) {
    const Eigen::Matrix3d values = M.unaryExpr([](const T& x) { return value_of(x); });
    const double error = (values.transpose() * values - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
    if (!values.allFinite() || !(error <= tolerance)) {
      throw ContractError({.what = "a matrix is not a rotation",
                           .where = "Rotation::from_matrix",
                           .expected = "max entry of |MᵀM - I| <= " + number_text(tolerance),
                           .actual = number_text(error),
                           .next = "Make its columns orthogonal and of length 1."});
    }
    if (values.col(0).cross(values.col(1)).dot(values.col(2)) < 0.0) {
      throw ContractError(
          {.what = "a matrix is a reflection, not a rotation",
           .where = "Rotation::from_matrix",
           .expected = "determinant 1",
           .actual = "determinant -1",
           .next = "Swap two columns or change the sign of one: the axes must be right-handed."});
    }
  }
  return Rotation(M);
}

/// Euler parameters of a rotation matrix. On |e| = 1, (1) of the header gives every product 4 eᵢ eⱼ
/// as a linear function of the entries of R, so the symmetric matrix B = 4 e eᵀ is known:
///
///   4e₀² = 1 + r₁₁ + r₂₂ + r₃₃,    4eᵢ² = 1 + 2rᵢᵢ − tr R                        (1)
///   4e₀e₁ = r₃₂ − r₂₃ (cyclic),    4e₁e₂ = r₁₂ + r₂₁ (cyclic)                    (2)
///   e = B_k / (2 √B_kk)      for any column k with e_k ≠ 0                        (3)
///
/// The four choices of k are the four branches; the largest B_kk is ≥ 1, so (3) with that k never
/// divides by a small number. Source: [Shepperd1978]. Differs from it: the branch is chosen by
/// select_less, so that it exists for scalars that cannot branch.
template <Scalar T>
EulerParameters<T> Rotation<T>::to_euler_parameters() const {
  using std::sqrt;
  const Matrix3<T>& R = matrix_;
  const T trace = R.trace();
  Eigen::Matrix<T, 4, 4> B;
  B(0, 0) = T(1.0) + trace;                                                         // (1)
  for (int i = 0; i < 3; ++i) B(i + 1, i + 1) = T(1.0) + T(2.0) * R(i, i) - trace;  // (1)
  B(0, 1) = B(1, 0) = R(2, 1) - R(1, 2);                                            // (2)
  B(0, 2) = B(2, 0) = R(0, 2) - R(2, 0);
  B(0, 3) = B(3, 0) = R(1, 0) - R(0, 1);
  B(1, 2) = B(2, 1) = R(0, 1) + R(1, 0);
  B(2, 3) = B(3, 2) = R(1, 2) + R(2, 1);
  B(1, 3) = B(3, 1) = R(2, 0) + R(0, 2);

  EulerParameters<T> column = B.col(0);
  T largest = B(0, 0);
  for (int k = 1; k < 4; ++k) {
    for (int i = 0; i < 4; ++i) column(i) = select_less(largest, B(k, k), T(B(i, k)), T(column(i)));
    largest = select_less(largest, B(k, k), T(B(k, k)), largest);
  }
  return column / (T(2.0) * sqrt(largest));  // (3)
}

/// With e the Euler parameters, ε their vector part, s = εᵀε = sin²(θ/2), e₀ ≥ 0:
///
///   r = 2 g ε,    g = (θ/2) / sin(θ/2) = atan2(√s, e₀) / √s                       (1)
///   g = (1/e₀) Σ (−u)ᵏ/(2k+1),    u = s / e₀² = tan²(θ/2)                         (2)
///
/// (2) for u < 1/16 (θ < 28°) has no √s and hence no missing derivative at 0; its first term left out,
/// derived twice, is below 1e-18. Near θ = π, (1) is well conditioned because ε has length 1 there,
/// unlike acos of the trace or a division by sin θ.
template <Scalar T>
Vector3<T> Rotation<T>::to_rotation_vector() const {
  using std::atan2;
  using std::sqrt;
  const T zero(0.0), one(1.0);
  EulerParameters<T> e = to_euler_parameters();
  e *= select_less(e(0), zero, T(-1.0), one);
  const Vector3<T> epsilon = e.template tail<3>();
  const T s = epsilon.squaredNorm();
  const T border = e(0) * e(0) / T(16.0);
  const T e0_small = select_less(s, border, T(e(0)), one);  // θ small: e₀ near 1
  const T u_small = select_less(s, border, T(s / (e0_small * e0_small)), zero);
  const T root_large = sqrt(select_less(s, border, one, s));
  const T g = select_less(s, border, T(polynomial(kAtanSeries, u_small) / e0_small),  // (2)
                          T(atan2(root_large, T(e(0))) / root_large));                // (1)
  return T(2.0) * g * epsilon;
}

#define ESLABON_INSTANTIATE(T)                                           \
  template Matrix3<T> scaled_rotation_matrix(const EulerParameters<T>&); \
  template class Rotation<T>;
ESLABON_FOR_EACH_SCALAR_AND_JET(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::core
