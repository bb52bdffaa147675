#include "eslabon/io/mechanism/mechanism_writer.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/model/families/family.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::io {
namespace {

void expect_round_trip(const model::Mechanism& mechanism) {
  const std::string text = write_mechanism(mechanism);
  const model::Mechanism again = read_mechanism(text, "written.yaml");
  EXPECT_TRUE(again == mechanism) << text;
  EXPECT_EQ(write_mechanism(again), text);
}

TEST(MechanismWriter, EveryModelReadsBackToTheSameMechanism) {
  int seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ESLABON_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().string());
    expect_round_trip(read_mechanism_file(entry.path()));
    ++seen;
  }
  EXPECT_GE(seen, 9);
}

TEST(MechanismWriter, FamiliesReadBackToTheSameMechanism) {
  expect_round_trip(model::make_family("scalable-fourbar,dyads=7"));
  expect_round_trip(model::make_family("truck-suspension,axles=5"));
}

// Numbers are written without units: where they told what an output is, it is said beside the formula.
TEST(MechanismWriter, OutputsKeepTheirUnits) {
  const std::string begin = R"(mechanism: units
plane: xy
parameters: {k: 3 N*m/rad, c: 5 N*s/m, big: 2 m^9, bare: 4}
ground: {points: {O: [0, 0]}}
bodies: {arm: {mass: 1, shape: {bar: [O, P]}, points: {O: [0, 0], P: [1, 0]}}}
joints: {J: {revolute: [ground.O, arm.O]}}
outputs:
)";
  struct Case {
    const char *entry, *written;
    core::Dimension dimension;
  };
  for (const Case& one : {
           Case{"= 2*J.q", "\"= 2*J.q\"", core::kAngle},
           Case{"= k*J.q", "{formula: \"= 3*J.q\", unit: \"N*m\"}", core::kTorque},
           Case{"= k*J.q + J.mz", "{formula: \"= 3*J.q + J.mz\", unit: \"N*m\"}", core::kTorque},
           Case{"= c*arm.P.vx + 3 N*J.q/J.q", "{formula: \"= 5*arm.P.vx + 3*J.q/J.q\", unit: \"N\"}",
                core::kForce},
           Case{"= J.v*3 kg/J.v/2 kg", "\"= J.v*3/J.v/2\"", core::kNumber},
           Case{"= J.v*3 s/rad", "{formula: \"= J.v*3\", unit: \"1\"}", core::kNumber},
           Case{"= big*big*J.v/(1 s^2)/big^4",
                "{formula: \"= 4*J.v/1/16\", unit: \"rad/m^9/m^9/s^3\"}",
                {.m = -18, .s = -3, .rad = 1}},
           Case{"{formula: = bare*J.q + J.mz, unit: N*m}", "{formula: \"= 4*J.q + J.mz\", unit: \"N*m\"}",
                core::kTorque},
           Case{"{formula: = 4 rad*J.v, unit: 1/s}", "{formula: \"= 4*J.v\", unit: \"1/s\"}",
                core::kFrequency},
       }) {
    const model::Mechanism mechanism = read_mechanism(
        begin + "  - {sum: " + (*one.entry == '=' ? "\"" + std::string(one.entry) + "\"" : one.entry) + "}\n",
        "units.yaml");
    EXPECT_EQ(mechanism.formulas().front().dimension, one.dimension) << one.entry;
    EXPECT_NE(write_mechanism(mechanism).find("{sum: " + std::string(one.written) + "}"), std::string::npos)
        << one.entry << "\n"
        << write_mechanism(mechanism);
    expect_round_trip(mechanism);
  }
}

