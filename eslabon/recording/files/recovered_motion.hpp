#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/recording/files/recorded_results.hpp"
#include "eslabon/runs/sensing/recorded_truth.hpp"
#include "eslabon/runs/sensing/told_positions.hpp"

namespace eslabon::recording {

/// Where bodies were at the rows of a result file, from the freedoms that it has. Every other position in the file is compared with what
/// the bodies say. A file that does not fit on the branch of the start values is tried on the others, in small mechanisms; the branch
/// that is taken, and what does not fit on any, is said in notes.
class RecoveredMotion {
 public:
  /// `table`, `notes` and `observer` must outlive it. `model`: nullptr where there is none.
  RecoveredMotion(const core::ResultTable& table, const ResultModel* model, std::vector<std::string>& notes,
                  runs::RunObserver& observer);

  /// The bodies at a row, asked in the order of rows; nullptr where they are not known.
  const coordinates::MechanismMotion* at_row(std::size_t row);

 private:
  /// How far a motion fits: rows that were looked at and are right, up to the first that is not.
  struct Fit {
    std::unique_ptr<runs::RecordedTruth> truth;
    std::size_t rows = 0;
    bool is_whole = false;
    std::string misfit;  ///< what is wrong there
  };

  Fit fit_on(const std::optional<std::string>& branch) const;
  /// The names of the branches beside that of the start values.
  std::vector<std::string> other_branches() const;
  void choose_branch(Fit fit);

  const core::ResultTable& table_;
  const ResultModel* model_;
  std::vector<std::string>& notes_;
  runs::RunObserver& observer_;
  std::optional<runs::ToldPositions> positions_;  ///< of a mechanism
  std::unique_ptr<runs::RecordedTruth> truth_;
};

}  // namespace eslabon::recording
