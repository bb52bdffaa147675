#include "eslabon/runs/sensing/taken_readings.hpp"

#include <algorithm>
#include <tuple>

#include "eslabon/sensing/sampling.hpp"
#include "eslabon/sensing/sensor_error_model.hpp"

namespace eslabon::runs {

namespace {

/// A reading that is to be taken.
struct Planned {
  core::Instant t, arrival;
  std::size_t sensor;
  bool is_lost;
};

/// Of all sensors, in the order of time.
std::vector<Planned> plan_readings(const std::vector<ChosenSensor>& sensors, const TrueMotion& motion,
                                   core::Duration step, std::uint64_t seed) {
  const core::Instant begin = core::Instant::from_seconds(motion.begin()),
                      end = core::Instant::from_seconds(motion.end());
  std::vector<Planned> plan;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    sensing::Sampling sampling(sensors[s].sensor, step, seed);
    core::Instant last = begin - core::Duration::from_nanoseconds(1);
    for (sensing::Sample sample = sampling.next(); sample.nominal <= end; sample = sampling.next()) {
      if (sample.t < begin || sample.t > end) continue;
      // Jitter of half a period can meet its neighbour.
      const core::Instant t = std::max(sample.t, last + core::Duration::from_nanoseconds(1));
      last = t;
      plan.push_back({t, std::max(sample.arrival, t), s, sample.is_lost});
    }
  }
  std::ranges::stable_sort(plan, {}, &Planned::t);
  return plan;
}

}  // namespace

std::size_t end_of_row(const std::vector<Arriving>& arriving, std::size_t first) {
  std::size_t end = first + 1;
  while (end < arriving.size() && arriving[end].arrival == arriving[first].arrival &&
         arriving[end].reading.t == arriving[first].reading.t)
    ++end;
  return end;
}

std::size_t for_each_row(const std::vector<Arriving>& arriving,
                         const std::function<void(const std::vector<sensing::Reading>& row)>& take) {
  std::vector<sensing::Reading> row;
  std::size_t rows = 0;
  for (std::size_t next = 0; next < arriving.size(); ++rows) {
    row.clear();
    for (const std::size_t end = end_of_row(arriving, next); next < end; ++next)
      row.push_back(arriving[next].reading);
    take(row);
  }
  return rows;
}

TakenReadings take_readings(const std::vector<ChosenSensor>& sensors, TrueMotion& motion, core::Duration step,
                            std::uint64_t seed, const std::function<bool(double)>& progress) {
  std::vector<sensing::SensorErrorModel> errors;
  for (const ChosenSensor& chosen : sensors)
    errors.emplace_back(chosen.sensor, motion.model().mechanism().is_planar(), seed);
  TakenReadings taken;
  taken.tallies.resize(sensors.size());
  for (const Planned& planned : plan_readings(sensors, motion, step, seed)) {
    const double t = std::min(planned.t.seconds(), motion.end());
    const sensing::Scene<double> scene = motion.at(t);
    sensing::Reading reading{.t = planned.t, .sensor = static_cast<int>(planned.sensor)};
    const auto values = std::span(reading.values).first(sensors[planned.sensor].facts.channels.size());
    sensors[planned.sensor].instrument->read(scene, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] += sensors[planned.sensor].facts.channels[k].origin;
    errors[planned.sensor].read(planned.t, values);
    SensorTally& tally = taken.tallies[planned.sensor];
    ++(planned.is_lost ? tally.lost : tally.readings);
    if (!planned.is_lost) taken.arriving.push_back({planned.arrival, reading});
    if (progress && !progress(t / motion.end())) break;
  }
  const auto key = [](const Arriving& a) { return std::tuple(a.arrival, a.reading.t, a.reading.sensor); };
  std::ranges::stable_sort(taken.arriving, {}, key);
  return taken;
}

}  // namespace eslabon::runs
