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
#include "motion_output.hpp"
#include "presentation.hpp"
#include "result_json.hpp"
#include "static_words.hpp"
#include "terminal_observer.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "eslabon/core/shown_digits.hpp"
#include "eslabon/io/quantity.hpp"
#include "eslabon/runs/equilibrium_run.hpp"

namespace eslabon::cli {

namespace {

using runs::EquilibriumResult;
using runs::EquilibriumSolution;

constexpr std::size_t kMostSolutions = 6;  // side by side on the page
constexpr std::size_t kMostRows = 40;
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
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc() && end == text.data() + text.size() && count > 0) return count;
  throw CommandLineError({.what = "not a number of solutions",
                          .where = "--solutions",
                          .expected = "a whole number from 1 on, or 'all'",
                          .actual = io::in_quotes(text),
                          .next = "Write, for example, --solutions all."});
}

std::string stability_text(const EquilibriumResult& result, const EquilibriumSolution& one) {
  return result.num_freedoms == 0 ? "held" : std::string(dynamics::stability_word(one.at.stability));
}

std::string softest_text(const EquilibriumResult& result, const EquilibriumSolution& one) {
  if (result.num_freedoms == 0) return "none: nothing can move";
  if (!one.at.softest_square) return "without mass: " + one.softest_shape;
  const double square = *one.at.softest_square;
  if (square == 0.0) return "no restoring force: " + one.softest_shape;
  const double rate = std::sqrt(std::abs(square));
  return fmt::format("{}: {}",
                     square > 0.0 ? fmt::format("{:.6g} Hz", rate / (2.0 * std::numbers::pi))
                                  : fmt::format("grows e-fold in {:.4g} s", 1.0 / rate),
                     one.softest_shape);
}

/// Roundoff of what there is in its place is shown as 0.
std::string number(double value, double size, std::string_view unit) {
  return fmt::format("{:.{}g}", std::abs(value) <= 1e-13 * size ? 0.0 : value,
                     core::shown_digits(value, unit, 8));
}

std::string solution_tables(const EquilibriumResult& result, const PageStyle& style) {
  const std::vector<EquilibriumSolution>& found = result.solutions;
  TextTable solutions({">solution", "stability", ">energy [J]", "softest mode"});
  for (std::size_t s = 0; s < found.size(); ++s)
    solutions.add_row({std::to_string(s + 1), stability_text(result, found[s]),
                       number(found[s].energy, 0.0, "J"), softest_text(result, found[s])});
  const std::size_t shown = std::min(found.size(), kMostSolutions);
  std::vector<std::string> headings{"output", "unit"};
  for (std::size_t s = 0; s < shown; ++s)
    headings.push_back(found.size() == 1 ? ">value" : ">solution " + std::to_string(s + 1));
  TextTable table(headings);
  for (std::size_t k = 0; k < result.outputs.size(); ++k) {
    const auto& [name, unit] = result.outputs[k];
    std::vector<std::string> cells{name, unit};
    for (std::size_t s = 0; s < shown; ++s)
      cells.push_back(number(found[s].outputs[k], unit == "m" ? result.length : 1.0, unit));
    table.add_row(cells);
  }
  std::string text = "\n" + solutions.text(kMostRows, " in the file", style.table_width) + "\n" +
                     table.text(kMostRows, " in the file", style.table_width);
  if (found.size() > shown)
    text += fmt::format("  … and {} more solutions; --out writes all\n", found.size() - shown);
  return text;
}

std::string freedoms_text(const EquilibriumResult& result) {
  if (result.num_freedoms == 0) return "0: the drivers hold everything";
  return fmt::format("{}: {}", result.num_freedoms, listed(result.freedoms, 8));
}

/// "motor -3.2 N*m" of each driver that holds, at the first solution.
std::string holding_text(const EquilibriumResult& result) {
  std::vector<std::string> efforts;
  for (std::size_t k = 0; k < result.outputs.size(); ++k)
    if (result.variables[k].kind == model::VariableKind::kDriverEffort)
      efforts.push_back(fmt::format("{} = {:.8g} {}", result.outputs[k].name,
                                    result.solutions.front().outputs[k], result.outputs[k].unit));
  return listed(efforts, 8);
}

