#pragma once

#include <cstdint>
#include <vector>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/time/time.hpp"
#include "eslabon/model/elements/sensor.hpp"

namespace eslabon::sensing {

/// One time at which a sensor reads.
struct Sample {
  core::Instant nominal;  ///< when it should: a whole number of periods
  core::Instant t;        ///< when it does
  core::Instant arrival;  ///< when the reading is there
  bool is_lost = false;   ///< it never is
};

/// The times at which a sensor reads, one after the other:
///
///   nominal_k = k / rate, to the nearest nanosecond; k · step for a sensor without rate                       (1)
///   t_k = nominal_k + jitter n,   n ~ N(0, 1), within ± half a period and not before 0                        (2)
///   arrival_k = t_k + latency;    lost with probability dropout, each by itself                               (3)
///
/// (1) is computed from k and not by adding up periods, so nothing accumulates. By (2) no reading is taken before the
/// one before it. Jitter and dropout draw from streams of their own (random_stream.hpp), one draw for each k, so
/// equal seeds give equal times and neither depends on the other. Nothing allocates. One per sensor and run.
class Sampling {
 public:
  /// Throws ContractError unless step > 0, which only a sensor without rate looks at.
  Sampling(const model::Sensor& sensor, core::Duration step, std::uint64_t seed);

  /// k = 0, 1, 2, …
  Sample next();

 private:
  core::Instant nominal() const;

  double rate_;
  double jitter_;
  double dropout_;
  core::Duration step_;
  core::Duration latency_;
  core::Duration half_period_;
  core::Rng jitter_rng_;
  core::Rng dropout_rng_;
  std::int64_t k_ = 0;    ///< of the sample that comes next
  core::Instant last_t_;  ///< of the sample before
};

/// All that are taken within [0, until].
std::vector<Sample> samples_until(const model::Sensor& sensor, core::Duration step, core::Instant until,
                                  std::uint64_t seed);

}  // namespace eslabon::sensing
