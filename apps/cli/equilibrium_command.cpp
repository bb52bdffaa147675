#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "equilibrium.hpp"
#include "model_options.hpp"
#include "presentation.hpp"
#include "reactions_output.hpp"
#include "released_start.hpp"
#include "result_json.hpp"
#include "shown_digits.hpp"
#include "static_case.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/dynamics/energy.hpp"
#include "eslabon/dynamics/equilibrium_search.hpp"
#include "eslabon/dynamics/force_outputs.hpp"
#include "eslabon/dynamics/named_shape.hpp"
#include "eslabon/dynamics/passed_stop.hpp"
#include "eslabon/io/quantity.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

using dynamics::Equilibrium;

constexpr std::size_t kMostSolutions = 6;  // side by side on the page
constexpr std::size_t kMostRows = 40;
constexpr const char* kAll = "all";

struct EquilibriumOptions {
  StaticOptions common;
  std::string solutions = "1";
  std::optional<std::string> out;
  std::optional<std::string> header;
};

/// How many solutions are asked for; 0: all.
int read_solutions(const std::string& text) {
  if (text == kAll) return 0;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc() && end == text.data() + text.size() && count > 0) return count;
  throw CommandLineError({.what = "not a number of solutions",
                          .where = "--solutions",
                          .expected = "a whole number from 1 on, or 'all'",
                          .actual = io::in_quotes(text),
                          .next = "Write, for example, --solutions all."});
}

/// Values of the outputs at the solutions.
class SolutionValues {
 public:
  SolutionValues(const dynamics::DynamicModel& model)
      : model_(model), forces_(model, model.mechanism().outputs()) {}

  std::vector<double> at(const Equilibrium& solution) {
    const std::vector<model::Variable>& outputs = model_.mechanism().outputs();
    std::vector<double> values(outputs.size(), 0.0);
    for (std::size_t k = 0; k < outputs.size(); ++k)
      if (!kinematics::needs_forces(outputs[k])) values[k] = value(outputs[k], solution);
    forces_.record(solution.state.t, solution.bodies, solution.state.memory, values);
    return values;
  }
  const dynamics::ForceOutputs& forces() const { return forces_; }

 private:
  /// Angles of springs that wind up, and of their joints, are counted beyond half a turn.
  double value(const model::Variable& variable, const Equilibrium& solution) const {
    const model::Mechanism& mechanism = model_.mechanism();
    const double plain = kinematics::told_value(mechanism, variable, solution.bodies);
    const auto* const spring = std::get_if<model::SpringIndex>(&variable.element);
    const auto* const joint = std::get_if<model::JointIndex>(&variable.element);
    for (std::size_t k = 0; k < solution.state.memory.angles.size(); ++k) {
      const model::JointCoordinate& angle = model_.forces().angle_coordinate(k);
      const bool is_of_spring = spring && variable.kind == model::VariableKind::kElementLength &&
                                mechanism.springs()[spring->slot()].connection == model::Connection(angle);
      const bool is_of_joint = joint && variable.kind == model::VariableKind::kJointPosition &&
                               angle == model::JointCoordinate{*joint, variable.component};
      if (is_of_spring || is_of_joint) return coordinates::unwrapped(plain, solution.state.memory.angles[k]);
    }
    return plain;
  }

  const dynamics::DynamicModel& model_;
  dynamics::ForceOutputs forces_;
};

std::string softest_text(dynamics::FreedomChart& chart, const Equilibrium& at) {
  if (chart.num_freedoms() == 0) return "none: nothing can move";
  const std::string shape =
      dynamics::named_shape(chart, at.state, at.directions, at.softest.cast<std::complex<double>>()).text();
  if (!at.softest_square) return "without mass: " + shape;
  const double square = *at.softest_square;
  if (square == 0.0) return "no restoring force: " + shape;
  const double rate = std::sqrt(std::abs(square));
  return fmt::format("{}: {}",
                     square > 0.0 ? fmt::format("{:.6g} Hz", rate / (2.0 * std::numbers::pi))
                                  : fmt::format("grows e-fold in {:.4g} s", 1.0 / rate),
                     shape);
}

/// From the user's origin.
double told_energy(const model::Mechanism& mechanism, const Equilibrium& at) {
  return at.potential_energy + dynamics::origin_energy(mechanism);
}

/// Roundoff of what there is in its place is shown as 0.
std::string number(double value, double size, std::string_view unit) {
  return fmt::format("{:.{}g}", std::abs(value) <= 1e-13 * size ? 0.0 : value, shown_digits(value, unit, 8));
}

