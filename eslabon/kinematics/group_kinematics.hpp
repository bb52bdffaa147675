#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/kinematics/driven_mechanism.hpp"
#include "eslabon/kinematics/group_solver.hpp"

namespace eslabon::kinematics {

/// A planar mechanism solved group by group, in the order in which structure found them [Seed001, §2.2.1, Algorithm 2]:
/// each group on its own, from the groups before it, the most direct way there is. No global matrix; the cost is the
/// sum of the groups'. Every group keeps the branch on which it starts.
class GroupKinematics {
 public:
  /// `driven` must outlive it. Throws core::ModelError when a group has no solver, or when the mechanism is spatial; the
  /// message names the group and the methods that do work.
  explicit GroupKinematics(const DrivenMechanism& driven);

  int num_groups() const { return static_cast<int>(groups_.size()); }
  const structure::StructuralGroup& group(int g) const {
    return driven_.structure().groups[static_cast<std::size_t>(g)];
  }
  const PlanarGroupSolver& solver(int g) const { return *groups_[static_cast<std::size_t>(g)]; }
  /// Whether the group is solved in closed form.
  bool is_closed_form(int g) const { return is_closed_form_[static_cast<std::size_t>(g)]; }

  /// (links) the assembled start position, from which solutions begin.
  const std::vector<PlanarLink>& start() const { return start_; }

  /// Which group could not be solved, and why.
  struct Failure {
    int group;
    GroupStatus status;
  };
  /// Position, velocity and acceleration of all links for these inputs; `links` holds a position nearby and receives the
  /// solution. Groups after one that fails are not touched. Does not allocate while all groups are closed forms.
  std::optional<Failure> solve(std::span<const coordinates::CoordinateValue> inputs,
                               std::span<PlanarLink> links) const {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (const GroupStatus status = groups_[g]->solve(inputs, links); status != GroupStatus::kSolved)
        return Failure{static_cast<int>(g), status};
    return std::nullopt;
  }

  /// Motion of all bodies.
  void write_bodies(std::span<const PlanarLink> links, coordinates::MechanismMotion& out) const;

 private:
  const DrivenMechanism& driven_;
  coordinates::KinematicTree tree_;
  std::vector<PlanarLink> start_;
  std::vector<std::unique_ptr<PlanarGroupSolver>> groups_;
  std::vector<bool> is_closed_form_;
};

}  // namespace eslabon::kinematics
