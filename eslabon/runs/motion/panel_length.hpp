#pragma once

#include <algorithm>
#include <cmath>

namespace eslabon::runs {

/// How long panels of Gauss's quadrature with five nodes may be, from the error of the last: it falls with the 11th power of the length.
/// Near a singular position of a mechanism speeds grow without bound, and panels become shorter with the way that is left.
class PanelLength {
 public:
  double longest() const { return longest_; }  ///< [s]; infinite before the first

  /// A panel of this length [s] had this error, where so much is at stake, both in the same unit. `change`: of what is integrated, in
  /// parts of it. Panels of a tenth of the time in which it would double are short enough: errors that are left then are roundoff.
  void adapt(double length, double error, double size, double change) {
    double factor = error > 0.0
                        ? std::clamp(kSafety * std::pow(kAllowed * size / error, 1.0 / kOrder), kLeast, kMost)
                        : kMost;
    if (factor < 1.0) factor = std::max(factor, std::min(1.0, kPartOfDoubling / change));
    longest_ = factor < 1.0 ? factor * length : std::max(longest_, factor * length);
  }

 private:
  static constexpr double kAllowed = 1e-12, kSafety = 0.8, kLeast = 0.2, kMost = 2.0, kOrder = 11.0,
                          kPartOfDoubling = 0.1;

  double longest_ = HUGE_VAL;
};

}  // namespace eslabon::runs
