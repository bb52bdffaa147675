#include "eslabon/recording/pages/report_structure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

namespace {

using core::counted;
using runs::Placement;
using structure::StructuralGroup;
using structure::Structure;

constexpr std::size_t kMostOnPage = 12;

std::string names_of(const std::vector<std::string>& names) {
  return names.empty() ? "none" : core::listed(names, kMostOnPage);
}

/// "−1", with a minus.
std::string whole_number(int value) {
  return (value < 0 ? "−" : "") + std::to_string(value < 0 ? -value : value);
}

/// The name of a branch for people: "'+−'", of many signs the first ones.
std::string branch_text(const std::string& name) {
  constexpr std::size_t kMostSigns = 21;  // 24 characters with quotes and what stands for the rest
  if (name.empty()) return "";
  std::string text = "'";
  for (std::size_t k = 0; k < std::min(name.size(), kMostSigns); ++k)
    text += name[k] == '-' ? "−" : std::string(1, name[k]);
  return text + (name.size() > kMostSigns ? "…'" : "'");
}

std::vector<report::Fact> facts_of(const Structure& structure, const Placement& placement) {
  std::vector<report::Fact> facts{{"Mobility by Grübler", whole_number(structure.mobility)}};
  if (const auto& rank = placement.redundancy) {
    facts.push_back({"Mobility by rank", whole_number(rank->mobility)});
    facts.push_back(
        {"Rank",
         fmt::format("{} of {} in {}", rank->rank, counted(static_cast<std::size_t>(rank->rows), "row"),
                     counted(static_cast<std::size_t>(rank->coordinates), "coordinate"))});
    if (rank->is_shaky)
      facts.push_back({"Singular", "at the start position it can move only infinitesimally"});
    else if (rank->is_singular_at_start())
      facts.push_back({"Singular", fmt::format("at the start position the rank is {}", rank->rank_at_start)});
  } else {
    facts.push_back({"Mobility by rank", placement.status == Placement::Status::kOpen
                                             ? "not known before it can be assembled"
                                             : placement.message});
  }
  facts.push_back({"Loops", std::to_string(structure.tree.num_loops())});
  std::vector<std::string> inputs;
  for (const structure::Input& input : structure.inputs)
    inputs.push_back(input.name + " (" +
                     (input.origin == structure::InputOrigin::kDriver
                          ? "driver " + input.driver
                          : std::string(structure::name(input.origin))) +
                     ")");
  facts.push_back({"Inputs", names_of(inputs)});
  facts.push_back({"Groups", std::to_string(structure.groups.size())});
  if (const auto& bars = structure.four_bar)
    facts.push_back(
        {"Four-bar", structure::can_close(bars->lengths)
                         ? fmt::format("{}, {}", structure::name(structure::classify(bars->lengths)),
                                       structure::is_grashof(bars->lengths) ? "Grashof" : "not Grashof")
                         : "cannot be assembled: one bar is longer than the other three together"});
  if (placement.status == Placement::Status::kClosed && placement.branches.empty())
    facts.push_back({"Branches", placement.branch.empty()
                                     ? "not looked for; 'eslabon info " + runs::field("branches") + "' does"
                                     : "that of the start; 'eslabon info " + runs::field("branches") +
                                           "' looks for others"});
  if (placement.status == Placement::Status::kOpen) facts.push_back({"Assembly", placement.message});
  if (!placement.start.empty()) facts.push_back({"Start", placement.start});
  if (!placement.drivers.empty()) facts.push_back({"Drivers", placement.drivers});
  return facts;
}

/// Whether a group has a sign in the name of a branch, see kinematics::branch_name.
bool has_sign(const StructuralGroup& group) {
  return group.joints.size() > group.links.size() && group.redundant == 0 && group.idle == 0;
}

/// The sign of each group in the name of a branch; "" for those without.
std::vector<std::string> signs_of(const Structure& structure, const std::string& branch) {
  std::vector<std::string> signs(structure.groups.size());
  const auto count = static_cast<std::size_t>(std::ranges::count_if(structure.groups, has_sign));
  if (count != branch.size()) return signs;
  std::size_t next = 0;
  for (std::size_t g = 0; g < signs.size(); ++g)
    if (has_sign(structure.groups[g])) signs[g] = branch[next++];
  return signs;
}

bool is_at_frame(const model::Mechanism& mechanism, const Structure& structure, model::JointIndex joint) {
  return structure.topology.link_of(mechanism.joint(joint).first()) == structure::kFrame ||
         structure.topology.link_of(mechanism.joint(joint).second()) == structure::kFrame;
}

report::Group group_of(const model::Mechanism& mechanism, const Structure& structure,
                       const StructuralGroup& group) {
  report::Group part;
  part.type = group.type;
  part.assur = group.assur;
  const auto is_driven = [&](int input) {
    return structure.inputs[static_cast<std::size_t>(input)].origin == structure::InputOrigin::kDriver;
  };
  if (part.assur == "driven link" && !std::ranges::all_of(group.inputs, is_driven)) part.assur = "input link";
  for (const model::BodyIndex body : group.bodies) part.bodies.push_back(body.value());
  for (const model::JointIndex joint : group.joints) part.joints.push_back(joint.value());
  for (const int input : group.inputs)
    part.inputs.push_back(structure.inputs[static_cast<std::size_t>(input)].name);
  if (std::ranges::any_of(group.joints,
                          [&](model::JointIndex j) { return is_at_frame(mechanism, structure, j); }))
    part.needs.push_back(-1);
  part.needs.insert(part.needs.end(), group.depends_on.begin(), group.depends_on.end());
  part.unknowns = fmt::format(
      "{} of {}",
      counted(group.links.size() * static_cast<std::size_t>(structure.topology.link_freedoms), "coordinate"),
      group.bodies.size() == 1 ? "1 body" : fmt::format("{} bodies", group.bodies.size()));
  if (group.links.size() != group.bodies.size())
    part.unknowns += fmt::format(", {} of them welded", group.bodies.size() - group.links.size());
  if (group.redundant > 0)
    part.unknowns += fmt::format(", {} redundant", counted(static_cast<std::size_t>(group.redundant), "row"));
  if (group.idle > 0)
    part.unknowns += fmt::format(", {} idle", counted(static_cast<std::size_t>(group.idle), "DOF"));
  return part;
}

/// The body of a joint whose group takes it, where the other belongs to another group or to the ground.
std::optional<int> taker(const std::vector<int>& group_of_body, const std::vector<int>& group_of_joint,
                         model::JointIndex joint, const std::array<int, 2>& bodies) {
  const int group = group_of_joint[joint.slot()];
  const auto is_in = [&](int body) { return group_of_body[static_cast<std::size_t>(body)] == group; };
  if (group < 0 || is_in(bodies[0]) == is_in(bodies[1])) return std::nullopt;
  return is_in(bodies[0]) ? bodies[0] : bodies[1];
}

std::vector<report::Edge> edges_of(const model::Mechanism& mechanism, const Structure& structure,
                                   const std::vector<int>& group_of_body) {
  std::vector<int> group_of_joint(mechanism.joints().size(), -1), inputs(mechanism.joints().size(), 0);
  for (std::size_t g = 0; g < structure.groups.size(); ++g)
    for (const model::JointIndex joint : structure.groups[g].joints)
      group_of_joint[joint.slot()] = static_cast<int>(g);
  for (const structure::Input& input : structure.inputs)
    if (input.joint) ++inputs[input.joint->slot()];
  std::vector<report::Edge> edges;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    report::Edge edge;
    edge.joint = static_cast<int>(j);
    edge.bodies = {joint.first().value(), joint.second().value()};
    edge.freedoms = model::freedoms(joint.type, mechanism.is_planar());
    edge.inputs = inputs[j];
    edge.to = taker(group_of_body, group_of_joint, model::JointIndex(edge.joint), edge.bodies);
    edges.push_back(edge);
  }
  return edges;
}

