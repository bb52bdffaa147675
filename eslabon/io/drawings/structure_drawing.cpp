#include "eslabon/io/drawings/structure_drawing.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "eslabon/io/drawings/arc_diagram.hpp"

namespace eslabon::io {

namespace {

using structure::Edge;
using structure::kFrame;
using structure::LinkIndex;
using structure::StructuralGroup;
using structure::Structure;

std::string link_name(const model::Mechanism& mechanism, const Structure& structure, LinkIndex link) {
  std::string name;
  for (const model::BodyIndex body : structure.topology.links[link.slot()])
    name += (name.empty() ? "" : "+") + mechanism.body(body).name;
  return name;
}

/// Inputs of each joint; those of points and bodies count for the pair (link, ground) and are drawn apart.
std::map<int, int> inputs_of_joints(const Structure& structure) {
  std::map<int, int> counts;
  for (const structure::Input& input : structure.inputs)
    if (input.joint) ++counts[input.joint->value()];
  return counts;
}

/// Where each link stands: the order of solving.
std::vector<int> positions(const Structure& structure) {
  std::vector<int> position(structure.topology.links.size(), -1);
  int next = 0;
  for (const StructuralGroup& group : structure.groups)
    for (const LinkIndex link : group.links) position[link.slot()] = next++;
  return position;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string group_label(const StructuralGroup& group) {
  return group.type + (group.assur.empty() ? "" : "  ·  " + group.assur);
}

void add_stem(ArcDiagram::Node& node, int lines, int thick, const std::string& label) {
  node.lines_to_base += lines;
  node.thick_to_base += thick;
  node.stem_label += (node.stem_label.empty() ? "" : ", ") + label;
  node.has_arrow = true;
}

}  // namespace

std::string structural_graph_svg(const model::Mechanism& mechanism, const Structure& structure) {
  ArcDiagram diagram;
  diagram.title = mechanism.name() + ": structural graph";
  diagram.caption =
      "One line per joint DOF; thick and red: input. The arrow points to the later link in "
      "solving order, which takes the joint.";
  diagram.base_label = link_name(mechanism, structure, kFrame);
  const std::vector<int> position = positions(structure);
  for (const StructuralGroup& group : structure.groups) {
    const int first = static_cast<int>(diagram.nodes.size());
    for (const LinkIndex link : group.links) {
      const std::string name = link_name(mechanism, structure, link);
      diagram.nodes.push_back({name, name, 0, 0, {}, false});
    }
    diagram.boxes.push_back({first, static_cast<int>(diagram.nodes.size()) - 1, group.type});
  }
  const auto inputs = inputs_of_joints(structure);
  for (const Edge& edge : structure.topology.edges) {
    const std::string& name = mechanism.joint(edge.joint).name;
    const auto found = inputs.find(edge.joint.value());
    const int thick = found == inputs.end() ? 0 : found->second;
    int from = position[edge.first.slot()];
    int to = position[edge.second.slot()];
    if (from > to) std::swap(from, to);
    if (to < 0 || from == to) continue;
    if (from < 0)
      add_stem(diagram.nodes[static_cast<std::size_t>(to)], edge.freedoms, thick, name);
    else
      diagram.arcs.push_back({from, to, edge.freedoms, thick, name, true});
  }
  for (const structure::Input& input : structure.inputs)
    if (!input.joint)
      add_stem(diagram.nodes[static_cast<std::size_t>(position[input.second.slot()])], 1, 1, input.name);
  return write_svg(diagram);
}

std::string structural_graph_dot(const model::Mechanism& mechanism, const Structure& structure) {
  std::string dot =
      fmt::format("graph {} {{\n  rankdir=LR;\n  node [shape=circle];\n", quoted(mechanism.name()));
  dot += fmt::format("  l0 [label={}, shape=box, style=filled, fillcolor=gray85];\n",
                     quoted(link_name(mechanism, structure, kFrame)));
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    const StructuralGroup& group = structure.groups[g];
    dot += fmt::format("  subgraph cluster_{} {{\n    label={};\n    style=dashed;\n", g + 1,
                       quoted(group.type));
    for (const LinkIndex link : group.links)
      dot +=
          fmt::format("    l{} [label={}];\n", link.value(), quoted(link_name(mechanism, structure, link)));
    dot += "  }\n";
  }
  const auto inputs = inputs_of_joints(structure);
  for (const Edge& edge : structure.topology.edges) {
    const auto found = inputs.find(edge.joint.value());
    const int thick = found == inputs.end() ? 0 : found->second;
    for (int line = 0; line < edge.freedoms; ++line)
      dot += fmt::format("  l{} -- l{} [label={}{}];\n", edge.first.value(), edge.second.value(),
                         quoted(line == 0 ? mechanism.joint(edge.joint).name : ""),
                         line < thick ? ", penwidth=4" : "");
  }
  for (const structure::Input& input : structure.inputs)
    if (!input.joint)
      dot += fmt::format("  l0 -- l{} [label={}, penwidth=4];\n", input.second.value(), quoted(input.name));
  return dot + "}\n";
}

std::string structural_diagram_svg(const model::Mechanism& mechanism, const Structure& structure) {
  ArcDiagram diagram;
  diagram.title = mechanism.name() + ": structural diagram";
  diagram.caption =
      "One circle per group: (links, inputs). An arrow leads to a group from each one it needs; left is "
      "solved first.";
  diagram.base_label = "0 · ground";
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    const StructuralGroup& group = structure.groups[g];
    diagram.nodes.push_back({fmt::format("({}, {})", group.links.size(), group.inputs.size()),
                             group_label(group),
                             0,
                             0,
                             {},
                             false});
    diagram.boxes.push_back({static_cast<int>(g), static_cast<int>(g), group.type});
    for (const int needed : group.depends_on)
      diagram.arcs.push_back({needed, static_cast<int>(g), 1, 0, {}, true});
    for (const model::JointIndex joint : group.joints) {
      const bool is_at_frame = structure.topology.link_of(mechanism.joint(joint).first()) == kFrame ||
                               structure.topology.link_of(mechanism.joint(joint).second()) == kFrame;
      if (is_at_frame) add_stem(diagram.nodes.back(), 1, 0, mechanism.joint(joint).name);
    }
  }
  return write_svg(diagram);
}

std::string structural_diagram_dot(const model::Mechanism& mechanism, const Structure& structure) {
  std::string dot = fmt::format("digraph {} {{\n  rankdir=LR;\n  node [shape=circle];\n  g0 [label=\"0\"];\n",
                                quoted(mechanism.name()));
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    const StructuralGroup& group = structure.groups[g];
    dot += fmt::format("  g{} [label=\"{}\\n({}, {})\"];\n", g + 1, group.type, group.links.size(),
                       group.inputs.size());
    for (const int needed : group.depends_on) dot += fmt::format("  g{} -> g{};\n", needed + 1, g + 1);
    for (const model::JointIndex joint : group.joints) {
      const bool is_at_frame = structure.topology.link_of(mechanism.joint(joint).first()) == kFrame ||
                               structure.topology.link_of(mechanism.joint(joint).second()) == kFrame;
      if (is_at_frame)
        dot += fmt::format("  g0 -> g{} [label={}];\n", g + 1, quoted(mechanism.joint(joint).name));
    }
  }
  return dot + "}\n";
}

}  // namespace eslabon::io
