#pragma once

#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::test {

/// A bar that swings about A, with an encoder and a gyroscope; it starts level, at rest.
inline model::Mechanism sensed_pendulum() {
  return io::read_mechanism(R"(
mechanism: sensed pendulum
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bob: {mass: 1, shape: {bar: [O, tip]}, points: {O: [0, 0], tip: [1 m, 0]}}}
joints: {A: {revolute: [ground.O, bob.O]}}
assembly: {bob.angle: 0 deg}
sensors:
  encoder: {encoder: A, noise: 1 mrad, rate: 100 Hz}
  gyroscope: {gyroscope: bob, noise: 0.01 rad/s, rate: 100 Hz}
outputs: [bob.angle]
)",
                            "pendulum.yaml");
}

}  // namespace eslabon::test
