#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "command_line.hpp"
#include "command_reference.hpp"
#include "linear_file.hpp"
#include "model_options.hpp"
#include "modes.hpp"
#include "path_check.hpp"
#include "presentation.hpp"
#include "provenance.hpp"
#include "released_start.hpp"
#include "result_json.hpp"
#include "static_case.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/dynamics/formulation_choice.hpp"
#include "eslabon/dynamics/linearisation.hpp"
#include "eslabon/dynamics/named_shape.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::cli {

namespace {

using dynamics::FreedomChart;
using dynamics::LinearSystem;
using dynamics::Mode;

constexpr const char* kEquilibrium = "equilibrium";
constexpr const char* kStart = "start";
constexpr std::size_t kMostModes = 40;

struct ModesOptions {
  StaticOptions common;
  std::string at = kEquilibrium;
  std::optional<std::string> inputs;
  std::optional<std::string> out;
};

/// The time of --at TIME [s]; none for words.
std::optional<double> read_at(const std::string& text) {
  if (text == kEquilibrium || text == kStart) return std::nullopt;
  if (text.find_first_of("0123456789") == std::string::npos)
    check_word("--at", "unknown place to linearise", text, {kEquilibrium, kStart, "TIME"});
  return read_time("--at", "time to linearise at", text).seconds();
}

void check_modes_options(const ModesOptions& options) {
  static_cast<void>(read_static_time(options.common.time));
  static_cast<void>(read_at(options.at));
  if (options.common.time && options.at != kEquilibrium)
    throw CommandLineError({.what = "a time of loads and drivers goes with an equilibrium only",
                            .where = "--time",
                            .expected = "--at equilibrium",
                            .actual = "--at " + options.at,
                            .next = "Leave --time out; --at TIME runs the mechanism up to a time."});
  if (options.out) {
    check_out(*options.out);
    check_linear_file(*options.out);
    std::vector<NamedPath> written;
    for (const std::string& file : linear_files(*options.out)) written.push_back({"--out", file});
    check_request_again({}, written);
    if (written.size() > 1)
      for (const NamedPath& file : written) Provenance::of_run().add_written(file);
    return;
  }
  for (const auto& [option, value] :
       {std::pair{"--inputs", &options.inputs}, std::pair{"--outputs", &options.common.outputs}})
    if (*value)
      throw CommandLineError({.what = "the matrices have no destination",
                              .where = option,
                              .expected = "--out FILE with .mat, .npz or .csv",
                              .actual = "no --out",
                              .next = "Write, for example, --out linear.npz."});
}

/// Where the mechanism is linearised, and in words.
struct Place {
  dynamics::State state;
  std::string text;
};

/// The state at a time of a run.
dynamics::State state_of_run(const StaticCase& c, FreedomChart& chart, double t) {
  const auto formulation =
      dynamics::make_formulation(dynamics::choose_formulation(c.model()).formulation, c.model());
  integration::IntegratorOptions options = integration::default_options(c.mechanism(), t);
  options.rtol = 1e-10;
  options.atol = 1e-12;
  integration::Simulation simulation(c.model(), *formulation, integration::make_integrator("dopri5", options),
                                     t);
  if (!simulation.advance_to(t)) throw core::ModelError(simulation.failure()->error_text(true));
  coordinates::MechanismMotion bodies(c.mechanism().bodies().size());
  simulation.evaluate_bodies(bodies);
  dynamics::State state = chart.state_of(bodies, t);
  state.memory = simulation.point().state.memory;
  return state;
}

Place find_place(const ModesOptions& options, StaticCase& c, FreedomChart& chart) {
  if (const std::optional<double> t = read_at(options.at))
    return {state_of_run(c, chart, *t), fmt::format("the state after {:.9g} s of motion", *t)};
  if (options.at == kStart) return {chart.state_of(c.model().start(), 0.0), "the start"};
  const dynamics::EquilibriumReport report =
      dynamics::find_equilibrium(chart, c.start(read_static_time(options.common.time)));
  if (!report.usable()) throw core::ModelError(report.error_text(c.mechanism()));
  return {report.equilibrium->state,
          fmt::format("the equilibrium found from the start, {}, in {}",
                      dynamics::stability_word(report.equilibrium->stability),
                      counted(static_cast<std::size_t>(report.iterations), "iteration"))};
}

std::string mode_kind(const Mode& mode) {
  switch (mode.kind) {
    case Mode::Kind::kOscillation:
      return mode.eigenvalue.real() > 1e-9 * mode.natural_frequency() ? "grows" : "swings";
    case Mode::Kind::kDivergence:
      return "falls away";
    case Mode::Kind::kReal:
      return mode.eigenvalue.real() < 0.0 ? "decays" : "grows";
    case Mode::Kind::kRigid:
      return "rigid";
  }
  return "";
}

std::string modes_table(FreedomChart& chart, const LinearSystem& linear, const std::vector<Mode>& modes,
                        const PageStyle& style) {
  TextTable table({">mode", "kind", ">frequency [Hz]", ">|λ| [rad/s]", ">damping ratio", "shape"});
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    const bool swings = mode.kind == Mode::Kind::kOscillation;
    const double ratio = mode.damping_ratio();
    table.add_row({std::to_string(k + 1), mode_kind(mode),
                   swings ? fmt::format("{:.6g}", mode.natural_frequency() / (2.0 * std::numbers::pi)) : "–",
                   fmt::format("{:.6g}", mode.natural_frequency()),
                   swings ? fmt::format("{:.4g}", std::abs(ratio) < 1e-12 ? 0.0 : ratio) : "–",
                   dynamics::named_shape(chart, linear.state, linear.directions, mode.shape).text(3)});
  }
  return "\n" + table.text(kMostModes, " in the file", style.table_width);
}

