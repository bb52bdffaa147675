#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/dynamics/joint_reaction.hpp"
#include "eslabon/report/report.hpp"

namespace eslabon::cli {

/// Forces of a run as arrows of its report: what each joint does to its second body, force and moment apart; springs and dampers between
/// points, at both; loads on points and bodies.
class ForceArrows {
 public:
  /// Rows of joints up to which reactions are computed for a report: beyond, the dense solution at each frame takes too long.
  static constexpr int kMostRows = 300;

  /// Solutions for reactions in a run of any length: what lies between is interpolated.
  static constexpr std::int64_t kMostSolutions = 300;

  /// Rows from solution to solution in a run of so many rows, a power of two: those are rows of frames.
  static std::int64_t rows_per_solution(std::int64_t rows);

  /// `model` must outlive it.
  explicit ForceArrows(const dynamics::DynamicModel& model);

  /// Whether reactions are among them: the mechanism is small enough.
  bool has_reactions() const { return has_reactions_; }
  /// What they are; without vectors.
  const std::vector<report::Arrow>& arrows() const { return arrows_; }
  /// How many of them, the last, need reactions.
  std::size_t num_of_reactions() const { return num_of_reactions_; }
  /// (arrows) at an instant, world axes [N] or [N m]. `joints`: (joints) reactions there, unused without has_reactions(); nullptr: not
  /// known, and all but num_of_reactions() are told.
  std::span<const Eigen::Vector3d> evaluate(double t, const coordinates::MechanismMotion& bodies,
                                            const dynamics::ForceMemory& memory,
                                            const std::vector<dynamics::JointReaction>* joints);
  /// Joints of which a reaction that was told is not unique.
  std::vector<std::string> not_unique() const;

 private:
  void add(const std::string& name, report::Arrow::Kind kind, model::BodyIndex body,
           const Eigen::Vector3d& p_BP_B);
  void add_pull(const model::Connection& connection, double force,
                const coordinates::MechanismMotion& bodies);

  const dynamics::DynamicModel& model_;
  bool has_reactions_;
  std::size_t num_of_reactions_ = 0;
  std::vector<bool> was_unique_;  ///< (joints)
  std::vector<report::Arrow> arrows_;
  std::vector<Eigen::Vector3d> vectors_;  ///< (arrows)
};

/// Leaves out arrows that are nothing at all frames: smaller than roundoff of the largest of their kind of unit.
void remove_idle_arrows(std::vector<report::Arrow>& arrows);

}  // namespace eslabon::cli
