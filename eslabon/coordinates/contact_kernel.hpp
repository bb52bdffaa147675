#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "eslabon/coordinates/curve_frames.hpp"
#include "eslabon/coordinates/curve_pair.hpp"
#include "eslabon/coordinates/space_curve_kernel.hpp"
#include "eslabon/core/geometry/spline_curve.hpp"

namespace eslabon::coordinates {

/// A point beside a curve, seen from the curve: p = C(u) + N n + D t, where D = 0 at the nearest place.
template <core::Scalar T>
struct PointBeside {
  core::Vector3<T> d;  ///< f₂ − f₁
  T u;                 ///< the place
  core::PlanarCurvePoint<T> at;
  T normal;   ///< N, to the left
  T tangent;  ///< D
};
template <core::Scalar T>
PointBeside<T> point_beside_at(const FeaturesOf<T>& f, const model::TouchedCurve& curve, const T& u) {
  PointBeside<T> out;
  out.d = *f[2] - *f[1];
  const core::Vector3<T> p = seen_by<T>(*f[0], out.d);
  out.u = u;
  out.at = core::planar_point<T>(curve.spline, u);
  const core::Vector2<T> off = p.template head<2>() - out.at.p;
  out.normal = out.at.n.dot(off);
  out.tangent = out.at.t.dot(off);
  return out;
}
template <core::Scalar T>
PointBeside<T> point_beside(const FeaturesOf<T>& f, const model::TouchedCurve& curve) {
  return point_beside_at<T>(f, curve, curve.spline.nearest<T>(seen_by<T>(*f[0], T(1.0) * (*f[2] - *f[1]))));
}

/// A curve beside a straight face with the normal e = ẑ×f₀ on the side of the curve: where it comes nearest.
template <core::Scalar T>
struct CurveBeside {
  core::Vector3<T> e;    ///< (3) world
  core::Vector2<T> own;  ///< (2) e seen from the curve
  core::PlanarCurvePoint<T> at;
};
template <core::Scalar T>
CurveBeside<T> curve_beside_at(const FeaturesOf<T>& f, const model::TouchedCurve& curve, const T& w) {
  CurveBeside<T> out;
  out.e = turned_left<T>(*f[0]);
  out.own = seen_by<T>(*f[1], out.e).template head<2>();
  out.at = core::planar_point<T>(curve.spline, w);
  return out;
}
/// The place on the curve that is lowest over the face.
template <core::Scalar T>
T place_over_face(const FeaturesOf<T>& f, const model::TouchedCurve& curve) {
  return curve.spline.farthest_against<T>(seen_by<T>(*f[1], turned_left<T>(*f[0])));
}

/// What is left of p when whole turns of a closed curve are taken off, the nearest to 0.
template <core::Scalar T>
T once_round(const core::SplineCurve& curve, const T& p) {
  if (!curve.is_closed()) return p;
  using Base = std::remove_cvref_t<decltype(core::detail::without_derivatives(p))>;
  const Base plain = core::detail::without_derivatives(p);
  if constexpr (std::is_same_v<Base, double>) {
    return T(p - curve.length() * std::nearbyint(plain / curve.length()));
  } else {
    return T(p - core::detail::with_no_derivatives<T>(Base(curve.length() * round(plain / curve.length()))));
  }
}

/// The place q_k that a row measures.
template <core::Scalar T>
T measured_place(RowForm form, const FeaturesOf<T>& f, const RowConstant& constant) {
  if (form == RowForm::kFacePlace) return place_over_face<T>(f, *constant.curve);
  if (form == RowForm::kPairPlace) return pair_beside<T>(f, constant).u;
  if (form == RowForm::kSpaceCurvePlace) return constant.curve->spline.nearest<T>(point_seen_by_axes<T>(f));
  return constant.curve->spline.nearest<T>(seen_by<T>(*f[0], T(1.0) * (*f[2] - *f[1])));
}

/// Residual of a row of contact, without −c; `place`: q_k, read by the places only.
template <core::Scalar T>
T contact_residual(RowForm form, const FeaturesOf<T>& f, const RowConstant& constant, const T& place) {
  const model::TouchedCurve& curve = *constant.curve;
  switch (form) {
    case RowForm::kCurveGap:
      return curve.side * point_beside<T>(f, curve).normal;
    case RowForm::kCurvePlace:
      return point_beside_at<T>(f, curve, place).tangent;
    case RowForm::kPairGap: {
      const PairBeside<T> beside = pair_beside<T>(f, constant);
      return curve.side * beside.at.n.dot(beside.off);
    }
    case RowForm::kPairPlace:
      return once_round<T>(curve.spline, T(pair_beside<T>(f, constant).u - place));
    case RowForm::kFaceGap: {
      const CurveBeside<T> beside = curve_beside_at<T>(f, curve, place_over_face<T>(f, curve));
      return beside.e.dot(*f[3] - *f[2]) + beside.own.dot(beside.at.p);
    }
    default: {
      const CurveBeside<T> beside = curve_beside_at<T>(f, curve, place);
      return beside.own.dot(beside.at.t);
    }
  }
}

/// Its derivatives by the features, and by q_k. With n' = −k t, t' = k n, and C' = s t:
///   kCurveGap    N = n·(p − C):       ∂N/∂p = n,   ∂N/∂u = −k D = 0 at the nearest place                 (1)
///   kCurvePlace  D = t·(p − C):       ∂D/∂p = t,   ∂D/∂u = k N − s                                       (2)
///   kFaceGap     e·(f₃ − f₂ + C(w)):  by w  e·C' = 0 at the lowest place                                 (3)
///   kFacePlace   e·t(w):              by w  k e·n                                                        (4)
///   kPairGap     n·(Q − C):           by u and w 0 where (9) holds
///   kPairPlace   u − q_k:             ∂(u, w)/∂f = −A⁻¹ ∂(g₁, g₂)/∂f,  A = ∂(g₁, g₂)/∂(u, w)
template <core::Scalar T>
void add_contact_gradient(RowForm form, const FeaturesOf<T>& f, const RowConstant& constant, const T& place,
                          std::array<core::Vector3<T>, kMostFeatures>& by_feature, T& by_place) {
  const model::TouchedCurve& curve = *constant.curve;
  switch (form) {
    case RowForm::kCurveGap:
    case RowForm::kCurvePlace: {
      const bool is_gap = form == RowForm::kCurveGap;
      const PointBeside<T> beside = is_gap ? point_beside<T>(f, curve) : point_beside_at<T>(f, curve, place);
      const core::Vector2<T> m =
          is_gap ? core::Vector2<T>(curve.side * beside.at.n) : beside.at.t;  // (1), (2)
      by_feature[0] = seen_by_axis<T>(m, beside.d);
      by_feature[2] = in_world<T>(*f[0], m);
      by_feature[1] = -by_feature[2];
      if (!is_gap) by_place = T(beside.at.turning * beside.normal - beside.at.speed);
      break;
    }
    case RowForm::kPairGap: {
      const PairBeside<T> beside = pair_beside<T>(f, constant);
      pair_gradient<T>(f, curve.side * beside.at.n, beside.d + beside.M, beside.C2, by_feature);
      break;
    }
    case RowForm::kPairPlace: {
      const PairBeside<T> beside = pair_beside<T>(f, constant);
      std::array<core::Vector3<T>, kMostFeatures> of_g1, of_g2;
      pair_gradient<T>(f, beside.at.t, beside.d + beside.M, beside.C2, of_g1);
      const core::Vector3<T> along = in_world<T>(*f[1], beside.C2_1);
      of_g2[0] = seen_by_axis<T>(beside.at.n, along);
      of_g2[1] = seen_by_axis<T>(beside.C2_1, in_world<T>(*f[0], beside.at.n));
      const T det = T(beside.a11() * beside.a22() - beside.a12() * beside.a21());
      for (std::size_t k = 0; k < 4; ++k) {
        by_feature[k] = T(-beside.a22() / det) * of_g1[k];
        if (k < 2) by_feature[k] += T(beside.a12() / det) * of_g2[k];
      }
      by_place = T(-1.0);
      break;
    }
    default: {
      const bool is_gap = form == RowForm::kFaceGap;
      const CurveBeside<T> beside =
          curve_beside_at<T>(f, curve, is_gap ? place_over_face<T>(f, curve) : place);
      const core::Vector2<T> m = is_gap ? beside.at.p : beside.at.t;
      const core::Vector3<T> M = in_world<T>(*f[1], m);  // e·M, M turned with the curve
      by_feature[1] = seen_by_axis<T>(m, beside.e);
      if (!is_gap) {
        by_feature[0] = core::Vector3<T>(M.y(), -M.x(), T(0.0));
        by_place = T(beside.at.turning * beside.own.dot(beside.at.n));
        break;
      }
      const core::Vector3<T> D = *f[3] - *f[2] + M;
      by_feature[0] = core::Vector3<T>(D.y(), -D.x(), T(0.0));
      by_feature[3] = beside.e;
      by_feature[2] = -beside.e;
      break;
    }
  }
}

/// What is quadratic in the rates of the features, and of q_k, in the residual's second derivative by time; p̃ = 2 (ẋ·ḋ, (ẑ×ẋ)·ḋ):
///   kCurveGap    n·p̃ − k u̇ t·ṗ,                        u̇ = t·ṗ/(s − k N)                              (5)
///   kCurvePlace  t·p̃ + 2 k u̇ n·ṗ + (k' N − k² D − s') u̇²                                              (6)
///   kFaceGap     2 ė·Ḋ + ẇ ė₂·C',                       ẇ = −ė₂·C'/(e₂·C''),  e₂: e seen from the curve  (7)
///   kFacePlace   2 (ė₂ of second order)·t + 2 ẇ k ė₂·n + (k' e₂·n − k² e₂·t) ẇ²                          (8)
inline double contact_second_order(RowForm form, const FeaturesOf<double>& f, const FeaturesOf<double>& f_dot,
                                   const RowConstant& constant, double place, double place_rate) {
  using core::Vector2;
  using core::Vector3;
  const model::TouchedCurve& curve = *constant.curve;
  if (form == RowForm::kPairGap || form == RowForm::kPairPlace)
    return pair_second_order(form, f, f_dot, constant);
  if (form == RowForm::kCurveGap || form == RowForm::kCurvePlace) {
    const bool is_gap = form == RowForm::kCurveGap;
    const PointBeside<double> beside =
        is_gap ? point_beside<double>(f, curve) : point_beside_at<double>(f, curve, place);
    const auto& at = beside.at;
    const Vector3<double> d_dot = *f_dot[2] - *f_dot[1];
    const Vector2<double> second = 2.0 * seen_by<double>(*f_dot[0], d_dot).head<2>();
    const Vector2<double> rate =
        (seen_by<double>(*f_dot[0], beside.d) + seen_by<double>(*f[0], d_dot)).head<2>();
    if (is_gap) {
      const double u_dot = at.t.dot(rate) / (at.speed - at.turning * beside.normal);
      return curve.side * (at.n.dot(second) - at.turning * u_dot * at.t.dot(rate));  // (5)
    }
    return at.t.dot(second) + 2.0 * at.turning * place_rate * at.n.dot(rate) +
           (at.turning_rate * beside.normal - at.turning * at.turning * beside.tangent - at.speed_rate) *
               place_rate * place_rate;  // (6)
  }
  const bool is_gap = form == RowForm::kFaceGap;
  const double w = is_gap ? place_over_face<double>(f, curve) : place;
  const CurveBeside<double> beside = curve_beside_at<double>(f, curve, w);
  const auto& at = beside.at;
  const Vector3<double> e_dot = turned_left<double>(*f_dot[0]);
  const Vector2<double> own_rate =
      (seen_by<double>(*f_dot[1], beside.e) + seen_by<double>(*f[1], e_dot)).head<2>();
  const Vector2<double> own_second = 2.0 * seen_by<double>(*f_dot[1], e_dot).head<2>();
  if (is_gap) {
    // C'' along e₂: s k n·e₂, because t·e₂ = 0 here.
    const double across = at.speed * at.turning * beside.own.dot(at.n);
    const double along = at.speed * own_rate.dot(at.t);
    return 2.0 * e_dot.dot(*f_dot[3] - *f_dot[2]) + own_second.dot(at.p) - along * along / across;  // (7)
  }
  return own_second.dot(at.t) + 2.0 * place_rate * at.turning * own_rate.dot(at.n) +
         (at.turning_rate * beside.own.dot(at.n) - at.turning * at.turning * beside.own.dot(at.t)) *
             place_rate * place_rate;  // (8)
}

}  // namespace eslabon::coordinates
