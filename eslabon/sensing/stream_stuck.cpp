#include "eslabon/sensing/stream_stuck.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace eslabon::sensing {

bool StuckWatch::see(const Reading& reading) {
  const std::size_t m = facts_->channels.size();
  bool is_same = repeats_ > 0;
  for (std::size_t k = 0; is_same && k < m; ++k)
    is_same = std::bit_cast<std::uint64_t>(reading.values[k]) == std::bit_cast<std::uint64_t>(values_[k]);
  if (!is_same) {
    values_ = reading.values;
    repeats_ = 0;
    has_prediction_ = false;
  }
  repeats_ = std::min(repeats_ + 1, patience_);
  return repeats_ >= patience_ && facts_->noise > 0.0 && facts_->resolution == 0.0;  // (1)
}

bool StuckWatch::compare(std::span<const double> predicted) {
  if (!(facts_->resolution > 0.0)) return false;
  const std::size_t m = std::min(facts_->channels.size(), predicted.size());
  double range = 0.0;
  for (std::size_t k = 0; k < m; ++k) {
    if (!std::isfinite(predicted[k])) return false;
    if (!has_prediction_) {
      moved_[k] = least_[k] = most_[k] = 0.0;
    } else {
      const double step = predicted[k] - predicted_[k];
      moved_[k] += facts_->channels[k].is_angle ? std::remainder(step, 2.0 * std::numbers::pi) : step;
      least_[k] = std::min(least_[k], moved_[k]);
      most_[k] = std::max(most_[k], moved_[k]);
    }
    predicted_[k] = predicted[k];
    range = std::max(range, most_[k] - least_[k]);
  }
  has_prediction_ = true;
  return repeats_ >= patience_ && range > 3.0 * facts_->resolution + 6.0 * facts_->noise;  // (2)
}

}  // namespace eslabon::sensing
