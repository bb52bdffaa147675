#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

namespace eslabon::core {

/// How many digits of values up to so large are shown: the usual ones, and of positions and energies far from zero as many as tell 0.1 mm
/// and 0.1 mJ.
inline int shown_digits(double largest, std::string_view unit, int usual) {
  constexpr double kFar = 1e5;
  constexpr int kBehindPoint = 4, kMost = 15;
  if (!(std::abs(largest) >= kFar) || (unit != "m" && unit != "J")) return usual;
  return std::clamp(static_cast<int>(std::floor(std::log10(std::abs(largest)))) + 1 + kBehindPoint, usual,
                    kMost);
}

}  // namespace eslabon::core
