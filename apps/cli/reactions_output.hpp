#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/joint_reaction.hpp"
#include "eslabon/io/result_writer.hpp"

namespace eslabon::cli {

/// The file of --reactions: at each row of a run the reaction of every joint on its second body, in world axes (`A.fx` … `A.mz`) and
/// in those of the joint's frame on that body (`A.frame.fx` …), and efforts; in the plane fx, fy and mz.
class ReactionsOutput {
 public:
  /// Begins the file. `efforts`: further columns. `mechanism` must outlive it.
  ReactionsOutput(const std::string& path, const model::Mechanism& mechanism,
                  const std::vector<io::ResultColumn>& efforts, io::HeaderStyle header);

  /// One row; `is_unique`: of the efforts. `residual`: what joints cannot give, relative.
  void write_row(double t, const std::vector<dynamics::JointReaction>& joints,
                 const std::vector<double>& efforts, const std::vector<bool>& is_unique, double residual);
  void finish() { writer_.finish(); }

  /// Lines on stderr: which components were not unique in some row, and where joints could not give what the motion needs.
  void print_notes() const;

 private:
  const model::Mechanism& mechanism_;
  std::span<const std::size_t> components_;
  std::vector<io::ResultColumn> columns_;
  io::ResultWriter writer_;
  std::vector<double> row_;
  std::vector<bool> was_unique_;  ///< (columns)
  std::optional<double> unbalanced_at_;
};

/// What notes say about forces that are not unique; nothing when all are. `are_many`: a name stands for several.
void print_not_unique(const std::vector<std::string>& names, bool are_many = false);
/// What a page says about joints and drivers whose forces are not unique; nothing when there are none.
std::optional<std::string> not_unique_note(const std::vector<std::string>& names);
/// What notes say about a singular position; nothing when there was none.
void print_unbalanced(const std::optional<double>& t);

}  // namespace eslabon::cli
