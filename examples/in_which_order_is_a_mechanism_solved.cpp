// Question: in which order can a six-bar be solved, and with which coordinate as its input?
// Shows:    build a mechanism in C++, analyse its structure, read the groups.
// Output:   checked by the test `example.in_which_order_is_a_mechanism_solved`.

#include <iostream>

#include "eslabon/model/mechanism_builder.hpp"
#include "eslabon/structure/structure.hpp"

using namespace eslabon;

namespace {

/// A bar along its own x axis with a point at each end.
void add_bar(model::MechanismBuilder& builder, const std::string& name, double length) {
  builder.add_body({.name = name,
                    .mass = 2.0 * length,
                    .shape = model::Bar{"start", "end"},
                    .points = {{"start", {0, 0, 0}}, {"end", {length, 0, 0}}}});
}

}  // namespace

int main() {
  model::MechanismBuilder builder("Watt six-bar", model::Space::kPlanar);
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  builder.add_ground_point("D", {0.5, 0.1, 0.0});
  builder.add_ground_point("G", {1.1, 0.0, 0.0});
  add_bar(builder, "crank", 0.15);
  add_bar(builder, "coupler", 0.45);
  add_bar(builder, "rocker", 0.40);
  add_bar(builder, "connecting_rod", 0.55);
  add_bar(builder, "output", 0.35);

  using enum model::JointType;
  builder.add_joint({"A", kRevolute, "ground.A", "crank.start"});
  builder.add_joint({"B", kRevolute, "crank.end", "coupler.start"});
  builder.add_joint({"C", kRevolute, "coupler.end", "rocker.end"});
  builder.add_joint({"D", kRevolute, "ground.D", "rocker.start"});
  builder.add_joint({"E", kRevolute, "rocker.end", "connecting_rod.start"});
  builder.add_joint({"F", kRevolute, "connecting_rod.end", "output.end"});
  builder.add_joint({"G", kRevolute, "ground.G", "output.start"});
  const model::Mechanism sixbar = builder.build();

  const structure::Structure structure = structure::analyse_structure(sixbar);
  std::cout << sixbar.name() << ": mobility " << structure.mobility << ", " << structure.tree.num_loops()
            << " loops\n";
  for (const structure::Input& input : structure.inputs)
    std::cout << "input " << input.name << ", " << structure::name(input.origin) << "\n";
  for (const structure::StructuralGroup& group : structure.groups) {
    std::cout << group.type << " (" << group.assur << "):";
    for (const model::BodyIndex body : group.bodies) std::cout << " " << sixbar.body(body).name;
    std::cout << "\n";
  }
}
