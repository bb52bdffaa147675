#include <array>
#include <utility>

#include "eslabon/kinematics/group_solver.hpp"

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

DyadJoints dyad_joints(const PlanarGroupContext& context, const structure::StructuralGroup& group) {
  const auto side_of = [&](model::BodyIndex body) {
    const structure::LinkIndex link = context.structure.topology.link_of(body);
    return link == group.links[0] ? 0 : link == group.links[1] ? 1 : -1;
  };
  DyadJoints dyad;
  bool is_revolute[2]{false, false};
  for (const model::JointIndex index : group.joints) {
    const model::Joint& joint = context.mechanism.joint(index);
    const int first = side_of(joint.first()), second = side_of(joint.second());
    if (first >= 0 && second >= 0) {
      dyad.inside[first] = joint_end(context, index, 0);
      dyad.inside[second] = joint_end(context, index, 1);
      continue;
    }
    const int end = first >= 0 ? 0 : 1;
    const int side = first >= 0 ? first : second;
    is_revolute[side] = joint.type == model::JointType::kRevolute;
    dyad.own[side] = joint_end(context, index, end);
    dyad.other[side] = joint_end(context, index, 1 - end);
  }
  if (!is_revolute[0] && is_revolute[1])
    for (auto* ends : {dyad.other, dyad.own, dyad.inside}) std::swap(ends[0], ends[1]);
  return dyad;
}

std::unique_ptr<PlanarGroupSolver> make_closed_form(const PlanarGroupContext& context,
                                                    const structure::StructuralGroup& group) {
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
