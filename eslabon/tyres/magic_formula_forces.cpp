#include "eslabon/tyres/magic_formula_forces.hpp"

#include <cmath>

#include "eslabon/tyres/rolling_direction.hpp"
#include "eslabon/tyres/side_by_side.hpp"

namespace eslabon::tyres {

namespace {

/// The book's ε_V of (4.E6a) [m/s].
constexpr double kSlowest = 1e-6;
/// Square of an angle that nobody measures: lets √(α² + …) have a slope where α and κ are 0.
constexpr double kNoAngle2 = 1e-30;

template <core::Scalar T>
T at_most_one(const T& x) {
  return core::select_less(T(1.0), x, T(1.0), x);
}

/// cos(atan(x)).
template <core::Scalar T>
T cosine_of_arctangent(const T& x) {
  using std::sqrt;
  return 1.0 / sqrt(1.0 + x * x);
}

/// The curve of a force at a slip, without D and S_V.
template <core::Scalar T>
SineAt<T> at(const SineCurve<T>& curve, const T& X, const T& shifts) {
  const T x = X + curve.S_H * shifts;
  return {curve.C, curve.B * x, core::select_less(x, T(0.0), curve.E_at_negative, curve.E_at_positive),
          T(0.0)};
}

/// What follows from the slip and is no force yet.
template <core::Scalar T>
struct SlipAngles {
  T alpha{};      ///< α*: α, or its tangent                                                     (4.E3)
  T cos_alpha{};  ///< of the angle itself
  T alpha_t{};    ///< modulus of the angle of the trail with the slip κ in it
  T alpha_r{};    ///< the same for the residual torque
  T E_t{};        ///< curvature of the trail
  T kappa{};      ///< atan(RVY6 κ)
  T rolling{};  ///< part of the rolling resistance: none where the wheel stands, the opposite where it rolls backwards
};

template <core::Scalar T>
SlipAngles<T> slip_angles(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip) {
  using std::sqrt;
  const bool is_tangent = t.slip_measure == SlipMeasure::kTangent;
  const T S_Hf = c.S_Hf * slip.shifts;
  const auto turns =
      sines_and_cosines<T, 4>({slip.alpha, slip.alpha + c.S_Ht, slip.alpha + S_Hf,
                               kCosine * between_minus_one_and_one(T(slip.rolling_speed / t.VXLOW))});
  const auto tangent = [&](std::size_t k) { return T(turns[k].sine / turns[k].cosine); };
  const T alpha = is_tangent ? tangent(0) : slip.alpha;
  const T alpha_t = alpha + c.S_Ht;  // (4.E34)
  const T tan_t = is_tangent ? alpha_t : tangent(1);
  const T tan_r = is_tangent ? T(alpha + S_Hf) : tangent(2);  // (4.E37)
  const T ratio_2 = c.stiffness_ratio_2 * slip.kappa * slip.kappa + kNoAngle2;
  const T both_t = sqrt(T(tan_t * tan_t + ratio_2)),
          both_r = sqrt(T(tan_r * tan_r + ratio_2));  // (4.E77), (4.E78)
  const auto angle = arctangents<T, 4>({both_t, both_r, c.B_t * t.QCZ1 * alpha_t, t.RVY6 * slip.kappa});
  return {.alpha = alpha,
          .cos_alpha = turns[0].cosine,
          .alpha_t = is_tangent ? both_t : angle[0],                // (A55)
          .alpha_r = is_tangent ? both_r : angle[1],                // (A54)
          .E_t = at_most_one(T(c.E_t + c.E_t_by_slip * angle[2])),  // (4.E44)
          .kappa = angle[3],
          .rolling = turns[3].sine};
}

/// Sines and cosines of the forces, (4.E9) … (4.E73), all at once.
template <core::Scalar T>
struct ForceShapes {
  T F_x0, G_xalpha, F_y0, F_y0_upright, G_ykappa, trail;
};

template <core::Scalar T>
ForceShapes<T> force_shapes(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip,
                            const SlipAngles<T>& angle) {
  const T B_x = c.B_xalpha * cosine_of_arctangent(T(t.RBX2 * slip.kappa));              // (4.E54)
  const T B_y = c.B_ykappa * cosine_of_arctangent(T(t.RBY2 * (angle.alpha - t.RBY3)));  // (4.E62)
  const auto value = values<T, 8>({
      at(c.F_x0, slip.kappa, slip.shifts),
      SineAt<T>{t.RCX1, B_x * (angle.alpha + t.RHX1), c.E_xalpha, kCosine},
      SineAt<T>{t.RCX1, B_x * t.RHX1, c.E_xalpha, kCosine},
      at(c.F_y0, angle.alpha, slip.shifts),
      at(c.F_y0_upright, angle.alpha, slip.shifts),
      SineAt<T>{t.RCY1, B_y * (slip.kappa + c.S_Hykappa), c.E_ykappa, kCosine},
      SineAt<T>{t.RCY1, B_y * c.S_Hykappa, c.E_ykappa, kCosine},
      SineAt<T>{t.QCZ1, c.B_t * angle.alpha_t, angle.E_t, kCosine},
  });
  return {.F_x0 = value[0],
          .G_xalpha = value[1] / value[2],  // (4.E51)
          .F_y0 = value[3],
          .F_y0_upright = value[4],
          .G_ykappa = value[5] / value[6],  // (4.E59)
          .trail = value[7]};
}

template <core::Scalar T>
T sine(const T& x) {
  return sines<T, 1>({x})[0];
}

template <core::Scalar T>
T overturning_moment(const MagicFormula& t, const MagicCurves<T>& c, const T& F_y) {
  const T angle = arctangents<T, 1>({(t.QSX9 / t.FNOMIN) * F_y})[0];
  return c.M_x + c.M_x_by_F_y * F_y + c.M_x_sine * sine(T(c.M_x_phase + t.QSX8 * angle));  // (49)
}

template <core::Scalar T>
T rolling_moment(const MagicFormula& t, const MagicCurves<T>& c, const T& V_x, const T& F_x) {
  using std::abs;
  const T speed = abs(V_x) / t.LONGVL;
  const T speed_2 = speed * speed;
  const T coefficient =
      t.QSY1 + (t.QSY2 / t.FNOMIN) * F_x + t.QSY3 * speed + t.QSY4 * speed_2 * speed_2 + c.QSY_camber;
  return c.M_y * coefficient;  // (A48)
}

/// `F_y` of the trail and of the arm.
template <core::Scalar T>
T aligning_moment(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip,
                  const SlipAngles<T>& angle, const T& trail_shape, const T& F_x, const T& F_y,
                  const T& F_y_of_trail) {
  using std::abs;
  const T direction = slip.V_x / (abs(slip.V_x) + kSlowest * angle.cos_alpha);  // V_x/|V| by cos α  (4.E6)
  const T trail = c.trail * trail_shape * direction * angle.cos_alpha;          // (4.E73)
  const T sign = core::select_less(slip.V_x, T(0.0), T(-1.0), T(1.0));
  const T residual =
      c.residual * sign * angle.cos_alpha * cosine_of_arctangent(T(c.B_r * angle.alpha_r));  // (4.E75)
  const T arm = c.arm + (t.UNLOADED_RADIUS * t.SSZ2 * t.LS / t.FNOMIN) * F_y;                // (A56)
  return (residual - trail * F_y_of_trail) * slip.shifts + arm * F_x;  // (4.E71), (4.E72)
}

}  // namespace

template <core::Scalar T>
TyreForces<T> magic_formula_forces(const MagicFormula& tyre, const MagicCurves<T>& curves,
                                   const TyreSlip<T>& slip) {
  const MagicCurves<T>& c = curves;
  const SlipAngles<T> angle = slip_angles(tyre, c, slip);
  const T S_Vykappa = c.D_Vykappa * cosine_of_arctangent(T(tyre.RVY4 * angle.alpha)) *
                      sine(T(tyre.RVY5 * angle.kappa)) * slip.shifts;  // (4.E66)
  const ForceShapes<T> shape = force_shapes(tyre, c, slip, angle);
  const T F_x = shape.G_xalpha * (c.F_x0.D * shape.F_x0 + c.F_x0.S_V * slip.shifts);  // (4.E50)
  const T F_y0 = c.F_y0.D * shape.F_y0 + c.F_y0.S_V * slip.shifts;                    // (4.E19)
  const T F_y = shape.G_ykappa * F_y0 + S_Vykappa;                                    // (4.E58)
  const T upright = c.F_y0_upright.D * shape.F_y0_upright + c.F_y0_upright.S_V * slip.shifts;
  const T F_y_of_trail =
      tyre.version == MagicFormulaVersion::k52 ? T(F_y - S_Vykappa) : T(shape.G_ykappa * upright);  // (4.E74)
  return {F_x, F_y, overturning_moment(tyre, c, F_y), angle.rolling * rolling_moment(tyre, c, slip.V_x, F_x),
          aligning_moment(tyre, c, slip, angle, shape.trail, F_x, F_y, F_y_of_trail)};
}

#define ESLABON_INSTANTIATE(T) \
  template TyreForces<T> magic_formula_forces(const MagicFormula&, const MagicCurves<T>&, const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
