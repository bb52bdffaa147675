#pragma once

#include <optional>
#include <string>
#include <vector>

namespace eslabon::benchmarks {

inline constexpr int kFromDyads = 17;  ///< the smallest of fits of growth: below, what does not grow counts

/// How the time of a method grows with the dyads, as  time ~ dyads^exponent.
struct Growth {
  std::string name;  ///< of the method or the formulation
  double exponent = 0.0;
  std::string of = "dyads";  ///< what the size counts
};

/// Least-squares exponent p of  time ~ size^p; nothing without two sizes.
std::optional<double> fitted_exponent(const std::vector<double>& sizes, const std::vector<double>& times);

}  // namespace eslabon::benchmarks
