#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/time/time.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::test {

/// What can go wrong with a sensor.
enum class Fault {
  kDuplicate,
  kOutOfOrder,  ///< within the window
  kLate,        ///< beyond the window
  kGap,
  kLoss,        ///< to the end of the stream
  kClockAhead,  ///< jumps, and stays there to the end of the stream
  kClockBack,
  kNaN,
  kInfinity,
  kSpikes,
  kSaturation,
  kStuck,
  kBiasStep,
  kNoiseBurst,
};
inline constexpr std::size_t kNumFaults = 14;
inline constexpr std::array<std::string_view, kNumFaults> kFaultNames = {
    "duplicate", "out of order", "late",   "gap",        "loss",  "clock ahead", "clock back",
    "NaN",       "infinity",     "spikes", "saturation", "stuck", "bias step",   "noise burst"};
inline std::string_view name(Fault fault) { return kFaultNames[static_cast<std::size_t>(fault)]; }

/// A fault of one sensor from `from` to before `until`.
///
/// | fault | mild | severe |
/// | duplicate | every fifth comes twice | every one four times, the last as late as half the window |
/// | out of order | every other is overtaken by one | every one is delayed by up to 0.9 windows, by chance |
/// | late | every fifth by a window and three periods | all |
/// | gap | five readings | the whole span |
/// | loss | nine of ten | all; both to the end of the stream |
/// | clock ahead, back | 0.5 s | 10 s; both to the end of the stream |
/// | NaN | every fifth, in one channel | all, in all channels |
/// | infinity | every fifth, in one channel | all, in all channels, with either sign |
/// | spikes | every fifth, by 20 σ | all, by 1000 σ; with either sign |
/// | saturation | every fifth reading is at the limit of its sign | all |
/// | stuck | 20 readings | the whole span |
/// | bias step | 10 σ | 200 σ |
/// | noise burst | deviation 10 σ | 100 σ |
///
/// σ: noise, or the resolution where that is larger, or `scale` where both are 0. Every fifth, other and tenth counts from `from`.
struct FaultPlan {
  Fault fault = Fault::kDuplicate;
  bool is_severe = false;
  int sensor = 0;
  core::Instant from = {}, until = {};
  core::Duration window = {};  ///< of the front end
  double scale = 1.0;          ///< of the readings
  double full_scale = 1e3;     ///< limit of a saturated sensor that has no range
  std::uint64_t seed = 1;
};

namespace detail {

struct Arriving {
  double arrival;  ///< [ns]
  sensing::Reading reading;
};

inline double sigma_of(const sensing::SensorFacts& facts, const FaultPlan& plan) {
  const double sigma = std::max(facts.channels[0].noise, facts.channels[0].resolution);
  return sigma > 0.0 ? sigma : plan.scale;
}

/// Changes values; k: number of the reading since the fault began.
inline void spoil_values(const FaultPlan& plan, const sensing::SensorFacts& facts, std::int64_t k,
                         core::Rng& rng, const sensing::Reading& first, sensing::Reading& reading) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool is_fifth = plan.is_severe || k % 5 == 0;
  const double sigma = sigma_of(facts, plan);
  const std::size_t m = facts.channels.size();
  for (std::size_t c = 0; c < m; ++c) {
    double& y = reading.values[c];
    const bool is_chosen = is_fifth && (plan.is_severe || c == 0);
    switch (plan.fault) {
      case Fault::kNaN:
        if (is_chosen) y = std::numeric_limits<double>::quiet_NaN();
        break;
      case Fault::kInfinity:
        if (is_chosen) y = k % 2 == 0 ? kInfinity : -kInfinity;
        break;
      case Fault::kSpikes:
        if (is_fifth) y += (rng.uniform() < 0.5 ? -1.0 : 1.0) * (plan.is_severe ? 1000.0 : 20.0) * sigma;
        break;
      case Fault::kSaturation:
        if (is_fifth)
          y = std::copysign(
              std::isfinite(facts.channels[c].range) ? facts.channels[c].range : plan.full_scale, y);
        break;
      case Fault::kStuck:
        if (plan.is_severe || k < 20) y = first.values[c];
        break;
      case Fault::kBiasStep:
        y += (plan.is_severe ? 200.0 : 10.0) * sigma;
        break;
      case Fault::kNoiseBurst:
        y += (plan.is_severe ? 100.0 : 10.0) * sigma * rng.normal();
        break;
      default:
        break;
    }
  }
}

