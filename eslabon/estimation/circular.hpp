#pragma once

#include <cmath>
#include <numbers>

#include "eslabon/core/scalar/lane_math.hpp"

/// Numbers that are the same after a whole turn [MardiaJupp2000]: means by directions,
///   mean = atan2(Σ w sin x, Σ w cos x),   deviation² = Σ w wrap(x − mean)² / Σ w                                          (1)
namespace eslabon::estimation {

/// The angle that differs from `difference` by whole turns and is in [−π, π]; branch-free, for loops over lanes. |difference| < 1e15.
inline double wrap_lane(double difference) {
  constexpr double kTurn = 2.0 * std::numbers::pi, kPerRadian = 1.0 / kTurn;
  const double turns =
      (difference * kPerRadian + core::detail::kRoundToInteger) - core::detail::kRoundToInteger;
  return difference - turns * kTurn;
}

/// Sums of (1), relative to a value near which most are: the mean is told on the same turn.
struct DirectionSum {
  double sine = 0.0, cosine = 0.0;
  void add(double weight, double difference) {
    const core::LaneSinCos both = core::lane_sincos(difference);
    sine += weight * both.sine;
    cosine += weight * both.cosine;
  }
};

}  // namespace eslabon::estimation
