// Every rule about sensors, with the sentence it gives.
#include "eslabon/model/checks/sensor_checks.hpp"

#include <limits>
#include <numbers>

#include "tests/unit/model/sample_builders.hpp"
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using test::arm_with;
using test::four_bar;
using test::sentence;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string with(MechanismBuilder builder, SensorDescription sensor) {
  return sentence([&] {
    builder.add_sensor(sensor);
    (void)builder.build();
  });
}

TEST(Sensors, HaveTargetsOfTheirKind) {
  using enum SensorKind;
  EXPECT_EQ(with(four_bar(), SensorDescription{"g", kGyroscope, "ground"}),
            "the ground does not move [sensor 'g', gyroscope]: expected a moving body, got 'ground'. Choose "
            "another "
            "body.");
  EXPECT_EQ(
      with(four_bar(), SensorDescription{"g", kGyroscope, "crank.P1"}),
      "no such body [sensor 'g', gyroscope]: expected a body: 'ground', 'crank', 'coupler' or 'rocker', got "
      "'crank.P1'. Add the body, or use one of these.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"a", kAccelerometer, "crank"}),
            "no such point [sensor 'a', accelerometer]: expected BODY.POINT, got 'crank'. Write the body, a "
            "dot and the "
            "name of the point.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"t", kTracker, "ground.A"}),
            "the ground does not move [sensor 't', tracker]: expected a point of a moving body, got "
            "'ground.A'. Choose "
            "another point.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"e", kEncoder, "C"}),
            "no such joint [sensor 'e', encoder]: expected a joint: 'A', 'P1', 'P2' or 'B', got 'C'. Use one "
            "of these.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"d", kDistance, "crank.P1"}),
            "a distance sensor with a wrong number of targets [sensor 'd', distance]: expected two points, "
            "got 1. Add "
            "the second point.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"e", kEncoder, "A", "B"}),
            "an encoder with a wrong number of targets [sensor 'e', encoder]: expected one target, got 2. "
            "Remove the "
            "second target.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"i", kImu, "ground.A"}),
            "the ground does not move [sensor 'i', imu]: expected a point of a moving body, got 'ground.A'. "
            "Choose another point.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"m", kMagnetometer, "coupler.P2"}),
            "no such body [sensor 'm', magnetometer]: expected a body: 'ground', 'crank', 'coupler' or "
            "'rocker', got 'coupler.P2'. Did you mean 'coupler'?");
  EXPECT_EQ(with(four_bar(), SensorDescription{"v", kVariable, "crank.angel"}),
            "no such variable [sensor 'v', reads]: expected 'angle', 'rate' or 'angular_acceleration' after "
            "'crank.', got 'crank.angel'. Did you mean 'crank.angle'?");
  EXPECT_EQ(
      with(four_bar(), SensorDescription{"v", kVariable, "ground.A.x"}),
      "the ground does not move [sensor 'v', reads]: expected a variable of a moving body or of a joint, "
      "got 'ground.A.x'. Choose another variable.");
  EXPECT_EQ(with(four_bar(), SensorDescription{"v", kVariable, "crank.angle", "B"}),
            "a sensor of a variable with a wrong number of targets [sensor 'v', reads]: expected one target, "
            "got 2. Remove the second target.");
  EXPECT_EQ(with(arm_with(JointType::kRevolute), SensorDescription{"i", kInclinometer, "arm"}), "no error");
}

TEST(Sensors, FindTheirTargets) {
  using enum SensorKind;
  MechanismBuilder builder = four_bar();
  builder.add_sensor({"g", kGyroscope, "coupler"});
  builder.add_sensor({"a", kAccelerometer, "coupler.P2"});
  builder.add_sensor({"e", kEncoder, "B"});
  builder.add_sensor({"d", kDistance, "ground.A", "rocker.P2"});
  builder.add_sensor({"i", kImu, "coupler.P2"});
  builder.add_sensor({"m", kMagnetometer, "rocker"});
  builder.add_sensor({"v", kVariable, "crank.P1.vy"});
  const Mechanism mechanism = builder.build();
  using Target = decltype(Sensor::target);
  EXPECT_EQ(mechanism.sensors()[0].target, Target(BodyIndex(2)));
  EXPECT_EQ(mechanism.sensors()[1].target, Target(PointRef{BodyIndex(2), PointIndex(1)}));
  EXPECT_EQ(mechanism.sensors()[2].target, Target(JointCoordinate{JointIndex(3), 0}));
  EXPECT_EQ(mechanism.sensors()[3].target,
            Target(PointPair{{kGround, PointIndex(0)}, {BodyIndex(3), PointIndex(1)}}));
  EXPECT_EQ(mechanism.sensors()[4].target, Target(PointRef{BodyIndex(2), PointIndex(1)}));
  EXPECT_EQ(mechanism.sensors()[4].accelerometer_errors, SensorErrors()) << "an imu has them, said or not";
  EXPECT_EQ(mechanism.sensors()[5].target, Target(BodyIndex(3)));
  EXPECT_FALSE(mechanism.sensors()[5].accelerometer_errors);
  EXPECT_EQ(mechanism.sensors()[6].target, Target(find_variable(mechanism, "crank.P1.vy")));
}

