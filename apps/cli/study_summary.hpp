#pragma once

#include <string>
#include <vector>

#include "apps/cli/study_results.hpp"
#include "page_style.hpp"

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
std::string study_page(const StudyPage& page, const PageStyle& style);
/// The same for programs: one JSON object.
std::string study_json(const StudyPage& page);
/// What a study would try, for programs.
std::string plan_json(const StudyPlan& plan);

/// What one try has done.
std::string try_page(const StudyPlan& plan, const std::vector<ResultOutput>& outputs, const TryResult& result,
                     const std::string& file, const PageStyle& style);

/// The same for programs: one JSON object.
std::string try_json(const StudyPlan& plan, const std::vector<ResultOutput>& outputs, const TryResult& result,
                     const std::string& file);

}  // namespace eslabon::cli
