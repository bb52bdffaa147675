#pragma once

#include "eslabon/model/elements/time_function.hpp"

/// Pieces that functions of the time, or of a place, are made of.
namespace eslabon::vehicle {

/// x between 0 and 1.
inline model::TimeFunction limited(const model::TimeFunction& x) { return min(max(x, 0.0), 1.0); }

/// From 0 to 1 as x goes from 0 to 1, with two derivatives that go on:  u³ (10 − 15 u + 6 u²).
inline model::TimeFunction smooth_rise(const model::TimeFunction& x) {
  const model::TimeFunction u = limited(x);
  return pow(u, 3.0) * (10.0 - 15.0 * u + 6.0 * pow(u, 2.0));
}

/// x where −limit < x < limit, otherwise the nearer one.
inline model::TimeFunction bounded(const model::TimeFunction& x, double limit) {
  return max(min(x, limit), -limit);
}

/// A number that grows at rate 1 from 0 on, over `softening` up to it:  u²/(2 softening) + max(x − softening, 0), u = x between 0 and softening.
inline model::TimeFunction soft_ramp(const model::TimeFunction& x, double softening) {
  return 0.5 * softening * pow(limited(x / softening), 2.0) + max(x - softening, 0.0);
}

}  // namespace eslabon::vehicle
