#pragma once

#include <string>
#include <vector>

#include "eslabon/codegen/compile/native_compiler.hpp"
#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/study/study_results.hpp"

/// What a study tells at its end, in the same words wherever it is shown.
namespace eslabon::study {

/// A study that has run.
struct ToldStudy {
  const StudyPlan& plan;
  const std::vector<core::Column>& outputs;
  const std::vector<PointSummary>& summaries;  ///< (points)
  std::size_t found = 0;                       ///< tries that were done before this run
  double elapsed = 0.0;                        ///< of this run [s]
  int threads = 1;
  std::string folder = {};                                       ///< of the results
  std::string report = {};                                       ///< file of the page; empty: none
  std::optional<codegen::NativeCompiler::Report> compiled = {};  ///< of the filters, when it was asked for
};

/// What was tried, and how long it took.
std::vector<report::Fact> study_facts(const ToldStudy& outcome);
/// Headings and cells of its points: where each stands, how many tries converged, errors, costs.
std::vector<std::string> point_headings(const ToldStudy& outcome);
std::vector<std::vector<std::string>> point_rows(const ToldStudy& outcome);
/// The tries that did not converge, a line for each point: "point 3 (step = 6 ms): tries 2, 7". Empty: there are none.
std::string lost_tries_text(const ToldStudy& outcome);
/// The first of them.
std::optional<TryIndex> first_lost(const ToldStudy& outcome);

/// Name, true start and end, estimate, sigma, error and RMSE of each output of one try, as cells.
std::vector<std::vector<std::string>> try_rows(const std::vector<core::Column>& outputs,
                                               const TryResult& result);

/// For programs, one JSON object each; their keys are a contract, docs/command-line.md lists them: what a study found, what it would try,
/// what one try has done, with its rows in `file`.
std::string study_json(const ToldStudy& outcome, const recording::Provenance& provenance);
std::string plan_json(const StudyPlan& plan, const recording::Provenance& provenance);
std::string try_json(const StudyPlan& plan, const std::vector<core::Column>& outputs, const TryResult& result,
                     const std::string& file, const std::optional<codegen::NativeCompiler::Report>& compiled,
                     const recording::Provenance& provenance);

}  // namespace eslabon::study
