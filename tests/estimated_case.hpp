#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/simulated_case.hpp"

#include "eslabon/core/rng.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism_system.hpp"

/// Filters on mechanisms, against the motion that their readings came from.
namespace eslabon::test {

/// The true motion of the bodies, every `dt` seconds from 0.
inline std::vector<coordinates::MechanismMotion> true_motion(const model::Mechanism& mechanism, double dt, int count,
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
inline std::vector<estimation::FilterSensor> sensors_of(const DynamicCase& c, const std::vector<std::string>& names) {
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
  FilterCase(const model::Mechanism& mechanism, const std::vector<std::string>& sensors, const std::string& filter,
             estimation::MechanismSystemOptions options, const estimation::EstimatorOptions& choices = {})
      : c(mechanism), system(c.model, sensors_of(c, sensors), std::move(options)),
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

}  // namespace eslabon::test
