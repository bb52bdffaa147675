#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "eslabon/kinematics/drivers/driven_mechanism.hpp"
#include "eslabon/kinematics/groups/coupled_rows.hpp"
#include "eslabon/kinematics/groups/group_solver.hpp"

namespace eslabon::kinematics {

/// What is to be solved group by group. Lives inside what keeps mechanism and structure.
struct GroupProblem {
  const model::Mechanism& mechanism;
  const structure::Structure& structure;
  std::vector<coordinates::Prescribed>
      prescribed;                      ///< the inputs of the structure in their order, then held spins
  coordinates::MechanismMotion start;  ///< (bodies) an assembled position
  std::vector<coordinates::CoordinateValue> start_values;  ///< (prescribed) there

  std::size_t num_inputs() const { return structure.inputs.size(); }
  static GroupProblem of(const DrivenMechanism& driven);
};

/// A mechanism solved group by group, in the order in which structure found them [Seed001, §2.3.2, Algorithm 2]: each group on
/// its own, from the groups before it, the most direct way there is. No global matrix; the cost is the sum of the groups'.
/// Link: PlanarLink for planar mechanisms, SpatialLink for spatial ones. const, safe to share between threads.
template <class Link>
class GroupKinematics {
 public:
  /// Throws core::ModelError when a group has no solver; the message names the group and the methods that do work.
  explicit GroupKinematics(GroupProblem problem);
  explicit GroupKinematics(const DrivenMechanism& driven) : GroupKinematics(GroupProblem::of(driven)) {}

  const GroupProblem& problem() const { return problem_; }
  std::size_t num_groups() const { return groups_.size(); }
  const structure::StructuralGroup& group(std::size_t g) const { return problem_.structure.groups[g]; }
  const GroupSolver<Link>& solver(std::size_t g) const { return *groups_[g]; }
  /// Whether the group is solved in closed form.
  bool is_closed_form(std::size_t g) const { return is_closed_form_[g]; }

  /// Position, velocity and acceleration of every link, and which branch of each group that is. A plain value.
  struct Solution {
    std::vector<Link> links;                            ///< (links)
    std::vector<GroupBranch> branches;                  ///< (groups)
    std::vector<coordinates::CoordinateValue> coupled;  ///< (coupled) of which angles count turns
  };
  /// The assembled start position, at rest, from which solutions begin.
  const Solution& start() const { return start_; }

  /// What couplings look at.
  const CoupledValues& coupled() const { return coupled_; }

  /// Scratch: one per thread.
  using Workspace = std::vector<GroupScratch>;
  Workspace make_workspace() const { return Workspace(groups_.size()); }

  /// Which group could not be solved, and why.
  struct Failure {
    std::size_t group;
    GroupStatus status;
  };
  /// All links for these inputs. `at` holds a position nearby and the branches that are wanted (kNearestBranch: whichever is
  /// nearest), and receives the solution and the branches found. Groups after one that fails are not touched.
  // Seed001 eq. 2.15, eq. 2.16, alg. 2
  std::optional<Failure> solve(std::span<const coordinates::CoordinateValue> inputs, Solution& at,
                               Workspace& workspace) const {
    hand_over(at, workspace);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (const GroupStatus status = groups_[g]->solve(inputs, at.branches[g], at.links, workspace[g]);
          status != GroupStatus::kSolved)
        return Failure{g, status};
    coupled_.follow(std::span<const Link>(at.links), std::span(at.coupled));
    return std::nullopt;
  }

  /// Gives groups with couplings the turns of angles that they start from.
  void hand_over(const Solution& at, Workspace& workspace) const {
    if (at.coupled.empty()) return;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (!group(g).couplings.empty()) workspace[g].coupled = at.coupled;
  }

  /// The same written down, when all groups have closed forms. `signs`: (num_signs) +1 or −1, of the branches; `links`: (links) the ground
  /// stands in the first. Returns what is known of the group that is nearest to a limit, and of the one that is most open.
  using TracedLink = typename Link::template Of<core::Traced>;
  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs,
                      std::span<const core::Traced> signs, std::span<TracedLink> links) const;
  /// The same for links that are there already, which tell the branches.
  TracedClosure write_rates(std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs,
                            std::span<TracedLink> links) const;
  bool has_closed_forms() const { return std::ranges::find(is_closed_form_, false) == is_closed_form_.end(); }
  /// What the signs are: the group, and which of its signs.
  struct Sign {
    std::size_t group, number;
  };
  std::vector<Sign> signs() const;
  /// (num_signs) of the branches on which these links are.
  std::vector<core::Traced> write_signs(std::span<const TracedLink> links) const;

  /// Motion of all bodies.
  void write_bodies(std::span<const Link> links, coordinates::MechanismMotion& out) const;
  void write_bodies(std::span<const TracedLink> links,
                    coordinates::MechanismMotionOf<core::Traced>& out) const;

 private:
  template <core::Scalar T>
  void put_bodies(std::span<const typename Link::template Of<T>> links,
                  coordinates::MechanismMotionOf<T>& out) const;

  GroupProblem problem_;
  coordinates::KinematicTree tree_;
  CoupledValues coupled_;
  Solution start_;
  std::vector<std::unique_ptr<GroupSolver<Link>>> groups_;
  std::vector<bool> is_closed_form_;
};

extern template class GroupKinematics<PlanarLink>;
extern template class GroupKinematics<SpatialLink>;

}  // namespace eslabon::kinematics
