#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "eslabon/coordinates/curve_frames.hpp"
#include "eslabon/core/geometry/spline_curve.hpp"

namespace eslabon::coordinates {

/// Two curves that touch, the second seen from the first: Q(w) = P + C₂(w) turned, with P and C₂ in the first one's axes. At the places u and w
///   g₁ = t·(Q(w) − C(u)) = 0,   g₂ = n·Q'(w) = 0                                                           (9)
/// the line between them is a normal of both, and what a sees of b is the gap along it.
template <core::Scalar T>
struct PairBeside {
  core::Vector3<T> d;  ///< f₃ − f₂
  T u, w;
  core::PlanarCurvePoint<T> at;     ///< of the first
  core::Vector2<T> C2, C2_1, C2_2;  ///< of the second, its own axes, and derivatives by w
  core::Vector3<T> M;               ///< C₂ in the world
  core::Vector2<T> off;             ///< Q − C
  core::Vector2<T> Q1, Q2;          ///< Q', Q''

  /// ∂(g₁, g₂)/∂(u, w)
  T a11() const { return T(at.turning * at.n.dot(off) - at.speed); }
  T a12() const { return at.t.dot(Q1); }
  T a21() const { return T(-at.turning * at.t.dot(Q1)); }
  T a22() const { return at.n.dot(Q2); }
};
template <core::Scalar T>
PairBeside<T> pair_beside_at(const FeaturesOf<T>& f, const RowConstant& curves, const T& u, const T& w) {
  PairBeside<T> out;
  out.d = *f[3] - *f[2];
  out.u = u;
  out.w = w;
  out.at = core::planar_point<T>(curves.curve->spline, u);
  const core::CurvePoint<T> second = curves.other->spline.at<T>(w);
  out.C2 = second.p.template head<2>();
  out.C2_1 = second.d1.template head<2>();
  out.C2_2 = second.d2.template head<2>();
  const auto seen = [&](const core::Vector3<T>& v) -> core::Vector2<T> {
    return seen_by<T>(*f[0], v).template head<2>();
  };
  out.M = in_world<T>(*f[1], out.C2);
  const core::Vector3<T> whole = out.d + out.M;
  out.off = seen(whole) - out.at.p;
  out.Q1 = seen(in_world<T>(*f[1], out.C2_1));
  out.Q2 = seen(in_world<T>(*f[1], out.C2_2));
  return out;
}
/// A step of Newton's method on (9).
template <core::Scalar T>
void step_to_pair(const PairBeside<T>& beside, T& u, T& w) {
  const T g1 = beside.at.t.dot(beside.off), g2 = beside.at.n.dot(beside.Q1);
  const T a = beside.a11(), b = beside.a12(), c = beside.a21(), e = beside.a22();
  const T det = T(a * e - b * c);
  u = u - (e * g1 - b * g2) / det;
  w = w - (a * g2 - c * g1) / det;
}
/// The places where two curves touch, or would touch if the gap was closed: found from the points that are near to each other and whose
/// sides face each other, |Q − C|² + λ² (1 + ν·ν₂) least with λ the shorter curve over a turn; then Newton's method.
template <core::Scalar T>
PairBeside<T> pair_beside(const FeaturesOf<T>& f, const RowConstant& curves) {
  using core::detail::with_no_derivatives;
  using core::detail::without_derivatives;
  using Base = std::remove_cvref_t<decltype(without_derivatives(std::declval<T>()))>;
  const core::SplineCurve &first = curves.curve->spline, &second = curves.other->spline;
  std::array<core::Vector3<Base>, 4> plain;
  FeaturesOf<Base> g{};
  for (std::size_t k = 0; k < 4; ++k) {
    plain[k] = core::Vector3<Base>(without_derivatives(f[k]->x()), without_derivatives(f[k]->y()), Base(0.0));
    g[k] = &plain[k];
  }
  const core::Vector3<Base> d = plain[3] - plain[2];
  const core::Vector3<Base> P = seen_by<Base>(plain[0], d);
  const Base c = Base(plain[0].x() * plain[1].x() + plain[0].y() * plain[1].y());
  const Base s = Base(plain[0].x() * plain[1].y() - plain[0].y() * plain[1].x());
  const double lambda = std::min(first.length(), second.length()) / (2.0 * std::numbers::pi);
  const double sides = curves.curve->side * curves.other->side;
  const auto score = [&](std::size_t i, std::size_t j) -> Base {
    const Eigen::Vector3d &p = first.point(i), &q = second.point(j), &t = first.tangents()[i],
                          &r = second.tangents()[j];
    const Base x = Base(P.x() + c * q.x() - s * q.y() - p.x()),
               y = Base(P.y() + s * q.x() + c * q.y() - p.y());
    const Base facing = Base(c * (t.x() * r.x() + t.y() * r.y()) + s * (t.y() * r.x() - t.x() * r.y()));
    return Base(x * x + y * y + lambda * lambda * (1.0 + sides * facing));
  };
  Base u(0.0), w(0.0);
  Base least = score(0, 0);
  if constexpr (std::is_same_v<Base, double>) {
    for (std::size_t i = 0; i < first.num_points(); ++i)
      for (std::size_t j = 0; j < second.num_points(); ++j)
        if (const double one = score(i, j); one < least) {
          least = one;
          u = first.knots()[i];
          w = second.knots()[j];
        }
    // At most a tenth of a curve at a time, so that no step leaves the neighbourhood.
    constexpr int kMostSteps = 50;
    for (int step = 0; step < kMostSteps; ++step) {
      double next_u = u, next_w = w;
      step_to_pair<double>(pair_beside_at<double>(g, curves, u, w), next_u, next_w);
      const double du = std::clamp(next_u - u, -0.1 * first.length(), 0.1 * first.length());
      const double dw = std::clamp(next_w - w, -0.1 * second.length(), 0.1 * second.length());
      if (!(std::isfinite(du) && std::isfinite(dw))) break;
      u += du;
      w += dw;
      if (std::abs(du) <= 2e-16 * first.length() && std::abs(dw) <= 2e-16 * second.length()) break;
    }
  } else {
    for (std::size_t i = 0; i < first.num_points(); ++i)
      for (std::size_t j = 0; j < second.num_points(); ++j) {
        const Base one = score(i, j);
        u = select_less(one, least, Base(first.knots()[i]), u);
        w = select_less(one, least, Base(second.knots()[j]), w);
        least = select_less(one, least, one, least);
      }
    for (int step = 0; step < 6; ++step) step_to_pair<Base>(pair_beside_at<Base>(g, curves, u, w), u, w);
  }
  T U = with_no_derivatives<T>(u), W = with_no_derivatives<T>(w);
  if constexpr (!std::is_same_v<T, Base>)
    for (int order = 0; order < 3; ++order) step_to_pair<T>(pair_beside_at<T>(f, curves, U, W), U, W);
  return pair_beside_at<T>(f, curves, U, W);
}
/// The derivatives of m·Q by the features, with u and w held; of Q' when `vector` is C₂'.
template <core::Scalar T>
void pair_gradient(const FeaturesOf<T>& f, const core::Vector2<T>& m, const core::Vector3<T>& seen,
                   const core::Vector2<T>& vector, std::array<core::Vector3<T>, kMostFeatures>& by_feature) {
  const core::Vector3<T> M = in_world<T>(*f[0], m);
  by_feature[0] = seen_by_axis<T>(m, seen);
  by_feature[1] = seen_by_axis<T>(vector, M);
  by_feature[3] = M;
  by_feature[2] = -M;
}

/// What is quadratic in the rates of the features: the second derivative of the residual, kPairGap or kPairPlace, along f + t ḟ, by dual numbers.
inline double pair_second_order(RowForm form, const FeaturesOf<double>& f, const FeaturesOf<double>& f_dot,
                                const RowConstant& constant) {
  using D = core::Dual<core::Dual<double>>;
  std::array<core::Vector3<D>, 4> moving;
  FeaturesOf<D> g{};
  for (std::size_t k = 0; k < 4; ++k) {
    for (int c = 0; c < 3; ++c) {
      const double x = (*f[k])[c], v = (*f_dot[k])[c];
      moving[k][c] = D(core::Dual<double>(x, v), core::Dual<double>(v, 0.0));
    }
    g[k] = &moving[k];
  }
  const PairBeside<D> beside = pair_beside<D>(g, constant);
  const D value =
      form == RowForm::kPairGap ? D(constant.curve->side * beside.at.n.dot(beside.off)) : beside.u;
  return value.derivative.derivative;
}

}  // namespace eslabon::coordinates
