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

/// A sine curve at one slip, sin(C atan(B x − E (B x − atan(B x))) + phase), before its functions are computed.
template <core::Scalar T>
struct SineAt {
  double C = 0.0;
  T B_x{};
  T E{};
  double phase = 0.0;

  /// The argument of the outer arctangent, from the inner one.
  T bent(const T& inner) const { return B_x - E * (B_x - inner); }
  /// The argument of the sine, from the outer arctangent.
  T angle(const T& outer) const { return C * outer + phase; }
};

/// The curve of a force at a slip, without D and S_V.
template <core::Scalar T>
SineAt<T> at(const SineCurve<T>& curve, const T& X, const T& shifts) {
  const T x = X + curve.S_H * shifts;
  return {curve.C, curve.B * x, core::select_less(x, T(0.0), curve.E_at_negative, curve.E_at_positive), 0.0};
}

/// Angles, and what follows from them alone.
template <core::Scalar T>
struct SlipAngles {
  T alpha{};      ///< α*: α, or its tangent                                                     (4.E3)
  T cos_alpha{};  ///< of the angle itself
  T alpha_t{};    ///< of the trail
  T both_t{};     ///< tangent of the angle of the trail with the slip κ in it; in the book the angle
  T both_r{};     ///< the same for the residual torque
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
  return {.alpha = alpha,
          .cos_alpha = turns[0].cosine,
          .alpha_t = alpha_t,
          .both_t = sqrt(T(tan_t * tan_t + ratio_2)),  // (4.E78)
          .both_r = sqrt(T(tan_r * tan_r + ratio_2)),  // (4.E77)
          .rolling = turns[3].sine};
}

/// The curves of all forces at one slip, (4.E9) … (4.E66), and what the aligning moment needs.
template <core::Scalar T>
struct ForceShapes {
  T F_x0, G_xalpha, F_y0, F_y0_upright, G_ykappa;
  T S_Vykappa;  ///< sin(RVY5 atan(RVY6 κ))
  T alpha_r;    ///< modulus of the angle of the residual torque with the slip κ in it
  SineAt<T> trail;
  T trail_inner;  ///< its inner arctangent
};

/// Functions are computed in three batches, each of those that do not wait for one another: what takes time is the waiting.
template <core::Scalar T>
ForceShapes<T> force_shapes(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip,
                            const SlipAngles<T>& angle) {
  const bool is_tangent = t.slip_measure == SlipMeasure::kTangent;
  const T B_x = c.B_xalpha * cosine_of_arctangent(T(t.RBX2 * slip.kappa));              // (4.E54)
  const T B_y = c.B_ykappa * cosine_of_arctangent(T(t.RBY2 * (angle.alpha - t.RBY3)));  // (4.E62)
  const std::array<SineAt<T>, 7> curve{
      at(c.F_x0, slip.kappa, slip.shifts),
      SineAt<T>{t.RCX1, B_x * (angle.alpha + t.RHX1), c.E_xalpha, kCosine},
      SineAt<T>{t.RCX1, B_x * t.RHX1, c.E_xalpha, kCosine},
      at(c.F_y0, angle.alpha, slip.shifts),
      at(c.F_y0_upright, angle.alpha, slip.shifts),
      SineAt<T>{t.RCY1, B_y * (slip.kappa + c.S_Hykappa), c.E_ykappa, kCosine},
      SineAt<T>{t.RCY1, B_y * c.S_Hykappa, c.E_ykappa, kCosine},
  };
  std::array<T, 11> first;
  std::array<T, 8> second, third;
#pragma GCC unroll 7
  for (std::size_t k = 0; k < 7; ++k) first[k] = curve[k].B_x;
  first[7] = angle.both_t;
  first[8] = angle.both_r;
  first[9] = c.B_t * t.QCZ1 * angle.alpha_t;
  first[10] = t.RVY6 * slip.kappa;
  first = arctangents(first);
  const T alpha_t = is_tangent ? angle.both_t : first[7];          // (A55)
  const T E_t = at_most_one(T(c.E_t + c.E_t_by_slip * first[9]));  // (4.E44)
  const SineAt<T> trail{t.QCZ1, c.B_t * alpha_t, E_t, kCosine};
#pragma GCC unroll 7
  for (std::size_t k = 0; k < 7; ++k) second[k] = curve[k].bent(first[k]);
  second[7] = trail.B_x;
  second = arctangents(second);
#pragma GCC unroll 7
  for (std::size_t k = 0; k < 7; ++k) third[k] = curve[k].angle(second[k]);
  third[7] = t.RVY5 * first[10];
  third = sines(third);
  return {.F_x0 = third[0],
          .G_xalpha = third[1] / third[2],  // (4.E51)
          .F_y0 = third[3],
          .F_y0_upright = third[4],
          .G_ykappa = third[5] / third[6],  // (4.E59)
          .S_Vykappa = third[7],
          .alpha_r = is_tangent ? angle.both_r : first[8],  // (A54)
          .trail = trail,
          .trail_inner = second[7]};
}

