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
#include "motion_output.hpp"
#include "path_check.hpp"
#include "presentation.hpp"
#include "provenance.hpp"
#include "result_json.hpp"
#include "static_words.hpp"
#include "terminal_observer.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/runs/modes_run.hpp"

namespace eslabon::cli {

namespace {

using dynamics::Mode;
using Place = runs::ModesRequest::Place;

constexpr const char* kEquilibrium = "equilibrium";
constexpr const char* kStart = "start";
constexpr std::size_t kMostModes = 40;

struct ModesWords {
  StaticWords common;
  std::string at = kEquilibrium;
  std::optional<std::string> inputs;
  std::optional<std::string> out;
};

void check_files(const ModesWords& words) {
  if (words.out) {
    check_out(*words.out);
    check_linear_file(*words.out);
    std::vector<NamedPath> written;
    for (const std::string& file : linear_files(*words.out)) written.push_back({"--out", file});
    check_request_again({}, written);
    if (written.size() > 1)
      for (const NamedPath& file : written) Provenance::of_run().add_written(file);
    return;
  }
  for (const auto& [option, value] :
       {std::pair{"--inputs", &words.inputs}, std::pair{"--outputs", &words.common.outputs}})
    if (*value)
      throw CommandLineError({.what = "the matrices have no destination",
                              .where = option,
                              .expected = "--out FILE with .mat, .npz or .csv",
                              .actual = "no --out",
                              .next = "Write, for example, --out linear.npz."});
}

runs::ModesRequest read_modes_request(const ModesWords& words) {
  runs::ModesRequest request{.common = read_static_request(words.common),
                             .at = words.at == kEquilibrium ? Place::kEquilibrium
                                   : words.at == kStart     ? Place::kStart
                                                            : Place::kTime,
                             .with_outputs = words.out.has_value()};
  if (request.at == Place::kTime) {
    if (words.at.find_first_of("0123456789") == std::string::npos)
      check_word("--at", "unknown place to linearise", words.at, {kEquilibrium, kStart, "TIME"});
    request.after = read_time("--at", "time to linearise at", words.at);
  }
  if (words.inputs) request.inputs = read_names("--inputs", *words.inputs, "A.q,push");
  check(request);
  check_files(words);
  return request;
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

/// [Hz]; none for what does not swing.
std::optional<double> frequency_of(const Mode& mode) {
  if (mode.kind != Mode::Kind::kOscillation) return std::nullopt;
  return mode.natural_frequency() / (2.0 * std::numbers::pi);
}

std::string modes_table(const runs::ModesResult& result, const PageStyle& style) {
  TextTable table({">mode", "kind", ">frequency [Hz]", ">|λ| [rad/s]", ">damping ratio", "shape"});
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const Mode& mode = result.modes[k];
    const std::optional<double> frequency = frequency_of(mode);
    const double ratio = mode.damping_ratio();
    table.add_row({std::to_string(k + 1), mode_kind(mode),
                   frequency ? fmt::format("{:.6g}", *frequency) : "–",
                   fmt::format("{:.6g}", mode.natural_frequency()),
                   frequency ? fmt::format("{:.4g}", std::abs(ratio) < 1e-12 ? 0.0 : ratio) : "–",
                   result.shape_texts[k]});
  }
  return "\n" + table.text(kMostModes, " in the file", style.table_width);
}

std::string modes_page(const runs::ModesResult& result, const std::vector<std::string>& files,
                       const PageStyle& style) {
  const dynamics::LinearSystem& linear = result.linear;
  TextPage page(style);
  page.title(result.mechanism, "modes");
  page.fact(
      "About",
      result.about +
          (linear.is_equilibrium ? "" : "; not an equilibrium: frequencies are those of the frozen state"));
  if (!result.held.empty()) page.fact("Held", held_text(result.held));
  if (!result.released.empty()) page.fact("Released", listed(result.released, 6));
  const std::size_t f = linear.state_names.size() / 2;
  page.fact(
      "State",
      listed({linear.state_names.begin(), linear.state_names.begin() + static_cast<std::ptrdiff_t>(f)}, 8) +
          (f == 1 ? " and its rate" : " and their rates"));
  page.fact("Derivatives", fmt::format("error about {:.1g} of the max entry", std::max(linear.error, 1e-16)));
  page.append(modes_table(result, style));
  if (!files.empty()) {
    page.append("\n");
    page.fact("Written", listed(files, 6));
  }
  return page.text();
}

std::string modes_json(const runs::ModesResult& result, const std::vector<std::string>& files) {
  Json json = result_of("modes", result.mechanism);
  json["about"] = result.about;
  json["equilibrium"] = result.linear.is_equilibrium;
  json["states"] = result.linear.state_names;
  json["derivative_error"] = result.linear.error;
  json["modes"] = Json::array();
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const Mode& mode = result.modes[k];
    const std::optional<double> frequency = frequency_of(mode);
    json["modes"].push_back({{"kind", mode_kind(mode)},
                             {"frequency", or_null(frequency)},
                             {"damping_ratio", frequency ? Json(mode.damping_ratio()) : Json(nullptr)},
                             {"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
                             {"shape", result.shape_texts[k]}});
  }
  json["files"] = {{"systems", files}};
  return text_of(json);
}

void run_modes(const ModesWords& words, const Presentation& presentation) {
  const runs::ModesRequest request = read_modes_request(words);
  const model::Mechanism mechanism = load_model(words.common.model, words.common.set);
  naming(words.common.model, [&] {
    TerminalObserver observer;
    const runs::ModesResult result = runs::find_modes(mechanism, request, observer);
    const std::vector<std::string> files =
        words.out ? write_linear_file(*words.out, result) : std::vector<std::string>();
    presentation.show(
        stdout, [&](const PageStyle& style) { return modes_page(result, files, style); },
        [&] { return modes_json(result, files); });
  });
}

}  // namespace

void add_modes_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<ModesWords>();
  CLI::App* command = app.add_subcommand(
      "modes",
      "Linearises a mechanism: its natural frequencies, damping and mode shapes, and A, B, C, D as a file");
  add_static_options(*command, words->common);
  offer_words(command
                  ->add_option("--at", words->at,
                               "Where to linearise: equilibrium (found from the start, drivers held), start "
                               "(with its rates), or a time, reached by simulation")
                  ->capture_default_str()
                  ->type_name("PLACE")
                  ->group(kMethodOptions),
              {kEquilibrium, kStart});
  command
      ->add_option("--inputs", words->inputs,
                   "Inputs, the columns of B: joint coordinates (an effort along each) and forces of the "
                   "file (a factor of each)")
      ->type_name("NAMES")
      ->group(kModelOptions);
  command
      ->add_option("--out", words->out,
                   "A, B, C and D: .mat (MATLAB, Octave, SciPy), .npz (NumPy) or .csv (FILE.A.csv and so on)")
      ->type_name("FILE")
      ->group(kFileOptions);
  show_examples(
      *command,
      {{"Natural frequencies about the equilibrium:", "eslabon modes models/quarter-vehicle.yaml"},
       {"The linear system from an effort in A to two outputs, for NumPy:",
        "eslabon modes models/fourbar-testbed.yaml --release motor --inputs A.q --outputs crank.angle,B.q "
        "--out linear.npz"}});
  command->callback([words, &presentation] { run_modes(*words, presentation); });
}

}  // namespace eslabon::cli
