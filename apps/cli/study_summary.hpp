#pragma once

#include <string>
#include <vector>

#include "apps/cli/study_results.hpp"

namespace eslabon::cli {

/// What `eslabon study` prints at its end.
struct StudyPage {
  const StudyPlan& plan;
  const std::vector<ResultOutput>& outputs;
  const std::vector<PointSummary>& summaries;  ///< (points)
  std::size_t found = 0;                       ///< tries that were done before this run
  double elapsed = 0.0;                        ///< of this run [s]
  int threads = 1;
  std::string folder = {};
  std::string report = {};  ///< file of the page; empty: none
};
std::string study_page(const StudyPage& page, bool has_colour);

/// What one try has done.
std::string try_page(const StudyPlan& plan, const std::vector<ResultOutput>& outputs, const TryResult& result,
                     const std::string& file, bool has_colour);

}  // namespace eslabon::cli