// Every kind of element at once, with numbers that have no short decimal form and names that YAML would
// misread.
TEST(MechanismWriter, EveryElementSurvives) {
  using namespace model;
  MechanismBuilder builder("all: \"of\" it # here", Space::kSpatial);
  builder.set_description("two\nlines\tand a \\ backslash");
  builder.set_source("nowhere: {really}");
  builder.set_gravity({0.1, -1.0 / 3.0, -9.81});
  builder.add_ground_point("O", {0.1, 0.2, 1e-17});
  builder.add_ground_axis("u", {1.0, 2.0, 3.0});
  builder.add_ground_frame({"F", {0.1, 0, 0}, {1, 0.1, 0}, {0, 0.3, 1}});
  builder.add_ground_visual(Box{{1.0 / 3.0, 2, 3}, {0, 0.2, 0}});
  builder.add_body({.name = "null",
                    .mass = 1.0 / 3.0,
                    .shape = Cylinder{0.1, 0.7, {0.1, 0, 0}, {1, 1, 0}},
                    .points = {{"P", {1e-300, 0, 0}}, {"Q", {1, 0, 0}}},
                    .axes = {{"v", {0, 0, 2}}},
                    .frames = {{"F", {0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
                    .visuals = {Disc{0.2, {0, 0, 0}, {1, 0, 0}}, Bar{"P", "Q"}}});
  builder.add_body(
      {.name = "größe", .mass = 2.0, .shape = Box{{1, 2, 3}, {0.1, 0.2, 0.3}}, .points = {{"P", {0, 0, 0}}}});
  builder.add_body(
      {.name = "ball", .density = 7850.0, .shape = Sphere{0.05, {0, 0, 0.1}}, .points = {{"P", {0, 0, 0}}}});
  Eigen::Matrix3d I;
  I << 2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0;
  builder.add_body({.name = "plate",
                    .mass = 3.0,
                    .center_of_mass = Eigen::Vector3d(0.1, 0.2, 0.3),
                    .inertia = I,
                    .points = {{"P", {0, 0, 0}}, {"R", {0, 1, 0}}}});
  builder.add_body(
      {.name = "wheel", .mass = 1.0, .shape = Disc{0.3, {0, 0, 0}, {0, 1, 0}}, .points = {{"P", {0, 0, 0}}}});
  builder.add_joint({"hinge",
                     JointType::kRevolute,
                     "ground.F",
                     "null.F",
                     {},
                     {},
                     {},
                     {0.1, 0.2, 0.3, 0.15, 0.25, 0.02, 0.01, 2e-4}});
  builder.add_joint({"cross", JointType::kUniversal, "null.Q", "größe.P", AxisPair{{1, 0, 0}, {0, 1, 0}}});
  builder.add_joint({"tube", JointType::kCylindrical, "größe.P", "ball.P", AxisPair{{0, 0, 1}, {0, 0, 1}}});
  builder.add_joint({"table", JointType::kPlanar, "ground.O", "plate.P", AxisPair{{0, 0, 1}, {0, 1, 1}}});
  builder.add_joint({"link", JointType::kRod, "plate.R", "ball.P", {}, 1.25, 0.5});
  builder.add_joint({"axle", JointType::kPrismatic, "plate.R", "wheel.P", AxisPair{{0, 1, 0}, {0, 1, 0}}});
  const TimeFunction t = TimeFunction::time();
  builder.add_driver(
      {"motor", "hinge.q", DriverLevel::kAcceleration, 0.1 * sin(2.0 * t) + pow(t, 2.0), 0.3, 0.1});
  builder.add_driver({"lift", "plate.R.z", DriverLevel::kPosition, atan2(t, 2.0) / 3.0});
  builder.add_spring(
      {"strut", {"ground.O", "plate.R"}, 0.0, 0.3, 12.5, 4.0, {{-1.0, -3.0}, {0.1, 0.2}, {2.0, 9.0}}});
  builder.add_spring({"torsion", {"hinge.q"}, 11.0, -0.4});
  builder.add_damper({"oil", {"tube.q2"}, 33.0});
  builder.add_stop({.name = "buffer", .target = "hinge.q", .lower = -0.5, .upper = 0.5, .restitution = 0.7});
  builder.add_stop(
      {.name = "road", .target = "plate.R.z", .lower = 0.1 * sin(t), .stiffness = 2e4, .damping = 30.0});
  builder.add_load({"push", LoadKind::kPointForce, "plate.R", {t, 2.0, cos(t)}, true});
  builder.add_load({"twist", LoadKind::kBodyTorque, "ball", {0.1, 0.2, exp(-t)}});
  builder.add_load({"effort", LoadKind::kJointEffort, "axle.q", {min(t, 3.0), 0.0, 0.0}});
  SensorErrors errors{0.1, 0.2, 1.0 / 3.0, 0.4, 50.0, 1e-3, 1e-2, 70.0, 1e-4};
  SensorDescription gyro{"gyro", SensorKind::kGyroscope, "null", {}, "F", errors};
  gyro.rate = 100.0;
  gyro.latency = 0.003;
  gyro.jitter = 1.0 / 7000.0;
  gyro.dropout = 0.01;
  builder.add_sensor(gyro);
  SensorDescription imu{"imu", SensorKind::kImu, "null.Q", {}, "F", errors};
  imu.accelerometer_errors = SensorErrors{.bias = -0.3, .misalignment = 20.0, .range = 160.0};
  builder.add_sensor(imu);
  builder.add_sensor({"imu2", SensorKind::kImu, "plate.R"});
  SensorDescription compass{"compass", SensorKind::kMagnetometer, "plate"};
  compass.errors.noise = 20.0;
  compass.field = Eigen::Vector3d(0.3, 0.0, -1.0 / 3.0);
  builder.add_sensor(compass);
  builder.add_sensor({"tilt", SensorKind::kInclinometer, "plate", {}, {}, {.bias = 99.0, .range = 30.0}});
  builder.add_sensor({"load", SensorKind::kVariable, "strut.force", {}, {}, {.noise = 20.0, .range = 4e3}});
  builder.add_sensor({"angle", SensorKind::kVariable, "hinge.q", {}, {}, {.bias = 20.0, .resolution = 15.0}});
  builder.add_sensor({"far", SensorKind::kDistance, "ground.O", "plate.R"});
  SensorDescription turns{"turns", SensorKind::kEncoder, "cross.q2"};
  turns.pulses = 1000.0;
  builder.add_sensor(turns);
  builder.add_start_value("hinge.q", 0.3);
  builder.add_start_value("axle.q", 1.0 / 3.0, StartKind::kExact);
  builder.add_start_position("plate", {0.1, 0.2, 0.3});
  builder.add_start_rotation("plate", {0.0, 0.0, 1.0 / 7.0}, StartKind::kExact);
  builder.add_start_position("wheel", {1.0 / 9.0, 0.0, 0.1}, StartKind::kExact);
  builder.add_start_rate("axle.v", 1.0 / 3.0);
  builder.add_start_rate("plate.wz", -17.3);
  builder.add_start_rate("plate.R.vy", 0.0);
  builder.add_start_rate("tube.v1", 400.0);
  builder.add_start_rate("oil.rate", 1e-3);
  builder.add_input("tube.q1");
  for (const char* output :
       {"null.wx", "plate.R.vz", "hinge.q", "hinge.my", "motor.effort", "strut.force", "ball.e3"})
    builder.add_output(output);
  expect_round_trip(builder.build());
}

}  // namespace
}  // namespace eslabon::io