std::string modes_json(FreedomChart& chart, const Place& place, const LinearSystem& linear,
                       const std::vector<Mode>& modes, const std::vector<std::string>& files) {
  Json json = result_of("modes", chart.model().mechanism().name());
  json["about"] = place.text;
  json["equilibrium"] = linear.is_equilibrium;
  json["states"] = linear.state_names;
  json["derivative_error"] = linear.error;
  json["modes"] = Json::array();
  for (const Mode& mode : modes) {
    const bool swings = mode.kind == Mode::Kind::kOscillation;
    json["modes"].push_back(
        {{"kind", mode_kind(mode)},
         {"frequency", swings ? Json(mode.natural_frequency() / (2.0 * std::numbers::pi)) : Json(nullptr)},
         {"damping_ratio", swings ? Json(mode.damping_ratio()) : Json(nullptr)},
         {"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
         {"shape", dynamics::named_shape(chart, linear.state, linear.directions, mode.shape).text(3)}});
  }
  json["files"] = {{"systems", files}};
  return text_of(json);
}

/// The outputs that can be linearised, of the file or as asked for; others of the file are named on stderr.
std::vector<model::Variable> linear_outputs(const model::Mechanism& mechanism,
                                            const std::optional<std::string>& asked) {
  std::vector<model::Variable> outputs;
  if (asked) {
    for (const std::string& name : read_names("--outputs", *asked))
      outputs.push_back(
          naming_option("--outputs", [&] { return dynamics::find_linear_output(mechanism, name); }));
    return outputs;
  }
  std::string left_out;
  for (const model::Variable& output : mechanism.outputs())
    if (output.kind == model::VariableKind::kElementForce || !kinematics::needs_forces(output))
      outputs.push_back(output);
    else
      left_out += (left_out.empty() ? "" : ", ") + model::name(mechanism, output);
  if (!left_out.empty())
    fmt::print(stderr, "eslabon: left out: {}: reactions and efforts are not linearised.\n", left_out);
  return outputs;
}

void linearise_and_tell(const ModesOptions& options, const Presentation& presentation,
                        const model::Mechanism& with_drivers, const model::Mechanism& mechanism,
                        const std::vector<std::string>& released) {
  std::vector<dynamics::LinearInput> inputs;
  if (options.inputs)
    for (const std::string& name : read_names("--inputs", *options.inputs, "A.q,push"))
      inputs.push_back(naming_option("--inputs", [&] { return dynamics::find_input(mechanism, name); }));
  const std::vector<model::Variable> outputs =
      options.out ? linear_outputs(mechanism, options.common.outputs) : std::vector<model::Variable>();
  const double t = read_at(options.at).value_or(read_static_time(options.common.time));
  StaticCase c(options.common, with_drivers, mechanism, t);
  FreedomChart moving(c.model(), FreedomChart::Drivers::kMove);
  const bool is_held = options.at == kEquilibrium;
  FreedomChart& chart = is_held ? c.held() : moving;
  const Place place = find_place(options, c, chart);
  const LinearSystem linear = dynamics::linearise(chart, place.state, inputs, outputs);
  const std::vector<Mode> modes = linear.modes();

  const std::vector<std::string> files =
      options.out ? write_linear_file(*options.out, chart, linear, modes) : std::vector<std::string>();
  const auto page_text = [&](const PageStyle& style) {
    TextPage page(style);
    page.title(mechanism.name(), "modes");
    page.fact(
        "About",
        place.text +
            (linear.is_equilibrium ? "" : "; not an equilibrium: frequencies are those of the frozen state"));
    if (const std::string held = held_text(c.model(), t); !held.empty() && is_held) page.fact("Held", held);
    if (!released.empty()) page.fact("Released", listed(released, 6));
    const std::size_t f = linear.state_names.size() / 2;
    page.fact(
        "State",
        listed({linear.state_names.begin(), linear.state_names.begin() + static_cast<std::ptrdiff_t>(f)}, 8) +
            (f == 1 ? " and its rate" : " and their rates"));
    page.fact("Derivatives",
              fmt::format("error about {:.1g} of the max entry", std::max(linear.error, 1e-16)));
    page.append(modes_table(chart, linear, modes, style));
    if (options.out) {
      page.append("\n");
      page.fact("Written", listed(files, 6));
    }
    return page.text();
  };
  presentation.show(stdout, page_text, [&] { return modes_json(chart, place, linear, modes, files); });
}

/// Whether nothing moves at the start.
bool mechanism_rests(const model::Mechanism& mechanism) {
  return mechanism.drivers().empty() && mechanism.start_rates().empty();
}

void run_modes(const ModesOptions& options, const Presentation& presentation) {
  check_modes_options(options);
  const model::Mechanism loaded = load_model(options.common.model, options.common.set);
  const std::vector<std::string> released = released_drivers(options.common.release, loaded);
  const model::Mechanism released_mechanism =
      options.out ? release_drivers(loaded, released, options.common.outputs)
                  : naming_option("--release", [&] { return model::without_drivers(loaded, released); });
  const bool is_at_rest =
      !read_at(options.at) && (options.at == kEquilibrium || mechanism_rests(released_mechanism));
  const model::Mechanism mechanism = is_at_rest ? without_holding(released_mechanism) : released_mechanism;
  naming(options.common.model,
         [&] { linearise_and_tell(options, presentation, loaded, mechanism, released); });
}

}  // namespace

