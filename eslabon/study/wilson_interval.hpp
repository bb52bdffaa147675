#pragma once

#include <cstddef>

namespace eslabon::study {

struct Interval {
  double low = 0.0, high = 1.0;
};

/// Upper quantile of the standard normal that leaves 2.5 % above it.
inline constexpr double kNormal95 = 1.9599639845400545;

/// Within which a probability p lies of which n independent tries had k successes: those p that the normal approximation does not refuse,
///   |k/n − p| ≤ z √(p (1 − p)/n)                                                                     (1)
///   p = (k + z²/2 ± z √(k (n − k)/n + z²/4)) / (n + z²)           (1) solved for p   [Wilson1927]    (2)
/// Unlike k/n ± z σ it stays within [0, 1] and is no point where all tries had success. n = 0: everything is possible.
Interval wilson_interval(std::size_t k, std::size_t n, double z = kNormal95);

}  // namespace eslabon::study
