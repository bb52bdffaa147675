// Linear systems of mechanisms with auxiliary states against runs: what a small push of each state becomes.
#include <cstdio>
#include <string>

#include "tests/linear_case.hpp"
#include "tests/simulated_case.hpp"
#include <gtest/gtest.h>

namespace eslabon::integration {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A pendulum with a motor that lags behind what a law asks for; where it starts.
std::string pendulum(const Vector3d& start) {
  const auto exact = [](double x) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.17g", x);
    return std::string(digits);
  };
  return "mechanism: pendulum\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\n"
         "bodies: {arm: {mass: 1.5, inertia: 0.02, center_of_mass: [0.4, 0], points: {O: [0, 0]}}}\n"
         "joints: {O: {revolute: [ground.O, arm.O]}}\n"
         "states: {motor: {start: " +
         exact(start[2]) +
         ", size: 5, rate: \"= (9*(0.7 - sin(O.q)) - 1.5*O.v - motor.value)/0.08\"}}\n"
         "forces: {torque: {joint: O, torque: \"= motor.value\"}}\n"
         "assembly: {O: " +
         exact(start[0]) + " rad, O.v: " + exact(start[1]) + " rad/s}\n";
}

Vector3d after(const Vector3d& start, double t) {
  test::Way way{.formulation = "semi-recursive", .kind = "", .integrator = "dopri5"};
  way.options.rtol = 1e-12;
  way.options.atol = 1e-13;
  test::SimulatedCase run(test::mechanism_of_text(pendulum(start)), t, way);
  EXPECT_TRUE(run.advance_to(t));
  return {run.value("O.q"), run.value("O.v"), run.simulation.point().state.memory.states[0]};
}

/// exp(A t) by scaling and squaring of its series.
Matrix3d exponential(Matrix3d A) {
  int squarings = 0;
  for (; A.cwiseAbs().maxCoeff() > 0.1; ++squarings) A *= 0.5;
  Matrix3d sum = Matrix3d::Identity(), term = sum;
  for (int i = 1; i < 20; ++i) sum += (term = (term * A / i).eval());
  for (; squarings > 0; --squarings) sum = (sum * sum).eval();
  return sum;
}

TEST(StatesResponse, OfALaggingDriveIsThatOfRunsPushedBothWays) {
  test::LinearCase c(pendulum({0.2, 0.0, 1.0}));
  const dynamics::LinearSystem linear = c.at_rest();
  ASSERT_TRUE(linear.is_equilibrium);
  const Vector3d rest(linear.state.q[0], 0.0, linear.state.memory.states[0]);
  constexpr double kTime = 0.3;
  EXPECT_LE((after(rest, kTime) - rest).cwiseAbs().maxCoeff(), 1e-9) << "it rests";
  const Matrix3d expected = exponential(linear.A * kTime);
  for (int column = 0; column < 3; ++column) {
    const double size = column == 2 ? 5.0 : 1.0;
    const auto slope = [&](double h) {
      const Vector3d push = h * size * Vector3d::Unit(column);
      return Vector3d((after(rest + push, kTime) - after(rest - push, kTime)) / (2.0 * h * size));
    };
    const Vector3d found = (4.0 * slope(1e-3) - slope(2e-3)) / 3.0;  // of fourth order
    EXPECT_LE((found - expected.col(column)).cwiseAbs().maxCoeff(),
              1e-7 * expected.col(column).cwiseAbs().maxCoeff())
        << column;
  }
}

}  // namespace
}  // namespace eslabon::integration
