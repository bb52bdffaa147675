#include "eslabon/coordinates/layout.hpp"

#include <algorithm>
#include <array>

#include "eslabon/core/error.hpp"
#include "eslabon/core/nearest_name.hpp"
#include "eslabon/structure/link_pose.hpp"

namespace eslabon::coordinates {

namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Layout> (*make)(const model::Mechanism&, const structure::Structure&);
};

// A new kind of coordinates is one file and one line here.
constexpr std::array kEntries{
    Entry{"natural", &make_natural_layout},
    Entry{"reference-point", &make_reference_point_layout},
    Entry{"relative", &make_relative_layout},
};

}  // namespace

std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Layout> make_layout(std::string_view name, const model::Mechanism& mechanism,
                                    const structure::Structure& structure) {
  for (const Entry& entry : kEntries)
    if (entry.name == name) return entry.make(mechanism, structure);
  throw core::ModelError({.what = "unknown kind of coordinates",
                          .where = "",
                          .expected = "one of " + core::quoted_list(layout_names()),
                          .actual = "'" + std::string(name) + "'",
                          .next = "All kinds give the same motion."});
}

std::vector<model::JointIndex> joints_in_tree_order(const structure::Structure& structure) {
  std::vector<model::JointIndex> joints;
  for (const structure::LinkIndex link : structure.tree.order)
    if (const auto joint = structure.tree.joint_to_parent[link.slot()]) joints.push_back(*joint);
  for (const structure::Loop& loop : structure.tree.loops) joints.push_back(loop.closing_joint);
  return joints;
}

double length_scale(const model::Mechanism& mechanism) {
  // The spread of what a body carries, from its first joint on; where its own origin lies does not matter.
  std::vector<std::optional<Eigen::Vector3d>> first(mechanism.bodies().size());
  double of_bodies = 0.0, of_ground = 0.0;
  const auto see = [&](model::BodyIndex body, const Eigen::Vector3d& p_BP_B) {
    if (!first[body.slot()]) first[body.slot()] = p_BP_B;
    double& scale = body == model::kGround ? of_ground : of_bodies;
    scale = std::max(scale, (p_BP_B - *first[body.slot()]).norm());
  };
  for (const model::Joint& joint : mechanism.joints())
    for (const model::JointEnd& end : joint.ends) see(end.body, end.X_BF.p_AB_A);
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    for (const model::NamedPoint& point : mechanism.bodies()[b].points)
      see(model::BodyIndex(static_cast<int>(b)), point.p_BP_B);
  return of_bodies > 0.0 ? of_bodies : of_ground > 0.0 ? of_ground : 1.0;
}

std::vector<core::Pose<double>> poses_in_links(const model::Mechanism& mechanism,
                                               const structure::Topology& topology) {
  return structure::poses_in_links(mechanism, topology);
}

}  // namespace eslabon::coordinates
