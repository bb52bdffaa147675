#include <array>

#include "eslabon/kinematics/groups/group_solver.hpp"

namespace eslabon::kinematics {

namespace {

template <class Link>
struct Entry {
  std::string_view name;  ///< StructuralGroup::assur in the plane, StructuralGroup::type in space
  GroupMaker<Link> make;
};

// A new type of group is one file and one line here.
constexpr std::array<Entry<PlanarLink>, 6> kPlanar{{
    {"driven link", &make_driven_link},
    {"dyad RRR", &make_dyad_rrr},
    {"dyad RRP", &make_dyad_rrp},
    {"dyad RPR", &make_dyad_rpr},
    {"dyad PRP", &make_dyad_prp},
    {"dyad RPP", &make_dyad_rpp},
}};
constexpr std::array<Entry<SpatialLink>, 7> kSpatial{{
    {"1R", &make_spatial_driven_link},
    {"1P", &make_spatial_driven_link},
    {"1C1E1R", &make_hinged_dyad},
    {"1C1E1P", &make_hinged_dyad},
    {"2E1R", &make_hinged_dyad},
    {"2E1P", &make_hinged_dyad},
    {"3R", &make_spherical_dyad},
}};

PlanarVector planar(const Eigen::Vector3d& v) { return {v.x(), v.y()}; }

template <class Link>
SpatialJointEnd spatial_end(const GroupContext<Link>& context, model::JointIndex joint, int end) {
  const model::JointEnd& e = context.mechanism.joint(joint).ends[static_cast<std::size_t>(end)];
  const core::Pose<double> X_LF = context.tree.X_LB(e.body) * e.X_BF;
  return {static_cast<std::size_t>(context.tree.link_of(e.body)), X_LF.p_AB_A, X_LF.R_AB.matrix()};
}

}  // namespace

bool is_prescribed(const structure::Structure& structure, std::span<const coordinates::Prescribed> prescribed,
                   int input) {
  const auto i = static_cast<std::size_t>(input);
  if (i >= prescribed.size()) return false;
  const auto* variable = std::get_if<model::Variable>(&prescribed[i].what);
  return variable != nullptr && structure.inputs[i].variable == *variable;
}

SpatialJointEnd joint_end(const SpatialGroupContext& context, model::JointIndex joint, int end) {
  return spatial_end(context, joint, end);
}

PlanarJointEnd joint_end(const PlanarGroupContext& context, model::JointIndex joint, int end) {
  const SpatialJointEnd e = spatial_end(context, joint, end);
  return {e.link, planar(e.origin), planar(e.axes.col(0))};
}

std::optional<DyadPlan> dyad_plan(const model::Mechanism& mechanism, const structure::Structure& structure,
                                  const structure::StructuralGroup& group) {
  if (group.links.size() != 2 || group.joints.size() != 3) return std::nullopt;
  DyadPlan plan;
  int num_inner = 0, num_outer[2]{0, 0};
  for (const model::JointIndex index : group.joints) {
    int side[2];
    for (std::size_t end = 0; end < 2; ++end) {
      const structure::LinkIndex link = structure.topology.link_of(mechanism.joint(index).ends[end].body);
      side[end] = link == group.links[0] ? 0 : link == group.links[1] ? 1 : -1;
    }
    if (side[0] >= 0 && side[1] >= 0) {
      ++num_inner;
      plan.inner = index;
      plan.inner_end[side[0]] = 0;
      plan.inner_end[side[1]] = 1;
    } else {
      const int end = side[0] >= 0 ? 0 : 1;
      ++num_outer[side[end]];
      plan.outer[side[end]] = index;
      plan.outer_end[side[end]] = end;
    }
  }
  if (num_inner != 1 || num_outer[0] != 1 || num_outer[1] != 1) return std::nullopt;
  return plan;
}

DyadJoints dyad_joints(const PlanarGroupContext& context, const structure::StructuralGroup& group) {
  const DyadPlan plan = *dyad_plan(context.mechanism, context.structure, group);
  const auto is_revolute = [&](int side) {
    return context.mechanism.joint(plan.outer[side]).type == model::JointType::kRevolute;
  };
  const int first = !is_revolute(0) && is_revolute(1) ? 1 : 0;
  DyadJoints dyad;
  for (const int place : {0, 1}) {
    const int side = place == 0 ? first : 1 - first;
    dyad.own[place] = joint_end(context, plan.outer[side], plan.outer_end[side]);
    dyad.other[place] = joint_end(context, plan.outer[side], 1 - plan.outer_end[side]);
    dyad.inside[place] = joint_end(context, plan.inner, plan.inner_end[side]);
  }
  return dyad;
}

std::unique_ptr<PlanarGroupSolver> make_closed_form(const PlanarGroupContext& context,
                                                    const structure::StructuralGroup& group) {
  if (!group.couplings.empty()) return nullptr;
  const bool is_driven_link = group.links.size() == 1 && group.joints.size() == 1;
  for (const Entry<PlanarLink>& entry : kPlanar) {
    const bool fits = group.assur == entry.name || (is_driven_link && entry.name == "driven link");
    if (fits && group.redundant == 0 && (is_driven_link || group.inputs.empty()))
      return entry.make(context, group);
  }
  return nullptr;
}

std::unique_ptr<SpatialGroupSolver> make_closed_form(const SpatialGroupContext& context,
                                                     const structure::StructuralGroup& group) {
  for (const Entry<SpatialLink>& entry : kSpatial)
    if (group.type == entry.name) return entry.make(context, group);
  return nullptr;
}

}  // namespace eslabon::kinematics
