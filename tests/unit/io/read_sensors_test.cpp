// The section `sensors` of a file: what each key becomes, in SI units.
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::io {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

model::Sensor read_sensor(const std::string& text) {
  const std::string file =
      "mechanism: slider\nplane: xy\nground: {points: {O: [0, 0]}}\n"
      "bodies:\n  crank: {mass: 1, shape: {bar: [O, P]}, points: {O: [0, 0], P: [1, 0]}, "
      "frames: {box: {angle: 30 deg}}}\n  block: {points: {P: [0, 0]}, mass: 1, center_of_mass: P, inertia: "
      "1}\n"
      "joints:\n  O: {revolute: [ground.O, crank.O]}\n  G: {prismatic: [crank.P, block.P], axis: [1, 0]}\n"
      "springs: {coil: {joint: O, stiffness: 1 N*m/rad}, strut: {between: [ground.O, block.P], stiffness: 9 "
      "N/m}}\n"
      "sensors: {s: {" +
      text + "}}\n";
  return read_mechanism(file, "f.yaml").sensors().at(0);
}

TEST(SensorSection, GivesEveryErrorInSiUnits) {
  const model::Sensor sensor = read_sensor(
      "accelerometer: crank.P, frame: box, noise: 1 mm/s^2, bias: 2 mm/s^2, turn_on_bias: 3 mm/s^2, drift: 4 "
      "mm/s^2, "
      "drift_time: 2 min, scale: 0.05, misalignment: 6 deg, range: 7 mm/s^2, resolution: 8 mm/s^2, rate: 2 "
      "kHz, "
      "latency: 9 ms, jitter: 10 us, dropout: 0.11");
  EXPECT_EQ(sensor.kind, model::SensorKind::kAccelerometer);
  EXPECT_EQ(sensor.frame, "box");
  const model::SensorErrors expected{1e-3, 2e-3, 3e-3, 4e-3, 120.0, 0.05, 6.0 * kDegree, 7e-3, 8e-3};
  EXPECT_DOUBLE_EQ(sensor.errors.noise, expected.noise);
  EXPECT_DOUBLE_EQ(sensor.errors.bias, expected.bias);
  EXPECT_DOUBLE_EQ(sensor.errors.turn_on_bias, expected.turn_on_bias);
  EXPECT_DOUBLE_EQ(sensor.errors.drift, expected.drift);
  EXPECT_DOUBLE_EQ(sensor.errors.drift_time, expected.drift_time);
  EXPECT_DOUBLE_EQ(sensor.errors.scale, expected.scale);
  EXPECT_DOUBLE_EQ(sensor.errors.misalignment, expected.misalignment);
  EXPECT_DOUBLE_EQ(sensor.errors.range, expected.range);
  EXPECT_DOUBLE_EQ(sensor.errors.resolution, expected.resolution);
  EXPECT_DOUBLE_EQ(sensor.rate, 2000.0);
  EXPECT_DOUBLE_EQ(sensor.latency, 9e-3);
  EXPECT_DOUBLE_EQ(sensor.jitter, 1e-5);
  EXPECT_DOUBLE_EQ(sensor.dropout, 0.11);
}

TEST(SensorSection, KeepsTheHalvesOfAnImuApart) {
  const model::Sensor sensor =
      read_sensor("imu: crank.P, gyroscope: {noise: 1 deg/s}, accelerometer: {noise: 2 mm/s^2}, rate: 50 Hz");
  EXPECT_EQ(sensor.kind, model::SensorKind::kImu);
  EXPECT_DOUBLE_EQ(sensor.errors.noise, kDegree);
  ASSERT_TRUE(sensor.accelerometer_errors);
  EXPECT_DOUBLE_EQ(sensor.accelerometer_errors->noise, 2e-3);
  EXPECT_EQ(read_sensor("imu: crank.P").accelerometer_errors, model::SensorErrors());
}

TEST(SensorSection, TakesTheUnitOfAVariableFromTheMechanism) {
  EXPECT_DOUBLE_EQ(read_sensor("reads: crank.angle, noise: 1 deg").errors.noise, kDegree);
  EXPECT_DOUBLE_EQ(read_sensor("reads: O, noise: 1 deg").errors.noise, kDegree)
      << "the coordinate of a joint";
  EXPECT_DOUBLE_EQ(read_sensor("reads: G.q, noise: 1 mm").errors.noise, 1e-3);
  EXPECT_DOUBLE_EQ(read_sensor("reads: G.v, noise: 1 mm/s").errors.noise, 1e-3);
  EXPECT_DOUBLE_EQ(read_sensor("reads: crank.P.ax, noise: 1 mm/s^2").errors.noise, 1e-3);
  EXPECT_DOUBLE_EQ(read_sensor("reads: coil.force, noise: 1 N*m").errors.noise, 1.0);
  EXPECT_DOUBLE_EQ(read_sensor("reads: strut.force, noise: 1 kN").errors.noise, 1000.0);
  EXPECT_DOUBLE_EQ(read_sensor("reads: O.fx, noise: 1 kN").errors.noise, 1000.0);
}

TEST(SensorSection, ReadsEveryKindOfVariable) {
  const std::string file =
      "mechanism: arm\nground: {points: {O: [0, 0, 0]}}\n"
      "bodies: {arm: {mass: 1, shape: {bar: [O, P]}, points: {O: [0, 0, 0], P: [1, 0, 0]}}}\n"
      "joints: {O: {revolute: [ground.O, arm.O], axis: [0, 0, 1]}}\ndrivers: {m: {joint: O, position: 0}}\n"
      "dampers: {oil: {joint: O, damping: 1}}\nstops: {end: {joint: O, upper: 1, restitution: 1}}\n"
      "sensors: {s: {reads: ";
  for (const char* variable :
       {"arm.e0, noise: 0.1", "arm.wx, noise: 1 deg/s", "arm.alphay, noise: 1 deg/s^2",
        "arm.P.x, noise: 1 mm", "arm.P.vy, noise: 1 mm/s", "arm.P.az, noise: 1 mm/s^2", "O.q, noise: 1 deg",
        "O.v, noise: 1 deg/s", "O.a, noise: 1 deg/s^2", "O.fx, noise: 1 N", "O.mx, noise: 1 Nm",
        "O.friction, noise: 1 Nm", "m.effort, noise: 1 Nm", "oil.length, noise: 1 deg",
        "oil.rate, noise: 1 deg/s", "oil.force, noise: 1 Nm", "end.force, noise: 1 Nm"})
    EXPECT_NO_THROW(static_cast<void>(read_mechanism(file + variable + "}}\n", "f.yaml"))) << variable;
}

TEST(SensorSection, CountsPulsesOfATurn) {
  EXPECT_DOUBLE_EQ(read_sensor("encoder: O, pulses: 1000").errors.resolution,
                   2.0 * std::numbers::pi / 1000.0);
  EXPECT_THROW(read_sensor("encoder: G, pulses: 1000"), core::ModelError);
  EXPECT_THROW(read_sensor("tachometer: O, pulses: 1000"), core::ModelError);
}

}  // namespace
}  // namespace eslabon::io
