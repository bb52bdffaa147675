#include "eslabon/integration/recorder.hpp"

#include <gtest/gtest.h>

#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::integration {
namespace {

TEST(RecordedColumns, AreTheOutputsThenEnergyAndConstraintError) {
  model::MechanismBuilder builder("pendulum", model::Space::kPlanar);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body({.name = "bob",
                    .mass = 1.0,
                    .shape = model::Bar{"O", "tip"},
                    .points = {{"O", {0, 0, 0}}, {"tip", {1, 0, 0}}}});
  builder.add_joint({"pivot", model::JointType::kRevolute, "ground.O", "bob.O"});
  builder.add_output("bob.tip.vx");
  builder.add_output("pivot.mz");
  std::string text;
  for (const core::Column& column : recorded_columns(builder.build()))
    text += column.name + " " + column.unit + "; ";
  EXPECT_EQ(text, "bob.tip.vx m/s; pivot.mz N*m; energy J; constraint_error m; ");
}

}  // namespace
}  // namespace eslabon::integration
