#include "eslabon/tyres/magic_formula_89.hpp"

#include <cmath>
#include <numbers>

#include "eslabon/tyres/rolling_direction.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
/// What keeps C D from zero where there is no load or no friction.
constexpr double kGuard = 1e-6;

/// One curve at x, S_H added, S_V not.
template <core::Scalar T>
T curve(double C, const T& D, const T& BCD, const T& E, const T& x) {
  using std::atan;
  using std::sin;
  const T CD = C * D;
  const T Bx = BCD / (CD + core::select_less(CD, T(0.0), T(-kGuard), T(kGuard))) * x;
  return D * sin(C * atan(T(Bx - E * (Bx - atan(Bx)))));
}

/// D and BCD of a curve.
template <core::Scalar T>
struct PeakAndSlope {
  T D;
  T BCD;
};

template <core::Scalar T>
PeakAndSlope<T> longitudinal(const std::array<double, 11>& b, const T& W, const T& friction) {
  using std::exp;
  return {T(W * (b[1] * W + b[2]) * friction), T(W * (b[3] * W + b[4]) * exp(-b[5] * W))};
}
template <core::Scalar T>
PeakAndSlope<T> lateral(const std::array<double, 14>& a, const T& W, const T& friction, const T& gamma) {
  using std::abs;
  using std::atan;
  using std::sin;
  return {T(W * (a[1] * W + a[2]) * friction),
          T(a[3] * sin(2.0 * atan(W / a[4])) * (1.0 - a[5] * abs(gamma)))};
}

template <core::Scalar T>
T longitudinal_force(const std::array<double, 11>& b, const T& W, const T& friction, const T& kappa) {
  const auto [D, BCD] = longitudinal(b, W, friction);
  const T E = W * (b[6] * W + b[7]) + b[8];
  return curve(b[0], D, BCD, E, T(100.0 * kappa + b[9] * W + b[10]));  // (1)
}

template <core::Scalar T>
T lateral_force(const std::array<double, 14>& a, const T& W, const T& friction, const T& alpha,
                const T& gamma) {
  const auto [D, BCD] = lateral(a, W, friction, gamma);
  const T E = a[6] * W + a[7];
  return curve(a[0], D, BCD, E, T(alpha + a[8] * gamma + a[9] * W + a[10])) +
         (a[11] * W * gamma + a[12] * W + a[13]) * friction;  // (2)
}

template <core::Scalar T>
T aligning_moment(const std::array<double, 18>& c, const T& W, const T& friction, const T& alpha,
                  const T& gamma) {
  using std::abs;
  using std::exp;
  const T modulus = abs(gamma);
  const T D = W * (c[1] * W + c[2]) * friction;
  const T BCD = W * (c[3] * W + c[4]) * (1.0 - c[6] * modulus) * exp(-c[5] * W);
  const T E = (W * (c[7] * W + c[8]) + c[9]) * (1.0 - c[10] * modulus);
  return curve(c[0], D, BCD, E, T(alpha + c[11] * gamma + c[12] * W + c[13])) +
         (W * (c[14] * W + c[15]) * gamma + c[16] * W + c[17]) * friction;  // (3)
}

}  // namespace

template <core::Scalar T>
TyreForces<T> magic_formula_89_forces(const MagicFormula89& tyre, const TyreContact<T>& contact,
                                      const TyreSlip<T>& slip) {
  const T W = contact.F_z / 1000.0;
  const T alpha = kDegrees * slip.alpha, gamma = kDegrees * contact.gamma;
  TyreForces<T> out;
  out.F_x = longitudinal_force(tyre.b, W, contact.friction, slip.kappa);
  out.F_y = -lateral_force(tyre.a, W, contact.friction, alpha, gamma);
  out.M_y = -tyre.rolling_coefficient * tyre.free_radius * contact.F_z *
            rolling_direction(slip.rolling_speed, kLowSpeed);
  out.M_z = -aligning_moment(tyre.c, W, contact.friction, alpha, gamma);
  if (tyre.lateral_stiffness > 0.0) {
    out.M_x = contact.F_z * out.F_y / tyre.lateral_stiffness;  // (4)
    out.M_z += out.F_x * out.F_y / tyre.lateral_stiffness;     // (4)
  }
  return out;
}

template <core::Scalar T>
SlopesAndPeaks<T> slopes_and_peaks(const MagicFormula89& tyre, const TyreContact<T>& contact) {
  const T W = contact.F_z / 1000.0;
  const auto [D_x, BCD_x] = longitudinal(tyre.b, W, contact.friction);
  const auto [D_y, BCD_y] = lateral(tyre.a, W, contact.friction, T(kDegrees * contact.gamma));
  return {T(100.0 * BCD_x), T(kDegrees * BCD_y), D_x, D_y};
}

#define ESLABON_INSTANTIATE(T)                                                                 \
  template TyreForces<T> magic_formula_89_forces(const MagicFormula89&, const TyreContact<T>&, \
                                                 const TyreSlip<T>&);                          \
  template SlopesAndPeaks<T> slopes_and_peaks(const MagicFormula89&, const TyreContact<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