std::string solution_tables(dynamics::FreedomChart& chart, const std::vector<Equilibrium>& found,
                            const std::vector<std::vector<double>>& values, const PageStyle& style) {
  TextTable solutions({">solution", "stability", ">energy [J]", "softest mode"});
  for (std::size_t s = 0; s < found.size(); ++s)
    solutions.add_row(
        {std::to_string(s + 1),
         chart.num_freedoms() == 0 ? "held" : std::string(dynamics::stability_word(found[s].stability)),
         number(told_energy(chart.model().mechanism(), found[s]), 0.0, "J"), softest_text(chart, found[s])});
  const model::Mechanism& mechanism = chart.model().mechanism();
  const std::size_t shown = std::min(found.size(), kMostSolutions);
  std::vector<std::string> headings{"output", "unit"};
  for (std::size_t s = 0; s < shown; ++s)
    headings.push_back(found.size() == 1 ? ">value" : ">solution " + std::to_string(s + 1));
  TextTable table(headings);
  for (std::size_t k = 0; k < mechanism.outputs().size(); ++k) {
    const model::Variable& output = mechanism.outputs()[k];
    const std::string unit(model::unit(mechanism, output));
    std::vector<std::string> cells{model::name(mechanism, output), unit};
    for (std::size_t s = 0; s < shown; ++s)
      cells.push_back(number(
          values[s][k], model::dimension(mechanism, output) == core::kLength ? chart.length() : 1.0, unit));
    table.add_row(cells);
  }
  std::string text = "\n" + solutions.text(kMostRows, " in the file", style.table_width) + "\n" +
                     table.text(kMostRows, " in the file", style.table_width);
  if (found.size() > shown)
    text += fmt::format("  … and {} more solutions; --out writes all\n", found.size() - shown);
  return text;
}

std::vector<io::ResultColumn> file_columns(const model::Mechanism& mechanism, bool has_masses) {
  std::vector<io::ResultColumn> columns = integration::recorded_columns(mechanism);
  std::vector<io::ResultColumn> own{{"solution", "1"}, {"stability", "1"}};
  if (has_masses) own.push_back({"softest_square", "1/s^2"});
  columns.insert(columns.begin(), own.begin(), own.end());
  return columns;
}

void write_file(const std::string& path, dynamics::FreedomChart& chart, const std::vector<Equilibrium>& found,
                const std::vector<std::vector<double>>& values, io::HeaderStyle header) {
  const bool has_masses =
      std::ranges::all_of(found, [](const Equilibrium& at) { return at.softest_square.has_value(); });
  io::ResultWriter writer = open_results(path, file_columns(chart.model().mechanism(), has_masses), header);
  for (std::size_t s = 0; s < found.size(); ++s) {
    const Equilibrium& at = found[s];
    std::vector<double> row{static_cast<double>(s + 1), at.stability == dynamics::Stability::kStable ? 1.0
                                                        : at.stability == dynamics::Stability::kUnstable
                                                            ? -1.0
                                                            : 0.0};
    if (has_masses) row.push_back(*at.softest_square);
    row.insert(row.end(), values[s].begin(), values[s].end());
    row.push_back(told_energy(chart.model().mechanism(), at));
    row.push_back(chart.constraint_error(at.state));
    writer.write_row(at.state.t, row);
  }
  writer.finish();
}

/// Coordinates of all joints, then the outputs of the file and the efforts with which drivers hold; or those that were asked for.
model::Mechanism with_told_outputs(const model::Mechanism& mechanism,
                                   const std::optional<std::string>& outputs) {
  if (outputs) return select_outputs(mechanism, outputs, true).mechanism;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    for (int c = 0; c < model::coordinate_count(mechanism.joints()[j].type); ++c)
      names.push_back(model::name(
          mechanism, {model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), c}));
  const auto add = [&](const model::Variable& variable) {
    const std::string name = model::name(mechanism, variable);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const model::Variable& output : mechanism.outputs()) add(output);
  for (std::size_t d = 0; d < mechanism.drivers().size(); ++d)
    add({model::VariableKind::kDriverEffort, model::DriverIndex(static_cast<int>(d)), 0});
  return model::with_outputs(mechanism, names);
}

