#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recorded_results.hpp"
#include "recorded_truth.hpp"

namespace eslabon::cli {

/// Where bodies were at the rows of a result file, from the freedoms that it has. Every other position in the file is compared with what
/// the bodies say. A file that does not fit on the branch of the start values is tried on the others, in small mechanisms; the branch
/// that is taken, and what does not fit on any, is said in notes.
class RecoveredMotion {
 public:
  /// `table` and `notes` must outlive it. `model`: nullptr where there is none.
  RecoveredMotion(const io::ResultTable& table, const ResultModel* model, std::vector<std::string>& notes);

  /// The bodies at a row, asked in the order of rows; nullptr where they are not known.
  const coordinates::MechanismMotion* at_row(std::size_t row);

 private:
  /// A column of the file that is a position of the mechanism.
  struct Position {
    std::size_t column;
    model::Variable variable;
    bool is_angle;
    std::optional<std::size_t> sigma;  ///< column of its deviation
  };
  /// How far a motion fits: rows that were looked at and are right, up to the first that is not.
  struct Fit {
    std::unique_ptr<RecordedTruth> truth;
    std::size_t rows = 0;
    bool is_whole = false;
    std::string misfit;  ///< what is wrong there
  };

  void find_positions();
  Fit fit_on(const std::optional<std::string>& branch) const;
  /// The names of the branches beside that of the start values.
  std::vector<std::string> other_branches() const;
  void choose_branch(Fit fit);
  /// What of a row does not fit to these bodies; empty: nothing.
  std::string misfit(std::size_t row, const coordinates::MechanismMotion& bodies, double length) const;

  const io::ResultTable& table_;
  const ResultModel* model_;
  std::vector<std::string>& notes_;
  std::vector<Position> positions_;
  std::unique_ptr<RecordedTruth> truth_;
};

}  // namespace eslabon::cli
