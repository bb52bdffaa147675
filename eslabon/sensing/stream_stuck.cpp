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
  return repeats_ >= patience_ && std::ranges::any_of(facts_->channels, [](const Channel& channel) {
           return channel.noise > 0.0 && channel.resolution == 0.0;  // (1)
         });
}

bool StuckWatch::compare(std::span<const double> predicted) {
  const std::size_t m = std::min(facts_->channels.size(), predicted.size());
  bool has_moved = false;
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
    const Channel& channel = facts_->channels[k];
    has_moved |= channel.resolution > 0.0 &&
                 most_[k] - least_[k] > 3.0 * channel.resolution + 6.0 * channel.noise;  // (2)
  }
  has_prediction_ = true;
  return repeats_ >= patience_ && has_moved;
}

}  // namespace eslabon::sensing
