#include "eslabon/structure/structural_group.hpp"

#include <algorithm>
#include <array>

namespace eslabon::structure {

namespace {

using model::JointType;

/// The group that a joint goes with: the later of its two links' groups; −1 when both links are the frame.
int group_of_edge(const Edge& edge, const LinkPartition& partition) {
  return std::max(partition.part_of_link[edge.first.slot()], partition.part_of_link[edge.second.slot()]);
}

char letter(const model::Mechanism& mechanism, model::JointIndex joint) {
  return model::facts(mechanism.joint(joint).type).letter;
}

/// Pairs, and couplings as G, counted by letter in alphabetical order: 2C3E1R, 1G1R.
std::string type_name(const model::Mechanism& mechanism, const StructuralGroup& group) {
  std::array<int, 26> counts{};  // of the letters A … Z
  counts['G' - 'A'] = static_cast<int>(group.couplings.size());
  for (const model::JointIndex joint : group.joints) {
    const JointType type = mechanism.joint(joint).type;
    if (type == JointType::kFree || type == JointType::kFixed) continue;
    ++counts[static_cast<std::size_t>(letter(mechanism, joint) - 'A')];
  }
  std::string type;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) type += std::to_string(counts[i]) + static_cast<char>('A' + i);
  return type.empty() ? "free" : type;
}

/// The pairs of a two-link group read from one outer joint over the inner one to the other: RRR, RRP, RPR,
/// PRP, RPP.
std::string dyad_name(const model::Mechanism& mechanism, const Topology& topology,
                      const StructuralGroup& group) {
  std::string outer;
  std::string inner;
  for (const model::JointIndex joint : group.joints) {
    const LinkIndex first = topology.link_of(mechanism.joint(joint).first());
    const LinkIndex second = topology.link_of(mechanism.joint(joint).second());
    const bool is_inner =
        std::ranges::count(group.links, first) + std::ranges::count(group.links, second) == 2;
    (is_inner ? inner : outer) += letter(mechanism, joint);
  }
  if (inner.size() != 1 || outer.size() != 2) return {};
  std::string forward{outer[0], inner[0], outer[1]};
  std::string backward{outer[1], inner[0], outer[0]};
  return "dyad " + std::max(forward, backward);  // PRR and RRP are one dyad; the second is the usual name
}

/// Classic name of a planar group of revolute and prismatic pairs. Assur's own groups have no input inside; a
/// group of four links is a triad when one link carries the three others, a tetrad when the four form a
/// contour.
std::string assur_name(const model::Mechanism& mechanism, const Topology& topology,
                       const StructuralGroup& group) {
  const auto is_lower_pair = [&](model::JointIndex joint) {
    const JointType type = mechanism.joint(joint).type;
    return type == JointType::kRevolute || type == JointType::kPrismatic;
  };
  if (!topology.is_planar || group.redundant > 0 || !group.couplings.empty() ||
      !std::ranges::all_of(group.joints, is_lower_pair))
    return {};
  if (group.links.size() == 1 && group.joints.size() == 1 && group.inputs.size() == 1) return "driven link";
  if (!group.inputs.empty()) return {};
  if (group.links.size() == 2) return dyad_name(mechanism, topology, group);
  if (group.links.size() != 4) return "Assur group of " + std::to_string(group.links.size()) + " links";
  const auto inner = std::ranges::count_if(group.joints, [&](model::JointIndex joint) {
    return std::ranges::count(group.links, topology.link_of(mechanism.joint(joint).first())) > 0 &&
           std::ranges::count(group.links, topology.link_of(mechanism.joint(joint).second())) > 0;
  });
  return inner == 3 ? "triad" : "tetrad";
}

void number_rows(const RowAssignment& assignment, const LinkPartition& partition,
                 std::vector<StructuralGroup>& groups) {
  for (const RowAssignment::Row& row : assignment.rows()) {
    const int owner = partition.part_of_link[row.owner.slot()];
    StructuralGroup& group = groups[static_cast<std::size_t>(owner)];
    const RowSource source = RowSource::decode(row.source);
    if (source.kind == RowSource::Kind::kInput) group.inputs.push_back(source.index);
    if (source.kind == RowSource::Kind::kIdle) ++group.idle;
    assignment.for_each_other(row, [&](LinkIndex other) {
      const int needed = partition.part_of_link[other.slot()];
      if (needed >= 0 && needed != owner) group.depends_on.push_back(needed);
      return true;
    });
  }
  for (StructuralGroup& group : groups) {
    std::ranges::sort(group.inputs);
    std::ranges::sort(group.depends_on);
    group.depends_on.erase(std::unique(group.depends_on.begin(), group.depends_on.end()),
                           group.depends_on.end());
  }
}

}  // namespace

std::vector<StructuralGroup> make_groups(const model::Mechanism& mechanism, const Topology& topology,
                                         const RowAssignment& assignment, const LinkPartition& partition,
                                         const std::vector<int>& redundant,
                                         const std::vector<model::CouplingIndex>& redundant_couplings) {
  std::vector<StructuralGroup> groups(partition.parts.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].links = partition.parts[g];
    for (const LinkIndex link : groups[g].links)
      groups[g].bodies.insert(groups[g].bodies.end(), topology.links[link.slot()].begin(),
                              topology.links[link.slot()].end());
    std::ranges::sort(groups[g].bodies);
  }
  for (std::size_t e = 0; e < topology.edges.size(); ++e) {
    const int g = group_of_edge(topology.edges[e], partition);
    if (g < 0) continue;
    groups[static_cast<std::size_t>(g)].joints.push_back(topology.edges[e].joint);
    groups[static_cast<std::size_t>(g)].redundant += redundant[e];
  }
  for (std::size_t c = 0; c < mechanism.couplings().size(); ++c) {
    int g = -1;  // the latest group that it moves
    for (const LinkIndex link : links_of_coupling(mechanism, topology, mechanism.couplings()[c]))
      g = std::max(g, partition.part_of_link[link.slot()]);
    if (g < 0) continue;
    const model::CouplingIndex index(static_cast<int>(c));
    StructuralGroup& group = groups[static_cast<std::size_t>(g)];
    group.couplings.push_back(index);
    if (std::ranges::find(redundant_couplings, index) != redundant_couplings.end()) ++group.redundant;
  }
  number_rows(assignment, partition, groups);
  for (StructuralGroup& group : groups) {
    group.type = type_name(mechanism, group);
    group.assur = assur_name(mechanism, topology, group);
  }
  return groups;
}

}  // namespace eslabon::structure
