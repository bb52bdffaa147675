#pragma once

#include <string>
#include <utility>
#include <vector>

#include "eslabon/model/mechanism_builder.hpp"

/// Mechanisms for tests, made from a list of joints alone: bodies are massless, every joint has points of its
/// own.
namespace eslabon::test {

struct GraphJoint {
  std::string name;
  model::JointType type;
  std::string first;
  std::string second;
};

/// The joint's point on each body: P_NAME, somewhere without convenient zeros.
inline model::Mechanism mechanism_of(const std::vector<GraphJoint>& joints, model::Space space,
                                     const std::vector<std::string>& driven = {},
                                     const std::vector<std::string>& inputs = {}) {
  model::MechanismBuilder builder("graph", space);
  std::vector<std::pair<std::string, std::vector<model::NamedPoint>>> bodies;
  const auto add_point = [&](const std::string& body, const std::string& joint, double seed) {
    const Eigen::Vector3d p(0.3 + 0.7 * seed, 1.1 - 0.4 * seed,
                            space == model::Space::kPlanar ? 0.0 : 0.2 + 0.5 * seed + 0.11 * seed * seed);
    if (body == "ground") return builder.add_ground_point("P_" + joint, p);
    for (auto& [name, points] : bodies)
      if (name == body) {
        points.push_back({"P_" + joint, p});
        return;
      }
    bodies.push_back({body, {{"P_" + joint, p}}});
  };
  double seed = 0.0;
  for (const GraphJoint& joint : joints) {
    add_point(joint.first, joint.name, seed += 0.37);
    add_point(joint.second, joint.name, seed += 0.41);
  }
  for (auto& [name, points] : bodies) builder.add_body({.name = name, .points = points});
  for (const GraphJoint& joint : joints) {
    model::JointDescription description{joint.name, joint.type, joint.first + ".P_" + joint.name,
                                        joint.second + ".P_" + joint.name};
    if (joint.type == model::JointType::kRod) description.length = 1.7;
    const model::AxisUse use = model::facts(joint.type).axis_use;
    if (space == model::Space::kPlanar) {
      if (use == model::AxisUse::kSlide) description.axis = model::AxisPair{{0.6, 0.8, 0.0}, {0.6, 0.8, 0.0}};
    } else if (use == model::AxisUse::kCross) {
      description.axis = model::AxisPair{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    } else if (use != model::AxisUse::kNone) {
      description.axis = model::AxisPair{{0.1, 0.2, 0.9}, {0.1, 0.2, 0.9}};
    }
    builder.add_joint(description);
  }
  for (const std::string& target : driven)
    builder.add_driver({"drive_" + target, target + ".q", model::DriverLevel::kSpeed, 1.0});
  for (const std::string& input : inputs) builder.add_input(input);
  return builder.build();
}

}  // namespace eslabon::test
