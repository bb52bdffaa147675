#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "tests/dynamic_case.hpp"

#include "eslabon/io/mechanism/mechanism_reader.hpp"

/// Mechanisms of models/ that are let go, with a sensor of every kind.
namespace eslabon::test {

inline std::string text_of_model(const std::string& name) {
  std::ifstream file(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The text with what stands after `place` too.
inline std::string with_after(std::string text, const std::string& place, const std::string& added) {
  const std::size_t at = text.find(place);
  EXPECT_NE(at, std::string::npos) << place;
  return text.insert(at == std::string::npos ? 0 : at + place.size(), added);
}

/// The testbed with a spring, a damper and viscous friction; the box with the IMU is turned by 35°.
inline model::Mechanism sensed_testbed(const std::string& more = "") {
  std::string text = text_of_model("fourbar-testbed");
  text = with_after(text, "P3: [= x3, = y3]}", "\n    frames: {box: {angle: 35 deg}}");
  text = with_after(text, "coulomb: = crank_friction", ", viscous: 0.2 N*m*s/rad");
  text = with_after(text, "sensors:\n",
                    R"(  coupler_gyroscope: {gyroscope: coupler, frame: box, noise: 0.01, rate: 100 Hz}
  accelerometer: {accelerometer: coupler.P3, frame: box, noise: 0.02}
  imu: {imu: coupler.P3, frame: box, gyroscope: {noise: 0.03, range: 5}, accelerometer: {noise: 0.04, resolution: 0.01}, rate: 125 Hz}
  encoder: {encoder: P2, resolution: 0.01}
  tachometer: {tachometer: P1, noise: 0.05}
  inclinometer: {inclinometer: coupler, frame: box, noise: 0.01}
  magnetometer: {magnetometer: rocker, noise: 0.01}
  tracker: {tracker: coupler.P3, noise: 0.001}
  distance: {distance: [ground.A, coupler.P3], noise: 0.001}
  angle: {reads: rocker.angle, noise: 0.01}
  height: {reads: coupler.P3.y, noise: 0.001}
  pull: {reads: spring.force, noise: 0.1}
  drag: {reads: damper.force, noise: 0.1}
  friction: {reads: A.friction, noise: 0.1}
)");
  text = with_after(text, "outputs: [crank.angle, coupler.P3.x, coupler.P3.y]\n", R"(
springs: {spring: {between: [ground.B, coupler.P3], stiffness: 70 N/m, free_length: 0.1 m, damping: 4 N*s/m}}
dampers: {damper: {between: [ground.A, rocker.P2], damping: 3 N*s/m}}
)" + more);
  return released(io::read_mechanism(text, "testbed.yaml"));
}

inline const char* const kSensorsInSpace = R"(  gyroscope: {gyroscope: @, frame: box, noise: 0.01}
  accelerometer: {accelerometer: @.P, frame: box, noise: 0.02}
  imu: {imu: @.P, frame: box, gyroscope: {noise: 0.03}, accelerometer: {noise: 0.04}, rate: 100 Hz}
  inclinometer: {inclinometer: @, frame: box, noise: 0.01}
  magnetometer: {magnetometer: @, frame: box, field: [0.5, 0.2, -1.1], noise: 0.01}
  tracker: {tracker: @.P, noise: 0.001}
  distance: {distance: [@.P, ground.#], noise: 0.001}
)";

/// Lines of the section sensors, for a body and a point of the ground.
inline std::string sensors_in_space(const std::string& body, const std::string& ground_point) {
  std::string text;
  for (const char c : std::string(kSensorsInSpace))
    text += c == '@' ? body : c == '#' ? ground_point : std::string(1, c);
  return text;
}
/// A frame that is turned about all axes, as a line of a body.
inline const char* const kBox = "frames: {box: {x: [0.6, 0.64, 0.48], z: [-0.8, 0.48, 0.36]}}";

inline model::Mechanism sensed_quarter_vehicle() {
  std::string text = text_of_model("quarter-vehicle");
  text = with_after(text, "K: [0, = yK - y3, = zK - z3]\n",
                    std::string("      P: [0.02, 0.05, 0.1]\n    ") + kBox + "\n");
  text = with_after(text, "# of consumer grade; chosen here\n",
                    sensors_in_space("knuckle", "A") + R"(  encoder: {encoder: A, noise: 0.001}
  wheel_encoder: {encoder: hub, noise: 0.01}
  tachometer: {tachometer: hub, noise: 0.01}
  spring_force: {reads: spring.force, noise: 1}
  shock_force: {reads: shock.force, noise: 1}
  tyre_force: {reads: tyre_spring.force, noise: 1}
)");
  return released(io::read_mechanism(text, "vehicle.yaml"));
}

inline model::Mechanism sensed_rssr() {
  std::string text = text_of_model("rssr");
  text = with_after(text, "B: [= coupler, 0, 0]", ", P: [0.1, 0.03, -0.05]");
  text = with_after(text, "P: [0.1, 0.03, -0.05]}\n", std::string("    ") + kBox + "\n");
  text.replace(text.find(", motor.effort"), 14, "");
  text += "\nsensors:\n" + sensors_in_space("coupler", "G") + R"(  encoder: {encoder: G, noise: 0.001}
  tachometer: {tachometer: O, noise: 0.01}
  spin: {reads: coupler.wy, noise: 0.1}
)";
  return released(io::read_mechanism(text, "rssr.yaml"));
}

}  // namespace eslabon::test
