#include "prescribed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "model_options.hpp"
#include "report_output.hpp"
#include "start_note.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/nearest_name.hpp"
#include "eslabon/kinematics/driven_structure.hpp"

namespace eslabon::cli {

namespace {

using kinematics::MotionEvent;

constexpr std::size_t kMostNotes = 20;
constexpr const char* kAuto = "auto";

kinematics::MethodChoice chosen_method(const MotionOptions& options,
                                       const kinematics::DrivenMechanism& driven) {
  if (options.method != kAuto) return {options.method, ""};
  if (options.coordinates) return {"sparse", "--coordinates asks for coordinates"};
  return kinematics::choose_method(driven);
}

}  // namespace

PrescribedMotion::PrescribedMotion(const MotionOptions& options, const model::Mechanism& mechanism,
                                   const TimeGrid& grid)
    : options_(options),
      largest_step_(options.every && !options.step.empty()
                        ? read_time("--step", "time step", options.step).seconds()
                        : std::numeric_limits<double>::infinity()),
      structure_(kinematics::analyse_driven_structure(mechanism)),
      assembly_(assembled_on_branch(mechanism, structure_, options.branch)),
      driven_(mechanism, structure_, assembly_),
      choice_(chosen_method(options, driven_)),
      motion_(choice_.method, options.coordinates.value_or("natural"), driven_, grid.until()) {
  print_start_shifts(mechanism, assembly_.bodies, options.branch);
}

double PrescribedMotion::next_instant(double t, double h) const {
  constexpr double kRoundoff = 1e-9;
  const double rest = t - motion_.state().t;
  const double parts = std::ceil(rest / largest_step_ - kRoundoff);  // of equal length, so that none is tiny
  h = std::min(h, rest / std::max(parts, 1.0));
  return h >= rest ? t : motion_.state().t + h;
}

bool PrescribedMotion::advance_to(double t, const std::function<void()>& keep_rows) {
  try {
    return motion_.advance_to(t);
  } catch (const core::ModelError& error) {
    keep_rows();
    throw core::ModelError(keeping_rows(options_.model, error.text()));
  } catch (const core::ContractError& error) {
    keep_rows();
    core::ErrorText text = error.text();
    text.where = fmt::format("{}, t = {:.9g} s, {}", options_.model, motion_.state().t, text.where);
    text.next =
        "The numbers of this run are too large or too small to be solved; results up to there are kept.";
    throw core::ModelError(text);
  }
}

core::ErrorText keeping_rows(const std::string& model, core::ErrorText text) {
  text.where = model + ", " + text.where;
  text.next += " Results up to there are kept.";
  return text;
}

void print_passed(const model::Mechanism& mechanism, const std::vector<MotionEvent>& events) {
  std::size_t passed = 0;
  for (const MotionEvent& event : events)
    if (event.kind == MotionEvent::Kind::kPassed && ++passed <= kMostNotes)
      fmt::print(stderr, "eslabon: note: {}.\n", event.brief(mechanism));
  if (passed > kMostNotes)
    fmt::print(stderr, "eslabon: note: … and {} more such positions.\n", passed - kMostNotes);
}

void check_method(const MotionOptions& options) {
  std::vector<std::string> methods{kAuto}, with_coordinates{kAuto};
  for (const std::string& name : kinematics::method_names()) {
    methods.push_back(name);
    if (kinematics::has_coordinates(name)) with_coordinates.push_back(name);
  }
  check_word("--method", "unknown method", options.method, methods);
  if (!options.coordinates) return;
  check_word("--coordinates", "unknown coordinates", *options.coordinates, coordinates::layout_names());
  if (std::ranges::find(with_coordinates, options.method) == with_coordinates.end())
    throw CommandLineError({.what = "the method '" + options.method + "' uses no coordinates",
                            .where = "--coordinates",
                            .expected = "a method that does, " + core::quoted_list(with_coordinates),
                            .actual = "'" + *options.coordinates + "' with --method " + options.method,
                            .next = "Leave --coordinates out, or take another method."});
}

TimeGrid read_grid(const MotionOptions& options) {
  const core::Duration until = read_time_from_zero("--until", "end time", options.until);
  if (until == core::Duration() && options.step.empty())  // one row has no step
    return {until, core::Duration::from_nanoseconds(1), "--step"};
  if (options.step.empty())
    throw CommandLineError(
        {.what = "--step is required",
         .where = "--until " + options.until,
         .expected = "the time step",
         .actual = "none",
         .next = "Write, for example, --step '10 ms'; only --until 0, a single row, needs none."});
  const core::Duration step = read_time("--step", "time step", options.step);
  if (!options.every) return {until, step, "--step"};
  return {until, read_time("--every", "time from row to row", *options.every), "--every"};
}

void add_motion_options(CLI::App& command, MotionOptions& options) {
  add_model_word(command, options.model);
  begin_group(command, kTimeOptions);
  command.add_option("--until", options.until, "End time, in s or with a unit; 0 for the start row alone")
      ->required()
      ->type_name("TIME");
  command
      .add_option(
          "--step", options.step,
          "Time step of the computation, in s or with a unit: the motion is solved at least this often")
      ->type_name("TIME");
  command.add_option("--every", options.every, "Time between rows of the results; without it --step")
      ->type_name("TIME");
  add_limit_options(command, options.limits, "positions", kTimeOptions);
  begin_group(command, kFileOptions);
  command.add_option("--out", options.out, "CSV file for the results; - is the standard output")
      ->required()
      ->type_name("FILE");
  add_report_option(command, options.report);
  add_header_option(command, options.header);
  begin_group(command, kMethodOptions);
  std::vector<std::string> methods = kinematics::method_names();
  methods.insert(methods.begin(), kAuto);
  offer_words(
      command
          .add_option(
              "--method", options.method,
              "groups (one structural group after the other), groups-tensor (by velocity coefficients), "
              "sparse, global (dense); auto picks by structure and size")
          ->capture_default_str()
          ->type_name("NAME"),
      methods);
  offer_words(command
                  .add_option("--coordinates", options.coordinates,
                              "For sparse and global: natural (the default), reference-point or relative")
                  ->type_name("NAME"),
              coordinates::layout_names());
  add_branch_option(command, options.branch);
  add_outputs_option(command, options.outputs);
  add_set_option(command, options.set);
}

}  // namespace eslabon::cli
