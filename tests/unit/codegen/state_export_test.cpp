// Exports of mechanisms with auxiliary states: states are inputs, their rates a function, in every form against formulations.
#include <algorithm>
#include <cmath>

#include "tests/dynamic_case.hpp"
#include "tests/exported_functions.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/codegen/motion_export.hpp"
#include "eslabon/codegen/reduced_export.hpp"
#include "eslabon/codegen/semi_recursive_export.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::codegen {
namespace {

using test::function;

/// A four-bar with a torque and a spring that look at two states.
model::Mechanism driven_loop() {
  return io::read_mechanism(R"yaml(
mechanism: four-bar with a drive
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], B: [0.8, 0]}}
bodies:
  crank: {mass: 2 kg, shape: {bar: [A, P]}, points: {A: [0, 0], P: [0.3, 0]}}
  coupler: {mass: 1 kg, shape: {bar: [P, Q]}, points: {P: [0, 0], Q: [0.7, 0]}}
  rocker: {mass: 2 kg, shape: {bar: [B, Q]}, points: {B: [0, 0], Q: [0.5, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P: {revolute: [crank.P, coupler.P]}
  Q: {revolute: [coupler.Q, rocker.Q]}
  B: {revolute: [ground.B, rocker.B]}
springs: {tie: {between: [ground.B, crank.P], force: "= 40*(tie.length - 0.5) + 3*air.value^2"}}
states:
  motor: {start: 5, size: 8, rate: "= (12*sin(crank.P.y - 1 + t) - motor.value - 0.3*A.v*motor.value)/0.05"}
  air: {start: 0.6, rate: "= (0.2*crank.P.y + 0.05*motor.value - air.value^3)/0.2"}
forces: {torque: {joint: A, torque: "= motor.value*(1 + 0.2*air.value)"}}
sensors: {seen: {reads: motor.value, noise: 0.1}, pull: {reads: tie.force, noise: 0.1}}
assembly: {crank.angle: 70 deg, crank.rate: 1.3 rad/s, coupler.angle: 15 deg, rocker.angle: 110 deg}
outputs: [A.q, air.value]
)yaml",
                            "loop.yaml");
}

std::size_t place(const std::vector<core::Column>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &core::Column::name);
  EXPECT_NE(found, columns.end()) << name;
  return static_cast<std::size_t>(found - columns.begin());
}

class StateExport : public testing::TestWithParam<const char*> {};

TEST_P(StateExport, HasAccelerationsAndRatesOfFormulationsAtAnyStates) {
  const std::string kind = GetParam();
  const test::DynamicCase one(driven_loop());
  const ExportedModel model = kind == "semi-recursive" ? export_semi_recursive(one.model, {})
                                                       : export_motion(one.model, {.coordinates = kind});
  const auto formulation = dynamics::make_formulation("multipliers", one.model,
                                                      {.kind = kind == "semi-recursive" ? "relative" : kind});
  const std::size_t motor = place(model.u, "motor.value"), air = place(model.u, "air.value");
  EXPECT_EQ(model.start.u[motor], 5.0);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    dynamics::State state = formulation->state_of(test::random_motion(one.model, seed), 0.3);
    state.memory.states = {2.0 + static_cast<double>(seed), -0.4};
    std::vector<double> a(state.q.size()), z_ddot(state.q.size());
    ASSERT_EQ(formulation->accelerate(state, a, z_ddot), dynamics::DynamicsStatus::kSolved);
    CheckState at = model.start;
    std::ranges::copy(state.q, at.x.begin());
    std::ranges::copy(state.v, at.x.begin() + static_cast<std::ptrdiff_t>(state.q.size()));
    at.u[0] = 0.3;
    at.u[motor] = state.memory.states[0];
    at.u[air] = state.memory.states[1];
    const std::vector<double> found = ExportedModel::evaluate(function(model, "accelerations"), at);
    double size = 0.0;
    for (const double x : a) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(found[k], a[k], 1e-9 * size) << k;
    // The rates, as they are written in the file.
    coordinates::MechanismMotion bodies(one.mechanism.bodies().size());
    formulation->evaluate_bodies(state, a, bodies);
    const double y = bodies[1].point_position({0.3, 0.0, 0.0}).y(), v = bodies[1].w_WB_W.z();
    const double m = state.memory.states[0], x = state.memory.states[1];
    const std::vector<double> rates = ExportedModel::evaluate(function(model, "state_rates"), at);
    EXPECT_NEAR(rates[0], (12.0 * std::sin(y - 1.0 + 0.3) - m - 0.3 * v * m) / 0.05, 1e-10 * 300.0);
    EXPECT_NEAR(rates[1], (0.2 * y + 0.05 * m - x * x * x) / 0.2, 1e-10);
    const std::vector<double> readings = ExportedModel::evaluate(function(model, "readings"), at);
    EXPECT_EQ(readings[0], m);
    const std::vector<double> outputs = ExportedModel::evaluate(function(model, "outputs"), at);
    EXPECT_EQ(outputs[1], x);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, StateExport,
                         testing::Values("relative", "natural", "reference-point", "semi-recursive"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(StateExportOfFreedoms, HasDerivativesByStatesAsDifferencesDo) {
  const test::DynamicCase one(driven_loop());
  const ExportedModel model = export_reduced(one.model, {});
  const std::size_t motor = place(model.u, "motor.value");
  const ExportedFunction& by_u = function(model, "accelerations_by_u");
  const CheckState& at = model.start;
  const std::vector<double> entries = ExportedModel::evaluate(by_u, at);
  double found = 0.0;
  for (std::size_t e = 0; e < by_u.matrix->places.size(); ++e)
    if (by_u.matrix->places[e].second == static_cast<int>(motor)) found = entries[e];
  const auto moved = [&](double by) {
    CheckState there = at;
    there.u[motor] += by;
    return ExportedModel::evaluate(function(model, "accelerations"), there)[0];
  };
  const double slope = (moved(0.5) - moved(-0.5));  // a torque counts in proportion
  EXPECT_GT(std::abs(slope), 0.1);
  EXPECT_NEAR(found, slope, 1e-9 * std::abs(slope));
}

TEST(StateExportOfFreedoms, RefusesTheStepOfAnEstimator) {
  const test::DynamicCase one(driven_loop());
  EXPECT_EQ(test::sentence_of<core::ModelError>(
                [&] { static_cast<void>(export_reduced(one.model, {.rule = estimation::StepRule::kHeun})); }),
            "the step of an estimator is not written down with auxiliary states [state 'motor']: expected a "
            "mechanism without them, got a state that the step would have to integrate. Export the equations "
            "alone: 'state_rates' gives the rates; or take 'estimate'.");
}

}  // namespace
}  // namespace eslabon::codegen
