#include "eslabon/coordinates/layout.hpp"

#include <algorithm>
#include <array>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
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

std::vector<core::Pose<double>> poses_in_links(const model::Mechanism& mechanism,
                                               const structure::Topology& topology) {
  return structure::poses_in_links(mechanism, topology);
}

}  // namespace eslabon::coordinates
