#include "eslabon/study/wilson_interval.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::study {

Interval wilson_interval(std::size_t k, std::size_t n, double z) {
  if (n == 0) return {};
  const auto successes = static_cast<double>(k), tries = static_cast<double>(n);
  const double middle = successes + 0.5 * z * z;
  const double half = z * std::sqrt(successes * (tries - successes) / tries + 0.25 * z * z);
  const double whole = tries + z * z;
  return {k == 0 ? 0.0 : std::max(0.0, (middle - half) / whole),
          k == n ? 1.0 : std::min(1.0, (middle + half) / whole)};  // (2)
}

}  // namespace eslabon::study
