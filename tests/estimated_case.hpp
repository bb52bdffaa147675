#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulated_case.hpp"

#include "eslabon/core/random/rng.hpp"
#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"

/// Filters on mechanisms, against the motion that their readings came from.
namespace eslabon::test {

/// The true motion of the bodies, every `dt` seconds from 0.
inline std::vector<coordinates::MechanismMotion> true_motion(const model::Mechanism& mechanism, double dt,
                                                             int count,
                                                             const std::string& integrator = "dopri5") {
  SimulatedCase run(mechanism, dt * count, {.formulation = "groups", .kind = "", .integrator = integrator});
  std::vector<coordinates::MechanismMotion> list{run.bodies};
  for (int k = 1; k <= count; ++k) {
    EXPECT_TRUE(run.advance_to(dt * k));
    list.push_back(run.bodies);
  }
  return list;
}

/// Sensors of a mechanism by name, as a filter takes them.
inline std::vector<estimation::FilterSensor> sensors_of(const DynamicCase& c,
                                                        const std::vector<std::string>& names) {
  std::vector<estimation::FilterSensor> list;
  for (const std::string& name : names)
    for (const model::Sensor& sensor : c.mechanism.sensors())
      if (sensor.name == name) {
        std::shared_ptr<const sensing::Instrument> instrument =
            sensing::make_instrument(c.mechanism, sensor, c.model.forces());
        list.push_back({instrument, sensing::sensor_facts(sensor, *instrument)});
      }
  EXPECT_EQ(list.size(), names.size());
  return list;
}

/// A filter with its model.
struct FilterCase {
  FilterCase(const model::Mechanism& mechanism, const std::vector<std::string>& sensors,
             const std::string& filter, estimation::MechanismSystemOptions options,
             const estimation::EstimatorOptions& choices = {})
      : c(mechanism),
        system(c.model, sensors_of(c, sensors), std::move(options)),
        estimator(estimation::make_estimator(filter, system, choices)) {}

  void start(double position, double rate) {
    const Eigen::VectorXd x = system.start_state();
    EXPECT_TRUE(estimator->start(0.0, x, system.start_covariance(position, rate)));
  }
  /// A reading of what the bodies do, with noise, is taken.
  estimation::UpdateReport read(int sensor, const coordinates::MechanismMotion& bodies, core::Rng& rng,
                                double gate = std::numeric_limits<double>::infinity()) {
    const estimation::FilterSensor& from = system.sensors()[static_cast<std::size_t>(sensor)];
    Eigen::VectorXd y(system.num_channels(sensor));
    const dynamics::ForceMemory memory = c.model.forces().empty_memory();
    from.instrument->read(sensing::Scene<double>{estimator->t(), bodies, memory},
                          {y.data(), static_cast<std::size_t>(y.size())});
    for (Eigen::Index k = 0; k < y.size(); ++k)
      y[k] += from.facts.channels[static_cast<std::size_t>(k)].noise * rng.normal();
    return estimator->update(sensor, y, gate);
  }
  double value(const std::string& name) const {
    return kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, name), system.point().bodies);
  }

  DynamicCase c;
  estimation::MechanismSystem system;
  std::unique_ptr<estimation::Estimator> estimator;
};

/// Root of a mean of squares.
class RootMeanSquare {
 public:
  void add(double x) {
    sum_ += x * x;
    ++count_;
  }
  double value() const { return count_ == 0 ? 0.0 : std::sqrt(sum_ / count_); }

 private:
  double sum_ = 0.0;
  int count_ = 0;
};

inline double turned_to_half(double angle) { return std::remainder(angle, 2.0 * 3.14159265358979323846); }

/// What the sensors of a filter would read without error, in the order of time: every sensor at every multiple of its period after 0, from
/// a motion that is known every `dt` seconds.
inline std::vector<sensing::Reading> exact_readings(const FilterCase& filter,
                                                    const std::vector<coordinates::MechanismMotion>& truth,
                                                    core::Duration dt) {
  std::vector<sensing::Reading> list;
  const dynamics::ForceMemory memory = filter.c.model.forces().empty_memory();
  for (std::size_t k = 1; k < truth.size(); ++k)
    for (int s = 0; s < filter.system.num_sensors(); ++s) {
      const estimation::FilterSensor& from = filter.system.sensors()[static_cast<std::size_t>(s)];
      const core::Duration since_zero = dt * static_cast<std::int64_t>(k);
      if (since_zero.nanoseconds() % from.facts.period.nanoseconds() != 0) continue;
      sensing::Reading one{.t = core::Instant::at(since_zero), .sensor = s};
      from.instrument->read(sensing::Scene<double>{since_zero.seconds(), truth[k], memory},
                            {one.values.data(), from.facts.channels.size()});
      list.push_back(one);
    }
  return list;
}

/// The same with noise and rounded to the resolution.
inline std::vector<sensing::Reading> noisy(std::vector<sensing::Reading> readings, const FilterCase& filter,
                                           std::uint64_t seed) {
  core::Rng rng(seed);
  for (sensing::Reading& one : readings) {
    const auto& channels = filter.system.sensors()[static_cast<std::size_t>(one.sensor)].facts.channels;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      double& y = one.values[c];
      y += channels[c].noise * rng.normal();
      if (channels[c].resolution > 0.0) y = channels[c].resolution * std::round(y / channels[c].resolution);
    }
  }
  return readings;
}

/// A filter that is led through a stream of readings, in the order of their arrival, as `eslabon estimate` does.
class LedFilter {
 public:
  LedFilter(FilterCase& filter, std::vector<sensing::Reading> arriving, double position, double rate,
            const estimation::RunOptions& options = {}, const std::vector<sensing::SensorFacts>& facts = {})
      : front_end(facts.empty() ? facts_of(filter) : facts), arriving_(std::move(arriving)) {
    filter.start(position, rate);
    run.emplace(filter.system, *filter.estimator, front_end, options);
  }

  /// One step of the run, with all readings that are there by then.
  void step() {
    const core::Instant target = run->now() + run->step_size();
    while (next_ < arriving_.size() && !(front_end.settled() && *front_end.settled() >= target) &&
           front_end.has_room())
      front_end.receive(arriving_[next_++]);
    if (next_ == arriving_.size()) front_end.flush();
    run->step();
  }

  sensing::FrontEnd front_end;
  std::optional<estimation::EstimationRun> run;

 private:
  static std::vector<sensing::SensorFacts> facts_of(const FilterCase& filter) {
    std::vector<sensing::SensorFacts> list;
    for (const estimation::FilterSensor& sensor : filter.system.sensors()) list.push_back(sensor.facts);
    return list;
  }

  std::vector<sensing::Reading> arriving_;
  std::size_t next_ = 0;
};

}  // namespace eslabon::test