/// cos(C_t atan(…)) of the trail, and the sine of the overturning moment; `F_y_ratio` is F_y/F_z0.
template <core::Scalar T>
std::array<T, 2> moment_shapes(const MagicFormula& t, const MagicCurves<T>& c, const ForceShapes<T>& shape,
                               const T& F_y_ratio) {
  const auto angle = arctangents<T, 2>({shape.trail.bent(shape.trail_inner), t.QSX9 * F_y_ratio});
  return sines<T, 2>({shape.trail.angle(angle[0]), c.M_x_phase + t.QSX8 * angle[1]});
}

template <core::Scalar T>
T rolling_moment(const MagicFormula& t, const MagicCurves<T>& c, const T& V_x, const T& F_x_ratio) {
  using std::abs;
  const T speed = abs(V_x) / t.LONGVL;
  const T speed_2 = speed * speed;
  const T coefficient =
      t.QSY1 + t.QSY2 * F_x_ratio + t.QSY3 * speed + t.QSY4 * speed_2 * speed_2 + c.QSY_camber;
  return c.M_y * coefficient;  // (A48)
}

/// `F_y` of the trail and of the arm.
template <core::Scalar T>
T aligning_moment(const MagicFormula& t, const MagicCurves<T>& c, const TyreSlip<T>& slip,
                  const SlipAngles<T>& angle, const T& alpha_r, const T& trail_shape, const T& F_x,
                  const T& F_y_ratio, const T& F_y_of_trail) {
  using std::abs;
  const T direction = slip.V_x / (abs(slip.V_x) + kSlowest * angle.cos_alpha);  // V_x/|V| by cos α  (4.E6)
  const T trail = c.trail * trail_shape * direction * angle.cos_alpha;          // (4.E73)
  const T sign = core::select_less(slip.V_x, T(0.0), T(-1.0), T(1.0));
  const T residual =
      c.residual * sign * angle.cos_alpha * cosine_of_arctangent(T(c.B_r * alpha_r));  // (4.E75)
  const T arm = c.arm + t.UNLOADED_RADIUS * t.SSZ2 * t.LS * F_y_ratio;                 // (A56)
  return (residual - trail * F_y_of_trail) * slip.shifts + arm * F_x;                  // (4.E71), (4.E72)
}

/// One slip with its forces in the plane of the road.
template <core::Scalar T>
struct InPlane {
  SlipAngles<T> angle;
  ForceShapes<T> shape;
  T S_Vykappa, F_x, F_y;
};

template <core::Scalar T>
InPlane<T> in_plane(const MagicFormula& tyre, const MagicCurves<T>& c, const TyreSlip<T>& slip) {
  const SlipAngles<T> angle = slip_angles(tyre, c, slip);
  const ForceShapes<T> shape = force_shapes(tyre, c, slip, angle);
  const T S_Vykappa = c.D_Vykappa * cosine_of_arctangent(T(tyre.RVY4 * angle.alpha)) * shape.S_Vykappa *
                      slip.shifts;                                                    // (4.E66)
  const T F_x = shape.G_xalpha * (c.F_x0.D * shape.F_x0 + c.F_x0.S_V * slip.shifts);  // (4.E50)
  const T F_y0 = c.F_y0.D * shape.F_y0 + c.F_y0.S_V * slip.shifts;                    // (4.E19)
  return {angle, shape, S_Vykappa, F_x, T(shape.G_ykappa * F_y0 + S_Vykappa)};        // (4.E58)
}

}  // namespace

template <core::Scalar T>
std::array<T, 2> magic_formula_plane_forces(const MagicFormula& tyre, const MagicCurves<T>& curves,
                                            const TyreSlip<T>& slip) {
  const InPlane<T> forces = in_plane(tyre, curves, slip);
  return {forces.F_x, forces.F_y};
}

template <core::Scalar T>
TyreForces<T> magic_formula_forces(const MagicFormula& tyre, const MagicCurves<T>& curves,
                                   const TyreSlip<T>& slip) {
  const MagicCurves<T>& c = curves;
  const InPlane<T> at = in_plane(tyre, c, slip);
  const T &F_x = at.F_x, &F_y = at.F_y;
  const T upright = c.F_y0_upright.D * at.shape.F_y0_upright + c.F_y0_upright.S_V * slip.shifts;
  const T F_y_of_trail = tyre.version == MagicFormulaVersion::k52
                             ? T(F_y - at.S_Vykappa)
                             : T(at.shape.G_ykappa * upright);  // (4.E74)
  const double per_nominal = 1.0 / tyre.FNOMIN;
  const T F_y_ratio = F_y * per_nominal;
  const std::array<T, 2> of_moments = moment_shapes(tyre, c, at.shape, F_y_ratio);
  return {F_x, F_y, c.M_x + c.M_x_by_F_y * F_y + c.M_x_sine * of_moments[1],  // (49)
          at.angle.rolling * rolling_moment(tyre, c, slip.V_x, T(F_x * per_nominal)),
          aligning_moment(tyre, c, slip, at.angle, at.shape.alpha_r, of_moments[0], F_x, F_y_ratio,
                          F_y_of_trail)};
}

#define ESLABON_INSTANTIATE(T)                                                                     \
  template TyreForces<T> magic_formula_forces(const MagicFormula&, const MagicCurves<T>&,          \
                                              const TyreSlip<T>&);                                 \
  template std::array<T, 2> magic_formula_plane_forces(const MagicFormula&, const MagicCurves<T>&, \
                                                       const TyreSlip<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
