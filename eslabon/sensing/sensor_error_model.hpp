#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/time/time.hpp"
#include "eslabon/model/elements/sensor.hpp"

namespace eslabon::sensing {

/// Neighbouring channels of a sensor that have the same figures.
struct ErrorGroup {
  model::SensorErrors errors;
  int num_channels = 1;
  bool is_vector = false;  ///< the channels are components of a vector, two or three: misalignment turns it
};

/// The groups of a sensor of a file: one, but for an imu, which has its gyroscope and then its accelerometer.
std::vector<ErrorGroup> error_groups(const model::Sensor& sensor, bool is_planar);

/// Makes readings of a sensor as it is from readings of a perfect one, in one run.
///
///   y₁ = R(φ) y                                     φ ~ N(0, misalignment² I), drawn once                     (1)
///   y₂ = (1 + s) y₁                                 s ~ N(0, scale²), drawn once                              (2)
///   y₃ = y₂ + bias + b + d(t)                       b ~ N(0, turn_on_bias²), drawn once                       (3)
///   d(t + Δ) = e^(−Δ/τ) d(t) + drift √(1 − e^(−2Δ/τ)) n,   n ~ N(0, 1),   d(first) ~ N(0, drift²)             (4)
///   y₄ = y₃ + noise n                               n ~ N(0, 1), in each reading                              (5)
///   y₅ = resolution · round(y₄ / resolution)        halves away from zero                                     (6)
///   y₆ = y₅ within ±range                                                                                     (7)
///
/// R is the exact rotation by the vector φ; in the plane one angle, the one drawn for the first of the two channels. (4) is the
/// first-order Gauss–Markov process of correlation time τ = drift_time at any instants, without error of
/// discretisation [Gelb1974]; the models of inertial sensors are those of [Ieee952]. Where a reading has so many steps
/// of the resolution that a double no longer tells them apart, (6) leaves it as it is.
///
/// Every channel draws from streams of its own (random_stream.hpp): equal seeds give equal readings, bit for bit.
/// Nothing allocates after construction. One per sensor and run.
class SensorErrorModel {
 public:
  /// `sensor`: its name, from which the streams are chosen.
  SensorErrorModel(std::string_view sensor, const std::vector<ErrorGroup>& groups, std::uint64_t seed);
  SensorErrorModel(const model::Sensor& sensor, bool is_planar, std::uint64_t seed)
      : SensorErrorModel(sensor.name, error_groups(sensor, is_planar), seed) {}

  std::size_t num_channels() const { return channels_.size(); }

  /// Turns what a perfect sensor reads at t into what this one does. To be called in the order of time; a reading that
  /// is lost later may be left out or not. Throws ContractError when t is before the last one, when a
  /// value is not finite or when there are not num_channels() of them; then nothing has changed.
  void read(core::Instant t, std::span<double> values);

 private:
  struct Channel {
    model::SensorErrors errors;
    double gain = 1.0;    ///< 1 + s of (2)
    double offset = 0.0;  ///< bias + b of (3)
    double drift = 0.0;   ///< d of (4); written by read
    core::Rng drift_rng;
    core::Rng noise_rng;
  };
  struct Turn {
    std::size_t first;  ///< channel
    std::size_t count;  ///< 2 or 3
    Eigen::Matrix3d R;  ///< (3 × 3) of (1)
  };

  void add_group(std::string_view sensor, const ErrorGroup& group, std::uint64_t seed);
  void check(core::Instant t, std::span<const double> values) const;
  double read_channel(Channel& channel, double elapsed, double value) const;

  std::vector<Channel> channels_;
  std::vector<Turn> turns_;              ///< groups that are misaligned
  std::optional<core::Instant> last_t_;  ///< of the last reading; written by read
};

}  // namespace eslabon::sensing
