#include "eslabon/kinematics/assembly/moving_lines.hpp"
#include "eslabon/kinematics/groups/group_solver.hpp"

// The dyad RPP: link 1 on pin A, link 2 sliding on link 1 and on a link before it, the guide. Both keep the orientation of the
// guide, so link 1 is known from A at once; a point of link 2 runs on a line of the guide and on one of link 1:
// where the two meet. One branch.
namespace eslabon::kinematics {

namespace {

class DyadRPP final : public PlanarGroupSolver {
 public:
  explicit DyadRPP(const DyadJoints& dyad)
      : A_(dyad.other[0]),
        pin_(dyad.own[0].origin),
        one_(dyad.own[0].link),
        two_(dyad.own[1].link),
        guide_(dyad.other[1].link),
        point_(dyad.inside[1].origin),
        two_in_guide_(conjugate_product(dyad.other[1].axis, dyad.own[1].axis)),
        one_in_two_(conjugate_product(dyad.inside[1].axis, dyad.inside[0].axis)),
        on_guide_{dyad.other[1].origin + product(two_in_guide_, point_ - dyad.own[1].origin),
                  dyad.other[1].axis},
        on_one_{dyad.inside[0].origin, dyad.inside[0].axis} {}

  GroupStatus solve(std::span<const coordinates::CoordinateValue>, GroupBranch&, std::span<PlanarLink> links,
                    GroupScratch&) const override {
    turn<double>(links);
    const auto P = meet(links[guide_], on_guide_, links[one_], on_one_);
    if (!P) return GroupStatus::kSingular;
    links[two_].put_point(point_, *P);
    return GroupStatus::kSolved;
  }

  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>>,
                      std::span<const core::Traced>, std::span<TracedLink> links) const override {
    turn<core::Traced>(links);
    const core::Traced sine = sine_between(links[guide_], on_guide_, links[one_], on_one_);
    links[two_].put_point(point_, meeting(links[guide_], on_guide_, links[one_], on_one_, sine));
    return {abs(sine)};
  }

 private:
  /// All but where link 2 is.
  template <class T>
  void turn(std::span<PlanarLinkOf<T>> links) const {
    const PlanarPointOf<T> A = links[A_.link].point(A_.origin);
    const PlanarLinkOf<T>& guide = links[guide_];
    PlanarLinkOf<T>&one = links[one_], &two = links[two_];
    two.u = product(guide.u, two_in_guide_);
    one.u = product(two.u, one_in_two_);
    one.w = two.w = guide.w;
    one.alpha = two.alpha = guide.alpha;
    one.put_point(pin_, A);
  }

  PlanarJointEnd A_;
  PlanarVector pin_;
  std::size_t one_, two_, guide_;
  PlanarVector point_;         ///< origin of the inner slide, in link 2
  PlanarVector two_in_guide_;  ///< orientations
  PlanarVector one_in_two_;
  CarriedLine on_guide_, on_one_;
};

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_dyad_rpp(const PlanarGroupContext& context,
                                                 const structure::StructuralGroup& group) {
  return std::make_unique<DyadRPP>(dyad_joints(context, group));
}

}  // namespace eslabon::kinematics
