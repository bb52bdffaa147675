#pragma once

#include <optional>
#include <string>
#include <vector>

#include "particle_words.hpp"
#include "run_limit.hpp"

#include "eslabon/estimation/estimation_run.hpp"
#include "eslabon/estimation/mechanism_system.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// The command line of `estimate`, as it was typed.
struct EstimateOptions {
  std::string model;
  std::vector<std::string> set, release;
  std::optional<std::string> measurements, truth;
  std::string filter = "dekf";
  std::optional<std::string> jacobian, integrator, sensors, outputs, branch;
  std::string step = "1 ms";
  std::optional<std::string> every, until, window, udp, spin;
  bool any_sender = false;
  std::string start = "model";  ///< or "unknown"
  std::optional<std::string> start_deviation, start_rate_deviation;
  std::string position_noise = "0", velocity_noise = "0.5", acceleration_noise = "0";
  std::vector<std::string> unknown;
  bool forces = false;
  std::string force_deviation = "1", force_walk = "1";
  std::string gate = "1e-6";
  ParticleWords particle;
  bool live = false;
  std::string out;
  std::optional<std::string> report, report_particles, header;
  LimitOptions limits;
};

void add_estimate_options(CLI::App& command, EstimateOptions& options);

/// Throws CommandLineError for words that are unknown or do not go together.
void check_estimate_options(const EstimateOptions& options);

/// What the words say about the filter's model of this mechanism; `sensors`: names of those in use, with their channels.
estimation::MechanismSystemOptions read_system_options(const EstimateOptions& options,
                                                       const model::Mechanism& mechanism,
                                                       const std::vector<estimation::FilterSensor>& sensors,
                                                       int num_freedoms);
estimation::EstimatorOptions read_estimator_options(const EstimateOptions& options);
estimation::RunOptions read_run_options(const EstimateOptions& options);

/// 0 is allowed: nothing is waited for. `latency`: the longest of the sensors [s].
core::Duration read_window(const EstimateOptions& options, double latency);

/// Most hypotheses of an instant that the report shows; 0: none.
std::size_t read_report_particles(const EstimateOptions& options);

/// Of a live run: how long before each step its thread waits without sleeping.
core::Duration read_spin(const EstimateOptions& options);

/// An angle and an angular rate: deviations of the start [rad], [rad/s].
struct StartDeviations {
  double position, rate;
};
StartDeviations read_start_deviations(const EstimateOptions& options);

}  // namespace eslabon::cli
