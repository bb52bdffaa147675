#include "eslabon/tyres/magic_formula_forces.hpp"

#include <cmath>
#include <numbers>

namespace eslabon::tyres {

namespace {

/// The book's ε_V of (4.E6a) [m/s].
constexpr double kSlowest = 1e-6;
/// Square of an angle that nobody measures: lets √(α² + …) have a slope where α and κ are 0.
constexpr double kNoAngle2 = 1e-30;

/// B x − E (B x − atan(B x)).
template <core::Scalar T>
T bent(const T& Bx, const T& E) {
  using std::atan;
  return Bx - E * (Bx - atan(Bx));
}

template <core::Scalar T>
T sine(const SineCurve<T>& curve, const T& X, const T& shifts) {
  using std::atan;
  using std::sin;
  const T x = X + curve.S_H * shifts;
  const T E = core::select_less(x, T(0.0), curve.E_at_negative, curve.E_at_positive);
  return curve.D * sin(curve.C * atan(bent(T(curve.B * x), E))) + curve.S_V * shifts;
}

/// cos(C atan(B x − E (B x − atan(B x)))): how a force falls with the other slip.
template <core::Scalar T>
T cosine(double C, const T& B, const T& E, const T& x) {
  using std::atan;
  using std::cos;
  return cos(C * atan(bent(T(B * x), E)));
}

/// cos(atan(x)).
template <core::Scalar T>
T cosine_of_arctangent(const T& x) {
  using std::sqrt;
  return 1.0 / sqrt(1.0 + x * x);
}

/// Modulus of a slip angle with the slip κ in it, `ratio_2` = (K_xκ/K_yα)² κ².
template <core::Scalar T>
T with_kappa(SlipMeasure measure, const T& alpha, const T& ratio_2) {
  using std::atan;
  using std::sqrt;
  using std::tan;
  if (measure == SlipMeasure::kTangent) return sqrt(alpha * alpha + ratio_2 + kNoAngle2);  // (4.E77), (4.E78)
  const T tangent = tan(alpha);
  return atan(sqrt(tangent * tangent + ratio_2 + kNoAngle2));  // (A54), (A55)
}

/// Part of the rolling resistance that a wheel has which rolls so fast: none where it stands, the opposite where it rolls backwards.
template <core::Scalar T>
T rolling_part(const T& rolling_speed, double VXLOW) {
  using std::sin;
  const T x = rolling_speed / VXLOW;
  const T at_most_one = core::select_less(T(1.0), x, T(1.0), x);
  return sin((0.5 * std::numbers::pi) * core::select_less(at_most_one, T(-1.0), T(-1.0), at_most_one));
}

/// F_y without slip at γ = 0 and with it, and what κ makes of both.
template <core::Scalar T>
struct LateralForce {
  T F_y{};
  T S_Vykappa{};
  T upright{};  ///< F_y' of (4.E74)
};

template <core::Scalar T>
T longitudinal_force(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip, const T& alpha) {
  const T B = c.B_xalpha * cosine_of_arctangent(T(t.RBX2 * slip.kappa));  // (4.E54)
  const T G = cosine(t.RCX1, B, c.E_xalpha, T(alpha + t.RHX1)) /
              cosine(t.RCX1, B, c.E_xalpha, T(t.RHX1));  // (4.E51)
  return G * sine(c.F_x0, slip.kappa, slip.shifts);     // (4.E50)
}

template <core::Scalar T>
LateralForce<T> lateral_force(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip,
                              const T& alpha) {
  using std::atan;
  using std::sin;
  const T B = c.B_ykappa * cosine_of_arctangent(T(t.RBY2 * (alpha - t.RBY3)));  // (4.E62)
  const T G = cosine(t.RCY1, B, c.E_ykappa, T(slip.kappa + c.S_Hykappa)) /
              cosine(t.RCY1, B, c.E_ykappa, c.S_Hykappa);  // (4.E59)
  LateralForce<T> out;
  out.S_Vykappa = c.D_Vykappa * cosine_of_arctangent(T(t.RVY4 * alpha)) *
                  sin(t.RVY5 * atan(t.RVY6 * slip.kappa)) * slip.shifts;  // (4.E66)
  out.F_y = G * sine(c.F_y0, alpha, slip.shifts) + out.S_Vykappa;         // (4.E58)
  out.upright = G * sine(c.F_y0_upright, alpha, slip.shifts);             // (4.E74)
  return out;
}

template <core::Scalar T>
T overturning_moment(const MagicFormula& t, const MagicCurves<T>& c, const T& F_y) {
  using std::atan;
  using std::sin;
  return c.M_x + c.M_x_by_F_y * F_y +
         c.M_x_sine * sin(c.M_x_phase + t.QSX8 * atan((t.QSX9 / t.FNOMIN) * F_y));  // (49)
}

template <core::Scalar T>
T rolling_moment(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip, const T& F_x) {
  using std::abs;
  const T speed = abs(slip.V_x) / t.LONGVL;
  const T speed_2 = speed * speed;
  const T coefficient =
      t.QSY1 + (t.QSY2 / t.FNOMIN) * F_x + t.QSY3 * speed + t.QSY4 * speed_2 * speed_2 + c.QSY_camber;
  return c.M_y * coefficient * rolling_part(slip.rolling_speed, t.VXLOW);  // (A48)
}

template <core::Scalar T>
T aligning_moment(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip, const T& alpha,
                  const T& F_x, const LateralForce<T>& lateral) {
  using std::abs;
  using std::atan;
  using std::cos;
  const T cos_alpha = cos(slip.alpha);
  const T direction = slip.V_x / (abs(slip.V_x) + kSlowest * cos_alpha);  // V_x/|V| by cos α  (4.E6)
  const T ratio_2 = c.stiffness_ratio_2 * slip.kappa * slip.kappa;

  const T alpha_t = alpha + c.S_Ht;                                                          // (4.E34)
  const T E = c.E_t + c.E_t_by_slip * atan(c.B_t * t.QCZ1 * alpha_t);                       // (4.E44)
  const T E_t = core::select_less(T(1.0), E, T(1.0), E);
  const T trail = c.trail * cosine(t.QCZ1, c.B_t, E_t, with_kappa(t.slip_measure, alpha_t, ratio_2)) *
                  direction * cos_alpha;  // (4.E73)

  const T alpha_r = alpha + c.S_Hf * slip.shifts;  // (4.E37)
  const T sign = core::select_less(slip.V_x, T(0.0), T(-1.0), T(1.0));
  const T residual = c.residual * sign * cos_alpha *
                     cosine_of_arctangent(T(c.B_r * with_kappa(t.slip_measure, alpha_r, ratio_2)));  // (4.E75)

  const T arm = c.arm + (t.UNLOADED_RADIUS * t.SSZ2 * t.LS / t.FNOMIN) * lateral.F_y;  // (A56)
  const T F_y = t.version == MagicFormulaVersion::k52 ? T(lateral.F_y - lateral.S_Vykappa) : lateral.upright;
  return (residual - trail * F_y) * slip.shifts + arm * F_x;  // (4.E71), (4.E72)
}

}  // namespace

template <core::Scalar T>
TyreForces<T> magic_formula_forces(const MagicFormula& tyre, const MagicCurves<T>& curves, const TyreSlip<T>& slip) {
  using std::tan;
  const T alpha = tyre.slip_measure == SlipMeasure::kTangent ? T(tan(slip.alpha)) : slip.alpha;  // (4.E3)
  const T F_x = longitudinal_force(tyre, curves, slip, alpha);
  const LateralForce<T> lateral = lateral_force(tyre, curves, slip, alpha);
  return {F_x, lateral.F_y, overturning_moment(tyre, curves, lateral.F_y),
          rolling_moment(tyre, curves, slip, F_x), aligning_moment(tyre, curves, slip, alpha, F_x, lateral)};
}

#define ESLABON_INSTANTIATE(T)                                                                         \
  template TyreForces<T> magic_formula_forces(const MagicFormula&, const MagicCurves<T>&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
