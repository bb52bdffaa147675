// A mechanism that is used as a part and mirrored moves as its image in a mirror: S x, with the same joint coordinates.

#include <algorithm>
#include <regex>
#include <string>

#include "tests/formula_mechanisms.hpp"
#include "tests/simulated_case.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/io/parts/placement.hpp"

namespace eslabon {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// The plain text of a mechanism as that of a part with one mount, its ground.
std::string as_part(const model::Mechanism& mechanism) {
  std::string text = io::write_mechanism(mechanism);
  text.replace(0, std::string("mechanism").size(), "part");
  text = std::regex_replace(text, std::regex(",? ?visuals: \\[.*\\]\\}\\n(bodies:)"), "}\n$1");
  text = std::regex_replace(text, std::regex("\\nground: (\\{.*\\})\\n"), "\nmounts: {world: $1}\n");
  return std::regex_replace(text, std::regex("([\\[ ])ground\\."), "$1world.");
}

/// The mechanism that is one instance of it, mirrored in the plane across this axis, in a world that is mirrored too.
model::Mechanism image_of(const model::Mechanism& mechanism, char axis) {
  const Vector3d g = io::mirror_matrix(axis) * mechanism.gravity_W();
  const std::string number = mechanism.is_planar() ? "" : ", " + std::to_string(g.z());
  const std::string text =
      std::string("mechanism: image\n") + (mechanism.is_planar() ? "plane: xy\n" : "") + "gravity: [" +
      std::to_string(g.x()) + ", " + std::to_string(g.y()) + number +
      "]\nparts: {it: it.yaml}\ninstances: {it: {part: it, mounts: {world: ground}, mirror: " + axis + "}}\n";
  const std::string part = as_part(mechanism);
  return io::read_described_mechanism(text, "image.yaml",
                                      io::ReadRequest{.text_of_file = [&](const auto&) { return part; }})
      .mechanism;
}

/// 1 but for what slides along the axis that it turns about, in the plane for turns of higher pairs, and for all of rolling.
double sign_of(model::JointType type, const model::JointCoordinateFacts& coordinate) {
  if (type == model::JointType::kRolling) return -1.0;
  if (type == model::JointType::kSlot || type == model::JointType::kCircularSlot || model::has_curve(type))
    return coordinate.dimension == core::kAngle ? -1.0 : 1.0;
  return coordinate.dimension == core::kLength && coordinate.axis == 2 ? -1.0 : 1.0;
}

void expect_image(const test::SimulatedCase& run, const test::SimulatedCase& image, char axis,
                  double tolerance) {
  const Matrix3d S = io::mirror_matrix(axis);
  ASSERT_EQ(run.bodies.size(), image.bodies.size());
  for (std::size_t b = 1; b < run.bodies.size(); ++b) {
    SCOPED_TRACE(run.c.mechanism.bodies()[b].name);
    const auto& body = run.bodies[b];
    const auto& other = image.bodies[b];
    EXPECT_LE((other.X_WB.p_AB_A - S * body.X_WB.p_AB_A).norm(), tolerance);
    EXPECT_LE((other.X_WB.R_AB.matrix() - S * body.X_WB.R_AB.matrix() * S).norm(), tolerance);
    EXPECT_LE((other.v_WB_W - S * body.v_WB_W).norm(), 100.0 * tolerance);
    EXPECT_LE((other.w_WB_W + S * body.w_WB_W).norm(), 100.0 * tolerance);
  }
  for (const model::Joint& joint : run.c.mechanism.joints())
    for (int k = 0; k < model::coordinate_count(joint.type); ++k) {
      const std::string word = model::coordinate_count(joint.type) == 1 ? ".q" : ".q" + std::to_string(k + 1);
      const double sign =
          sign_of(joint.type, model::facts(joint.type).coordinates[static_cast<std::size_t>(k)]);
      EXPECT_NEAR(image.value("it." + joint.name + word), sign * run.value(joint.name + word),
                  10.0 * tolerance)
          << joint.name << word;
    }
}

void expect_mirrored_run(const model::Mechanism& mechanism, char axis, double until) {
  const model::Mechanism image = image_of(mechanism, axis);
  // The rates of accelerations jump where the cubics of a curve meet: there roundoff decides which steps are taken again, and two runs differ
  // by the tolerance. Fixed steps show what the mechanisms do.
  test::Way way;
  if (std::ranges::any_of(mechanism.joints(),
                          [](const model::Joint& joint) { return model::has_curve(joint.type); })) {
    way.integrator = "rk4";
    way.options.step = 1e-4;
  }
  test::SimulatedCase run(test::released(mechanism), until, way);
  test::SimulatedCase mirrored(test::released(image), until, way);
  {
    SCOPED_TRACE("at the start");
    expect_image(run, mirrored, axis, 1e-12);
  }
  ASSERT_TRUE(run.advance_to(until));
  ASSERT_TRUE(mirrored.advance_to(until));
  expect_image(run, mirrored, axis, 1e-9);  // roundoff of the start, grown by the motion
}

struct MirrorCase {
  const char* model;
  const char* axes;
};

class MirroredModel : public testing::TestWithParam<MirrorCase> {};

TEST_P(MirroredModel, MovesAsItsImage) {
  const model::Mechanism mechanism =
      io::read_mechanism_file(std::string(ESLABON_SOURCE_DIR "/models/") + GetParam().model + ".yaml");
  for (const char* axis = GetParam().axes; *axis != '\0'; ++axis) {
    SCOPED_TRACE(*axis);
    expect_mirrored_run(mechanism, *axis, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, MirroredModel,
    testing::Values(MirrorCase{"andrews-squeezer", "x"}, MirrorCase{"block-on-incline", "y"},
                    MirrorCase{"bouncing-slider", "y"}, MirrorCase{"double-wishbone", "xyz"},
                    MirrorCase{"five-bar", "y"}, MirrorCase{"fourbar-crank-rocker", "xy"},
                    MirrorCase{"fourbar-testbed", "y"}, MirrorCase{"quarter-vehicle", "xy"},
                    MirrorCase{"rssr", "xyz"}, MirrorCase{"slider-crank", "y"},
                    MirrorCase{"rolling/disc", "xyz"}, MirrorCase{"rolling/bicycle", "xyz"},
                    MirrorCase{"stephenson-sixbar", "x"}, MirrorCase{"watt-sixbar", "y"},
                    MirrorCase{"pairs/scotch-yoke", "xy"}, MirrorCase{"pairs/whitworth", "xy"},
                    MirrorCase{"pairs/arc-four-bar", "xy"}, MirrorCase{"pairs/cycloid", "xy"},
                    MirrorCase{"pairs/disc-on-incline", "xy"}, MirrorCase{"pairs/swash-plate", "xyz"},
                    MirrorCase{"pairs/ball-in-groove", "xyz"}, MirrorCase{"pairs/cam-roller", "xy"},
                    MirrorCase{"pairs/cam-flat", "xy"}, MirrorCase{"pairs/cam-rocker", "xy"},
                    MirrorCase{"pairs/tautochrone", "xy"}, MirrorCase{"pairs/involute-teeth", "xy"},
                    MirrorCase{"planetary-gearbox", "xy"}, MirrorCase{"differential", "xyz"},
                    MirrorCase{"rack-and-pinion", "xy"}, MirrorCase{"screw-press", "xz"},
                    MirrorCase{"screw-press-helical", "xyz"}, MirrorCase{"pairs/cylinder-in-cylinder", "xy"},
                    MirrorCase{"disc-cam", "xy"}, MirrorCase{"pairs/bead-on-helix", "xyz"},
                    MirrorCase{"pairs/barrel-cam", "xyz"}),
    [](const auto& one) {
      std::string name = one.param.model;
      std::ranges::replace(name, '-', '_');
      std::ranges::replace(name, '/', '_');
      return name;
    });

// In a mirror the slide of a cylindrical joint changes its sign and its turn does not: the law does, as an expression and as a table.
TEST(MirroredFollower, MovesAsItsImage) {
  for (const char* law : {"expression: = 30 mm*sin(tube.q1) + 8 mm*tube.q1",
                          "table: [[-3, -0.05], [-1, -0.03], [0, 0], [0.7, 0.03], [2, 0.02], [4, 0.01]]"})
    for (const char axis : {'x', 'y', 'z'}) {
      SCOPED_TRACE(std::string(law) + " " + axis);
      expect_mirrored_run(test::mechanism_of_text(std::string(R"(mechanism: cam on a spindle
gravity: [0.3, -1, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {nut: {mass: 2, center_of_mass: [0.1, 0.02, 0], inertia: [0.01, 0.02, 0.02], points: {O: [0, 0, 0]}}}
joints: {tube: {cylindrical: [ground.O, nut.O], axis: [0.2, 0.1, 1]}}
couplings: {cam: {follows: {joint: tube.q2, of: tube.q1, )") +
                                                  law +
                                                  R"(}, offset: 2 mm}}
assembly: {tube.q1: 0.4}
)"),
                          axis, 0.4);
    }
}

/// Joints of every type with coordinates, by points and by frames, with what acts along them.
constexpr const char* kEveryCoordinate = R"yaml(
mechanism: every coordinate
gravity: [1.3, -2.1, -9.2]
ground:
  points: {O: [0.1, 0.2, 0.3], Q: [0.5, 0.1, -0.2]}
  frames: {F: {origin: [-0.4, 0.2, 0.1], x: [1, 0.2, 0.1], z: [0.1, 0.3, 1]}}
bodies:
  a: {mass: 2, center_of_mass: [0.1, 0.2, 0], inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.04], points: {O: [0, 0, 0], P: [0.3, 0.1, 0.2]}}
  b: {mass: 1, center_of_mass: [0, 0.1, 0.2], inertia: [0.1, 0.12, 0.13, 0.01, 0.02, -0.01], points: {P: [0, 0, 0], R: [0.1, 0.2, 0.1]}}
  c: {mass: 1.5, shape: {box: [0.2, 0.3, 0.4]}, points: {R: [0, 0, 0], T: [0.1, 0.1, 0.1]}}
  d: {mass: 3, shape: {cylinder: {radius: 0.1, length: 0.4, axis: [0.1, 0.2, 1]}}, points: {Q: [0, 0, 0], U: [0.2, 0, 0.1]}}
  e: {mass: 1, shape: {sphere: 0.1}, frames: {F: {x: [0.3, 1, 0], z: [0, 0.2, 1]}}}
joints:
  tube:  {cylindrical: [ground.O, a.O], axis: {first: [0.2, 0.1, 1], second: [1, 0.2, 0.1]}}
  cross: {universal: [a.P, b.P], axis: {first: [1, 0.5, 0], second: [-0.5, 1, 0.3]}}
  rail:  {prismatic: [b.R, c.R], axis: {first: [0.3, 1, 0.2], second: [0, 1, 0.4]}}
  table: {planar: [ground.Q, d.Q], axis: {first: [0.1, 0.2, 1], second: [1, 0.2, 0.3]}}
  pin:   {revolute: [ground.F, e.F], friction: {viscous: 0.1}}
springs:
  along: {joint: tube.q2, stiffness: 40, free_length: 0.1, preload: 3}
  law:   {joint: tube.q2, table: [[-1, -2], [0, 1], [1, 5]]}
  twist: {joint: cross.q1, stiffness: 5, free_angle: 0.3}
  strut: {between: [c.T, d.U], stiffness: 30, free_length: 0.2}
dampers: {oil: {joint: tube.q2, table: [[-1, -3], [1, 1]]}}
stops: {end: {joint: tube.q2, lower: -0.01, upper: 0.4, stiffness: 500}}
forces:
  push: {point: d.U, force: [1, "= 2*sin(3*t)", -1]}
  turn: {body: c, torque: [0.1, 0.2, "= 0.1*t"]}
  own:  {point: c.T, force: [1, 2, 3], axes: body}
  own_turn: {body: b, torque: [0.1, -0.2, 0.3], axes: body}
  effort: {joint: tube.q2, force: 2}
assembly: {tube.q1: 0.2, tube.q2: 0.1, cross.q1: 0.3, cross.q2: -0.2, rail.q: 0.1, table.q1: 0.1, table.q2: 0.2,
           table.q3: 0.4, pin.q: 0.5, tube.v1: 0.3, tube.v2: -0.2, cross.v1: 0.5, cross.v2: 0.1, rail.v: 0.2,
           table.v1: -0.3, table.v2: 0.1, table.v3: 0.6, pin.v: 1.0}
)yaml";

TEST(MirroredPart, WithFormulas_MovesAsItsImage) {
  for (const char axis : {'x', 'y', 'z'}) {
    SCOPED_TRACE(axis);
    expect_mirrored_run(test::mechanism_of_text(test::kFormulaChain), axis, 0.2);
    if (axis != 'z') expect_mirrored_run(test::mechanism_of_text(test::kFormulaFourBar), axis, 0.2);
  }
}

TEST(MirroredPart, OfEveryCoordinate_MovesAsItsImage) {
  const model::Mechanism mechanism = test::mechanism_of_text(kEveryCoordinate);
  for (const char axis : {'x', 'y', 'z'}) {
    SCOPED_TRACE(axis);
    expect_mirrored_run(mechanism, axis, 0.2);
  }
}

}  // namespace
}  // namespace eslabon