std::vector<std::string> redundant_of(const model::Mechanism& mechanism, const Structure& structure,
                                      const runs::Placement& placement) {
  if (const auto& rank = placement.redundancy) {
    std::vector<std::string> lines = kinematics::describe_redundancy(mechanism, rank->redundant);
    for (const std::string& line : kinematics::describe_redundancy(mechanism, rank->redundant_here))
      lines.push_back(line + ", at the start position only");
    return lines;
  }
  std::vector<std::string> lines;
  for (const structure::RedundantRows& rows : structure.redundant)
    lines.push_back(fmt::format(
        "joint {}: {} more than there are degrees of freedom; it moves only if its geometry allows it",
        mechanism.joint(rows.joint).name, counted(static_cast<std::size_t>(rows.count), "row")));
  for (const model::CouplingIndex coupling : structure.redundant_couplings)
    lines.push_back(fmt::format(
        "coupling {}: one more than there are degrees of freedom; it moves only if its geometry allows it",
        mechanism.coupling(coupling).name));
  return lines;
}

}  // namespace

report::StructurePart structure_part(const model::Mechanism& mechanism, const Structure& structure,
                                     const runs::Placement& placement) {
  report::StructurePart part;
  part.facts = facts_of(structure, placement);
  const std::vector<std::string> signs = signs_of(structure, placement.branch);
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    part.groups.push_back(group_of(mechanism, structure, structure.groups[g]));
    part.groups.back().branch = branch_text(signs[g]);
  }
  for (const structure::LinkIndex link : structure.topology.link_of_body)
    part.group_of_body.push_back(structure.group_of_link[link.slot()]);
  part.edges = edges_of(mechanism, structure, part.group_of_body);
  part.redundant = redundant_of(mechanism, structure, placement);
  for (const structure::IdleFreedom& idle : structure.idle)
    if (!idle.matters)
      part.idle.push_back(mechanism.body(structure.topology.links[idle.links.front().slot()].front()).name +
                          ": " + structure::direction(idle));
  for (const std::string& name : placement.branches)
    if (!name.empty()) part.branches.push_back(branch_text(name));
  if (part.branches.empty() && !placement.branch.empty())
    part.branches.push_back(branch_text(placement.branch));
  return part;
}

report::Report report_of(const model::Mechanism& mechanism, const structure::Structure& structure,
                         const Placement& placement) {
  report::Report report;
  report.title = mechanism.name();
  const std::size_t moving = mechanism.bodies().size() - 1;
  report.facts = {{"Mechanism",
                   fmt::format("{}, {} moving {}, {}", mechanism.is_planar() ? "planar" : "spatial", moving,
                               moving == 1 ? "body" : "bodies", counted(mechanism.joints().size(), "joint"))},
                  {"Mobility", std::to_string(placement.redundancy ? placement.redundancy->mobility
                                                                   : structure.mobility)}};
  if (placement.status == Placement::Status::kOpen) report.notes.push_back(placement.message);
  report.mechanism = mechanism;
  report.structure = structure_part(mechanism, structure, placement);
  return report;
}

}  // namespace eslabon::recording
