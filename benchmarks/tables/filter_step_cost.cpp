#include "benchmarks/tables/filter_step_cost.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "benchmarks/tables/reference_models.hpp"

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/drivers/driven_structure.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::benchmarks {

namespace {

constexpr double kFilterStep = 1e-3;      // [s]
constexpr int kStepsOfReading = 10;       // from reading to reading
constexpr double kStartDeviation = 0.05;  // [rad], [rad/s]

/// The testbed, let go, and what its sensors read.
struct ReadTestbed {
  ReadTestbed()
      : mechanism(model::without_all_drivers(
            io::read_mechanism(reference_models::fourbar_testbed, "fourbar-testbed.yaml"))),
        structure(kinematics::analyse_driven_structure(mechanism)),
        model(mechanism, structure, kinematics::assemble(mechanism, structure)) {
    for (const model::Sensor& sensor : mechanism.sensors()) {
      const std::shared_ptr<const sensing::Instrument> instrument =
          sensing::make_instrument(mechanism, sensor, model.forces());
      facts.push_back(sensing::sensor_facts(sensor, *instrument));
      sensors.push_back({instrument, facts.back()});
    }
    estimation::MechanismSystem truth(model, sensors, {.rule = estimation::StepRule::kRk4});
    core::Rng rng(1);
    Eigen::VectorXd x = truth.start_state();
    for (int k = 1; k <= kFilterSteps; ++k) {
      const double t = k * kFilterStep;
      if (!truth.step(t - kFilterStep, kFilterStep, x) || !truth.accept(t, x)) stop(t);
      if (k % kStepsOfReading != 0) continue;
      for (int s = 0; s < truth.num_sensors(); ++s) {
        Eigen::VectorXd y(truth.num_channels(s));
        if (!truth.measure(t, x, s, y)) stop(t);
        sensing::Reading reading{.t = core::Instant::from_seconds(t), .sensor = s};
        for (std::size_t c = 0; c < static_cast<std::size_t>(y.size()); ++c) {
          const sensing::Channel& channel = facts[static_cast<std::size_t>(s)].channels[c];
          reading.values[c] = y[static_cast<Eigen::Index>(c)] + channel.origin + channel.noise * rng.normal();
        }
        readings.push_back(reading);
      }
    }
  }
  [[noreturn]] static void stop(double t) {
    throw core::ModelError({.what = "the testbed could not be simulated",
                            .where = "bench compiled",
                            .expected = "10 s",
                            .actual = std::to_string(t) + " s",
                            .next = "Report this."});
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
  std::vector<estimation::FilterSensor> sensors;
  std::vector<sensing::SensorFacts> facts;
  std::vector<sensing::Reading> readings;  ///< in their order
};

template <class Action>
double seconds_of(const Action& action) {
  const auto before = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

/// Seconds of each step.
std::vector<double> run_filter(const ReadTestbed& testbed,
                               const std::shared_ptr<dynamics::ReducedCompiler>& compiler) {
  estimation::MechanismSystem system(testbed.model, testbed.sensors,
                                     {.noise = {.velocity = 0.5}, .motion_compiler = compiler});
  const auto filter = estimation::make_estimator("dekf", system, {});
  const Eigen::VectorXd x = system.start_state();
  static_cast<void>(filter->start(0.0, x, system.start_covariance(kStartDeviation, kStartDeviation)));
  sensing::FrontEnd front_end(testbed.facts, {.window = {}});
  estimation::EstimationRun run(system, *filter, front_end, {});
  std::vector<double> seconds(kFilterSteps);
  auto next = testbed.readings.begin();
  for (int k = 1; k <= kFilterSteps; ++k) {
    const core::Instant now = core::Instant::from_seconds(k * kFilterStep);
    while (next != testbed.readings.end() && next->t <= now) front_end.receive(*next++);
    seconds[static_cast<std::size_t>(k - 1)] = seconds_of([&] { run.step(); });
  }
  return seconds;
}

StepQuantiles quantiles_of(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const auto at = [&](double p) {
    return seconds[static_cast<std::size_t>(std::ceil(p * static_cast<double>(seconds.size()))) - 1];
  };
  return {at(0.5), at(0.99), at(0.999), seconds.back()};
}

/// Steps of all repetitions; `run` gives the seconds of each step of one.
template <class Run>
FilterStepCost cost_of(std::string program, const Run& run) {
  std::vector<double> all, shortest(kFilterSteps, std::numeric_limits<double>::infinity());
  for (int r = 0; r < kFilterRepetitions; ++r) {
    const std::vector<double> seconds = run();
    all.insert(all.end(), seconds.begin(), seconds.end());
    std::ranges::transform(seconds, shortest, shortest.begin(),
                           [](double one, double other) { return std::min(one, other); });
  }
  return {.program = std::move(program),
          .all = quantiles_of(std::move(all)),
          .undisturbed = quantiles_of(std::move(shortest))};
}

/// A chain of products and sums, each of which waits for the one before.
void multiply_and_add(int count) {
  double x = 1.0;
  for (int k = 0; k < count; ++k) x = x * 0.75 + 0.25;
  volatile double result = x;
  static_cast<void>(result);
}

}  // namespace

FilterStepCost measure_filter_steps(const std::shared_ptr<dynamics::ReducedCompiler>& compiler) {
  const ReadTestbed testbed;
  return cost_of(compiler ? "compiled" : "interpreted", [&] { return run_filter(testbed, compiler); });
}

FilterStepCost measure_arithmetic_steps(const StepQuantiles& undisturbed) {
  constexpr int kProducts = 1000;
  double per_product = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kFilterSteps; ++k)
    per_product = std::min(per_product, seconds_of([] { multiply_and_add(kProducts); }) / kProducts);
  const int between = static_cast<int>(undisturbed.p50 / per_product);
  const int with_readings = static_cast<int>(undisturbed.p99 / per_product);
  return cost_of("arithmetic", [&] {
    std::vector<double> seconds(kFilterSteps);
    for (int k = 1; k <= kFilterSteps; ++k)
      seconds[static_cast<std::size_t>(k - 1)] =
          seconds_of([&] { multiply_and_add(k % kStepsOfReading == 0 ? with_readings : between); });
    return seconds;
  });
}

}  // namespace eslabon::benchmarks
