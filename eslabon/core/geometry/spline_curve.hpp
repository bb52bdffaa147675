#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/geometry/vector.hpp"

namespace eslabon::core {

namespace detail {

/// The number under all derivatives of a scalar, as a scalar that derivatives leave alone.
inline double without_derivatives(double x) { return x; }
inline const Traced& without_derivatives(const Traced& x) { return x; }
template <class T>
auto without_derivatives(const Dual<T>& x) {
  return without_derivatives(x.value);
}
/// The same back again, with derivatives 0.
template <class T, class B>
T with_no_derivatives(const B& x) {
  if constexpr (std::is_same_v<T, B>) {
    return x;
  } else {
    return T(with_no_derivatives<decltype(T().value)>(x));
  }
}

}  // namespace detail

/// A place on a curve and its first three derivatives by the parameter.
template <Scalar T>
struct CurvePoint {
  Vector3<T> p;   ///< (3) [m]
  Vector3<T> d1;  ///< (3) [1]
  Vector3<T> d2;  ///< (3) [1/m], continuous
  Vector3<T> d3;  ///< (3) [1/m²], constant from knot to knot
};

/// A cubic spline through points p_0, p_1, …: position, tangent and curvature are continuous. Its parameter u is the length of the chords,
///   u_0 = 0,   u_{i+1} = u_i + |p_{i+1} − p_i|                                                         (1)
/// and with the second derivatives m_i at the points and h_i = u_{i+1} − u_i
///   h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 ((p_{i+1} − p_i)/h_i − (p_i − p_{i−1})/h_{i−1})   (2)
/// of a closed curve all the way round. An open one has the same cubic on both sides of its second and of its last but one point
/// ("not a knot"), so that its error falls with h⁴ up to the ends [DeBoor1978, ch. IV]; beyond its ends it goes on straight.
/// Immutable; evaluation does not allocate.
class SplineCurve {
 public:
  /// At least four points, neighbours apart; of a closed curve the last is not the first.
  SplineCurve(std::span<const Eigen::Vector3d> points, bool is_closed);

  bool is_closed() const { return is_closed_; }
  /// The parameter at the end, or once round [m].
  double length() const { return knots_.back(); }
  /// (points, and of a closed curve one more, its length) where the points are.
  const std::vector<double>& knots() const { return knots_; }

  /// (points) unit tangents at the points.
  const std::vector<Eigen::Vector3d>& tangents() const { return tangents_; }
  /// The point number i.
  const Eigen::Vector3d& point(std::size_t i) const { return pieces_[i + 1].a; }
  std::size_t num_points() const { return tangents_.size(); }

  /// Any parameter: round and round a closed curve.
  template <Scalar T>
  CurvePoint<T> at(const T& u) const;

  /// The parameter of the place that is nearest to p. Scalars with derivatives have those of the place.
  ///   g(u) = C'(u)·(p − C(u)) = 0                                                                        (3)
  template <Scalar T>
  T nearest(const Vector3<T>& p) const;

  /// The parameter of the place that is farthest along −e, of a closed curve.
  ///   g(u) = −e·C'(u) = 0                                                                                (4)
  template <Scalar T>
  T farthest_against(const Vector3<T>& e) const;

 private:
  struct Piece {
    double from;  ///< where it begins; the first goes on backwards for ever
    double base;  ///< C = a + τ (b + τ (c + τ d)),  τ = u − base
    Eigen::Vector3d a, b, c, d;
  };
  /// A function whose zero is sought, and its derivative.
  template <class T>
  struct Slope {
    T value, derivative;
  };

  template <class B>
  B once_round(const B& u) const;
  template <Scalar T>
  Slope<T> slope_to(const Vector3<T>& p, const T& u) const;
  template <Scalar T>
  Slope<T> slope_against(const Vector3<T>& e, const T& u) const;
  /// The place where a function falls through zero, found from the best of the points, where `score` is least.
  template <Scalar T, class Score, class SlopeAt, class SlopeOfBase>
  T extreme(const Score& score, const SlopeAt& slope, const SlopeOfBase& slope_of_base, double reach) const;

