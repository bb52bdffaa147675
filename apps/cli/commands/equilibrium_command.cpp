#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

#include "apps/cli/commands/equilibrium.hpp"
#include "apps/cli/text/command_reference.hpp"
#include "apps/cli/text/fact_lines.hpp"
#include "apps/cli/text/motion_output.hpp"
#include "apps/cli/text/text_table.hpp"
#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/model_options.hpp"
#include "apps/cli/words/presentation.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/static_words.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/recording/facts/statics_facts.hpp"
#include "eslabon/runs/statics/equilibrium_run.hpp"

namespace eslabon::cli {

namespace {

using runs::EquilibriumResult;

constexpr std::size_t kMostSolutions = 6;  // side by side on the page
constexpr std::size_t kMostTableRows = 40;
constexpr const char* kAll = "all";

struct EquilibriumWords {
  StaticWords common;
  std::string solutions = "1";
  std::optional<std::string> out;
  std::optional<std::string> header;
};

/// How many solutions are asked for; 0: all.
int read_solutions(const std::string& text) {
  if (text == kAll) return 0;
  if (const auto count = number_in(text, 1, std::numeric_limits<int>::max())) return *count;
  throw CommandLineError({"not a number of solutions", "--solutions", "a whole number from 1 on, or 'all'",
                          io::in_quotes(text), "Write, for example, --solutions all."});
}

std::string solution_tables(const EquilibriumResult& result, const PageStyle& style) {
  const std::size_t found = result.solutions.size(), shown = std::min(found, kMostSolutions);
  std::vector<std::string> headings{"output", "unit"};
  for (std::size_t s = 0; s < shown; ++s)
    headings.push_back(found == 1 ? ">value" : ">solution " + std::to_string(s + 1));
  const auto text = [&](const TextTable& table) {
    return "\n" + table.text(kMostTableRows, " in the file", style.table_width);
  };
  std::string tables = text(TextTable({">solution", "stability", ">energy [J]", "softest mode"},
                                      recording::solution_rows(result))) +
                       text(TextTable(headings, recording::output_rows(result, shown)));
  if (found > shown) tables += fmt::format("  … and {} more solutions; --out writes all\n", found - shown);
  return tables;
}

std::string equilibrium_page(const EquilibriumResult& result, const EquilibriumWords& words, int most,
                             const PageStyle& style) {
  TextPage page(style);
  page.title(result.mechanism, "equilibrium");
  add_facts(page, recording::equilibrium_facts(result, most));
  page.append(solution_tables(result, style));
  if (words.out) {
    page.append("\n");
    page.fact("Written", *words.out == kStdout ? "to the standard output" : *words.out);
  }
  return page.text();
}

void run_equilibrium(const EquilibriumWords& words, const Presentation& presentation) {
  const runs::EquilibriumRequest request{.place = read_static_request(words.common),
                                         .solutions = read_solutions(words.solutions)};
  const io::HeaderStyle header = read_header(words.header);
  if (words.out) check_out(*words.out);
  const model::Mechanism mechanism = cli::load_model(words.common.model, words.common.set);
  naming(words.common.model, [&] {
    TerminalObserver observer;
    const EquilibriumResult result = runs::find_equilibrium(mechanism, request, observer);
    if (words.out) write_results(*words.out, result, header);
    presentation.show(
        words.out && *words.out == kStdout ? stderr : stdout,
        [&](const PageStyle& style) { return equilibrium_page(result, words, request.solutions, style); },
        [&] { return recording::equilibrium_json(result, words.out, provenance_of_run()); });
    for (const std::string& note : result.notes) print_note(note);
  });
}

}  // namespace

void add_equilibrium_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<EquilibriumWords>();
  CLI::App* command = app.add_subcommand(
      "equilibrium", "Finds the equilibria of a mechanism, their stability and softest modes");
  add_static_options(*command, words->common);
  offer_words(add_text(*command, "--solutions", "N", words->solutions, "Number of equilibria to find, or all")
                  ->capture_default_str()
                  ->group(kMethodOptions),
              {"1", kAll});
  add_text(*command, "--out", "FILE", words->out,
           "CSV file with one row per solution; - is the standard output")
      ->group(kFileOptions);
  add_header_option(*command, words->header);
  show_examples(
      *command,
      {{"Where a quarter vehicle comes to rest:", "eslabon equilibrium models/quarter-vehicle.yaml"},
       {"All equilibria of a four-bar whose motor is released:",
        "eslabon equilibrium models/fourbar-testbed.yaml --release motor --solutions all --out rest.csv"}});
  command->callback([words, &presentation] { run_equilibrium(*words, presentation); });
}

}  // namespace eslabon::cli
