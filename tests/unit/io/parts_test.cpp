// Parts: what they come to in the mechanism, and how fast.

#include <map>
#include <string>

#include "tests/processor_clock.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/io/parts/placement.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::io {
namespace {

using Eigen::Vector3d;

using Files = std::map<std::string, std::string>;

model::Mechanism read(const std::string& text, const Files& files, const std::string& variant = "") {
  return read_described_mechanism(
             text, "machine.yaml",
             ReadRequest{.variant = variant,
                         .text_of_file = [&](const auto& path) { return files.at(path.string()); }})
      .mechanism;
}

const model::Body& body(const model::Mechanism& mechanism, const std::string& name) {
  return mechanism.body(std::get<model::BodyIndex>(*mechanism.find(name)));
}

constexpr const char* kArm = R"(part: arm
parameters: {length: 0.5 m}
mounts: {base: {points: {O: [0.1, 0.2, 0.3]}}}
bodies:
  bar:
    mass: 2
    center_of_mass: [0.1, 0.2, 0.3]
    inertia: [3, 4, 5, 0.1, 0.2, 0.3]
    points: {O: [0.1, 0.2, 0.3], tip: [= length, 0.7, 0.9]}
joints: {pivot: {revolute: [base.O, bar.O], axis: [1, 2, 3]}}
assembly: {bar.rotation: [0.1, 0.2, 0.3], pivot.v: 2}
exports: [bar, pivot]
)";

constexpr const char* kTwoArms = R"(mechanism: two arms
parts: {arm: arm.yaml}
instances:
  arm: {part: arm, mounts: {base: ground}, copies: {left: {}, right: {mirror: y, set: {length: 0.6 m}}}}
outputs: [arm.left.bar.tip.x, arm.right.pivot.q]
)";

TEST(Parts, HaveTheNamesOfTheirInstances) {
  const model::Mechanism mechanism = read(kTwoArms, {{"arm.yaml", kArm}});
  EXPECT_EQ(body(mechanism, "arm.left.bar").points[1].p_BP_B, Vector3d(0.5, 0.7, 0.9));
  EXPECT_EQ(mechanism.bodies().front().points[0].name, "arm.left.base.O");
  EXPECT_EQ(model::name(mechanism, mechanism.outputs()[1]), "arm.right.pivot.q");
}

TEST(Parts, MirroredInY_AreExact) {
  const model::Mechanism mechanism = read(kTwoArms, {{"arm.yaml", kArm}});
  const model::Body& right = body(mechanism, "arm.right.bar");
  EXPECT_EQ(right.points[1].p_BP_B, Vector3d(0.6, -0.7, 0.9));
  EXPECT_EQ(right.mass_properties.p_BC_B, Vector3d(0.1, -0.2, 0.3));
  const Eigen::Matrix3d& I = right.mass_properties.I_BC_B;
  EXPECT_EQ(I.diagonal(), Vector3d(3, 4, 5));
  EXPECT_EQ(Vector3d(I(0, 1), I(0, 2), I(1, 2)), Vector3d(-0.1, 0.2, -0.3));
  const Vector3d z = mechanism.joints()[1].ends[0].X_BF.R_AB.matrix().col(2);
  EXPECT_LE((z - Vector3d(-1, 2, -3).normalized()).norm(), 1e-15);  // −S a
  EXPECT_EQ(*mechanism.start_poses()[1].rotation_vector, Vector3d(-0.1, 0.2, -0.3));
  EXPECT_EQ(mechanism.start_rates()[1].value, 2.0);
}

TEST(Parts, MirroredTwice_AreThemselves) {
  const std::string pair = R"(part: pair
parts: {arm: arm.yaml}
mounts: {wall: {}}
instances: {one: {part: arm, mounts: {base: wall}, mirror: y}}
)";
  const std::string machine = R"(mechanism: pairs
parts: {pair: pair.yaml, arm: arm.yaml}
instances:
  twice: {part: pair, mounts: {wall: ground}, mirror: y}
  never: {part: arm, mounts: {base: ground}}
)";
  const model::Mechanism mechanism = read(machine, {{"pair.yaml", pair}, {"arm.yaml", kArm}});
  model::Body twice = body(mechanism, "twice.one.bar");
  twice.name = "never.bar";
  EXPECT_EQ(twice, body(mechanism, "never.bar"));
  EXPECT_EQ(mechanism.joints()[0].ends[1].X_BF.R_AB.matrix(),
            mechanism.joints()[1].ends[1].X_BF.R_AB.matrix());
  EXPECT_EQ(*mechanism.start_poses()[0].rotation_vector, *mechanism.start_poses()[1].rotation_vector);
}

