#include <charconv>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "command_line.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "references_study.hpp"
#include "result_json.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>
#include <unistd.h>

// The page and the file of `eslabon bench references`.
namespace eslabon::cli {

namespace {

struct Solved {
  ReferenceProblem problem;
  ReferenceResult result;
};

double read_tolerance(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 1e-14 && value <= 0.1)
    return value;
  throw CommandLineError({.what = "the tolerance is wrong",
                          .where = "--tolerance",
                          .expected = "a number from 1e-14 to 0.1",
                          .actual = "'" + text + "'",
                          .next = "Write, for example, --tolerance 1e-9."});
}

/// "0.00041", "0.0335"
std::string seconds_text(double seconds) { return fmt::format("{:.3g}", seconds); }

/// How many of ours fit into one of theirs.
double ratio(const PublishedTime& theirs, const ReferenceResult& ours) {
  return theirs.seconds / ours.seconds;
}

/// What of a problem is not as accepted; empty when all is.
std::string missed_text(const Solved& solved) {
  const auto& [problem, result] = solved;
  const std::string name = "'" + problem.name + "'";
  if (!result.failure.empty()) return name + ": " + result.failure;
  std::string text;
  // Written so that what is not a number misses.
  if (!(result.error <= problem.accepted))
    text = fmt::format("an error of {:.2g} {} in {}, where {:g} is accepted", result.error, result.unit,
                       result.worst, problem.accepted);
  if (problem.energy && !(*result.drift <= problem.energy->accepted))
    text += fmt::format("{}a drift of the energy of {:.2g} J, where {:.2g} J is accepted",
                        text.empty() ? "" : ", and ", *result.drift, problem.energy->accepted);
  return text.empty() ? "" : name + " has " + text;
}

std::string table_text(const std::vector<Solved>& all) {
  TextTable table({"problem", fmt::format("by, {} at", kReferenceIntegrator), ">error", ">accepted",
                   ">drift [J]", ">accepted", ">CPU [s]", ">published", "by", ">ratio"});
  for (const auto& [problem, result] : all) {
    const bool is_complete = result.failure.empty();
    std::vector<std::string> cells{
        problem.name,
        fmt::format("{}, {:g}", result.formulation, problem.tolerance),
        is_complete ? fmt::format("{:.1e} {}", result.error, result.unit) : "stopped",
        fmt::format("{:.0e}", problem.accepted),
        problem.energy ? fmt::format("{:.1e}", *result.drift) : "–",
        problem.energy ? fmt::format("{:.1e}", problem.energy->accepted) : "–",
        is_complete ? seconds_text(result.seconds) : "–"};
    for (const PublishedTime& time : problem.published) {
      cells.resize(7);  // the columns of the problem itself
      cells.insert(cells.end(), {seconds_text(time.seconds), time.program,
                                 is_complete ? fmt::format("{:.0f}", ratio(time, result)) : "–"});
      table.add_row(std::exchange(cells, {}));
    }
    if (problem.published.empty()) {
      cells.insert(cells.end(), {"–", "–", "–"});
      table.add_row(std::move(cells));
    }
  }
  return table.text();
}

/// The table for programs: names, units, rows; a problem has as many as there are published times, or one.
std::string table_csv(const std::vector<Solved>& all) {
  std::string text =
      "problem,formulation,integrator,tolerance,error,error_unit,error_in,accepted_error,drift,"
      "accepted_drift,cpu,published_cpu,published_program,ratio\n"
      ",,,1,,,,,J,J,s,s,,1\n";
  for (const auto& [problem, result] : all) {
    const bool is_complete = result.failure.empty();
    const std::string ours = fmt::format(
        "\"{}\",{},{},{:g},{},{},{},{:g},{},{},{}", problem.name, result.formulation, kReferenceIntegrator,
        problem.tolerance, is_complete ? fmt::format("{:.6g}", result.error) : "", result.unit, result.worst,
        problem.accepted, problem.energy ? fmt::format("{:.6g}", *result.drift) : "",
        problem.energy ? fmt::format("{:.6g}", problem.energy->accepted) : "",
        is_complete ? fmt::format("{:.6g}", result.seconds) : "");
    for (const PublishedTime& time : problem.published)
      text += fmt::format("{},{:g},{},{}\n", ours, time.seconds, time.program,
                          is_complete ? fmt::format("{:.6g}", ratio(time, result)) : "");
    if (problem.published.empty()) text += ours + ",,,\n";
  }
  return text;
}

std::string page_text(const std::vector<Solved>& all, const ReferencesBenchOptions& options,
                      const PageStyle& style) {
  TextPage page(style);
  page.title("Problems with published answers", "bench");
  page.fact("Integrated",
            "by the formulation that 'auto' picks; the tolerance is relative and absolute, of a step");
  page.fact("Error", "the max over all quantities and all published instants");
  page.fact("Drift", "of the energy from its exact value, the max over 500 instants between rows");
  page.fact("CPU",
            "processor time of one thread for the motion, the best of several runs; published times are of "
            "other machines");
  page.append("\n" + table_text(all));
  page.append("  ratio: their time divided by ours\n\n");
  std::size_t missed = 0;
  for (const Solved& solved : all) missed += missed_text(solved).empty() ? 0 : 1;
  page.fact("Accepted", missed == 0 ? fmt::format("all {} problems", all.size())
                                    : fmt::format("{} of {} problems", all.size() - missed, all.size()));
  if (options.out) page.fact("Written", *options.out);
  return page.text();
}

void throw_missed(const std::vector<Solved>& all, const ReferencesBenchOptions& options) {
  std::string text;
  for (const Solved& solved : all)
    if (const std::string missed = missed_text(solved); !missed.empty())
      text += (text.empty() ? "" : "; ") + missed;
  if (text.empty()) return;
  throw core::ModelError({.what = "not every problem is solved as accepted",
                          .where = "bench references",
                          .expected = "the published answers",
                          .actual = text,
                          .next = options.tolerance ? "Leave --tolerance out." : ""});
}

}  // namespace

void run_references_bench(const ReferencesBenchOptions& options, const Presentation& presentation) {
  std::vector<ReferenceProblem> problems = reference_problems();
  if (options.tolerance)
    for (ReferenceProblem& problem : problems) problem.tolerance = read_tolerance(*options.tolerance);
  std::vector<Solved> all;
  // A file that cannot be written is better known before the work than after it.
  if (options.out) check_file(*options.out, "the table");
  ProgressBar bar;
  for (const ReferenceProblem& problem : problems) {
    all.push_back({problem, solve_reference(problem)});
    bar.update(static_cast<double>(all.size()) / static_cast<double>(problems.size()));
  }
  if (options.out) write_text_file(*options.out, "the table", table_csv(all));
  presentation.show(
      stdout, [&](const PageStyle& style) { return page_text(all, options, style); },
      [&] {
        return text_of({{"command", "bench references"},
                        {"table", table_json(table_csv(all))},
                        {"files", {{"table", or_null(options.out)}}}});
      });
  throw_missed(all, options);
}

}  // namespace eslabon::cli
