// A user's program: public headers only, no flags of its own. Builds a crank with a dyad and asks for its groups.
#include <cstdlib>
#include <iostream>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/mechanism_builder.hpp"
#include "eslabon/structure/structure.hpp"

using namespace eslabon;

int main() {
  model::MechanismBuilder builder("four-bar", model::Space::kPlanar);
  builder.add_ground_point("A", {0, 0, 0});
  builder.add_ground_point("D", {4, 0, 0});
  builder.add_body({.name = "crank", .points = {{"A", {0, 0, 0}}, {"B", {2, 0, 0}}}});
  builder.add_body({.name = "coupler", .points = {{"B", {0, 0, 0}}, {"C", {3, 0, 0}}}});
  builder.add_body({.name = "rocker", .points = {{"C", {4, 0, 0}}, {"D", {0, 0, 0}}}});
  using enum model::JointType;
  builder.add_joint({"A", kRevolute, "ground.A", "crank.A"});
  builder.add_joint({"B", kRevolute, "crank.B", "coupler.B"});
  builder.add_joint({"C", kRevolute, "coupler.C", "rocker.C"});
  builder.add_joint({"D", kRevolute, "ground.D", "rocker.D"});
  const structure::Structure structure = structure::analyse_structure(builder.build());
  for (const auto& group : structure.groups) std::cout << group.type << '\n';
  if (structure.groups.size() != 2 || structure.groups[1].type != "3R") return EXIT_FAILURE;

  try {
    builder.add_joint({"A", kRevolute, "ground.A", "coupler.B"});
    (void)builder.build();
  } catch (const core::ModelError& error) {
    std::cout << error.what() << '\n';
    return EXIT_SUCCESS;
  }
  return EXIT_FAILURE;
}
