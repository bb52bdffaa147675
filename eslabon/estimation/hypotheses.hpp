#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "eslabon/core/geometry/pose.hpp"

namespace eslabon::estimation {

/// Particles of a filter at one instant, for those who draw them.
struct Hypotheses {
  std::size_t num_all = 0;               ///< that the filter has; the n here were chosen from them
  std::vector<double> weights;           ///< (n) ≥ 0, of any scale
  std::vector<core::Pose<double>> X_WB;  ///< (n × bodies), those of one side by side, without the ground
};

/// At most `most` ≥ 1 of all: every one where there are few; otherwise, of all in the order of their weights, the heaviest and then as many at even
/// distances. Increasing.
void choose_by_weight(std::span<const double> weights, std::size_t most, std::vector<std::size_t>& chosen);

}  // namespace eslabon::estimation
