#include "eslabon/structure/input.hpp"

#include <algorithm>
#include <array>
#include <variant>

namespace eslabon::structure {

namespace {

using model::Joint;
using model::JointIndex;
using model::JointType;

/// A freedom of a joint that has no scalar coordinate for it.
Input unnamed_input(const model::Mechanism& mechanism, const Edge& edge, std::string_view word, int number) {
  return {InputOrigin::kPicked,
          mechanism.joint(edge.joint).name + "." + std::string(word) + "_" + std::to_string(number),
          {},
          {},
          edge.joint,
          edge.first,
          edge.second};
}

/// Inputs that fix, one by one, the freedoms that a joint leaves.
void append_joint_inputs(const model::Mechanism& mechanism, const Topology& topology, const Edge& edge,
                         std::vector<Input>& inputs) {
  const JointType type = mechanism.joint(edge.joint).type;
  for (int component = 0; component < model::coordinate_count(type); ++component) {
    // A place on a curve begins again after each round: it moves, but does not say where a mechanism is.
    if (model::facts(type).coordinates[static_cast<std::size_t>(component)].is_place) continue;
    const model::Variable variable{model::VariableKind::kJointPosition, edge.joint, component};
    inputs.push_back(input_of(mechanism, topology, variable, InputOrigin::kPicked));
  }
  if (model::turns_freely(type))
    for (int number = 1; number <= 3; ++number)
      inputs.push_back(unnamed_input(mechanism, edge, "rotation", number));
}

/// Inputs that fix a link without the help of a joint: in the plane a point and the angle; in space three coordinates
/// of a first point, two of a second, one of a third; what points do not give are rotations without a name.
void append_link_inputs(const model::Mechanism& mechanism, const Topology& topology, LinkIndex link,
                        const Edge& edge, std::vector<Input>& inputs) {
  const model::BodyIndex body = topology.links[link.slot()].front();
  const int points = static_cast<int>(mechanism.body(body).points.size());
  const auto append = [&](const model::Variable& variable) {
    inputs.push_back(input_of(mechanism, topology, variable, InputOrigin::kPicked));
  };
  const bool shifts = model::is_shifting(mechanism.joint(edge.joint).type);  // then one point fixes it
  int missing = shifts ? edge.freedoms : topology.link_freedoms;
  const auto append_point = [&](int point, int components) {
    if (point >= points) return;
    for (int component = 0; component < components; ++component, --missing)
      append(
          {model::VariableKind::kPointPosition, model::PointRef{body, model::PointIndex(point)}, component});
  };
  if (shifts) {
    append_point(0, edge.freedoms);
  } else if (topology.is_planar) {
    append_point(0, 2);
    append({model::VariableKind::kBodyAngle, body, 0});
    --missing;
  } else {
    for (int point = 0; point < 3; ++point) append_point(point, 3 - point);
  }
  for (int number = 1; number <= missing; ++number)
    inputs.push_back(unnamed_input(mechanism, edge, "freedom", number));
}

}  // namespace

std::string_view name(InputOrigin origin) {
  static constexpr std::array<std::string_view, 3> kNames{"driver", "chosen", "picked"};
  return kNames[static_cast<std::size_t>(origin)];
}

Input input_of(const model::Mechanism& mechanism, const Topology& topology, const model::Variable& variable,
               InputOrigin origin) {
  Input input{origin, model::name(mechanism, variable), {}, variable, {}, kFrame, kFrame};
  if (const auto* joint = std::get_if<JointIndex>(&variable.element)) {
    input.joint = *joint;
    input.first = topology.link_of(mechanism.joint(*joint).first());
    input.second = topology.link_of(mechanism.joint(*joint).second());
  } else if (const auto* point = std::get_if<model::PointRef>(&variable.element)) {
    input.second = topology.link_of(point->body);
  } else {
    input.second = topology.link_of(std::get<model::BodyIndex>(variable.element));
  }
  return input;
}

std::vector<Input> candidate_inputs(const model::Mechanism& mechanism, const Topology& topology,
                                    const SpanningTree& tree) {
  const auto at_frame = [](const Edge& edge) { return edge.first == kFrame || edge.second == kFrame; };
  std::vector<Input> inputs;
  for (const bool is_first_round : {true, false})
    for (const Edge& edge : topology.edges)
      if (at_frame(edge) == is_first_round) append_joint_inputs(mechanism, topology, edge, inputs);
  std::vector<const Edge*> edge_of_joint(mechanism.joints().size(), nullptr);
  for (const Edge& edge : topology.edges) edge_of_joint[edge.joint.slot()] = &edge;
  for (const LinkIndex link : tree.order) {
    const auto joint = tree.joint_to_parent[link.slot()];
    if (!joint) continue;
    const JointType type = mechanism.joint(*joint).type;
    if (model::is_floating(type) || model::is_shifting(type))
      append_link_inputs(mechanism, topology, link, *edge_of_joint[joint->slot()], inputs);
  }
  return inputs;
}

}  // namespace eslabon::structure
