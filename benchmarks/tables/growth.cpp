#include "benchmarks/tables/growth.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::benchmarks {

std::optional<double> fitted_exponent(const std::vector<double>& sizes, const std::vector<double>& times) {
  if (sizes.empty() || std::ranges::min(sizes) == std::ranges::max(sizes)) return std::nullopt;
  const auto n = static_cast<double>(sizes.size());
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double u = std::log(sizes[i]), v = std::log(times[i]);
    x += u;
    y += v;
    xx += u * u;
    xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace eslabon::benchmarks
