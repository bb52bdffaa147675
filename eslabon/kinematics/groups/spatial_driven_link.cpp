#include <cmath>

#include "eslabon/kinematics/groups/spatial_hinge.hpp"

// The driven link 1R, 1P in space: one link on a hinge whose coordinate is an input [Seed001, §3.1.1].
namespace eslabon::kinematics {

namespace {

class SpatialDrivenLink final : public SpatialGroupSolver {
 public:
  SpatialDrivenLink(const SpatialHinge& hinge, std::size_t input, double sign)
      : hinge_(hinge), input_(input), sign_(sign) {}

  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch&,
                    std::span<SpatialLink> links, GroupScratch&) const override {
    put(inputs[input_], links[hinge_.base.link], links[hinge_.carried.link]);
    return GroupStatus::kSolved;
  }

  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs,
                      std::span<const core::Traced>, std::span<TracedLink> links) const override {
    put(inputs[input_], links[hinge_.base.link], links[hinge_.carried.link]);
    return {};
  }

 private:
  template <class T>
  void put(const coordinates::CoordinateValueOf<T>& q, const SpatialLinkOf<T>& base,
           SpatialLinkOf<T>& carried) const {
    using std::cos, std::sin;
    const SpatialHinge::PlaceOf<T> at{.cosine = cos(q.position),
                                      .sine = sign_ * sin(q.position),
                                      .shift = sign_ * q.position,
                                      .velocity = sign_ * q.velocity,
                                      .acceleration = sign_ * q.acceleration};
    carried = hinge_.carry(base, at);
  }

  SpatialHinge hinge_;
  std::size_t input_;
  double sign_;  ///< −1 when the link is the first of the joint
};

}  // namespace

std::unique_ptr<SpatialGroupSolver> make_spatial_driven_link(const SpatialGroupContext& context,
                                                             const structure::StructuralGroup& group) {
  if (group.joints.size() != 1 || group.links.size() != 1 || group.inputs.size() != 1) return nullptr;
  const model::Joint& joint = context.mechanism.joint(group.joints[0]);
  const bool is_turn = joint.type == model::JointType::kRevolute;
  if (!is_turn && joint.type != model::JointType::kPrismatic) return nullptr;
  const auto number = static_cast<std::size_t>(group.inputs[0]);
  const structure::Input& input = context.structure.inputs[number];
  if (!input.joint || *input.joint != group.joints[0]) return nullptr;
  const int own = context.structure.topology.link_of(joint.second()) == group.links[0] ? 1 : 0;
  const SpatialHinge hinge{is_turn, joint_end(context, group.joints[0], 1 - own),
                           joint_end(context, group.joints[0], own)};
  return std::make_unique<SpatialDrivenLink>(hinge, number, own == 1 ? 1.0 : -1.0);
}

}  // namespace eslabon::kinematics
