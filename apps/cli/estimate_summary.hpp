#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "page_style.hpp"

#include "eslabon/runs/size_text.hpp"
#include "eslabon/runs/truth_comparison.hpp"

namespace eslabon::cli {

using runs::FilterCase;
using runs::size_text;
using runs::TruthComparison;
using runs::UnobservedSpan;
using runs::UnobservedSpans;

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
  FilterCase& filter;
  const TruthComparison* truth = nullptr;
  std::string readings;  ///< where they came from
  std::string file;      ///< where the rows went
  std::optional<std::string> report = {};
  std::optional<LiveTotals> live = {};
  bool is_complete = true;  ///< no signal and no limit cut it
};

std::string estimate_summary(const EstimateSummary& summary, const PageStyle& style);
/// The same of one or several filters for programs: one JSON object.
std::string estimate_json(const std::vector<EstimateSummary>& summaries);

}  // namespace eslabon::cli
