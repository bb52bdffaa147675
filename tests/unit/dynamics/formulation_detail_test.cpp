// What single formulations promise beyond their agreement.
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "tests/dynamic_case.hpp"
#include "tests/test_name.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/dynamics/formulations/formulation_choice.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;

// Φ̈ + 2 α Φ̇ + β² Φ = 0 [Seed002, eq. (32)], at a state that has left its constraints.
TEST(Multipliers, StabilisedRowsFollowBaumgartesEquation) {
  test::DynamicCase c(test::load_released("fourbar-testbed"));
  const double alpha = 50.0, beta = 0.5;
  const auto formulation =
      make_formulation("multipliers", c.model, {.kind = "natural", .baumgarte = Baumgarte{alpha, beta}});
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

// Three ways to keep the constraints: a state that has left them is brought back by projection alone.
TEST(Multipliers, OnlyProjectionMovesStates) {
  test::DynamicCase c(test::load_released("fourbar-testbed"));
  struct Case {
    std::optional<Baumgarte> baumgarte;
    bool is_projected;
    std::string text;
  };
  for (const auto& [baumgarte, is_projected, text] :
       {Case{std::nullopt, true, "projected after each step"},
        Case{Baumgarte{50.0, 0.5}, false, "stabilised"},
        Case{Baumgarte{}, false, "neither stabilised nor projected"}}) {
    const auto formulation =
        make_formulation("multipliers", c.model, {.kind = "reference-point", .baumgarte = baumgarte});
    EXPECT_THAT(formulation->description(), testing::EndsWith(", " + text));
    State state = formulation->start();
    EXPECT_LE(formulation->constraint_error(state), 1e-14);  // every run starts closed
    state.q[0] += 1e-4;
    const std::vector<double> q = state.q;
    ASSERT_EQ(formulation->project(state), DynamicsStatus::kSolved);
    EXPECT_EQ(state.q != q, is_projected) << text;
    EXPECT_EQ(formulation->constraint_error(state) < 1e-14, is_projected) << text;
  }
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
  EXPECT_EQ(chosen("rssr").formulation, "clusters");
  EXPECT_EQ(chosen("family:truck-suspension,axles=2").formulation, "clusters");
  EXPECT_EQ(chosen("family:scalable-fourbar,dyads=40").formulation, "groups");
  EXPECT_EQ(chosen("benchmarks/double-pendulum").reason, "it has no loop");
}

/// Accelerations of the integrated coordinates at the start.
std::vector<double> start_accelerations(const std::string& text, const std::string& name,
                                        const std::string& kind) {
  test::DynamicCase c(io::read_mechanism(text, "test.yaml"));
  const auto formulation = make_formulation(name, c.model, {.kind = kind});
  const State start = formulation->start();
  std::vector<double> a(start.q.size()), z_ddot(static_cast<std::size_t>(formulation->num_integrated()));
  EXPECT_EQ(formulation->accelerate(start, a, z_ddot), DynamicsStatus::kSolved) << name << " " << kind;
  return z_ddot;
}

// Where a mechanism stands is no force: a kilometre away the same accelerations.
class FarFromTheOrigin : public testing::TestWithParam<std::string> {};
TEST_P(FarFromTheOrigin, AcceleratesAsNearIt) {
  const auto at = [](const std::string& x) {
    return start_accelerations(
        "mechanism: far\ngravity: [0, 0, -9.81]\nground: {points: {A: [" + x + ", " + x + R"(, 0]}}
bodies:
  arm: {mass: 1, center_of_mass: [0, 0, 0], inertia: [0.002, 0.002, 0.002], points: {A: [0, 0, 0.05], P: [0, 0, -0.05]}}
  fly: {mass: 1, center_of_mass: [0, 0, 0], inertia: [1e-4, 1e-4, 5e-5], points: {P: [0, 0.001, 0.02]}}
joints:
  A: {revolute: [ground.A, arm.A], axis: [0, 1, 0]}
  P: {revolute: [arm.P, fly.P], axis: [0.6, 0.8, 0]}
assembly: {A.q: 30 deg, P.q: 20 deg, P.v: 10}
)",
        GetParam(), "");
  };
  const std::vector<double> near = at("0"), far = at("1000");
  for (std::size_t k = 0; k < near.size(); ++k) EXPECT_NEAR(far[k], near[k], 1e-10 * std::abs(near[k])) << k;
}
INSTANTIATE_TEST_SUITE_P(Ways, FarFromTheOrigin, testing::Values("semi-recursive", "clusters"),
                         [](const auto& way) { return test::test_name(way.param); });

