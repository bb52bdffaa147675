#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/runs/row_sink.hpp"

namespace eslabon::runs {

/// Rows of reactions: at each row of a run the reaction of every joint on its second body, in world axes (`A.fx` … `A.mz`) and in those
/// of the joint's frame on that body (`A.frame.fx` …), and efforts; in the plane fx, fy and mz.
class ReactionRows {
 public:
  /// `efforts`: further columns.
  ReactionRows(const model::Mechanism& mechanism, const std::vector<core::Column>& efforts);

  const std::vector<core::Column>& columns() const { return columns_; }
  /// (columns) at a row of a run that has forces.
  std::span<const double> at(const Row& row);

  /// Sentences: which components were not unique in some row, and where joints could not give what the motion needs.
  std::vector<std::string> notes() const;

 private:
  /// Components that were not unique, those of a joint together: "A.fx, fy, frame.fx; B.fx".
  std::string not_unique() const;

  std::vector<std::string> joints_;  ///< their names
  std::span<const std::size_t> components_;
  std::size_t num_efforts_;
  std::vector<core::Column> columns_;
  std::vector<double> row_;
  std::vector<bool> was_unique_;  ///< (columns)
  std::optional<double> unbalanced_at_;
};

}  // namespace eslabon::runs