TEST(Parts, TurnedAndMoved_PutTheirMountsThere) {
  const std::string machine = R"(mechanism: turned
parts: {arm: arm.yaml}
bodies: {table: {drawn: {at: [1, 0, 0]}, points: {O: [0, 0, 0]}}}
ground: {points: {O: [1, 0, 0]}}
joints: {O: {fixed: [ground.O, table.O]}}
instances: {it: {part: arm, at: [0, 0, 2], rotation: [0, 0, 90 deg], mounts: {base: table}}}
)";
  const model::Mechanism mechanism = read(machine, {{"arm.yaml", kArm}});
  EXPECT_LE((body(mechanism, "table").points[1].p_BP_B - Vector3d(-0.2 - 1.0, 0.1, 2.3)).norm(), 1e-15);
  EXPECT_EQ(body(mechanism, "it.bar").points[1].p_BP_B, Vector3d(0.5, 0.7, 0.9));  // its own axes
  EXPECT_EQ(body(mechanism, "it.bar").drawn.p_WB_W, Vector3d(0, 0, 2));
}

TEST(Variants, SetAndReplace) {
  const std::string machine = R"(mechanism: choice
parameters: {length: 0.5 m}
parts: {arm: arm.yaml}
instances: {it: {part: arm, mounts: {base: ground}, set: {length: = length}}}
variants:
  long: {set: {length: 2 m}}
  other: {replace: {it: other.yaml}}
)";
  std::string other = kArm;
  other.replace(other.find("mass: 2"), 7, "mass: 9");
  const Files files{{"arm.yaml", kArm}, {"other.yaml", other}};
  EXPECT_EQ(body(read(machine, files), "it.bar").points[1].p_BP_B.x(), 0.5);
  EXPECT_EQ(body(read(machine, files, "long"), "it.bar").points[1].p_BP_B.x(), 2.0);
  EXPECT_EQ(body(read(machine, files, "other"), "it.bar").mass_properties.mass, 9.0);
}

TEST(Parts, OnTheirOwn_HoldTheirMountsStill) {
  const model::Mechanism mechanism = read(kArm, {});
  EXPECT_EQ(structure::analyse_structure(mechanism).mobility, 1);
  EXPECT_EQ(mechanism.joints()[0].type, model::JointType::kFixed);
}

TEST(Parts, AThousandInstances_AreReadInTwoSeconds) {
  std::string copies;
  for (int k = 0; k < 1000; ++k)
    copies += (k > 0 ? ", c" : "c") + std::to_string(k) + ": {at: [" + std::to_string(k) + ", 0, 0]" +
              (k % 2 == 0 ? "}" : ", mirror: y}");
  const std::string machine =
      "mechanism: many\nparts: {arm: arm.yaml}\ninstances: {arm: {part: arm, mounts: {base: ground}, copies: "
      "{" +
      copies + "}}}\n";
  const test::ProcessorClock clock;
  const model::Mechanism mechanism = read(machine, {{"arm.yaml", kArm}});
  EXPECT_LT(clock.seconds(), 2.0);
  EXPECT_EQ(mechanism.bodies().size(), 1001U);
  EXPECT_TRUE(read_mechanism(write_mechanism(mechanism), "flat.yaml") == mechanism);
}

// The machines from parts: mobility by Grübler, with all constraints independent.
TEST(MachinesFromParts, HaveTheirMobility) {
  const auto mobility = [](const std::string& name) {
    return structure::analyse_structure(
               read_mechanism_file(ESLABON_SOURCE_DIR "/models/parts/" + name + ".yaml"))
        .mobility;
  };
  EXPECT_EQ(mobility("stewart-platform"), 6);
  EXPECT_EQ(mobility("hexapod"), 6);
  EXPECT_EQ(mobility("front-axle"), 6);
  EXPECT_EQ(mobility("corner"), 2);
}

}  // namespace
}  // namespace eslabon::io