/// Bars of 1 m and 1 kg, hung from each other at ±10° from the vertical.
std::string zigzag_chain(int num_bars) {
  std::string bodies, joints, assembly;
  for (int k = 0; k < num_bars; ++k) {
    const std::string b = "b" + std::to_string(k);
    bodies += "  " + b + ": {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1, 0]}}\n";
    joints += "  j" + std::to_string(k) + ": {revolute: [" +
              (k == 0 ? "ground.O" : "b" + std::to_string(k - 1) + ".B") + ", " + b + ".A]}\n";
    assembly += (k == 0 ? "" : ", ") + b + ".angle: " + (k % 2 == 0 ? "-80" : "-100") + " deg";
  }
  return "mechanism: chain\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\nbodies:\n" +
         bodies + "joints:\n" + joints + "assembly: {" + assembly + "}\n";
}

// The torque that each joint would need for the accelerations found, by Newton and Euler from the last bar to the first: none, however long
// the chain is.
TEST(OpenChain, NeedsNoTorqueInAnyJoint_OfThousandsOfBars) {
  constexpr int kBars = 3000;
  const std::vector<double> a = start_accelerations(zigzag_chain(kBars), "semi-recursive", "");
  ASSERT_EQ(a.size(), static_cast<std::size_t>(kBars));
  std::vector<Eigen::Vector2d> along, centre;  // of the bars, and accelerations of their centres
  std::vector<double> alpha;
  Eigen::Vector2d at_joint = Eigen::Vector2d::Zero();
  double turning = 0.0;
  for (int k = 0; k < kBars; ++k) {
    const double angle = (k % 2 == 0 ? -80.0 : -100.0) * std::numbers::pi / 180.0;
    along.emplace_back(std::cos(angle), std::sin(angle));
    turning += a[static_cast<std::size_t>(k)];
    alpha.push_back(turning);
    const Eigen::Vector2d across = turning * Eigen::Vector2d(-along.back().y(), along.back().x());
    centre.emplace_back(at_joint + 0.5 * across);
    at_joint += across;
  }
  const auto cross = [](const Eigen::Vector2d& r, const Eigen::Vector2d& f) {
    return r.x() * f.y() - r.y() * f.x();
  };
  Eigen::Vector2d force = Eigen::Vector2d::Zero();
  double torque = 0.0;
  for (std::size_t k = kBars; k-- > 0;) {
    const Eigen::Vector2d own = centre[k] + Eigen::Vector2d(0.0, 9.81);
    torque += alpha[k] / 12.0 + cross(0.5 * along[k], own) + cross(along[k], force);
    force += own;
    ASSERT_NEAR(torque, 0.0, 1e-9 * 9.81 * kBars) << k;  // beside the weight that hangs from the first
  }
}

// A tonne and a microgram, each a pendulum of its own: −(3/2)(g/l) from the horizontal, in one mass matrix.
TEST(MassMatrix, HoldsBodiesOfAnyMass) {
  const std::string text = R"(mechanism: two pendula
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], B: [0, 0]}}
bodies:
  heavy: {mass: 1000, shape: {bar: [O, P]}, points: {O: [0, 0], P: [10, 0]}}
  light: {mass: 1e-9, shape: {bar: [O, P]}, points: {O: [0, 0], P: [0.001, 0]}}
joints:
  A: {revolute: [ground.A, heavy.O]}
  B: {revolute: [ground.B, light.O]}
)";
  for (const auto& [name, kind] : {std::pair{"groups", ""}, std::pair{"null-space", "relative"}}) {
    const std::vector<double> a = start_accelerations(text, name, kind);
    EXPECT_NEAR(a[0], -1.5 * 9.81 / 10.0, 1e-9) << name;
    EXPECT_NEAR(a[1], -1.5 * 9.81 / 0.001, 1e-5) << name;
  }
}

// Three hinges on one axis: in relative coordinates all rows of the two that close loops are zero.
TEST(AugmentedLagrangian, TakesRowsThatHoldNothing) {
  const std::vector<double> a = start_accelerations(R"(mechanism: door
gravity: [0, -9.81, 0]
ground: {points: {A: [0, 0, 0], B: [0, 0, 1], C: [0, 0, 2]}}
bodies: {door: {mass: 3, center_of_mass: [0.5, 0, 1], inertia: [1, 1, 0.25], points: {A: [0, 0, 0], B: [0, 0, 1], C: [0, 0, 2]}}}
joints:
  A: {revolute: [ground.A, door.A], axis: [0, 0, 1]}
  B: {revolute: [ground.B, door.B], axis: [0, 0, 1]}
  C: {revolute: [ground.C, door.C], axis: [0, 0, 1]}
)",
                                                    "augmented-lagrangian", "relative");
  ASSERT_EQ(a.size(), 1u);
  EXPECT_NEAR(a[0], -3.0 * 9.81 * 0.5 / (0.25 + 3.0 * 0.25), 1e-9);
}

}  // namespace
}  // namespace eslabon::dynamics