  bool is_closed_;
  bool is_flat_;                           ///< in the plane z = 0
  double end_speed_ = 1.0;                 ///< |C'| of the straight ends, the smaller [1]
  std::vector<double> knots_;              ///< (points, + 1 when closed)
  std::vector<Eigen::Vector3d> tangents_;  ///< (points)
  std::vector<Piece> pieces_;  ///< one before the first point and one behind the last beside those between
};

/// In the plane: unit tangent and left normal, and how fast they go along.
template <Scalar T>
struct PlanarCurvePoint {
  Vector2<T> p;     ///< (2) C [m]
  Vector2<T> t, n;  ///< (2) unit tangent, ẑ × t
  T speed;          ///< |C'|
  T turning;        ///< k = t'·n, curvature times speed [1/m]
  T speed_rate;     ///< d|C'|/du
  T turning_rate;   ///< dk/du, jumps at the points
};

template <Scalar T>
PlanarCurvePoint<T> planar_point(const SplineCurve& curve, const T& u) {
  using std::sqrt;
  const CurvePoint<T> at = curve.at(u);
  PlanarCurvePoint<T> out;
  out.p = at.p.template head<2>();
  const T xx = T(at.d1.x() * at.d1.x() + at.d1.y() * at.d1.y());
  out.speed = sqrt(xx);
  out.t = Vector2<T>(at.d1.x() / out.speed, at.d1.y() / out.speed);
  out.n = Vector2<T>(-out.t.y(), out.t.x());
  const T stretch = T(at.d1.x() * at.d2.x() + at.d1.y() * at.d2.y());
  out.turning = (at.d1.x() * at.d2.y() - at.d1.y() * at.d2.x()) / xx;
  out.speed_rate = stretch / out.speed;
  out.turning_rate =
      (at.d1.x() * at.d3.y() - at.d1.y() * at.d3.x()) / xx - 2.0 * out.turning * (stretch / xx);
  return out;
}

// ---- Evaluation -------------------------------------------------------------------------------------------------

template <class B>
B SplineCurve::once_round(const B& u) const {
  if (!is_closed_) return u;
  if constexpr (std::is_same_v<B, double>) {
    return u - length() * std::floor(u / length());
  } else {
    return u - length() * round(u / length() - 0.5);
  }
}

template <Scalar T>
CurvePoint<T> SplineCurve::at(const T& u) const {
  using detail::with_no_derivatives;
  const auto& plain = detail::without_derivatives(u);
  using Base = std::remove_cvref_t<decltype(plain)>;
  const Base place = once_round(plain);
  const T way = T(u + with_no_derivatives<T>(Base(place - plain)));
  CurvePoint<T> out;
  if constexpr (std::is_same_v<Base, double>) {
    const auto next = std::upper_bound(pieces_.begin() + 1, pieces_.end(), place,
                                       [](double x, const Piece& piece) { return x < piece.from; });
    const Piece& piece = *(next - 1);
    const T tau = T(way - piece.base);
    for (int k = 0; k < 3; ++k) {
      const double a = piece.a[k], b = piece.b[k], c = piece.c[k], d = piece.d[k];
      out.p[k] = a + tau * (b + tau * (c + tau * d));
      out.d1[k] = b + tau * (2.0 * c + tau * (3.0 * d));
      out.d2[k] = 2.0 * c + tau * (6.0 * d);
      out.d3[k] = T(6.0 * d);
    }
  } else {
    // All pieces are written down, and the last that begins before is taken.
    const auto chosen = [&](const auto& number_of) {
      Base sum(number_of(pieces_.front()));
      for (std::size_t k = 1; k < pieces_.size(); ++k)
        sum = select_less(place, Base(pieces_[k].from), sum, Base(number_of(pieces_[k])));
      return with_no_derivatives<T>(sum);
    };
    const T tau = T(way - chosen([](const Piece& piece) { return piece.base; }));
    for (int k = 0; k < 3; ++k) {
      if (k == 2 && is_flat_) {
        out.p[k] = out.d1[k] = out.d2[k] = out.d3[k] = T(0.0);
        continue;
      }
      const T a = chosen([k](const Piece& piece) { return piece.a[k]; });
      const T b = chosen([k](const Piece& piece) { return piece.b[k]; });
      const T c = chosen([k](const Piece& piece) { return piece.c[k]; });
      const T d = chosen([k](const Piece& piece) { return piece.d[k]; });
      out.p[k] = a + tau * (b + tau * (c + tau * d));
      out.d1[k] = b + tau * (2.0 * c + tau * (3.0 * d));
      out.d2[k] = 2.0 * c + tau * (6.0 * d);
      out.d3[k] = 6.0 * d;
    }
  }
  return out;
}

template <Scalar T>
SplineCurve::Slope<T> SplineCurve::slope_to(const Vector3<T>& p, const T& u) const {
  const CurvePoint<T> at = this->at(u);
  const Vector3<T> d = p - at.p;
  return {at.d1.dot(d), at.d2.dot(d) - at.d1.dot(at.d1)};  // (3)
}

template <Scalar T>
SplineCurve::Slope<T> SplineCurve::slope_against(const Vector3<T>& e, const T& u) const {
  const CurvePoint<T> at = this->at(u);
  return {-e.dot(at.d1), -e.dot(at.d2)};  // (4)
}

template <Scalar T, class Score, class SlopeAt, class SlopeOfBase>
T SplineCurve::extreme(const Score& score, const SlopeAt& slope, const SlopeOfBase& slope_of_base,
                       double reach) const {
  using Base = std::remove_cvref_t<decltype(detail::without_derivatives(std::declval<T>()))>;
  const std::size_t count = knots_.size() - (is_closed_ ? 1 : 0);
  Base u;
  if constexpr (std::is_same_v<Base, double>) {
    std::size_t best = 0;
    double least = score(std::size_t{0});
    for (std::size_t i = 1; i < count; ++i)
      if (const double one = score(i); one < least) {
        least = one;
        best = i;
      }
    // Between the two neighbours, beyond an end as far as it may be. Newton's method, halving where that leaves them.
    double low = best > 0 ? knots_[best - 1] : is_closed_ ? knots_[count - 1] - length() : knots_[0] - reach;
    double high = best + 1 < knots_.size() ? knots_[best + 1] : knots_[best] + reach;
    u = knots_[best];
    constexpr int kMostSteps = 100;
    for (int step = 0; step < kMostSteps; ++step) {
      const Slope<double> g = slope_of_base(u);
      (g.value > 0.0 ? low : high) = u;
      double next = u - g.value / g.derivative;
      if (!(next > low && next < high)) next = g.derivative < 0.0 && g.value == 0.0 ? u : 0.5 * (low + high);
      const double moved = std::abs(next - u);
      u = next;
      if (moved <= 2.0 * std::numeric_limits<double>::epsilon() * length()) break;
    }
  } else {
    u = Base(knots_[0]);
    Base least = score(std::size_t{0});
    for (std::size_t i = 1; i < count; ++i) {
      const Base one = score(i);
      u = select_less(one, least, Base(knots_[i]), u);
      least = select_less(one, least, one, least);
    }
    constexpr int kSteps = 6;  // from the nearest point of a fine curve each doubles the digits
    for (int step = 0; step < kSteps; ++step) {
      const Slope<Base> g = slope_of_base(u);
      u = u - g.value / g.derivative;
    }
  }
  T out = detail::with_no_derivatives<T>(u);
  if constexpr (!std::is_same_v<T, Base>)
    for (int order = 0; order < 2; ++order) {  // a step of Newton's method doubles the order of what is right
      const Slope<T> g = slope(out);
      out = out - g.value / g.derivative;
    }
  return out;
}

template <Scalar T>
T SplineCurve::nearest(const Vector3<T>& p) const {
  using Base = std::remove_cvref_t<decltype(detail::without_derivatives(std::declval<T>()))>;
  const Vector3<Base> plain(detail::without_derivatives(p.x()), detail::without_derivatives(p.y()),
                            detail::without_derivatives(p.z()));
  const auto score = [&](std::size_t i) {
    const Vector3<Base> d = plain - pieces_[i + 1].a.template cast<Base>();
    return Base(d.dot(d));
  };
  double reach = 0.0;
  if constexpr (std::is_same_v<Base, double>)
    if (!is_closed_) reach = length() + 2.0 * (plain - pieces_.front().a).norm() / end_speed_;
  return extreme<T>(
      score, [&](const T& u) { return slope_to<T>(p, u); },
      [&](const Base& u) { return slope_to<Base>(plain, u); }, reach);
}

template <Scalar T>
T SplineCurve::farthest_against(const Vector3<T>& e) const {
  using Base = std::remove_cvref_t<decltype(detail::without_derivatives(std::declval<T>()))>;
  const Vector3<Base> plain(detail::without_derivatives(e.x()), detail::without_derivatives(e.y()),
                            detail::without_derivatives(e.z()));
  const auto score = [&](std::size_t i) { return Base(plain.dot(pieces_[i + 1].a.template cast<Base>())); };
  return extreme<T>(
      score, [&](const T& u) { return slope_against<T>(e, u); },
      [&](const Base& u) { return slope_against<Base>(plain, u); }, 0.0);
}

}  // namespace eslabon::core
