#include "eslabon/kinematics/group_kinematics.hpp"

#include "eslabon/core/error.hpp"
#include "eslabon/kinematics/general_group.hpp"

namespace eslabon::kinematics {

GroupKinematics::GroupKinematics(const DrivenMechanism& driven)
    : driven_(driven), tree_(driven.mechanism(), driven.structure()) {
  const structure::Structure& structure = driven.structure();
  const auto refuse = [&](const std::string& where, const std::string& actual) {
    throw core::ModelError({.what = "the method 'groups' cannot solve this mechanism",
                            .where = where,
                            .expected = "a planar mechanism, every group of it with a solver",
                            .actual = actual,
                            .next = "The methods 'sparse' and 'global' can."});
  };
  if (!driven.mechanism().is_planar())
    refuse("mechanism '" + driven.mechanism().name() + "'", "a spatial mechanism");
  for (const auto& bodies : structure.topology.links)
    start_.push_back(PlanarLink::from_body_motion(driven.start()[bodies.front().slot()]));
  const GroupContext context{driven.mechanism(), structure, tree_, start_};
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    const structure::StructuralGroup& group = structure.groups[g];
    groups_.push_back(make_planar_group(context, group));
    is_closed_form_.push_back(groups_.back() != nullptr);
    if (!groups_.back()) groups_.back() = make_general_planar_group(context, group);
    if (!groups_.back())
      refuse("group " + std::to_string(g + 1) + " (" + group.type + ")",
             "a group with an input that is no variable");
  }
}

void GroupKinematics::write_bodies(std::span<const PlanarLink> links,
                                   coordinates::MechanismMotion& out) const {
  for (std::size_t b = 1; b < out.size(); ++b) {
    const model::BodyIndex body(static_cast<int>(b));
    PlanarLink link = links[static_cast<std::size_t>(tree_.link_of(body))];
    const core::Pose<double>& X_LB = tree_.X_LB(body);
    const PlanarPoint origin = link.point({X_LB.p_AB_A.x(), X_LB.p_AB_A.y()});
    link.p = origin.p;
    link.v = origin.v;
    link.a = origin.a;
    link.u = product(link.u, {X_LB.R_AB.matrix()(0, 0), X_LB.R_AB.matrix()(1, 0)});
    out[b] = link.to_body_motion();
  }
}

}  // namespace eslabon::kinematics
