#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion_output.hpp"
#include "run_limit.hpp"

#include "eslabon/dynamics/formulation.hpp"
#include "eslabon/integration/integrator.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

inline constexpr const char* kAuto = "auto";

/// The command line of `simulate`, as it was typed.
struct SimulateOptions {
  std::string model;
  std::vector<std::string> set;
  std::string until;
  std::optional<std::string> step, rtol, atol, every, largest_step;
  std::string integrator = "dopri5";
  std::string formulation = kAuto;
  std::optional<std::string> coordinates;
  std::optional<std::string> variant;
  std::optional<std::string> baumgarte;
  bool accept_drift = false;
  bool verify = false;
  bool step_times = false;
  std::vector<std::string> release;
  std::optional<std::string> outputs;
  bool states = false;
  std::optional<std::string> branch;
  std::optional<std::string> reactions;
  std::optional<std::string> events;
  std::optional<std::string> header;
  std::string out;
  std::optional<std::string> report;
  LimitOptions limits;
};

void add_simulate_options(CLI::App& command, SimulateOptions& options);

/// Throws CommandLineError for words that are unknown or do not go together.
void check_simulate_options(const SimulateOptions& options);

/// How the motion is integrated, and in words.
struct Stepping {
  integration::IntegratorOptions options;
  std::string text;
};
/// Adaptive integrators do not step over what depends on time: without --largest-step their steps are at most those from row to row,
/// and a thousandth of the run.
Stepping read_stepping(const SimulateOptions& options, const model::Mechanism& mechanism,
                       const TimeGrid& grid);

dynamics::FormulationOptions read_formulation_options(const SimulateOptions& options);

/// The rows: every --every, or --step, or a thousandth of the run.
TimeGrid read_grid(const SimulateOptions& options);

}  // namespace eslabon::cli
