// Question: how do I change a mechanism file from a program and write it again?
// Shows:    read a text with a parameter overridden, write the mechanism, what a wrong file says.
// Output:   checked by the test `example.how_is_a_mechanism_written_to_a_file`.

#include <iostream>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"

using namespace eslabon;

int main() {
  const std::string text = R"(
mechanism: pendulum
plane: xy
gravity: [0, -9.81]
parameters: {length: 1 m}
ground: {points: {O: [0, 0]}}
bodies:
  bob: {mass: 2 kg, shape: {bar: [O, tip]}, points: {O: [0, 0], tip: [= length, 0]}}
joints: {pivot: {revolute: [ground.O, bob.O]}}
assembly: {bob.angle: -30 deg}
)";
  const model::Mechanism pendulum = io::read_mechanism(text, "pendulum.yaml", {{"length", "1500 mm"}});
  std::cout << io::write_mechanism(pendulum);

  try {
    (void)io::read_mechanism(text, "pendulum.yaml", {{"lenght", "2 m"}});
  } catch (const core::ModelError& error) {
    std::cout << error.what() << "\n";
  }
}
