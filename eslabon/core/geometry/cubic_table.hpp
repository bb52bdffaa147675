#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::core {

/// A function through given points (x_i, y_i) that goes on smoothly over each of them: cubics with the same value, slope and second
/// derivative where they meet [DeBoor1978, ch. IV]. Between x_i and x_{i+1}, with u = x − x_i, h = x_{i+1} − x_i, second derivatives m_i,
///   y = y_i + u (s_i + u (m_i/2 + u d_i)),   d_i = (m_{i+1} − m_i)/(6 h),   s_i = (y_{i+1} − y_i)/h − h (2 m_i + m_{i+1})/6    (1)
///   h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 ((y_{i+1} − y_i)/h_i − (y_i − y_{i−1})/h_{i−1})                (2)
/// (2) says that slopes agree. What is missing at the ends: the third derivative goes on over the second and the last but one point too
/// ("not a knot"), so that points on a cubic give that cubic; three points give a parabola, two a line. Or the function goes on with a
/// period, after which y has risen by y_n − y_0; then (2) holds at the seam as well.
/// A value: immutable, safe to share between threads. No allocation after it is made.
class CubicTable {
 public:
  using Point = std::pair<double, double>;

  /// What is beyond the first and the last point.
  enum class Ends {
    kParabola,  ///< value, slope and second derivative go on, for iterations that look there: ask reaches() whether they may stay
    kNoValue,   ///< nothing: not a number
    kPeriod,    ///< the same again, risen
  };

  /// x strictly increasing; at least two points, with a period four.
  /// Fails: ContractError.
  CubicTable(std::vector<Point> points, Ends ends);

  const std::vector<Point>& points() const { return points_; }
  Ends ends() const { return ends_; }
  double first() const { return points_.front().first; }
  double last() const { return points_.back().first; }
  double period() const { return last() - first(); }
  double rise() const { return points_.back().second - points_.front().second; }
  /// Whether x is no further out than roundoff of the length of the table; with a period everywhere.
  bool reaches(double x) const;
  /// The same table with  y → sign_y y + offset_y  and  x → sign_x x;  signs are 1 or −1.
  CubicTable moved(double sign_x, double sign_y, double offset_y) const;

  /// The derivative of this order, 0 to 3, at x; beyond 3 it is zero.
  template <class T>
  T evaluate(const T& x, int order) const;

  friend bool operator==(const CubicTable& a, const CubicTable& b) {
    return a.ends_ == b.ends_ && a.points_ == b.points_;
  }

 private:
  /// y = c0 + u (c1 + u (c2 + u c3)),  u = x − start
  struct Piece {
    double start;
    double c0, c1, c2, c3;
  };
  std::vector<double> second_derivatives() const;
  std::size_t piece_at(double x) const;
  template <class T>
  static T value_of_piece(const T& c0, const T& c1, const T& c2, const T& c3, const T& u, int order);

  std::vector<Point> points_;
  Ends ends_;
  std::vector<Piece>
      pieces_;  ///< (points + 1) what is before the first point, between the points, behind the last
};

namespace detail {

/// The nearest whole number of what has no value yet; its derivatives are zero.
inline Traced nearest_whole(const Traced& x) { return round(x); }
template <class T>
Dual<T> nearest_whole(const Dual<T>& x) {
  return Dual<T>(nearest_whole(x.value), T(0.0));
}

}  // namespace detail

template <class T>
T CubicTable::value_of_piece(const T& c0, const T& c1, const T& c2, const T& c3, const T& u, int order) {
  switch (order) {
    case 0:
      return T(c0 + u * (c1 + u * (c2 + u * c3)));
    case 1:
      return T(c1 + u * (2.0 * c2 + u * (3.0 * c3)));
    case 2:
      return T(2.0 * c2 + u * (6.0 * c3));
    case 3:
      return T(6.0 * c3);
    default:
      return T(0.0);
  }
}

template <class T>
T CubicTable::evaluate(const T& x, int order) const {
  if constexpr (NumericScalar<T>) {
    const double at = value_of(x);
    if (!std::isfinite(at) || (ends_ == Ends::kNoValue && !reaches(at)))
      return T(std::numeric_limits<double>::quiet_NaN());
    const double turns = ends_ == Ends::kPeriod ? std::floor((at - first()) / period()) : 0.0;
    const T own = T(x - turns * period());
    const Piece& piece = pieces_[piece_at(value_of(own))];
    const T value =
        value_of_piece<T>(T(piece.c0), T(piece.c1), T(piece.c2), T(piece.c3), T(own - piece.start), order);
    return order == 0 ? T(value + turns * rise()) : value;
  } else {
    T own = x, turns = T(0.0);
    if (ends_ == Ends::kPeriod) {
      // Which of two equal pieces counts where they meet does not matter: halves to even is as good as downwards.
      turns = detail::nearest_whole(T((x - first()) / period() - 0.5));
      own = T(x - turns * period());
    }
    const Piece& before = pieces_.front();
    T start = T(before.start), c0 = T(before.c0), c1 = T(before.c1), c2 = T(before.c2), c3 = T(before.c3);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Piece& piece = pieces_[i + 1];
      const T knot = T(points_[i].first);
      const auto choose = [&](const T& so_far, double next) {
        return T(select_less(own, knot, so_far, T(next)));
      };
      start = choose(start, piece.start);
      c0 = choose(c0, piece.c0);
      c1 = choose(c1, piece.c1);
      c2 = choose(c2, piece.c2);
      c3 = choose(c3, piece.c3);
    }
    const T value = value_of_piece<T>(c0, c1, c2, c3, T(own - start), order);
    return order == 0 ? T(value + turns * rise()) : value;
  }
}

}  // namespace eslabon::core