/// Notes on stderr: kinks, and rigid stops that are touched.
void tell_contacts(const std::vector<Equilibrium>& found) {
  for (std::size_t s = 0; s < found.size(); ++s) {
    if (found[s].has_kink)
      fmt::print(
          stderr,
          "eslabon: note: solution {}: the stiffness differs from one side to the other; stability and "
          "softest mode are those of the softer side.\n",
          s + 1);
    if (!found[s].stop.empty())
      fmt::print(stderr, "eslabon: note: solution {} touches {}, which can push it to one side only.\n",
                 s + 1, found[s].stop);
  }
}

/// The position in which the drivers hold everything: there is nothing to look for.
Equilibrium held_position(dynamics::FreedomChart& chart, const dynamics::State& state) {
  Equilibrium at;
  at.state = state;
  at.bodies.resize(chart.model().mechanism().bodies().size());
  at.stability = dynamics::Stability::kStable;
  const std::vector<double> at_rest(state.q.size(), 0.0);
  chart.evaluate_bodies(state, at_rest, at.bodies);
  at.potential_energy = dynamics::potential_energy(chart.model(), state, at.bodies);
  return at;
}

/// "motor -3.2 N*m" of each driver that holds, at the first solution.
std::string holding_text(const model::Mechanism& mechanism, const std::vector<double>& values) {
  std::vector<std::string> efforts;
  for (std::size_t k = 0; k < mechanism.outputs().size(); ++k) {
    const model::Variable& output = mechanism.outputs()[k];
    if (output.kind == model::VariableKind::kDriverEffort)
      efforts.push_back(fmt::format("{} = {:.8g} {}", model::name(mechanism, output), values[k],
                                    model::unit(mechanism, output)));
  }
  return listed(efforts, 8);
}

std::string found_text(const dynamics::EquilibriumSearch& search, int most) {
  return counted(search.found.size(), "equilibrium position") +
         (most == 1
              ? ", in " + counted(static_cast<std::size_t>(search.found.front().iterations), "iteration")
              : ": " + search.thoroughness);
}

std::string residual_text(dynamics::FreedomChart& chart, const std::vector<Equilibrium>& found) {
  double residual = 0.0, error = 0.0;
  for (const Equilibrium& at : found) {
    residual = std::max(residual, at.residual);
    error = std::max(error, chart.constraint_error(at.state));
  }
  return fmt::format("force balance error {:.2g} of the applied forces; constraint error {:.2g} m", residual,
                     error);
}

/// Solutions that a rigid stop does not let be, with a note; an error when no other is left.
void leave_out_beyond_stops(const dynamics::DynamicModel& model, dynamics::EquilibriumSearch& search) {
  const auto is_beyond = [&](const Equilibrium& at) {
    return dynamics::find_passed_stop(model, at.state.t, at.bodies, at.state.memory).has_value();
  };
  if (std::ranges::all_of(search.found, is_beyond))
    check_within_stops(model, search.found.front().state, search.found.front().bodies);
  if (const auto left_out = std::erase_if(search.found, is_beyond); left_out > 0)
    fmt::print(
        stderr,
        "eslabon: note: {} beyond rigid stops left out; what rests on a rigid stop is not looked for.\n",
        counted(left_out, "position"));
}

std::string equilibrium_json(dynamics::FreedomChart& chart, const dynamics::EquilibriumSearch& search,
                             const std::vector<std::vector<double>>& values,
                             const std::optional<std::string>& file) {
  const model::Mechanism& mechanism = chart.model().mechanism();
  Json json = result_of("equilibrium", mechanism.name());
  json["thoroughness"] = search.thoroughness;
  json["solutions"] = Json::array();
  for (std::size_t s = 0; s < search.found.size(); ++s) {
    const Equilibrium& at = search.found[s];
    Json outputs = Json::array();
    for (std::size_t k = 0; k < mechanism.outputs().size(); ++k)
      outputs.push_back({{"name", model::name(mechanism, mechanism.outputs()[k])},
                         {"unit", model::unit(mechanism, mechanism.outputs()[k])},
                         {"value", values[s][k]}});
    json["solutions"].push_back(
        {{"stability", chart.num_freedoms() == 0 ? std::string("held")
                                                 : std::string(dynamics::stability_word(at.stability))},
         {"energy", told_energy(mechanism, at)},
         {"softest_square", or_null(at.softest_square)},
         {"residual", at.residual},
         {"constraint_error", chart.constraint_error(at.state)},
         {"outputs", outputs}});
  }
  json["files"] = {{"results", or_null(file)}};
  return text_of(json);
}

