#include <string>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/families/family_entry.hpp"
#include "eslabon/model/mechanism_builder.hpp"

// N four-bars in a row, all bars of one length and mass (1 m and 1 kg in the source): problem A02 of the IFToMM library of multibody problems.
//
//   B_0      B_1      B_N
//    o--------o--  …  --o         horizontal_1 … horizontal_N
//    |        |         |         vertical_0 … vertical_N
//   A_0      A_1       A_N        fixed pivots at (i L, 0)
//
// Where all bars lie in one line the Jacobian loses rank, and the mechanism could leave as another one than a parallelogram.
namespace eslabon::model::detail {

namespace {

constexpr int kMost = 100'000;

Mechanism make_n_fourbars(const FamilyValues& values) {
  const int n = values.integer("n");
  const double length = values.real("length");
  const double mass = values.real("mass");
  MechanismBuilder builder("n-fourbars", Space::kPlanar);
  builder.set_description(std::to_string(2 * n + 1) + " uniform bars of " + core::number_text(length) +
                          " m and " + core::number_text(mass) + " kg, upright at the start.");
  builder.set_source(
      "IFToMM library of multibody problems, A02 N four-bars through singular positions: lengths, masses, "
      "gravity and start.");
  builder.set_gravity({0.0, -9.81, 0.0});
  for (int i = 0; i <= n; ++i) {
    builder.add_ground_point(numbered("A_", i), {length * i, 0.0, 0.0});
    builder.add_body({.name = numbered("vertical_", i),
                      .mass = mass,
                      .shape = Bar{"A", "B"},
                      .points = {{"A", {0.0, 0.0, 0.0}}, {"B", {0.0, length, 0.0}}}});
    builder.add_joint(
        {numbered("A_", i), JointType::kRevolute, numbered("ground.A_", i), numbered("vertical_", i) + ".A"});
    builder.add_start_value(numbered("vertical_", i) + ".angle", 0.0);
  }
  for (int i = 1; i <= n; ++i) {
    const std::string bar = numbered("horizontal_", i);
    builder.add_body({.name = bar,
                      .mass = mass,
                      .shape = Bar{"B", "C"},
                      .points = {{"B", {0.0, 0.0, 0.0}}, {"C", {length, 0.0, 0.0}}}});
    builder.add_joint(
        {numbered("B_", i), JointType::kRevolute, numbered("vertical_", i - 1) + ".B", bar + ".B"});
    builder.add_joint({numbered("C_", i), JointType::kRevolute, numbered("vertical_", i) + ".B", bar + ".C"});
    builder.add_start_value(bar + ".angle", 0.0);
  }
  builder.add_start_rate("vertical_0.B.vx", values.real("speed"));
  for (const char* output : {"vertical_0.B.x", "vertical_0.B.y", "vertical_0.B.vx", "vertical_0.B.vy"})
    builder.add_output(output);
  return builder.build();
}

}  // namespace

FamilyEntry n_fourbars_entry() {
  return {.family = {.name = "n-fourbars",
                     .summary = "planar row of four-bars with bars of one length, through singular positions",
                     .keys = {{"n", "number of four-bars", FamilyKeyKind::kInteger, 2.0, 1.0, kMost},
                              {"speed", "velocity of the upper points at the start [m/s]",
                               FamilyKeyKind::kReal, 1.0, -1000.0, 1000.0},
                              {"length", "length of each bar [m]", FamilyKeyKind::kReal, 1.0, 1e-6, 1e6},
                              {"mass", "mass of each bar [kg]", FamilyKeyKind::kReal, 1.0, 1e-6, 1e6}}},
          .make = &make_n_fourbars};
}

}  // namespace eslabon::model::detail
