#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/dynamic_case.hpp"

#include "eslabon/integration/recorder.hpp"
#include "eslabon/integration/simulation.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/variable_value.hpp"

/// Runs of mechanisms that are let go.
namespace eslabon::test {

/// How a run is done.
struct Way {
  std::string formulation = "null-space";
  std::string kind = "natural";
  std::string integrator = "dopri5";
  integration::IntegratorOptions options = {};
  std::optional<dynamics::Baumgarte> baumgarte = {};  ///< of multipliers
};

/// A run of a mechanism, from its start.
struct SimulatedCase {
  SimulatedCase(const model::Mechanism& mechanism, double until, const Way& way)
      : c(mechanism, until),
        formulation(dynamics::make_formulation(way.formulation, c.model,
                                               {.kind = way.kind, .baumgarte = way.baumgarte})),
        simulation(c.model, *formulation, integration::make_integrator(way.integrator, way.options), until),
        bodies(mechanism.bodies().size()) {
    simulation.evaluate_bodies(bodies);
  }

  [[nodiscard]] bool advance_to(double t) {
    const bool is_good = simulation.advance_to(t);
    simulation.evaluate_bodies(bodies);
    return is_good;
  }
  double value(const std::string& name) const {
    return kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, name), bodies);
  }

  DynamicCase c;
  std::unique_ptr<dynamics::Formulation> formulation;
  integration::Simulation simulation;
  coordinates::MechanismMotion bodies;
};

/// Values of a variable in a run of its own, every `dt` seconds, so many times.
inline Eigen::VectorXd samples(const model::Mechanism& mechanism, const Way& way, const std::string& name,
                               double dt, int count) {
  SimulatedCase run(mechanism, dt * count, way);
  Eigen::VectorXd found(count);
  for (int k = 1; k <= count; ++k) {
    EXPECT_TRUE(run.advance_to(dt * k));
    found[k - 1] = run.value(name);
  }
  return found;
}

/// A mechanism from the text of its file.
inline model::Mechanism mechanism_of_text(const std::string& text) {
  return io::read_mechanism(text, "test.yaml");
}

/// A point mass at the end of a massless bar, from the horizontal: A01 of the benchmarks.
inline const char* const kPendulum = R"(
mechanism: pendulum
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies:
  bob: {mass: 1, inertia: 0, center_of_mass: P, points: {O: [0, 0], P: [1, 0]}}
joints: {O: {revolute: [ground.O, bob.O]}}
assembly: {bob.angle: 180 deg}
outputs: [bob.angle]
)";

/// A mass of 1 kg on a spring of 10⁸ N/m, 10 000 rad/s, 10 mm from its rest.
inline const char* const kStiffMass = R"(
mechanism: stiff
plane: xy
ground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}
bodies: {mass: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}}
joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}
springs: {s: {joint: J, stiffness: 1e8, free_length: 0.1}}
assembly: {J.q: 0.11}
)";

}  // namespace eslabon::test
