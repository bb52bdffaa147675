#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/words/run_limit.hpp"

#include "eslabon/codegen/compile/native_compiler.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_settings.hpp"
#include "eslabon/runs/estimation/estimate_request.hpp"

namespace CLI {
class App;
}

namespace eslabon::cli {

/// The command line of `estimate`, as it was typed.
struct EstimateOptions {
  std::string model;
  io::ModelSettings set;
  std::vector<std::string> release;
  std::optional<std::string> measurements, truth;
  std::string filter = "dekf";
  std::string start = "model";  ///< or "unknown"
  std::optional<std::string> sensors, outputs, branch;
  std::map<std::string, std::optional<std::string>> settings;  ///< by the names of study::filter_settings()
  std::vector<std::string> unknown;                            ///< of these the one that may be repeated
  bool forces = false;                                         ///< of these the flag
  std::optional<std::string> udp, spin;
  bool any_sender = false, live = false;
  bool compiled = false;
  std::string out;
  std::optional<std::string> report, report_particles, header;
  LimitOptions limits;
};

void add_estimate_options(CLI::App& command, EstimateOptions& options);

/// Names of the filters, each once.
std::vector<std::string> read_filters(const EstimateOptions& options);

/// Throws CommandLineError for words about files and streams that do not go together. Before the model is loaded.
void check_estimate_options(const EstimateOptions& options);

/// What the model's section 'estimation' and the words, which go before it, ask for, of the first filter, checked for all of them. `compiler`: of
/// --compiled.
runs::EstimateRequest read_request(const EstimateOptions& options, const io::DescribedMechanism& loaded,
                                   std::shared_ptr<codegen::NativeCompiler> compiler);

/// Most particles of an instant that the report shows; 0: none.
std::size_t read_report_particles(const EstimateOptions& options);

/// Of a live run: how long before each step its thread waits without sleeping.
std::optional<core::Duration> read_spin(const EstimateOptions& options);

}  // namespace eslabon::cli
