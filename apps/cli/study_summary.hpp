#pragma once

#include <string>
#include <vector>

#include "page_style.hpp"

#include "eslabon/study/study_results.hpp"

namespace eslabon::cli {

/// What `eslabon study` prints at its end.
struct StudyPage {
  const study::StudyPlan& plan;
  const std::vector<core::Column>& outputs;
  const std::vector<study::PointSummary>& summaries;  ///< (points)
  std::size_t found = 0;                              ///< tries that were done before this run
  double elapsed = 0.0;                               ///< of this run [s]
  int threads = 1;
  std::string folder = {};
  std::string report = {};  ///< file of the page; empty: none
};
std::string study_page(const StudyPage& page, const PageStyle& style);
/// The same for programs: one JSON object.
std::string study_json(const StudyPage& page);
/// What a study would try, for programs.
std::string plan_json(const study::StudyPlan& plan);

/// What one try has done.
std::string try_page(const study::StudyPlan& plan, const std::vector<core::Column>& outputs,
                     const study::TryResult& result, const std::string& file, const PageStyle& style);

/// The same for programs: one JSON object.
std::string try_json(const study::StudyPlan& plan, const std::vector<core::Column>& outputs,
                     const study::TryResult& result, const std::string& file);

}  // namespace eslabon::cli
