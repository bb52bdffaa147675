#include "eslabon/structure/input.hpp"

#include <algorithm>
#include <array>
#include <variant>

namespace eslabon::structure {

namespace {

using model::Joint;
using model::JointIndex;
using model::JointType;

/// Inputs that fix, one by one, the freedoms that a joint leaves.
void append_joint_inputs(const model::Mechanism& mechanism, const Topology& topology, const Edge& edge,
                         std::vector<Input>& inputs) {
  const Joint& joint = mechanism.joint(edge.joint);
  const int scalars = model::coordinate_count(joint.type, topology.is_planar);
  for (int component = 0; component < scalars; ++component) {
    const model::Variable variable{model::VariableKind::kJointPosition, edge.joint, component};
    inputs.push_back(input_of(mechanism, topology, variable, InputOrigin::kPicked));
  }
  if (scalars > 0 || joint.type == JointType::kRod) return;
  for (int component = 0; component < edge.freedoms; ++component) {
    const int translations = edge.freedoms == 3 && !topology.is_planar ? 0 : topology.is_planar ? 2 : 3;
    const bool turns = component >= translations;
    const int number = turns ? component - translations + 1 : component + 1;
    inputs.push_back({InputOrigin::kPicked,
                      joint.name + (turns ? ".rotation_" : ".translation_") + std::to_string(number),
                      {},
                      {},
                      edge.joint,
                      edge.first,
                      edge.second});
  }
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

std::vector<Input> candidate_inputs(const model::Mechanism& mechanism, const Topology& topology) {
  std::vector<const Edge*> edges;
  for (const Edge& edge : topology.edges) edges.push_back(&edge);
  const auto rank = [&](const Edge* edge) {
    if (mechanism.joint(edge->joint).type == JointType::kFree) return 2;
    return edge->first == kFrame || edge->second == kFrame ? 0 : 1;
  };
  std::ranges::stable_sort(edges, {}, rank);
  std::vector<Input> inputs;
  for (const Edge* edge : edges) append_joint_inputs(mechanism, topology, *edge, inputs);
  return inputs;
}

}  // namespace eslabon::structure