TEST(Sensors, HaveNumbersThatMakeSense) {
  SensorDescription sensor{"g", SensorKind::kGyroscope, "crank"};
  sensor.errors.noise = -0.1;
  EXPECT_EQ(
      with(four_bar(), sensor),
      "noise is negative [sensor 'g', noise]: expected noise >= 0, got -0.1. Give a value that is zero or "
      "positive.");
  sensor = {"g", SensorKind::kGyroscope, "crank"};
  sensor.rate = -100.0;
  EXPECT_EQ(
      with(four_bar(), sensor),
      "rate is negative [sensor 'g', rate]: expected rate >= 0 Hz, got -100 Hz. Give a value that is zero or "
      "positive.");
  sensor = {"g", SensorKind::kGyroscope, "crank"};
  sensor.latency = -1.0;
  EXPECT_EQ(with(four_bar(), sensor),
            "latency is negative [sensor 'g', latency]: expected latency >= 0 s, got -1 s. Give a value that "
            "is zero or "
            "positive.");
  sensor = {"g", SensorKind::kGyroscope, "crank"};
  sensor.errors.resolution = -1.0;
  EXPECT_EQ(with(four_bar(), sensor),
            "resolution is negative [sensor 'g', resolution]: expected resolution >= 0, got -1. Give a value "
            "that is "
            "zero or positive.");
  sensor = {"g", SensorKind::kGyroscope, "crank"};
  sensor.errors.bias = kNan;
  EXPECT_EQ(with(four_bar(), sensor),
            "bias is not a number one can compute with [sensor 'g', bias]: expected a finite number, got "
            "nan. Check the "
            "number and the parameters it is computed from.");
}

TEST(Sensors, HaveAFrameOfTheirBody) {
  const auto framed = [](SensorKind kind, std::string target, std::string frame) {
    return with(arm_with(JointType::kRevolute), SensorDescription{"s", kind, target, "", frame});
  };
  EXPECT_EQ(
      framed(SensorKind::kGyroscope, "arm", "H"),
      "no such frame [sensor 's', frame]: expected a frame of 'arm': 'F' or 'G', got 'H'. Add the frame to "
      "'arm'.");
  EXPECT_EQ(
      framed(SensorKind::kAccelerometer, "arm.P", "g"),
      "no such frame [sensor 's', frame]: expected a frame of 'arm': 'F' or 'G', got 'g'. Did you mean 'G'?");
  EXPECT_EQ(
      framed(SensorKind::kEncoder, "shoulder", "F"),
      "an encoder has no axes [sensor 's', frame]: expected a frame for gyroscopes, accelerometers, imus, "
      "magnetometers and inclinometers only, got "
      "'F'. Remove the frame.");
  EXPECT_EQ(framed(SensorKind::kAccelerometer, "arm.P", "G"), "no error");
}

TEST(Sensors, HaveErrorsThatMakeSense) {
  const auto gyro_with = [](double SensorErrors::*field, double value) {
    SensorDescription sensor{"g", SensorKind::kGyroscope, "arm"};
    sensor.errors.*field = value;
    return with(arm_with(JointType::kRevolute), sensor);
  };
  EXPECT_EQ(gyro_with(&SensorErrors::turn_on_bias, -0.1),
            "turn_on_bias is negative [sensor 'g', turn_on_bias]: expected turn_on_bias >= 0, got -0.1. Give "
            "a value that is zero or positive.");
  EXPECT_EQ(gyro_with(&SensorErrors::scale, kNan),
            "scale is not a number one can compute with [sensor 'g', scale]: expected a finite number, got "
            "nan. Check the number and the parameters it is computed from.");
  EXPECT_EQ(gyro_with(&SensorErrors::misalignment, -1e-3),
            "misalignment is negative [sensor 'g', misalignment]: expected misalignment >= 0 rad, got -0.001 "
            "rad. Give a value that is zero or positive.");
  EXPECT_EQ(gyro_with(&SensorErrors::range, 0.0),
            "range is not positive [sensor 'g', range]: expected range > 0, got 0. Give a positive value.");
  EXPECT_EQ(gyro_with(&SensorErrors::range, kNan),
            "range is not a number one can compute with [sensor 'g', range]: expected a finite number, got "
            "nan. Check the number and the parameters it is computed from.");
  EXPECT_EQ(gyro_with(&SensorErrors::range, -std::numeric_limits<double>::infinity()),
            "range is not a number one can compute with [sensor 'g', range]: expected a finite number, got "
            "-inf. Check the number and the parameters it is computed from.");
  EXPECT_EQ(gyro_with(&SensorErrors::drift, 0.2),
            "a drift without its correlation time [sensor 'g', drift]: expected 'drift' and 'drift_time', "
            "both above 0, got drift 0.2 and drift_time 0 s. Add 'drift_time:'.");
  EXPECT_EQ(gyro_with(&SensorErrors::drift_time, 30.0),
            "a correlation time without drift [sensor 'g', drift_time]: expected 'drift' and 'drift_time', "
            "both above 0, got drift 0 and drift_time 30 s. Add 'drift:', or remove 'drift_time:'.");
  EXPECT_EQ(gyro_with(&SensorErrors::misalignment, 1e-3), "no error");
}

