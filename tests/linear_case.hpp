#pragma once

#include <string>
#include <string_view>

#include "tests/dynamic_case.hpp"

#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/linearisation.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

/// Mechanisms that are linearised.
namespace eslabon::test {

/// A mechanism and its linear system at its equilibrium, or at its start.
struct LinearCase : DynamicCase {
  explicit LinearCase(const std::string& text, std::string_view kind = "relative")
      : LinearCase(io::read_mechanism(text, "test.yaml"), kind) {}
  explicit LinearCase(const model::Mechanism& mechanism_, std::string_view kind = "relative")
      : DynamicCase(mechanism_),
        chart(model, dynamics::FreedomChart::Drivers::kHeld, kind),
        moving(model, dynamics::FreedomChart::Drivers::kMove, kind) {}

  dynamics::State rest() {
    dynamics::State state;
    EXPECT_EQ(chart.start(0.0, state), dynamics::ChartStatus::kGood);
    const dynamics::EquilibriumReport report = dynamics::find_equilibrium(chart, state);
    EXPECT_TRUE(report.usable());
    return report.equilibrium->state;
  }
  dynamics::LinearSystem at_rest(const std::vector<std::string>& inputs = {},
                                 const std::vector<std::string>& outputs = {}) {
    return system(chart, rest(), inputs, outputs);
  }
  dynamics::LinearSystem at_start(const std::vector<std::string>& inputs = {},
                                  const std::vector<std::string>& outputs = {}) {
    return system(moving, moving.state_of(model.start(), 0.0), inputs, outputs);
  }
  dynamics::LinearSystem system(dynamics::FreedomChart& of, const dynamics::State& state,
                                const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs) {
    std::vector<dynamics::LinearInput> in;
    std::vector<model::Variable> out;
    for (const std::string& name : inputs) in.push_back(dynamics::find_input(mechanism, name));
    for (const std::string& name : outputs) out.push_back(dynamics::find_linear_output(mechanism, name));
    return dynamics::linearise(of, state, in, out);
  }

  dynamics::FreedomChart chart, moving;
};

inline std::string sliding_mass(double damping) {
  return "mechanism: mass\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
         "bodies: {mass: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, "
         "0]}}}\n"
         "joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}\n"
         "springs: {s: {joint: J, stiffness: 48, free_length: 0.1, damping: " +
         std::to_string(damping) + "}}\nforces: {push: {joint: J, force: 7 N}}\nassembly: {J.q: 0.3}\n";
}

}  // namespace eslabon::test