void add_modes_command(CLI::App& app, const Presentation& presentation) {
  auto options = std::make_shared<ModesOptions>();
  CLI::App* command = app.add_subcommand(
      "modes",
      "Linearises a mechanism: its natural frequencies, damping and mode shapes, and A, B, C, D as a file");
  add_static_options(*command, options->common);
  offer_words(command
                  ->add_option("--at", options->at,
                               "Where to linearise: equilibrium (found from the start, drivers held), start "
                               "(with its rates), or a time, reached by simulation")
                  ->capture_default_str()
                  ->type_name("PLACE")
                  ->group(kMethodOptions),
              {kEquilibrium, kStart});
  command
      ->add_option("--inputs", options->inputs,
                   "Inputs, the columns of B: joint coordinates (an effort along each) and forces of the "
                   "file (a factor of each)")
      ->type_name("NAMES")
      ->group(kModelOptions);
  command
      ->add_option("--out", options->out,
                   "A, B, C and D: .mat (MATLAB, Octave, SciPy), .npz (NumPy) or .csv (FILE.A.csv and so on)")
      ->type_name("FILE")
      ->group(kFileOptions);
  show_examples(
      *command,
      {{"Natural frequencies about the equilibrium:", "eslabon modes models/quarter-vehicle.yaml"},
       {"The linear system from an effort in A to two outputs, for NumPy:",
        "eslabon modes models/fourbar-testbed.yaml --release motor --inputs A.q --outputs crank.angle,B.q "
        "--out linear.npz"}});
  command->callback([options, &presentation] { run_modes(*options, presentation); });
}

}  // namespace eslabon::cli