TEST(Sensors, AreMisalignedOnlyWhereTheyReadAVector) {
  const auto misaligned = [](MechanismBuilder builder, SensorKind kind, std::string target) {
    SensorDescription sensor{"s", kind, target};
    sensor.errors.misalignment = 0.01;
    return with(std::move(builder), sensor) == "no error";
  };
  using enum SensorKind;
  EXPECT_FALSE(misaligned(four_bar(), kGyroscope, "crank"));
  EXPECT_FALSE(misaligned(four_bar(), kImu, "crank.P1")) << "its gyroscope is a number in the plane";
  EXPECT_FALSE(misaligned(four_bar(), kMagnetometer, "crank"));
  EXPECT_FALSE(misaligned(four_bar(), kEncoder, "A"));
  EXPECT_FALSE(misaligned(four_bar(), kVariable, "crank.angle"));
  EXPECT_TRUE(misaligned(four_bar(), kAccelerometer, "crank.P1"));
  EXPECT_TRUE(misaligned(four_bar(), kTracker, "crank.P1"));
  const MechanismBuilder arm = arm_with(JointType::kRevolute);
  EXPECT_TRUE(misaligned(arm, kGyroscope, "arm"));
  EXPECT_TRUE(misaligned(arm, kImu, "arm.P"));
  EXPECT_TRUE(misaligned(arm, kMagnetometer, "arm"));
  EXPECT_FALSE(misaligned(arm, kInclinometer, "arm"));
  EXPECT_FALSE(misaligned(arm, kTachometer, "shoulder"));
  SensorDescription tilt{"i", kInclinometer, "arm"};
  tilt.errors.misalignment = 0.01;
  EXPECT_EQ(with(arm, tilt),
            "a misalignment of a sensor that reads no vector [sensor 'i', misalignment]: expected an "
            "accelerometer or a tracker, or in space a gyroscope or a magnetometer, got 0.01 rad. Remove the "
            "misalignment.");
}

TEST(Sensors, HaveErrorsOfBothHalvesOnlyAsAnImu) {
  SensorDescription imu{"i", SensorKind::kImu, "crank.P1"};
  imu.errors.noise = -1.0;
  EXPECT_EQ(
      with(four_bar(), imu),
      "noise is negative [sensor 'i', gyroscope, noise]: expected noise >= 0, got -1. Give a value that "
      "is zero or positive.");
  imu.errors = {};
  imu.accelerometer_errors = SensorErrors{.range = -1.0};
  EXPECT_EQ(with(four_bar(), imu),
            "range is not positive [sensor 'i', accelerometer, range]: expected range > 0, got -1. Give a "
            "positive value.");
  imu.accelerometer_errors = SensorErrors{.misalignment = 0.01};
  EXPECT_EQ(with(four_bar(), imu), "no error");
  imu.kind = SensorKind::kAccelerometer;
  EXPECT_EQ(
      with(four_bar(), imu),
      "errors of an accelerometer for an accelerometer [sensor 'i', accelerometer]: expected an imu, got "
      "'accelerometer'. Remove them, or make the sensor an imu.");
}

