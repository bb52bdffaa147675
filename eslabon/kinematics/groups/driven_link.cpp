#include <cmath>

#include "eslabon/kinematics/groups/group_solver.hpp"

// The driven link 1R, 1P: one link on a joint whose coordinate is an input [Seed001, §3.1.1]. With the joint's frame F on the
// link before it (x axis f, origin P) and its frame on the link (x axis l, origin o):
//   turning    u = f e^{iq} l*,   ω = ω_F + q̇,   α = α_F + q̈,   the link's o moves as P                       (1)
//   sliding    u = f l*,  ω = ω_F,  α = α_F,  o at P + q f:  v = v_P' + q̇ f,  a = a_P' + 2 q̇ ω_F ẑ × f + q̈ f    (2)
// where P' is the point of the link before it that o passes. An absolute angle of the link may be the input too.
namespace eslabon::kinematics {

namespace {

class DrivenLink final : public PlanarGroupSolver {
 public:
  enum class Kind { kTurn, kSlide, kAbsoluteTurn };

  DrivenLink(Kind kind, std::size_t input, double sign, const PlanarJointEnd& before,
             const PlanarJointEnd& own)
      : kind_(kind), input_(input), sign_(sign), before_(before), own_(own) {}

  // Seed001 eq. 3.5, eq. 3.6, eq. 3.11, eq. 3.12, eq. 3.14, eq. 3.15
  GroupStatus solve(std::span<const coordinates::CoordinateValue> inputs, GroupBranch&,
                    std::span<PlanarLink> links, GroupScratch&) const override {
    put(inputs[input_], links[before_.link], links[own_.link]);
    return GroupStatus::kSolved;
  }

  TracedClosure write(std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs,
                      std::span<const core::Traced>, std::span<TracedLink> links) const override {
    put(inputs[input_], links[before_.link], links[own_.link]);
    return {};
  }
  TracedClosure write_rates(std::span<const coordinates::CoordinateValueOf<core::Traced>> inputs,
                            std::span<TracedLink> links) const override {
    const TracedLink& before = links[before_.link];
    TracedLink& link = links[own_.link];
    link.put_rates(own_.origin, turn_with(inputs[input_], before, before.direction(before_.axis), link));
    return {};
  }

 private:
  /// The link where it is to be.
  template <class T>
  void put(const coordinates::CoordinateValueOf<T>& q, const PlanarLinkOf<T>& before,
           PlanarLinkOf<T>& link) const {
    using std::cos, std::sin;
    using Vector = PlanarVectorOf<T>;
    const Vector f = before.direction(before_.axis);
    if (kind_ == Kind::kSlide) {
      link.u = conjugate_product(f, own_.axis);
    } else {
      const Vector turn{cos(q.position), sign_ * sin(q.position)};
      link.u = kind_ == Kind::kTurn ? conjugate_product(product(f, turn), own_.axis) : turn;
    }
    link.put_point(own_.origin, turn_with(q, before, f, link));
  }
  /// Rates of the link's rotation; returns the point before it that its own moves with.
  template <class T>
  PlanarPointOf<T> turn_with(const coordinates::CoordinateValueOf<T>& q, const PlanarLinkOf<T>& before,
                             const PlanarVectorOf<T>& f, PlanarLinkOf<T>& link) const {
    if (kind_ == Kind::kSlide) {  // (2)
      const T s = sign_ * q.position, s_dot = sign_ * q.velocity, s_ddot = sign_ * q.acceleration;
      link.w = before.w;
      link.alpha = before.alpha;
      PlanarPointOf<T> P = before.point(before_.origin + s * PlanarVectorOf<T>(before_.axis));
      P.v = P.v + s_dot * f;
      P.a = P.a + (2.0 * s_dot * before.w) * turned(f) + s_ddot * f;
      return P;
    }
    link.w = kind_ == Kind::kTurn ? before.w + sign_ * q.velocity : q.velocity;  // (1)
    link.alpha = kind_ == Kind::kTurn ? before.alpha + sign_ * q.acceleration : q.acceleration;
    return before.point(before_.origin);
  }

  Kind kind_;
  std::size_t input_;
  double sign_;  ///< −1 when the link is the first of the joint
  PlanarJointEnd before_, own_;
};

}  // namespace

std::unique_ptr<PlanarGroupSolver> make_driven_link(const PlanarGroupContext& context,
                                                    const structure::StructuralGroup& group) {
  if (group.joints.size() != 1 || group.links.size() != 1 || group.inputs.size() != 1 || group.redundant != 0)
    return nullptr;
  const model::Joint& joint = context.mechanism.joint(group.joints[0]);
  const structure::Input& input = context.structure.inputs[static_cast<std::size_t>(group.inputs[0])];
  if (!input.variable) return nullptr;
  const bool is_turn = joint.type == model::JointType::kRevolute;
  if (!is_turn && joint.type != model::JointType::kPrismatic) return nullptr;
  const bool is_second = context.structure.topology.link_of(joint.second()) == group.links[0];
  const PlanarJointEnd own = joint_end(context, group.joints[0], is_second ? 1 : 0);
  const PlanarJointEnd before = joint_end(context, group.joints[0], is_second ? 0 : 1);
  const auto number = static_cast<std::size_t>(group.inputs[0]);
  if (input.joint && *input.joint == group.joints[0])
    return std::make_unique<DrivenLink>(is_turn ? DrivenLink::Kind::kTurn : DrivenLink::Kind::kSlide, number,
                                        is_second ? 1.0 : -1.0, before, own);
  const auto* body = std::get_if<model::BodyIndex>(&input.variable->element);
  const bool is_own_angle =
      is_turn && body != nullptr && *body == context.structure.topology.links[group.links[0].slot()].front();
  if (!is_own_angle) return nullptr;
  return std::make_unique<DrivenLink>(DrivenLink::Kind::kAbsoluteTurn, number, 1.0, before, own);
}

}  // namespace eslabon::kinematics
