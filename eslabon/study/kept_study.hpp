#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/report/report.hpp"
#include "eslabon/study/study_results.hpp"
#include "eslabon/study/study_run.hpp"

namespace eslabon::study {

/// How the tries of a study are run.
struct StudyRequest {
  std::string folder;     ///< for its files; an interrupted study that is found there is resumed
  std::string build;      ///< of the program, in words: results of another one would differ
  int threads = 1;        ///< tries that run at the same time
  bool is_fresh = false;  ///< what is in the folder is discarded
};

/// What came out.
struct StudyOutcome {
  std::vector<core::Column> outputs;
  std::vector<TryResult> results;  ///< all of them, in the order of StudyPlan::place_of, when it is complete
  std::vector<PointSummary> summaries;  ///< (points)
  std::size_t found = 0;                ///< tries that were done before
  double elapsed = 0.0;                 ///< [s]
  bool is_complete = true;              ///< false: the observer stopped it; what is done is kept

  /// A sentence about tries that could not be run; nothing where all could.
  std::optional<std::string> failure_note() const;
};

/// The folder, made where there is none. Throws runs::RequestError where that cannot be.
std::string make_study_folder(const std::string& folder);

/// Files of a whole study in its folder, and of one try.
std::vector<std::string> study_files(const std::string& folder);
std::string try_file(const std::string& folder, const TryIndex& index);

/// Makes filters of points that have all values of the study between them, and tells the observer what users should know of them, once.
void check_cases(const StudyPlan& plan, StudyCases& cases, runs::RunObserver& observer);

/// Runs the tries that are not done, and writes the results when all are. The observer may stop it after any number of tries.
StudyOutcome run_kept_study(const StudyPlan& plan, StudyCases& cases, const StudyRequest& request,
                            runs::RunObserver& observer);

/// The page of a study, which says so when it was stopped.
report::Report study_report(const StudyPlan& plan, const StudyOutcome& outcome);

}  // namespace eslabon::study