TEST(Sensors, HaveTimesThatMakeSense) {
  SensorDescription sensor{"g", SensorKind::kGyroscope, "crank"};
  sensor.jitter = 1e-4;
  EXPECT_EQ(
      with(four_bar(), sensor),
      "jitter without a rate [sensor 'g', jitter]: expected rate > 0 Hz beside jitter, got no rate. Add "
      "'rate:', or remove the jitter.");
  sensor.rate = 100.0;
  EXPECT_EQ(with(four_bar(), sensor), "no error");
  sensor.jitter = -1e-4;
  EXPECT_EQ(
      with(four_bar(), sensor),
      "jitter is negative [sensor 'g', jitter]: expected jitter >= 0 s, got -1e-04 s. Give a value that "
      "is zero or positive.");
  sensor.jitter = 0.0;
  sensor.rate = 2e9;
  EXPECT_EQ(with(four_bar(), sensor),
            "a rate of more than one reading per nanosecond [sensor 'g', rate]: expected rate <= 1e9 Hz, got "
            "2e+09 Hz. Give a lower rate.");
  sensor.rate = 1e-10;
  EXPECT_EQ(
      with(four_bar(), sensor),
      "a rate of less than one reading in thirty years [sensor 'g', rate]: expected rate >= 1e-9 Hz, got "
      "1e-10 Hz. Give a higher rate, or 0 for a reading at every step.");
  sensor.rate = 0.0;
  sensor.latency = 2e9;
  EXPECT_EQ(
      with(four_bar(), sensor),
      "a latency of more than thirty years [sensor 'g', latency]: expected latency <= 1e9 s, got 2e+09 s. "
      "Check the unit.");
  sensor.latency = 0.0;
  sensor.dropout = 1.0;
  EXPECT_EQ(with(four_bar(), sensor),
            "every reading is lost [sensor 'g', dropout]: expected 0 (none is) <= dropout < 1, got 1. Give a "
            "probability below 1, or remove the sensor.");
  sensor.dropout = -0.5;
  EXPECT_EQ(
      with(four_bar(), sensor),
      "dropout is negative [sensor 'g', dropout]: expected dropout >= 0, got -0.5. Give a value that is "
      "zero or positive.");
}

TEST(Sensors, CountPulsesOfATurn) {
  SensorDescription encoder{"e", SensorKind::kEncoder, "A"};
  encoder.pulses = 1024.0;
  MechanismBuilder builder = four_bar();
  builder.add_sensor(encoder);
  EXPECT_EQ(builder.build().sensors()[0].errors.resolution, std::numbers::pi / 512.0);
  encoder.errors.resolution = 0.01;
  EXPECT_EQ(with(four_bar(), encoder),
            "pulses and resolution are both given [sensor 'e', pulses]: expected one of the two, got pulses "
            "1024 and resolution 0.01. Remove one of them.");
  encoder.errors.resolution = 0.0;
  encoder.pulses = 10.5;
  EXPECT_EQ(
      with(four_bar(), encoder),
      "pulses per turn are not whole [sensor 'e', pulses]: expected a whole number, got 10.5. Round the "
      "number, or give 'resolution:' instead.");
  encoder.pulses = 0.0;
  EXPECT_EQ(
      with(four_bar(), encoder),
      "pulses is not positive [sensor 'e', pulses]: expected pulses > 0, got 0. Give a positive value.");
  encoder.kind = SensorKind::kTachometer;
  EXPECT_EQ(
      with(four_bar(), encoder),
      "a tachometer with pulses per turn [sensor 'e', pulses]: expected pulses for encoders only, got 0. "
      "Give 'resolution:' instead.");
  SensorDescription linear{"e", SensorKind::kEncoder, "shoulder"};
  linear.pulses = 100.0;
  EXPECT_EQ(with(arm_with(JointType::kPrismatic), linear),
            "pulses per turn of what does not turn [sensor 'e', pulses]: expected an encoder of a rotation, "
            "got 'shoulder', which is a length. Give 'resolution:' instead.");
}

TEST(Sensors, HaveAFieldOnlyAsMagnetometersInSpace) {
  SensorDescription sensor{"m", SensorKind::kMagnetometer, "arm"};
  sensor.field = Eigen::Vector3d::Zero();
  EXPECT_EQ(with(arm_with(JointType::kRevolute), sensor),
            "field has no direction [sensor 'm', field]: expected a vector that is not zero, got [0, 0, 0]. "
            "Give at least one component that is not 0.");
  sensor.field = Eigen::Vector3d(1.0, 0.0, -2.0);
  EXPECT_EQ(with(arm_with(JointType::kRevolute), sensor), "no error");
  sensor.kind = SensorKind::kGyroscope;
  EXPECT_EQ(with(arm_with(JointType::kRevolute), sensor),
            "a gyroscope in a field [sensor 'm', field]: expected a field for magnetometers only, got [1, 0, "
            "-2]. Remove the field.");
  sensor = {"m", SensorKind::kMagnetometer, "crank"};
  sensor.field = Eigen::Vector3d(1.0, 0.0, 0.0);
  EXPECT_EQ(with(four_bar(), sensor),
            "the field of a planar magnetometer [sensor 'm', field]: expected a field in space only; in the "
            "plane the reading is an angle, got [1, 0, 0]. Remove the field.");
}

}  // namespace
}  // namespace eslabon::model
