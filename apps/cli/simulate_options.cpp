#include "simulate_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include "report_output.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/io/quantity.hpp"

namespace eslabon::cli {

namespace {

constexpr std::int64_t kDefaultRows = 1000;

/// The whole text as a number; NaN when it is none.
double number_of(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

/// A tolerance: a number, 0 < x < 1.
double read_tolerance(const std::string& option, const std::string& text, double least) {
  const double value = number_of(text);
  if (value >= least && value < 1.0) return value;
  throw CommandLineError(
      {.what = "not a tolerance",
       .where = option,
       .expected = fmt::format("a number of at least {:g}, below 1", least),
       .actual = io::in_quotes(text),
       .next = "Write, for example, " + option + (option == "--atol" ? " 1e-10." : " 1e-8.")});
}

void check_words(const SimulateOptions& options) {
  check_word("--integrator", "unknown integrator", options.integrator, integration::integrator_names());
  std::vector<std::string> formulations = dynamics::formulation_names();
  formulations.insert(formulations.begin(), kAuto);
  check_word("--formulation", "unknown formulation", options.formulation, formulations);
  if (options.coordinates)
    check_word("--coordinates", "unknown coordinates", *options.coordinates, coordinates::layout_names());
  if (options.variant) check_word("--variant", "unknown variant", *options.variant, {"dense", "sparse"});
}

void check_coordinates(const SimulateOptions& options) {
  if (!options.coordinates || options.formulation == kAuto) return;
  const std::vector<std::string> kinds = dynamics::coordinate_kinds(options.formulation);
  if (std::ranges::find(kinds, *options.coordinates) == kinds.end())
    throw CommandLineError(
        {.what = "the formulation '" + options.formulation + "' does not have these coordinates",
         .where = "--coordinates",
         .expected = kinds.empty() ? "none: it has its own" : core::quoted_list(kinds),
         .actual = io::in_quotes(*options.coordinates),
         .next = "Leave --coordinates out, or take another formulation."});
}

/// Options that only one formulation has.
void check_belongs(const SimulateOptions& options, const std::string& option, const std::string& what,
                   const std::string& formulation) {
  if (options.formulation == formulation) return;
  throw CommandLineError({.what = what + " only in the formulation '" + formulation + "'",
                          .where = option,
                          .expected = "--formulation " + formulation,
                          .actual = "--formulation " + options.formulation,
                          .next = "Leave " + option + " out, or add --formulation " + formulation + "."});
}

void check_stepping(const SimulateOptions& options) {
  std::vector<std::string> adaptive, fixed;
  for (const std::string& name : integration::integrator_names())
    (integration::is_adaptive(name) ? adaptive : fixed).push_back(name);
  const bool is_adaptive = integration::is_adaptive(options.integrator);
  if (is_adaptive && options.step)
    throw CommandLineError(
        {.what = "the integrator '" + options.integrator + "' finds its own steps",
         .where = "--step",
         .expected = "one with a fixed step, " + core::quoted_list(fixed),
         .actual = io::in_quotes(*options.step) + " with --integrator " + options.integrator,
         .next = "Use --every for the time from row to row, --rtol and --atol for accuracy."});
  if (!is_adaptive && !options.step)
    throw CommandLineError({.what = "the integrator '" + options.integrator + "' needs a step",
                            .where = "--step",
                            .expected = "a positive time in s",
                            .actual = "none",
                            .next = "Write, for example, --step '1 ms'."});
  for (const auto& [option, value] : {std::pair{"--rtol", &options.rtol}, std::pair{"--atol", &options.atol},
                                      std::pair{"--largest-step", &options.largest_step}})
    if (!is_adaptive && *value)
      throw CommandLineError({.what = "the integrator '" + options.integrator + "' does not choose its steps",
                              .where = option,
                              .expected = "one that finds its own steps, " + core::quoted_list(adaptive),
                              .actual = io::in_quotes(**value) + " with --integrator " + options.integrator,
                              .next = "Use --step, or take another integrator."});
}

}  // namespace

void check_simulate_options(const SimulateOptions& options) {
  check_words(options);
  check_coordinates(options);
  if (options.variant)
    check_belongs(options, "--variant", "matrices are dense or sparse by choice", "semi-recursive");
  if (options.step_times) check_belongs(options, "--step-times", "steps are timed", "semi-recursive");
  if (options.baumgarte) check_belongs(options, "--baumgarte", "constraints are stabilised", "multipliers");
  check_stepping(options);
}

Stepping read_stepping(const SimulateOptions& options, const model::Mechanism& mechanism,
                       const TimeGrid& grid) {
  Stepping stepping;
  if (options.step) {
    stepping.options.step = read_time("--step", "step", *options.step).seconds();
    stepping.text = fmt::format("steps of {:g} s", stepping.options.step);
    return stepping;
  }
  if (options.rtol) stepping.options.rtol = read_tolerance("--rtol", *options.rtol, 1e-14);
  if (options.atol) stepping.options.atol = read_tolerance("--atol", *options.atol, 1e-300);
  stepping.text = fmt::format("tolerances {:g} relative and {:g} of the size of the motion",
                              stepping.options.rtol, stepping.options.atol);
  if (options.largest_step)
    stepping.options.largest_step =
        read_time("--largest-step", "maximum step", *options.largest_step).seconds();
  else
    stepping.options.largest_step =
        std::min(grid.step(), integration::default_options(mechanism, grid.until()).largest_step);
  if (stepping.options.largest_step > 0.0)
    stepping.text += fmt::format(", steps of at most {:g} s", stepping.options.largest_step);
  return stepping;
}

dynamics::FormulationOptions read_formulation_options(const SimulateOptions& options) {
  dynamics::FormulationOptions result{.kind = options.coordinates.value_or(""),
                                      .variant = options.variant.value_or(""),
                                      .times_steps = options.step_times};
  if (!options.baumgarte) return result;
  const std::string& text = *options.baumgarte;
  dynamics::Baumgarte by{std::nan(""), std::nan("")};
  if (const std::size_t comma = text.find(','); comma != std::string::npos)
    by = {number_of(std::string_view(text).substr(0, comma)),
          number_of(std::string_view(text).substr(comma + 1))};
  if (!(by.alpha >= 0.0 && by.beta >= 0.0 && std::isfinite(by.alpha + by.beta)))
    throw CommandLineError({.what = "not constants of Baumgarte's method",
                            .where = "--baumgarte",
                            .expected = "alpha,beta in 1/s, 0 or above",
                            .actual = io::in_quotes(text),
                            .next = "Write, for example, --baumgarte 50,0.5."});
  result.baumgarte = by;
  return result;
}

TimeGrid read_grid(const SimulateOptions& options) {
  const core::Duration until = read_time("--until", "end time", options.until);
  if (options.every) return {until, read_time("--every", "time from row to row", *options.every), "--every"};
  if (options.step) return {until, read_time("--step", "step", *options.step), "--step"};
  const std::int64_t ns = std::max<std::int64_t>(1, (until.nanoseconds() + kDefaultRows - 1) / kDefaultRows);
  return {until, core::Duration::from_nanoseconds(ns), "--until"};
}

namespace {

void add_stepping_options(CLI::App& command, SimulateOptions& options) {
  begin_group(command, kTimeOptions);
  command.add_option("--until", options.until, "End time, in s or with a unit")
      ->required()
      ->type_name("TIME");
  command
      .add_option("--step", options.step,
                  "Time step of the computation: of rk4, trapezoidal and generalized-alpha, which need it; "
                  "dopri5 and bdf find their own")
      ->type_name("TIME");
  command
      .add_option("--every", options.every,
                  "Time between rows of the results; without it --step, or a thousandth of the run")
      ->type_name("TIME");
  command.add_option("--rtol", options.rtol, "Relative error tolerance per step of dopri5 and bdf [1e-8]")
      ->type_name("NUMBER");
  command
      .add_option(
          "--atol", options.atol,
          "Absolute error tolerance per step of dopri5 and bdf, in units of the size of the motion [1e-10]")
      ->type_name("NUMBER");
  command
      .add_option("--largest-step", options.largest_step,
                  "Maximum step of dopri5 and bdf; without it --every, and at most a thousandth of the run, "
                  "where forces, stops or drivers depend on time; otherwise unlimited")
      ->type_name("TIME");
}

void add_formulation_options(CLI::App& command, SimulateOptions& options) {
  begin_group(command, kMethodOptions);
  offer_words(command
                  .add_option("--integrator", options.integrator,
                              "dopri5 and bdf (stiff mechanisms) find their steps; rk4, trapezoidal and "
                              "generalized-alpha need --step")
                  ->capture_default_str()
                  ->type_name("NAME"),
              integration::integrator_names());
  std::vector<std::string> formulations = dynamics::formulation_names();
  formulations.insert(formulations.begin(), kAuto);
  offer_words(
      command
          .add_option(
              "--formulation", options.formulation,
              "How the equations of motion are written: groups, semi-recursive, null-space, multipliers, "
              "augmented-lagrangian; auto picks by structure and size")
          ->capture_default_str()
          ->type_name("NAME"),
      formulations);
  offer_words(
      command
          .add_option(
              "--coordinates", options.coordinates,
              "For null-space, multipliers and augmented-lagrangian: natural, reference-point or relative")
          ->type_name("NAME"),
      coordinates::layout_names());
  offer_words(command
                  .add_option("--variant", options.variant,
                              "For semi-recursive: dense or sparse matrices; without it chosen by size")
                  ->type_name("NAME"),
              {"dense", "sparse"});
  command
      .add_option("--baumgarte", options.baumgarte,
                  "For multipliers, in 1/s, e.g. 50,0.5: stabilise the constraints instead of projecting "
                  "onto them; 0,0: neither, and they drift")
      ->type_name("ALPHA,BETA");
  command.add_flag("--verify", options.verify,
                   "Repeat the run with another formulation and a tenth of the tolerances, and report by how "
                   "much each output differs");
  command.add_flag("--accept-drift", options.accept_drift,
                   "Exit status 0 even when more than 1 % of the energy exchanged is not accounted for");
  command.add_flag("--step-times", options.step_times,
                   "For semi-recursive: print the computing time of each step of its algorithm");
}

}  // namespace

void add_simulate_options(CLI::App& command, SimulateOptions& options) {
  add_model_word(command, options.model);
  add_stepping_options(command, options);
  add_limit_options(command, options.limits, "steps of the integrator", kTimeOptions);
  begin_group(command, kFileOptions);
  command.add_option("--out", options.out, "CSV file for the results; - is the standard output")
      ->required()
      ->type_name("FILE");
  add_report_option(command, options.report);
  command
      .add_option("--events", options.events,
                  "CSV file of events and their times: at stops, in joints with dry friction, and others")
      ->type_name("FILE");
  command
      .add_option("--reactions", options.reactions,
                  "CSV file for the reactions of all joints, in world axes and in the joint's own")
      ->type_name("FILE");
  add_header_option(command, options.header);
  add_formulation_options(command, options);
  add_release_option(command, options.release);
  add_branch_option(command, options.branch);
  add_outputs_option(command, options.outputs);
  command
      .add_flag(
          "--states", options.states,
          "With --outputs: also position, rate and acceleration of each degree of freedom, which 'sense' and "
          "'estimate' need in their --truth; without --outputs they are written anyway")
      ->group(kModelOptions);
  add_set_option(command, options.set);
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