std::string found_text(const EquilibriumResult& result, int most) {
  return counted(result.solutions.size(), "equilibrium position") +
         (most == 1 ? ", in " + counted(static_cast<std::size_t>(result.solutions.front().at.iterations),
                                        "iteration")
                    : ": " + result.thoroughness);
}

std::string residual_text(const EquilibriumResult& result) {
  if (result.is_held) return fmt::format("constraint error {:.2g} m", result.start_error);
  double residual = 0.0, error = 0.0;
  for (const EquilibriumSolution& one : result.solutions) {
    residual = std::max(residual, one.at.residual);
    error = std::max(error, one.constraint_error);
  }
  return fmt::format("force balance error {:.2g} of the applied forces; constraint error {:.2g} m", residual,
                     error);
}

std::string equilibrium_page(const EquilibriumResult& result, const EquilibriumWords& words, int most,
                             const PageStyle& style) {
  TextPage page(style);
  page.title(result.mechanism, "equilibrium");
  page.fact("DOF", freedoms_text(result));
  if (!result.held.empty()) page.fact("Held", held_text(result.held));
  if (!result.released.empty()) page.fact("Released", listed(result.released, 6));
  if (result.time > 0.0) page.fact("Time", fmt::format("{:.9g} s", result.time));
  if (!result.is_held) page.fact("Found", found_text(result, most));
  page.fact("Residual", residual_text(result));
  if (const std::string holding = holding_text(result); !holding.empty() && result.solutions.size() == 1)
    page.fact("Holding", holding);
  page.append(solution_tables(result, style));
  if (words.out) {
    page.append("\n");
    page.fact("Written", *words.out == kStdout ? "to the standard output" : *words.out);
  }
  return page.text();
}

std::string equilibrium_json(const EquilibriumResult& result, const std::optional<std::string>& file) {
  Json json = result_of("equilibrium", result.mechanism);
  json["thoroughness"] = result.thoroughness;
  json["solutions"] = Json::array();
  for (const EquilibriumSolution& one : result.solutions) {
    Json outputs = Json::array();
    for (std::size_t k = 0; k < result.outputs.size(); ++k)
      outputs.push_back(
          {{"name", result.outputs[k].name}, {"unit", result.outputs[k].unit}, {"value", one.outputs[k]}});
    json["solutions"].push_back({{"stability", stability_text(result, one)},
                                 {"energy", one.energy},
                                 {"softest_square", or_null(one.at.softest_square)},
                                 {"residual", one.at.residual},
                                 {"constraint_error", one.constraint_error},
                                 {"outputs", outputs}});
  }
  json["files"] = {{"results", or_null(file)}};
  return text_of(json);
}

void run_equilibrium(const EquilibriumWords& words, const Presentation& presentation) {
  const runs::EquilibriumRequest request{.place = read_static_request(words.common),
                                         .solutions = read_solutions(words.solutions)};
  const io::HeaderStyle header = read_header(words.header);
  if (words.out) check_out(*words.out);
  const model::Mechanism mechanism = load_model(words.common.model, words.common.set);
  naming(words.common.model, [&] {
    TerminalObserver observer;
    const EquilibriumResult result = runs::find_equilibrium(mechanism, request, observer);
    if (words.out) write_results(*words.out, result, header);
    presentation.show(
        words.out && *words.out == kStdout ? stderr : stdout,
        [&](const PageStyle& style) { return equilibrium_page(result, words, request.solutions, style); },
        [&] { return equilibrium_json(result, words.out); });
    for (const std::string& note : result.notes) print_note(note);
  });
}

}  // namespace

void add_equilibrium_command(CLI::App& app, const Presentation& presentation) {
  auto words = std::make_shared<EquilibriumWords>();
  CLI::App* command = app.add_subcommand(
      "equilibrium", "Finds the equilibria of a mechanism, their stability and softest modes");
  add_static_options(*command, words->common);
  offer_words(command->add_option("--solutions", words->solutions, "Number of equilibria to find, or all")
                  ->capture_default_str()
                  ->type_name("N")
                  ->group(kMethodOptions),
              {"1", kAll});
  command->add_option("--out", words->out, "CSV file with one row per solution; - is the standard output")
      ->type_name("FILE")
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
