#pragma once

#include <cmath>
#include <optional>

#include "eslabon/kinematics/groups/planar_link.hpp"

namespace eslabon::kinematics {

/// A line that a link carries: through `origin` along the unit vector `axis`, both in the link's frame.
struct CarriedLine {
  PlanarVector origin;
  PlanarVector axis;
};

/// The point where two lines of moving links meet, and how it moves. With Q_i + s_i f_i on line i and w_i the rate of its link:
///   s₁ = (Q₂ − Q₁) × f₂ / (f₁ × f₂)                                                                        (1)
///   v = v₁' + ṡ₁ f₁ = v₂' + ṡ₂ f₂                     v_i': of the point of link i that is there           (2)
///   a = a₁' + 2 ṡ₁ w₁ ẑ × f₁ + s̈₁ f₁ = a₂' + 2 ṡ₂ w₂ ẑ × f₂ + s̈₂ f₂                                       (3)
/// `sine`: f₁ × f₂.
template <core::Scalar T>
PlanarPointOf<T> meeting(const PlanarLinkOf<T>& one, const CarriedLine& first, const PlanarLinkOf<T>& two,
                         const CarriedLine& second, const T& sine) {
  using Vector = PlanarVectorOf<T>;
  const Vector f1 = one.direction(first.axis), f2 = two.direction(second.axis);
  const Vector gap = two.point(second.origin).p - one.point(first.origin).p;
  const T s1 = cross(gap, f2) / sine, s2 = cross(gap, f1) / sine;  // (1)
  PlanarPointOf<T> at_one = one.point(first.origin + s1 * Vector(first.axis));
  const PlanarPointOf<T> at_two = two.point(second.origin + s2 * Vector(second.axis));
  const T s1_dot = cross(at_two.v - at_one.v, f2) / sine;  // (2)
  const T s2_dot = cross(at_two.v - at_one.v, f1) / sine;
  const Vector a1 = at_one.a + (2.0 * s1_dot * one.w) * turned(f1);
  const Vector a2 = at_two.a + (2.0 * s2_dot * two.w) * turned(f2);
  at_one.v = at_one.v + s1_dot * f1;
  at_one.a = a1 + (cross(a2 - a1, f2) / sine) * f1;  // (3)
  return at_one;
}
/// Of the angle from the first line to the second.
template <core::Scalar T>
T sine_between(const PlanarLinkOf<T>& one, const CarriedLine& first, const PlanarLinkOf<T>& two,
               const CarriedLine& second) {
  return cross(one.direction(first.axis), two.direction(second.axis));
}
/// Nothing when the lines are parallel.
inline std::optional<PlanarPoint> meet(const PlanarLink& one, const CarriedLine& first, const PlanarLink& two,
                                       const CarriedLine& second) {
  const double sine = sine_between(one, first, two, second);
  if (std::abs(sine) < 1e-12) return std::nullopt;
  return meeting(one, first, two, second, sine);
}

}  // namespace eslabon::kinematics
