#include "eslabon/estimation/mechanism/rate_bound.hpp"

#include <algorithm>
#include <numbers>

namespace eslabon::estimation {

namespace {

constexpr double kStartFactor = 10.0;
constexpr double kLeastBound = 4.0 * kUnknownRate * std::numbers::pi;  // [rad/s, sizes/s]

bool reads_position(const sensing::Channel& channel) { return core::is_position(channel.dimension); }

/// T of (1).
core::Duration time_between(std::span<const FilterSensor> sensors, core::Duration step) {
  core::Duration shortest;
  for (const FilterSensor& sensor : sensors) {
    const core::Duration period = std::max(sensor.facts.period, step);
    if (!std::ranges::all_of(sensor.facts.channels, reads_position)) return step;
    if (shortest == core::Duration() || period < shortest) shortest = period;
  }
  return shortest == core::Duration() ? step : shortest;
}

}  // namespace

double largest_rate(std::span<const FilterSensor> sensors, core::Duration step, const StartRates& start) {
  return std::max({std::numbers::pi / time_between(sensors, step).seconds(),
                   kStartFactor * (start.largest + start.deviation), kLeastBound});
}

}  // namespace eslabon::estimation