void find_and_tell(const EquilibriumOptions& options, const Presentation& presentation,
                   const model::Mechanism& with_drivers, const model::Mechanism& mechanism,
                   const std::vector<std::string>& released) {
  const int most = read_solutions(options.solutions);
  const double t = read_static_time(options.common.time);
  StaticCase c(options.common, with_drivers, mechanism, t);
  const dynamics::State start = c.start(t);
  dynamics::SearchOptions wanted{.most = most};
  if (options.common.branch) wanted.tries = 0;
  const bool is_held = c.held().num_freedoms() == 0 && !mechanism.drivers().empty();
  dynamics::EquilibriumSearch search;
  if (is_held)
    search.found.push_back(held_position(c.held(), start));
  else
    search = dynamics::search_equilibria(c.held(), start, wanted);
  if (search.found.empty()) {
    core::ErrorText text = search.from_start.error_text(mechanism);
    if (!c.model().forces().rigid_sides().empty()) text.next = kRigidStops;
    throw core::ModelError(text);
  }
  leave_out_beyond_stops(c.model(), search);
  SolutionValues of(c.model());
  std::vector<std::vector<double>> values;
  for (const Equilibrium& at : search.found) values.push_back(of.at(at));
  if (options.out) write_file(*options.out, c.held(), search.found, values, read_header(options.header));

  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(mechanism.name(), "equilibrium");
    page.fact("DOF", freedoms_text(c.held(), start));
    if (const std::string held = held_text(c.model(), t); !held.empty()) page.fact("Held", held);
    if (!released.empty()) page.fact("Released", listed(released, 6));
    if (t > 0.0) page.fact("Time", fmt::format("{:.9g} s", t));
    if (!is_held) {
      page.fact("Found", found_text(search, most));
      page.fact("Residual", residual_text(c.held(), search.found));
    } else {
      page.fact("Residual", fmt::format("constraint error {:.2g} m", c.held().constraint_error(start)));
    }
    if (const std::string holding = holding_text(mechanism, values.front());
        !holding.empty() && search.found.size() == 1)
      page.fact("Holding", holding);
    page.append(solution_tables(c.held(), search.found, values, style));
    if (options.out) {
      page.append("\n");
      page.fact("Written", *options.out == kStdout ? "to the standard output" : *options.out);
    }
    return page.text();
  };
  presentation.show(options.out && *options.out == kStdout ? stderr : stdout, page_text,
                    [&] { return equilibrium_json(c.held(), search, values, options.out); });
  tell_contacts(search.found);
  print_unbalanced(of.forces().unbalanced_at());
  if (!of.forces().not_unique().empty())
    fmt::print(stderr,
               "eslabon: note: reactions of {} are not unique, because joints are redundant: the "
               "minimum-norm ones are shown.\n",
               listed(of.forces().not_unique(), 6));
}

void run_equilibrium(const EquilibriumOptions& options, const Presentation& presentation) {
  static_cast<void>(read_solutions(options.solutions));  // wrong words before the model is read
  static_cast<void>(read_header(options.header));
  static_cast<void>(read_static_time(options.common.time));
  if (options.out) check_out(*options.out);
  const model::Mechanism loaded = load_model(options.common.model, options.common.set);
  const std::vector<std::string> released = released_drivers(options.common.release, loaded);
  const model::Mechanism mechanism = with_told_outputs(
      without_holding(release_drivers(loaded, released, options.common.outputs)), options.common.outputs);
  naming(options.common.model, [&] { find_and_tell(options, presentation, loaded, mechanism, released); });
}

}  // namespace

void add_equilibrium_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<EquilibriumOptions>();
  CLI::App* command = app.add_subcommand(
      "equilibrium", "Finds the equilibria of a mechanism, their stability and softest modes");
  add_static_options(*command, options->common);
  offer_words(command->add_option("--solutions", options->solutions, "Number of equilibria to find, or all")
                  ->capture_default_str()
                  ->type_name("N")
                  ->group(kMethodOptions),
              {"1", kAll});
  command->add_option("--out", options->out, "CSV file with one row per solution; - is the standard output")
      ->type_name("FILE")
      ->group(kFileOptions);
  add_header_option(*command, options->header);
  show_examples(
      *command,
      {{"Where a quarter vehicle comes to rest:", "eslabon equilibrium models/quarter-vehicle.yaml"},
       {"All equilibria of a four-bar whose motor is released:",
        "eslabon equilibrium models/fourbar-testbed.yaml --release motor --solutions all --out rest.csv"}});
  command->callback([options, &presentation] { run_equilibrium(*options, presentation); });
}

}  // namespace eslabon::cli
