#pragma once

#include <algorithm>
#include <cmath>

namespace eslabon::sensing {

/// What is written of a coordinate in one row: value, rate, acceleration, in any unit per second.
struct RowMotion {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};
struct RowSlope {
  double value = 0.0, rate = 0.0;
};

/// The polynomial of fifth degree with all that rows a and b, h seconds later, say, at the fraction s of the way:
///   p = c₀ + c₁ s + … + c₅ s⁵                                                                                  (1)
inline RowMotion quintic(const RowMotion& a, const RowMotion& b, double h, double s) {
  const double c0 = a.value, c1 = h * a.rate, c2 = 0.5 * h * h * a.acceleration;
  const double d = b.value - c0 - c1 - c2, d1 = h * b.rate - c1 - 2.0 * c2,
               d2 = h * h * b.acceleration - 2.0 * c2;
  const double c3 = 10.0 * d - 4.0 * d1 + 0.5 * d2, c4 = -15.0 * d + 7.0 * d1 - d2,
               c5 = 6.0 * d - 3.0 * d1 + 0.5 * d2;
  return {c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5)))),
          (c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h,
          (2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h)};
}

/// What one row says of the time s after it, or before it, with its acceleration.
inline RowMotion led_on(const RowMotion& row, double s) {
  return {row.value + s * (row.rate + 0.5 * s * row.acceleration), row.rate + s * row.acceleration,
          row.acceleration};
}

/// The value of that of third degree, with values and rates.
inline double cubic(const RowSlope& a, const RowSlope& b, double h, double s) {
  const double d = b.value - a.value - h * a.rate, d1 = h * (b.rate - a.rate);
  return a.value + s * (h * a.rate + s * (3.0 * d - d1 + s * (d1 - 2.0 * d)));
}

/// Whether a value jumps between two rows: its rate does not lead from one to the other, by more than half of what the steepest of all
/// rows does in h. Motions of frequency ω that are resolved, ω h < 2.4, do not.
inline bool is_jump(const RowSlope& a, const RowSlope& b, double h, double steepest) {
  const double misfit = b.value - a.value - 0.5 * h * (a.rate + b.rate);
  const double small = 1e-7 * std::max(std::abs(a.value), std::abs(b.value));  // errors of what made the rows
  return std::abs(misfit) > 0.5 * h * steepest + small;
}

/// How long after row a a rate jumps, from 0 to h: where what row a says of the time after it meets what row b says of the time before,
///   a + a' s + a'' s²/2 = b − b' (h − s) + b'' (h − s)²/2                                                       (2)
inline double instant_of_jump(const RowMotion& a, const RowMotion& b, double h) {
  const double square = 0.5 * (a.acceleration - b.acceleration),
               linear = a.rate - b.rate + h * b.acceleration,
               constant = a.value - b.value + h * b.rate - 0.5 * h * h * b.acceleration;
  double s = linear != 0.0 ? -constant / linear : 0.5 * h;
  for (int i = 0; i < 4; ++i) {  // Newton's method from where the jump of the rate alone puts it
    const double slope = linear + 2.0 * square * s;
    if (slope != 0.0) s -= (constant + s * (linear + s * square)) / slope;
  }
  return s >= 0.0 && s <= h ? s : s < 0.0 ? 0.0 : h;
}

}  // namespace eslabon::sensing
