#pragma once

#include <array>

#include "eslabon/coordinates/row.hpp"

namespace eslabon::coordinates {

/// The features of a row, or their rates; null where it has none.
template <core::Scalar T>
using FeaturesOf = std::array<const core::Vector3<T>*, kMostFeatures>;

/// ẑ × a in the plane.
template <core::Scalar T>
core::Vector3<T> turned_left(const core::Vector3<T>& a) {
  return {-a.y(), a.x(), T(0.0)};
}

/// What a curve sees of a vector d by its axis x:  (x·d, (ẑ×x)·d).
template <core::Scalar T>
core::Vector3<T> seen_by(const core::Vector3<T>& x, const core::Vector3<T>& d) {
  return {x.x() * d.x() + x.y() * d.y(), x.x() * d.y() - x.y() * d.x(), T(0.0)};
}
/// The derivative of m·seen_by(x, d) by x, with m in the curve's axes.
template <core::Scalar T>
core::Vector3<T> seen_by_axis(const core::Vector2<T>& m, const core::Vector3<T>& d) {
  return {m.x() * d.x() + m.y() * d.y(), m.x() * d.y() - m.y() * d.x(), T(0.0)};
}
/// A vector of the curve's axes in the world.
template <core::Scalar T>
core::Vector3<T> in_world(const core::Vector3<T>& x, const core::Vector2<T>& m) {
  return {m.x() * x.x() - m.y() * x.y(), m.x() * x.y() + m.y() * x.x(), T(0.0)};
}

}  // namespace eslabon::coordinates
