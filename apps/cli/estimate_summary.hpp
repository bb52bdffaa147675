#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filter_case.hpp"
#include "truth_comparison.hpp"

#include "eslabon/estimation/latency_histogram.hpp"

namespace eslabon::cli {

/// A span of time in which the readings did not tell the motion.
struct UnobservedSpan {
  double from = 0.0, until = 0.0;  ///< [s]
};

/// What a run of a filter was like.
struct EstimateSummary {
  FilterCase& filter;
  const TruthComparison* truth = nullptr;
  const estimation::LatencyHistogram& step_times;
  std::vector<UnobservedSpan> unobserved = {};
  std::string readings = {};  ///< where they came from
  double seconds = 0.0;       ///< of computing
  std::int64_t rows = 0;
  std::string file = {};
};

/// "0.705°", "1.2 °/s", "0.003 m".
std::string size_text(double value, const std::string& unit);

std::string estimate_summary(const EstimateSummary& summary, bool has_colour);

/// Collects spans from row to row.
class UnobservedSpans {
 public:
  void add(double t, bool is_observed);
  const std::vector<UnobservedSpan>& list() const { return list_; }

 private:
  std::vector<UnobservedSpan> list_;
  bool was_observed_ = true;
};

}  // namespace eslabon::cli
