#include "eslabon/kinematics/assembly/moving_lines.hpp"
#include "eslabon/kinematics/groups/group_solver.hpp"

// The dyad PRP: two links that slide on links before them, joined by the pin C. Each keeps the orientation of its guide, and C runs
// on a line that the guide carries: where the two lines meet. The sign of their angle tells one side
// of the position where they are parallel, and C at infinity, from the other.
namespace eslabon::kinematics {

namespace {

class DyadPRP final : public PlanarGroupSolver {
 public:
  explicit DyadPRP(const DyadJoints& dyad) {
    for (std::size_t i = 0; i < 2; ++i) {
      Side& side = side_[i];
      side.guide = dyad.other[i].link;
      side.link = dyad.own[i].link;
      side.pin = dyad.inside[i].origin;
      side.turn = conjugate_product(dyad.other[i].axis, dyad.own[i].axis);
      side.line = {dyad.other[i].origin + product(side.turn, side.pin - dyad.own[i].origin),
                   dyad.other[i].axis};
    }
  }

  GroupBranch branch_at(std::span<const coordinates::CoordinateValue>, std::span<const PlanarLink> links,
                        GroupScratch&) const override {
    return sine<double>(links) >= 0.0 ? GroupBranch{1} : GroupBranch{-1};
  }

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch& branch,
                    std::span<PlanarLink> links, GroupScratch& scratch) const override {
    const auto C = meet(links[side_[0].guide], side_[0].line, links[side_[1].guide], side_[1].line);
    if (!C) return GroupStatus::kSingular;
    put<double>(*C, links);
    const GroupBranch found = branch_at(inputs, links, scratch);
    if (branch != kNearestBranch && branch != found) return GroupStatus::kSingular;
    branch = found;
    return GroupStatus::kSolved;
  }

  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                      std::span<const core::Traced>, std::span<TracedLink> links) const override {
    const core::Traced angle = sine<core::Traced>(links);
    put<core::Traced>(
        meeting(links[side_[0].guide], side_[0].line, links[side_[1].guide], side_[1].line, angle), links);
    return {abs(angle)};
  }

 private:
  struct Side {
    std::size_t guide = 0, link = 0;
    PlanarVector pin;   ///< C in the link
    PlanarVector turn;  ///< orientation of the link in its guide
    CarriedLine line;   ///< of C, in the guide
  };
  /// Of the angle between the lines.
  template <class T>
  T sine(std::span<const PlanarLinkOf<T>> links) const {
    return sine_between(links[side_[0].guide], side_[0].line, links[side_[1].guide], side_[1].line);
  }
  template <class T>
  void put(const PlanarPointOf<T>& C, std::span<PlanarLinkOf<T>> links) const {
    for (const Side& side : side_) {
      const PlanarLinkOf<T>& guide = links[side.guide];
      PlanarLinkOf<T>& link = links[side.link];
      link.u = product(guide.u, side.turn);
      link.w = guide.w;
      link.alpha = guide.alpha;
      link.put_point(side.pin, C);
    }
  }

  Side side_[2];
};

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_dyad_prp(const PlanarGroupContext& context,
                                                 const structure::StructuralGroup& group) {
  return std::make_unique<DyadPRP>(dyad_joints(context, group));
}

}  // namespace eslabon::kinematics
