#include <cstdio>
#include <memory>

#include "apps/cli/commands/modes.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/text/text_table.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/path_check.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/static_words.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/recording/facts/statics_facts.hpp"
#include "eslabon/recording/files/linear_file.hpp"
#include "eslabon/runs/statics/modes_run.hpp"

namespace eslabon::cli {

namespace {

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
    recording::check_linear_file(*words.out);
    std::vector<NamedPath> written;
    for (const std::string& file : recording::linear_files(*words.out)) written.push_back({"--out", file});
    check_request_again({}, written);
    if (written.size() > 1) add_written(written);
    return;
  }
  refuse_if(words.inputs || words.common.outputs,
            {"the matrices have no destination", words.inputs ? "--inputs" : "--outputs",
             "--out FILE with .mat, .npz or .csv", "no --out", "Write, for example, --out linear.npz."});
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

std::string modes_page(const runs::ModesResult& result, const std::vector<std::string>& files,
                       const PageStyle& style) {
  TextPage page(style);
  page.title(result.mechanism, "modes");
  add_facts(page, recording::modes_facts(result));
  page.append("\n" +
              TextTable({">mode", "kind", ">frequency [Hz]", ">|λ| [rad/s]", ">damping ratio", "shape"},
                        recording::mode_rows(result))
                  .text(kMostModes, " in the file", style.table_width));
  if (!files.empty()) {
    page.append("\n");
    page.fact("Written", listed(files, 6));
  }
  return page.text();
}

void run_modes(const ModesWords& words, const Presentation& presentation) {
  const runs::ModesRequest request = read_modes_request(words);
  const model::Mechanism mechanism = cli::load_model(words.common.model, words.common.set);
  naming(words.common.model, [&] {
    TerminalObserver observer;
    const runs::ModesResult result = runs::find_modes(mechanism, request, observer);
    const std::vector<std::string> files =
        words.out ? recording::write_linear_file(*words.out, result, provenance_of_run())
                  : std::vector<std::string>();
    presentation.show(
        stdout, [&](const PageStyle& style) { return modes_page(result, files, style); },
        [&] { return recording::modes_json(result, files, provenance_of_run()); });
  });
}

}  // namespace

void add_modes_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<ModesWords>();
  CLI::App* command = app.add_subcommand(
      "modes",
      "Linearises a mechanism: its natural frequencies, damping and mode shapes, and A, B, C, D as a file");
  add_static_options(*command, words->common);
  offer_words(
      add_text(*command, "--at", "PLACE", words->at,
               "Where to linearise: equilibrium (found from the start, drivers held), start (with its "
               "rates), or a time, reached by simulation")
          ->capture_default_str()
          ->group(kMethodOptions),
      {kEquilibrium, kStart});
  add_text(*command, "--inputs", "NAMES", words->inputs,
           "Inputs, the columns of B: joint coordinates (an effort along each) and forces of the file (a "
           "factor of each)")
      ->group(kModelOptions);
  add_text(*command, "--out", "FILE", words->out,
           "A, B, C and D: .mat (MATLAB, Octave, SciPy), .npz (NumPy) or .csv (FILE.A.csv and so on)")
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
