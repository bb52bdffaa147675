#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/codegen/compile/native_compiler.hpp"
#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/report/report.hpp"
#include "eslabon/runs/estimation/truth_comparison.hpp"

namespace eslabon::recording {

/// What a live run did besides.
struct LiveTotals {
  std::int64_t steps = 0, missed = 0;                  ///< of the clock
  std::int64_t lines = 0, refused = 0;                 ///< of the source
  std::int64_t readings = 0, readings_dropped = 0;     ///< of the source
  std::int64_t datagrams = 0;                          ///< taken
  std::int64_t datagrams_passed_over = 0;              ///< of other senders
  std::int64_t datagrams_lost = 0;                     ///< by the system
  double median_latency = 0.0, largest_latency = 0.0;  ///< from the clock to the estimate [s]
};

/// What a run of a filter was like.
struct EstimateSummary {
  runs::FilterCase& filter;
  const runs::TruthComparison* truth = nullptr;
  std::string readings;                    ///< where they came from
  std::string file;                        ///< where the rows went
  std::vector<std::string> of_model = {};  ///< names of the settings that the model file gave
  std::optional<std::string> report = {};
  std::optional<LiveTotals> live = {};
  std::optional<codegen::NativeCompiler::Report> compiled = {};  ///< when it was asked for
  bool is_complete = true;                                       ///< no signal and no limit cut it
};

/// Facts about the run itself, and about how its estimate compares with the truth. Names of fields are as runs/request_error.hpp says.
std::vector<report::Fact> estimate_facts(const EstimateSummary& summary);
std::vector<report::Fact> truth_facts(const runs::TruthComparison& truth);
/// The outputs that the truth does not tell, where there are any.
std::vector<report::Fact> not_compared_facts(const runs::TruthComparison& truth);

/// One or several filters on the same readings, for programs: one JSON object. Its keys are a contract, docs/command-line.md lists them.
std::string estimate_json(const std::vector<EstimateSummary>& summaries, const Provenance& provenance);

}  // namespace eslabon::recording
