#include "benchmarks/tables/references_table.hpp"

#include <utility>

#include <fmt/format.h>

namespace eslabon::benchmarks {

namespace {

/// What of a problem is not as accepted; empty when all is.
std::string missed_text(const SolvedReference& solved) {
  const auto& [problem, result] = solved;
  const std::string name = "'" + problem.name + "'";
  if (!solved.is_complete()) return name + ": " + result.failure;
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

}  // namespace

ReferencesTable measure_references(const ReferencesRequest& request, const Progress& progress) {
  std::vector<ReferenceProblem> problems = reference_problems();
  ReferencesTable table;
  for (ReferenceProblem& problem : problems) {
    if (request.tolerance) problem.tolerance = *request.tolerance;
    table.push_back({problem, solve_reference(problem)});
    progress(static_cast<double>(table.size()) / static_cast<double>(problems.size()));
  }
  return table;
}

std::vector<std::string> missed(const ReferencesTable& table) {
  std::vector<std::string> all;
  for (const SolvedReference& solved : table)
    if (std::string text = missed_text(solved); !text.empty()) all.push_back(std::move(text));
  return all;
}

std::string csv_text(const ReferencesTable& table) {
  std::string text =
      "problem,formulation,integrator,tolerance,error,error_unit,error_in,accepted_error,drift,"
      "accepted_drift,cpu,published_cpu,published_program,ratio\n"
      ",,,1,,,,,J,J,s,s,,1\n";
  for (const SolvedReference& solved : table) {
    const auto& [problem, result] = solved;
    const bool is_complete = solved.is_complete();
    const std::string ours = fmt::format(
        "\"{}\",{},{},{:g},{},{},{},{:g},{},{},{}", problem.name, result.formulation, kReferenceIntegrator,
        problem.tolerance, is_complete ? fmt::format("{:.6g}", result.error) : "", result.unit, result.worst,
        problem.accepted, problem.energy ? fmt::format("{:.6g}", *result.drift) : "",
        problem.energy ? fmt::format("{:.6g}", problem.energy->accepted) : "",
        is_complete ? fmt::format("{:.6g}", result.seconds) : "");
    for (const PublishedTime& time : problem.published)
      text += fmt::format("{},{:g},{},{}\n", ours, time.seconds, time.program,
                          is_complete ? fmt::format("{:.6g}", solved.ratio(time)) : "");
    if (problem.published.empty()) text += ours + ",,,\n";
  }
  return text;
}

}  // namespace eslabon::benchmarks
