#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "eslabon/study/study_case.hpp"

namespace eslabon::study {

/// The cases of all points, each made when it is first asked for. From any thread.
class StudyCases {
 public:
  /// Both must outlive it; the observer is told of starts that had to be looked for elsewhere, from any thread. `compiler`: as of StudyCase.
  StudyCases(const StudyPlan& plan, runs::RunObserver& observer,
             std::shared_ptr<codegen::NativeCompiler> compiler = nullptr);
  /// Throws as StudyCase does.
  const StudyCase& at(std::size_t point);

 private:
  const StudyPlan& plan_;
  runs::RunObserver& observer_;
  std::shared_ptr<codegen::NativeCompiler> compiler_;
  std::vector<std::once_flag> is_made_;  ///< (points)
  std::vector<std::unique_ptr<StudyCase>> cases_;
};

/// How far a run is.
struct StudyProgress {
  std::size_t done = 0, of = 0;  ///< tries of this run
};

/// Runs those tries that are not done (`is_done`: by StudyPlan::place_of), in the order of StudyPlan::turn, in so many threads. Each
/// is appended to the journal when it is over. `report` is called about ten times per second from the calling thread; where it returns
/// true the run ends, and tries that are not over are given up. True when all are done.
[[nodiscard]] bool run_study(const StudyPlan& plan, StudyCases& cases, StudyJournal& journal,
                             const std::vector<bool>& is_done, int threads,
                             const std::function<bool(const StudyProgress&)>& report,
                             std::vector<TryResult>& results);

}  // namespace eslabon::study
