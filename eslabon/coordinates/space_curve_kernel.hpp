#pragma once

#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "eslabon/coordinates/curve_frames.hpp"
#include "eslabon/core/geometry/spline_curve.hpp"

namespace eslabon::coordinates {

// A point on a curve in space. The features are the axes f₀, f₁, f₂ of the curve's body, its first point f₃ and the point f₄. Seen from that body,
//   p = (f₀·d, f₁·d, f₂·d),   d = f₄ − f₃                                                                 (1)
// With C' = s t, off = p − C(u) and u where D = t·off = 0, two directions across the curve follow from a fixed one, w = TouchedCurve::across:
//   n₁ = (w − t (t·w))/|w − t (t·w)|,   n₂ = t × n₁                                                       (2)
//   Φ₁ = n₁·off,   Φ₂ = n₂·off                                                                           (3)
// t, n₁, n₂ are unit vectors at right angles, and as u goes on they turn by
//   n₁' = −(t'·n₁) t + k n₂,   n₂' = −(t'·n₂) t − k n₁,   k = −(t·w) (t'·n₂)/|w − t (t·w)|,   t'·n₂ = C''·n₂/s     (4)
// Off the curve too, because t·off = 0,
//   dΦ₁ = n₁·dp + k Φ₂ du,   dΦ₂ = n₂·dp − k Φ₁ du,   du = C'·dp/(C'·C' − C''·off)                         (5)
// w is nowhere along the curve, so (2) is smooth everywhere, ends and closed curves included.

/// (1)
template <core::Scalar T>
core::Vector3<T> seen_by_axes(const FeaturesOf<T>& f, const core::Vector3<T>& d) {
  return {f[0]->dot(d), f[1]->dot(d), f[2]->dot(d)};
}
/// p of a row of a curve in space.
template <core::Scalar T>
core::Vector3<T> point_seen_by_axes(const FeaturesOf<T>& f) {
  return seen_by_axes<T>(f, core::Vector3<T>(*f[4] - *f[3]));
}

/// A place on the curve, and where p is from there.
template <core::Scalar T>
struct BesideSpaceCurve {
  core::CurvePoint<T> at;
  core::Vector3<T> off;
  T speed;  ///< s
  core::Vector3<T> t, n1, n2;
  T turning;  ///< k
};
template <core::Scalar T>
BesideSpaceCurve<T> beside_space_curve(const core::Vector3<T>& p, const model::TouchedCurve& curve,
                                       const T& u) {
  using std::sqrt;
  BesideSpaceCurve<T> out;
  out.at = curve.spline.at<T>(u);
  out.off = p - out.at.p;
  out.speed = sqrt(out.at.d1.dot(out.at.d1));
  out.t = out.at.d1 / out.speed;
  const core::Vector3<T> w = curve.across.template cast<T>();
  const T along = out.t.dot(w);
  const core::Vector3<T> rest = w - along * out.t;
  const T length = sqrt(rest.dot(rest));
  out.n1 = rest / length;  // (2)
  out.n2 = out.t.cross(out.n1);
  out.turning = T(-along * out.at.d2.dot(out.n2) / (out.speed * length));  // (4)
  return out;
}

/// The residual of a row at p; `place`: q_k, read by kSpaceCurvePlace only.
template <core::Scalar T>
T space_curve_residual_at(RowForm form, const core::Vector3<T>& p, const model::TouchedCurve& curve,
                          const T& place) {
  if (form == RowForm::kSpaceCurvePlace) {
    const BesideSpaceCurve<T> beside = beside_space_curve<T>(p, curve, place);
    return beside.t.dot(beside.off);
  }
  const BesideSpaceCurve<T> beside = beside_space_curve<T>(p, curve, curve.spline.nearest<T>(p));
  return form == RowForm::kSpaceCurveFirst ? beside.n1.dot(beside.off) : beside.n2.dot(beside.off);  // (3)
}
template <core::Scalar T>
T space_curve_residual(RowForm form, const FeaturesOf<T>& f, const RowConstant& constant, const T& place) {
  return space_curve_residual_at<T>(form, point_seen_by_axes<T>(f), *constant.curve, place);
}

/// Its derivatives by the features: by p as (5) says, and of D = t·(p − C(q_k))
///   ∂D/∂p = t,   ∂D/∂q_k = t'·off − s,   t' = (C'' − t (t·C''))/s                                          (6)
template <core::Scalar T>
void add_space_curve_gradient(RowForm form, const FeaturesOf<T>& f, const RowConstant& constant,
                              const T& place, std::array<core::Vector3<T>, kMostFeatures>& by_feature,
                              T& by_place) {
  const model::TouchedCurve& curve = *constant.curve;
  const core::Vector3<T> p = point_seen_by_axes<T>(f);
  core::Vector3<T> by_p;
  if (form == RowForm::kSpaceCurvePlace) {
    const BesideSpaceCurve<T> beside = beside_space_curve<T>(p, curve, place);
    const core::Vector3<T> bend = beside.at.d2 - beside.t.dot(beside.at.d2) * beside.t;
    by_p = beside.t;
    by_place = T(bend.dot(beside.off) / beside.speed - beside.speed);  // (6)
  } else {
    const BesideSpaceCurve<T> beside = beside_space_curve<T>(p, curve, curve.spline.nearest<T>(p));
    const T by_way = T(beside.turning / (beside.at.d1.dot(beside.at.d1) - beside.at.d2.dot(beside.off)));
    if (form == RowForm::kSpaceCurveFirst)  // (5)
      by_p = beside.n1 + T(by_way * beside.n2.dot(beside.off)) * beside.at.d1;
    else
      by_p = beside.n2 - T(by_way * beside.n1.dot(beside.off)) * beside.at.d1;
  }
  const core::Vector3<T> d = *f[4] - *f[3];
  for (int k = 0; k < 3; ++k) by_feature[static_cast<std::size_t>(k)] = by_p[k] * d;
  by_feature[4] = by_p[0] * *f[0] + by_p[1] * *f[1] + by_p[2] * *f[2];
  by_feature[3] = -by_feature[4];
}

/// What is quadratic in the rates of the features, and of q_k: the second derivative along p + ṗ t + p̃ t²/2, by dual numbers, where p̃ = 2 (ḟ_k·ḋ)
/// is all of p̈ that has no second rates of features.
inline double space_curve_second_order(RowForm form, const FeaturesOf<double>& f,
                                       const FeaturesOf<double>& f_dot, const RowConstant& constant,
                                       double place, double place_rate) {
  using D = core::Dual<core::Dual<double>>;
  const Eigen::Vector3d d = *f[4] - *f[3], d_dot = *f_dot[4] - *f_dot[3];
  const Eigen::Vector3d p = seen_by_axes<double>(f, d);
  const Eigen::Vector3d rate = seen_by_axes<double>(f_dot, d) + seen_by_axes<double>(f, d_dot);
  const Eigen::Vector3d second = 2.0 * seen_by_axes<double>(f_dot, d_dot);
  core::Vector3<D> moving;
  for (int k = 0; k < 3; ++k)
    moving[k] = D(core::Dual<double>(p[k], rate[k]), core::Dual<double>(rate[k], second[k]));
  const D q(core::Dual<double>(place, place_rate), core::Dual<double>(place_rate, 0.0));
  return space_curve_residual_at<D>(form, moving, *constant.curve, q).derivative.derivative;
}

}  // namespace eslabon::coordinates
