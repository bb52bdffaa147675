#include "apps/cli/words/simulate_words.hpp"

#include <cmath>

#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/native_code.hpp"
#include "apps/cli/words/report_output.hpp"
#include "apps/cli/words/stepping_words.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/codegen/compile/compiled_formulation.hpp"
#include "eslabon/coordinates/layout.hpp"

namespace eslabon::cli {

namespace {

/// "50,0.5"; NaN for what is no number.
dynamics::Baumgarte read_baumgarte(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return {std::nan(""), std::nan("")};
  return {number_of(std::string_view(text).substr(0, comma)),
          number_of(std::string_view(text).substr(comma + 1))};
}

}  // namespace

runs::SimulationRequest read_simulation_request(const SimulateWords& words) {
  runs::SimulationRequest request = words.request;
  request.until = read_time("--until", "end time", words.until);
  read_stepping(words.stepping, request);
  if (words.baumgarte) request.baumgarte = read_baumgarte(*words.baumgarte);
  request.outputs = read_outputs(words.outputs);
  if (words.compiled) request.compiler = std::make_shared<codegen::MotionCompiler>(make_native_compiler());
  check(request);
  static_cast<void>(grid_of(request));
  check_limits(words.limits);
  check_run_files(words.files);
  return request;
}

namespace {

void add_stepping_options(CLI::App& command, SimulateWords& words) {
  begin_group(command, kTimeOptions);
  command.add_option("--until", words.until, "End time, in s or with a unit")->required()->type_name("TIME");
  add_step_options(command, words.stepping);
  add_text(command, "--every", "TIME", words.stepping.every,
           "Time between rows of the results; without it --step, or a thousandth of the run");
  add_text(command, "--largest-step", "TIME", words.stepping.largest_step,
           "Maximum step of dopri5 and bdf; without it --every, and at most a thousandth of the run, "
           "where forces, stops or drivers depend on time; otherwise unlimited");
}

void add_formulation_options(CLI::App& command, SimulateWords& words) {
  begin_group(command, kMethodOptions);
  add_integrator_option(command, words.request);
  add_formulation_option(command, words.request,
                         ": groups, clusters, semi-recursive, null-space, multipliers, augmented-lagrangian");
  offer_words(
      command
          .add_option(
              "--coordinates", words.request.coordinates,
              "For null-space, multipliers and augmented-lagrangian: natural, reference-point or relative")
          ->type_name("NAME"),
      coordinates::layout_names());
  offer_words(command
                  .add_option("--matrices", words.request.matrices,
                              "For semi-recursive: dense or sparse matrices; without it chosen by size")
                  ->type_name("NAME"),
              runs::known_matrices());
  command
      .add_option("--baumgarte", words.baumgarte,
                  "For multipliers, in 1/s, e.g. 50,0.5: stabilise the constraints instead of projecting "
                  "onto them; 0,0: neither, and they drift")
      ->type_name("ALPHA,BETA");
  command.add_flag("--compiled", words.compiled,
                   "Machine code for the motion, made by the C compiler of the system and kept for the next "
                   "run; the result is the same to roundoff");
  add_check_options(command, words.request);
  command.add_flag("--step-times", words.request.step_times,
                   "For semi-recursive: print the computing time of each step of its algorithm");
}

}  // namespace

void add_simulate_options(CLI::App& command, SimulateWords& words) {
  add_model_word(command, words.model);
  add_stepping_options(command, words);
  add_limit_options(command, words.limits, "steps of the integrator", kTimeOptions);
  add_out_option(command, words.files.out);
  add_report_option(command, words.files.report);
  command
      .add_option("--events", words.files.events,
                  "CSV file of events and their times: at stops, in joints with dry friction, and others")
      ->type_name("FILE");
  add_reactions_option(command, words.files.reactions);
  add_header_option(command, words.files.header);
  add_formulation_options(command, words);
  add_release_option(command, words.request.release);
  add_branch_option(command, words.request.branch);
  add_outputs_option(command, words.outputs);
  command
      .add_flag(
          "--states", words.request.states,
          "With --outputs: also position, rate and acceleration of each degree of freedom, which 'sense' and "
          "'estimate' need in their --truth; without --outputs they are written anyway")
      ->group(kModelOptions);
  add_set_option(command, words.set);
  show_examples(
      command,
      {{"A four-bar swinging freely for 5 s:",
        "eslabon simulate models/fourbar-testbed.yaml --release motor --until 5 --out swing.csv"},
       {"With steps of 1 ms, a row every 10 ms, and a report page:",
        "eslabon simulate models/slider-crank.yaml --integrator rk4 --step '1 ms' --every '10 ms' --until 1 "
        "--out slider.csv --report slider.html"},
       {"A true motion for 'eslabon sense':",
        "eslabon simulate models/fourbar-testbed.yaml --release motor --until 2 --every '1 ms' --outputs "
        "A.q,A.v,A.a,crank.angle --out truth.csv"}});
}

}  // namespace eslabon::cli
