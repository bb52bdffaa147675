// What single formulations promise beyond their agreement.
#include <cmath>
#include <string>

#include "tests/dynamic_case.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/dynamics/formulation_choice.hpp"
#include "eslabon/io/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;

// Φ̈ + 2 α Φ̇ + β² Φ = 0 [Seed002, eq. (32)], at a state that has left its constraints.
TEST(Multipliers, StabilisedRowsFollowBaumgartesEquation) {
  test::DynamicCase c(test::load_released("fourbar-testbed"));
  const double alpha = 50.0, beta = 0.5;
  const auto formulation = make_formulation(
      "multipliers", c.model, {.kind = "natural", .baumgarte_alpha = alpha, .baumgarte_beta = beta});
  State state = formulation->state_of(test::random_motion(c.model, 2), 0.0);
  core::Rng rng(1);
  for (double& q : state.q) q += 1e-4 * rng.normal();
  for (double& v : state.v) v += 1e-3 * rng.normal();
  std::vector<double> a(state.q.size()), z_ddot(a.size());
  ASSERT_EQ(formulation->accelerate(state, a, z_ddot), DynamicsStatus::kSolved);
  const coordinates::ConstraintSystem system("natural", c.mechanism, c.structure, {});
  coordinates::PositionLevel level;
  coordinates::GammaWorkspace workspace;
  Eigen::VectorXd gamma;
  system.evaluate_positions(state.q, {}, level);
  system.evaluate_gamma(level, state.q, state.v, {}, workspace, gamma);
  const Eigen::MatrixXd Phi_q = system.dense(level.Phi_q);
  const auto n = static_cast<Eigen::Index>(a.size());
  const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(state.v.data(), n),
                        acceleration = Eigen::Map<const Eigen::VectorXd>(a.data(), n);
  const Eigen::VectorXd Phi_ddot = Phi_q * acceleration - gamma, Phi_dot = Phi_q * v;
  EXPECT_GT(level.Phi.norm(), 1e-6);
  EXPECT_LE((Phi_ddot + 2.0 * alpha * Phi_dot + beta * beta * level.Phi).norm(),
            1e-9 * (1.0 + Phi_ddot.norm()));
}

/// The testbed with the rocker's joint as its input, the crank at this angle.
model::Mechanism rocker_as_input(double crank) {
  return io::read_mechanism(R"(mechanism: four-bar
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], B: [0.8, 0]}}
bodies:
  crank: {mass: 1, shape: {bar: [A, P]}, points: {A: [0, 0], P: [0.12, 0]}}
  coupler: {mass: 2, shape: {bar: [P, C]}, points: {P: [0, 0], C: [0.54, 0]}}
  rocker: {mass: 1.5, shape: {bar: [B, C]}, points: {B: [0, 0], C: [0.455, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  P: {revolute: [crank.P, coupler.P]}
  C: {revolute: [coupler.C, rocker.C]}
  B: {revolute: [ground.B, rocker.B]}
inputs: [B]
assembly: {crank.angle: )" + std::to_string(crank) +
                                ", coupler.angle: 0.6, rocker.angle: 2.1}\n",
                            "four-bar");
}

// Crank and coupler lie in one line at 0.605 rad: there the rocker says nothing about the crank.
TEST(Groups, InputsNearAToggleAreExchanged_AndTheMotionIsTheSame) {
  for (const double crank : {0.58, 0.60, 0.61, 0.63}) {
    test::DynamicCase c(rocker_as_input(crank));
    const auto groups = make_formulation("groups", c.model),
               other = make_formulation("semi-recursive", c.model);
    const MechanismMotion moving = test::random_motion(c.model, 5);
    const MechanismMotion expected = test::accelerated(*other, moving);
    State state = groups->state_of(moving, 0.0);
    const auto sentence = groups->choose_integrated(state);
    ASSERT_TRUE(sentence) << crank;
    EXPECT_THAT(*sentence, testing::StartsWith("inputs are now "));
    EXPECT_THAT(*sentence, testing::Not(testing::HasSubstr("B.q")));
    std::vector<double> a(state.q.size()), z_ddot(1);
    ASSERT_EQ(groups->accelerate(state, a, z_ddot), DynamicsStatus::kSolved);
    MechanismMotion motion(moving.size());
    groups->evaluate_bodies(state, a, motion);
    for (std::size_t b = 1; b < motion.size(); ++b) {
      EXPECT_LE((motion[b].w_WB_W - moving[b].w_WB_W).norm(), 1e-9 * (1.0 + moving[b].w_WB_W.norm()));
      EXPECT_LE((motion[b].alpha_WB_W - expected[b].alpha_WB_W).norm(),
                1e-9 * (1.0 + expected[b].alpha_WB_W.norm()));
    }
    EXPECT_FALSE(groups->choose_integrated(state)) << "a good choice stays";
  }
}

TEST(FormulationChoice, GoesByStructure) {
  const auto chosen = [](const std::string& model) {
    return choose_formulation(test::DynamicCase(test::load_released(model)).model);
  };
  EXPECT_EQ(chosen("fourbar-testbed").formulation, "groups");
  EXPECT_EQ(chosen("fourbar-testbed").reason, "every structural group has a solver of its own");
  EXPECT_EQ(chosen("rssr").formulation, "semi-recursive");
  EXPECT_EQ(chosen("benchmarks/double-pendulum").reason, "it has no loop");
}

}  // namespace
}  // namespace eslabon::dynamics
