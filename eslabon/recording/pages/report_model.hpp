#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/recording/files/recorded_results.hpp"
#include "eslabon/runs/start/placement.hpp"

namespace eslabon::recording {

/// The mechanism of a report, in the ways in which it is needed.
class ReportModel {
 public:
  /// `released`: drivers that let go. `branch`: on which it starts; none: that of the start values. Throws runs::RequestError for names that
  /// it does not have, and core::ModelError.
  ReportModel(model::Mechanism loaded, const std::vector<std::string>& released,
              std::optional<std::string> branch, runs::RunObserver& observer);

  const model::Mechanism& mechanism() const { return shown_; }
  const structure::Structure& structure() const { return structure_; }
  const runs::Placement& placement() const { return placement_; }
  ResultModel result_model() const { return {loaded_, released_, branch_}; }

 private:
  model::Mechanism loaded_, shown_, released_;
  structure::Structure structure_;
  runs::Placement placement_;
  std::optional<std::string> branch_;
};

}  // namespace eslabon::recording
