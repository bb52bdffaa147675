// Implicit steps at index 3: their order across closed loops, what they solve, redundant rows and stiff springs.
#include "eslabon/integration/integrators/position_step.hpp"

#include <cmath>
#include <string>

#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

namespace eslabon::integration {
namespace {

using test::SimulatedCase;

test::Way by_positions(const std::string& integrator, const std::string& kind, double step) {
  return {.formulation = "augmented-lagrangian",
          .kind = kind,
          .integrator = integrator,
          .options = {.step = step}};
}

class PositionStepOf : public testing::TestWithParam<std::string> {};

TEST_P(PositionStepOf, IsOfOrderTwoAcrossAClosedLoop) {
  const model::Mechanism mechanism = test::load_released("fourbar-testbed");
  const auto angles = [&](const test::Way& way) {
    return test::samples(mechanism, way, "crank.angle", 0.02, 60);
  };
  const Eigen::VectorXd reference =
      angles({.formulation = "groups", .kind = "", .options = {.rtol = 1e-11, .atol = 1e-12}});
  for (const std::string& kind : coordinates::layout_names()) {
    const double coarse = (angles(by_positions(GetParam(), kind, 2e-3)) - reference).norm(),
                 fine = (angles(by_positions(GetParam(), kind, 1e-3)) - reference).norm();
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << kind << " " << coarse << " " << fine;
  }
}

// Redundant rows (43, of which 40 say something), springs, dampers and a tyre that stays on its road: the same motion as in independent
// coordinates.
TEST_P(PositionStepOf, TakesRowsThatRepeatOthers) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/quarter-vehicle.yaml", {{"drop=2 mm"}});
  SimulatedCase index_3(mechanism, 0.5, by_positions(GetParam(), "reference-point", 5e-4));
  SimulatedCase judge(mechanism, 0.5,
                      {.formulation = "null-space", .kind = "relative", .options = {.rtol = 1e-10}});
  ASSERT_TRUE(index_3.advance_to(0.5) && judge.advance_to(0.5));
  EXPECT_LE(judge.value("wheel.W.z"), -0.0617);  // it moves
  for (std::size_t b = 1; b < judge.bodies.size(); ++b)
    EXPECT_LE((index_3.bodies[b].X_WB.p_AB_A - judge.bodies[b].X_WB.p_AB_A).norm(), 1e-6) << b;
  EXPECT_LE(index_3.simulation.statistics().worst_constraint_error, 1e-10);
}

// A vibration of 3·10⁴ rad/s in steps of 1 ms: the tangent has to know the spring.
TEST_P(PositionStepOf, SolvesForAStiffSpring) {
  SimulatedCase run(test::mechanism_of_text(R"(
mechanism: bar on a stiff spring
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], S: [1, 1]}}
bodies: {bar: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1, 0]}}}
joints: {O: {revolute: [ground.O, bar.A]}}
springs: {stiff: {between: [ground.S, bar.B], stiffness: 1e9, free_length: 1, damping: 1e3}}
)"),
                    0.1, by_positions(GetParam(), "natural", 1e-3));
  ASSERT_TRUE(run.advance_to(0.1));
  EXPECT_NEAR(run.value("O.q"), -0.5 * 9.81 / 1e9, 1e-8);  // half the weight hangs on the spring
  EXPECT_LT(run.simulation.statistics().iterations, 10 * run.simulation.statistics().steps);
}

INSTANTIATE_TEST_SUITE_P(Integrators, PositionStepOf, testing::Values("trapezoidal", "generalized-alpha"),
                         [](const auto& name) { return test::test_name(name.param); });

// What a step leaves is a solution of the equations at its end: r = 0 with the accelerations of the trapezoidal rule itself, before
// they are projected, and Phi = 0. Here of a pendulum, whose multiplier is known.
TEST(PositionStep, SolvesTheEquationsAtItsEnd) {
  const model::Mechanism mechanism = test::mechanism_of_text(test::kPendulum);
  test::DynamicCase c(mechanism);
  const auto formulation = dynamics::make_formulation("augmented-lagrangian", c.model, {.kind = "natural"});
  dynamics::DescriptorForm* const form = formulation->descriptor_form();
  ASSERT_NE(form, nullptr);
  MotionEquations equations(*formulation, c.model);
  MotionPoint from = equations.make_point(formulation->start());
  ASSERT_TRUE(equations.evaluate_state(from));
  MotionPoint to = from;
  std::vector<double> x = from.z_ddot;
  PositionStep step({.alpha_m = 0.0, .alpha_f = 0.0, .beta = 0.25, .gamma = 0.5});
  const double h = 1e-2;
  ASSERT_EQ(step.solve(equations, *form, from, h, from.z_ddot, x, to), Verdict::kConverged);
  // One unit vector (ux, uy) is all there is: |u|² = 1, and z₁ = z₀ + h ż₀ + h²/4 (x₀ + x₁).
  for (std::size_t k = 0; k < x.size(); ++k)
    EXPECT_NEAR(to.z[k], from.z[k] + h * from.z_dot[k] + 0.25 * h * h * (from.z_ddot[k] + x[k]), 1e-12);
  EXPECT_LE(formulation->constraint_error(to.state), 1e-14);
  Eigen::VectorXd r(static_cast<Eigen::Index>(x.size())), Phi(static_cast<Eigen::Index>(form->num_rows()));
  // r without multipliers is along the rod: across it the weight alone accelerates.
  const std::vector<double> none(form->num_rows(), 0.0);
  ASSERT_EQ(form->evaluate(to.state, x, none, r, Phi), dynamics::DynamicsStatus::kSolved);
  Eigen::MatrixXd Phi_q(Phi.size(), r.size());
  form->write_Phi_q(Phi_q);
  const Eigen::VectorXd along = Phi_q.row(0).transpose().normalized();
  EXPECT_GT(r.norm(), 1e-3);
  EXPECT_LE((r - along * along.dot(r)).norm(), 1e-9 * r.norm());
}

}  // namespace
}  // namespace eslabon::integration
