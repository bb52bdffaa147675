#include <cmath>

#include "tests/simulated_case.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/linearisation.hpp"

// A, B, C and D against runs: half of the difference of two runs with opposite small pushes is what the linear system says, but for the
// third power of the push.
namespace eslabon::integration {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string four_bar(double push) {
  return "mechanism: sprung four-bar\nplane: xy\ngravity: [0, -9.81]\n"
         "ground: {points: {A: [0, 0], B: [0.8, 0], S: [0.3, 0.9]}}\nbodies:\n"
         "  crank: {mass: 2, inertia: 0.02, center_of_mass: [0.1, 0.02], points: {A: [0, 0], P: [0.25, 0]}}\n"
         "  coupler: {mass: 1.5, inertia: 0.06, center_of_mass: [0.3, 0.05], points: {P: [0, 0], Q: [0.7, "
         "0], T: [0.4, 0.2]}}\n"
         "  rocker: {mass: 1, inertia: 0.03, center_of_mass: [0.3, 0], points: {B: [0, 0], Q: [0.6, 0]}}\n"
         "  tail: {mass: 0.5, inertia: 0.01, center_of_mass: [0.2, 0], points: {O: [0, 0]}}\n"
         "joints:\n  A: {revolute: [ground.A, crank.A]}\n  P: {revolute: [crank.P, coupler.P]}\n"
         "  Q: {revolute: [coupler.Q, rocker.Q]}\n  B: {revolute: [ground.B, rocker.B]}\n  H: {revolute: "
         "[coupler.T, tail.O]}\n"
         "springs:\n  s: {between: [ground.S, coupler.T], stiffness: 400, free_length: 0.45, damping: 5}\n"
         "forces: {push: {joint: A, torque: " +
         core::number_text(push) + " N*m}}\n";
}

TEST(LinearisedResponse, IsThatOfSmallRuns) {
  const double amplitude = 2e-4, until = 0.8;
  const char* const outputs[] = {"A.q", "H.q", "coupler.T.vx", "tail.O.ay", "s.length"};
  // The equilibrium without a push, with the start values that lead there.
  const model::Mechanism still = test::mechanism_of_text(
      four_bar(0.0) +
      "assembly: {crank.angle: 60 deg, coupler.angle: 20 deg, rocker.angle: 110 deg, tail.angle: -90 deg}\n");
  const test::DynamicCase c(still);
  dynamics::FreedomChart chart(c.model, dynamics::FreedomChart::Drivers::kHeld);
  dynamics::State start;
  ASSERT_EQ(chart.start(0.0, start), dynamics::ChartStatus::kGood);
  const dynamics::EquilibriumReport rest = dynamics::find_equilibrium(chart, start);
  ASSERT_TRUE(rest.usable());
  std::vector<model::Variable> variables;
  for (const char* name : outputs) variables.push_back(dynamics::find_linear_output(still, name));
  const dynamics::LinearSystem linear =
      dynamics::linearise(chart, rest.equilibrium->state, {dynamics::find_input(still, "A.q")}, variables);

  // Two runs from rest there, pushed both ways by a constant effort.
  const auto value = [&](const char* name) {
    return core::number_text(
        kinematics::value_of(still, model::find_variable(still, name), rest.equilibrium->bodies));
  };
  std::string assembly = "assembly: {";
  for (const char* name : {"crank.angle", "coupler.angle", "rocker.angle", "tail.angle"})
    assembly += std::string(name) + ": " + value(name) + ", ";
  assembly.replace(assembly.size() - 2, 2, "}\n");
  const test::Way way{"null-space", "relative", "dopri5", {.rtol = 1e-12, .atol = 1e-14}};
  test::SimulatedCase more(test::mechanism_of_text(four_bar(amplitude) + assembly), until, way),
      less(test::mechanism_of_text(four_bar(-amplitude) + assembly), until, way);

  // x(t) of ẋ = A x + B u from rest: the last column of exp([A B; 0 0] t).
  const Eigen::Index n = linear.A.rows();
  MatrixXd block = MatrixXd::Zero(n + 1, n + 1);
  block.topLeftCorner(n, n) = linear.A;
  block.topRightCorner(n, 1) = linear.B;
  double worst = 0.0;
  for (const double t : {0.0, 0.1, 0.3, 0.5, 0.8}) {
    ASSERT_TRUE(more.advance_to(t) && less.advance_to(t));
    const VectorXd x = MatrixXd((block * t).exp()).topRightCorner(n, 1);
    const VectorXd expected = linear.C * x + linear.D;
    for (std::size_t k = 0; k < std::size(outputs); ++k) {
      const double found = (more.value(outputs[k]) - less.value(outputs[k])) / (2 * amplitude);
      const double error = std::abs(found - expected[static_cast<Eigen::Index>(k)]);
      const double size = (linear.C.row(static_cast<Eigen::Index>(k)).cwiseAbs() * x.cwiseAbs())(0) +
                          std::abs(linear.D(static_cast<Eigen::Index>(k), 0)) + 1e-3;
      EXPECT_LT(error, 1e-7 * size * test::tolerance_scale()) << outputs[k] << " at " << t;
      worst = std::max(worst, error / size);
    }
  }
  RecordProperty("largest_relative_difference", core::number_text(worst));
}

}  // namespace
}  // namespace eslabon::integration
