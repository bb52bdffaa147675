#pragma once

#include <string>
#include <vector>

namespace eslabon::report {

/// A place on an axis with a label.
struct Tick {
  double value = 0.0;
  std::string label;
};

struct AxisTicks {
  std::vector<Tick> ticks;
  int exponent =
      0;  ///< labels are values / 10^exponent, a multiple of 3; 0 unless plain labels would be long
};

/// Ticks of a linear axis from `least` to `largest` > least: multiples of 1, 2 or 5 times a power of ten, the smallest such that at most
/// `most` + 1 fit [Heckbert1990]; a smaller one, and up to 5, where only one would. Labels have as many decimals as the step needs.
AxisTicks linear_ticks(double least, double largest, int most);

/// Ticks of a logarithmic axis, 0 < least < largest: powers of ten, every second, third, … where there are many; with 2 and 5 between
/// them where there are few; those of a linear axis within less than a decade.
AxisTicks log_ticks(double least, double largest, int most);

/// "10⁻³"
std::string power_of_ten(int exponent);

}  // namespace eslabon::report
