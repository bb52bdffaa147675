#include "eslabon/estimation/hypotheses.hpp"

#include <algorithm>
#include <numeric>

namespace eslabon::estimation {

void choose_by_weight(std::span<const double> weights, std::size_t most, std::vector<std::size_t>& chosen) {
  chosen.resize(weights.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (weights.size() <= most) return;
  std::ranges::stable_sort(chosen, [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  for (std::size_t k = 0; k < most; ++k) chosen[k] = chosen[k * weights.size() / most];
  chosen.resize(most);
  std::ranges::sort(chosen);
}

}  // namespace eslabon::estimation
