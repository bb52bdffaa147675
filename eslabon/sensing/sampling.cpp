#include "eslabon/sensing/sampling.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/sensing/random_stream.hpp"

namespace eslabon::sensing {

using core::Duration;
using core::Instant;

Sampling::Sampling(const model::Sensor& sensor, Duration step, std::uint64_t seed)
    : rate_(sensor.rate),
      jitter_(sensor.jitter),
      dropout_(sensor.dropout),
      step_(step),
      latency_(Duration::from_seconds(sensor.latency)),
      jitter_rng_(random_stream(seed, sensor.name, 0, Draw::kJitter)),
      dropout_rng_(random_stream(seed, sensor.name, 0, Draw::kDropout)) {
  if (rate_ > 0.0) {
    // Rounded down twice: periods rounded to nanoseconds differ by one, and neighbours must not pass each other.
    half_period_ = Duration::from_nanoseconds(static_cast<std::int64_t>(1e9 / rate_) / 2);
  } else if (step <= Duration()) {
    throw core::ContractError(
        {.what = "a sensor without rate reads at every step, and the step does not advance",
         .where = "sensor '" + sensor.name + "'",
         .expected = "step > 0 s",
         .actual = core::number_text(step.seconds()) + " s",
         .next = "Give a step, or give the sensor a rate."});
  }
}

Instant Sampling::nominal() const {
  return rate_ > 0.0 ? Instant::from_seconds(static_cast<double>(k_) / rate_)
                     : Instant::at(step_ * k_);  // (1)
}

Sample Sampling::next() {
  Sample sample{.nominal = nominal(), .t = nominal(), .arrival = {}, .is_lost = false};
  if (jitter_ > 0.0 && rate_ > 0.0) {
    const double half = half_period_.seconds();
    const double off = std::clamp(jitter_ * jitter_rng_.normal(), -half, half);
    sample.t = std::max(sample.nominal + Duration::from_seconds(off), last_t_);  // (2)
  }
  sample.arrival = sample.t + latency_;
  if (dropout_ > 0.0) sample.is_lost = dropout_rng_.uniform() < dropout_;  // (3)
  last_t_ = sample.t;
  ++k_;
  return sample;
}

std::vector<Sample> samples_until(const model::Sensor& sensor, Duration step, Instant until,
                                  std::uint64_t seed) {
  Sampling sampling(sensor, step, seed);
  std::vector<Sample> samples;
  for (Sample sample = sampling.next(); sample.t <= until; sample = sampling.next())
    samples.push_back(sample);
  return samples;
}

}  // namespace eslabon::sensing