/// Appends what becomes of one reading: nothing, itself at another time of arrival, or several of it.
inline void spoil_arrival(const FaultPlan& plan, const sensing::SensorFacts& facts, std::int64_t k,
                          core::Rng& rng, Arriving one, std::vector<Arriving>& out) {
  const auto period = static_cast<double>(facts.period.nanoseconds());
  const auto window = static_cast<double>(plan.window.nanoseconds());
  const bool is_fifth = plan.is_severe || k % 5 == 0;
  std::int64_t jump = 0;
  switch (plan.fault) {
    case Fault::kDuplicate:
      if (is_fifth) out.push_back(one);
      if (plan.is_severe) {
        out.push_back(one);
        out.push_back({one.arrival + 0.5 * window, one.reading});
      }
      break;
    case Fault::kOutOfOrder:
      if (plan.is_severe)
        one.arrival += 0.9 * window * rng.uniform();
      else if (k % 2 == 0)
        one.arrival += std::min(1.5 * period, 0.9 * window);
      break;
    case Fault::kLate:
      if (is_fifth) one.arrival += window + 3.0 * period;
      break;
    case Fault::kGap:
      if (plan.is_severe || k < 5) return;
      break;
    case Fault::kLoss:
      if (plan.is_severe || k % 10 != 0) return;
      break;
    case Fault::kClockAhead:
    case Fault::kClockBack:
      jump = plan.is_severe ? 10'000'000'000 : 500'000'000;
      one.reading.t =
          one.reading.t + core::Duration::from_nanoseconds(plan.fault == Fault::kClockAhead ? jump : -jump);
      break;
    default:
      break;
  }
  out.push_back(one);
}

}  // namespace detail

/// The stream with the fault, in the order of arrival. `clean`: readings of all sensors, in order of time, which are also their times of
/// arrival. The same plan gives the same stream.
inline std::vector<sensing::Reading> inject(const std::vector<sensing::Reading>& clean,
                                            const std::vector<sensing::SensorFacts>& sensors,
                                            const FaultPlan& plan) {
  const sensing::SensorFacts& facts = sensors[static_cast<std::size_t>(plan.sensor)];
  const bool is_lasting =
      plan.fault == Fault::kLoss || plan.fault == Fault::kClockAhead || plan.fault == Fault::kClockBack;
  core::Rng rng(plan.seed);
  std::vector<detail::Arriving> arriving;
  std::int64_t k = 0;
  sensing::Reading first;
  for (const sensing::Reading& reading : clean) {
    detail::Arriving one{static_cast<double>(reading.t.nanoseconds()), reading};
    if (reading.sensor != plan.sensor || reading.t < plan.from || (reading.t >= plan.until && !is_lasting)) {
      arriving.push_back(one);
      continue;
    }
    if (k == 0) first = reading;
    detail::spoil_values(plan, facts, k, rng, first, one.reading);
    detail::spoil_arrival(plan, facts, k, rng, one, arriving);
    ++k;
  }
  std::stable_sort(
      arriving.begin(), arriving.end(),
      [](const detail::Arriving& a, const detail::Arriving& b) { return a.arrival < b.arrival; });
  std::vector<sensing::Reading> stream;
  for (const detail::Arriving& one : arriving) stream.push_back(one.reading);
  return stream;
}

}  // namespace eslabon::test
