// Auxiliary states ẋ = f(t, q, v, x): against closed forms and the exponential of a matrix, by every integrator and formulation.
#include <cmath>
#include <string>

#include "tests/allocation_counter.hpp"
#include "tests/simulated_case.hpp"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace eslabon::integration {
namespace {

constexpr double kEnd = 2.0;  // [s]

/// A cart of 2 kg, pushed by a force that lags behind what is asked for.
model::Mechanism pushed_cart() {
  return io::read_mechanism(R"yaml(
mechanism: pushed cart
plane: xy
bodies: {cart: {mass: 2 kg, center_of_mass: [0, 0], inertia: 1 kg*m^2, points: {P: [0, 0]}}}
ground: {points: {O: [0, 0]}}
joints: {slide: {prismatic: [ground.O, cart.P], axis: [1, 0]}}
states: {push: {start: 3 N, rate: "= (20 N*sin(5 rad/s*t) - push.value)/(0.1 s)"}}
forces: {push_on_cart: {joint: slide, force: "= push.value"}}
outputs: [slide.q, push.value]
)yaml",
                            "cart.yaml");
}

/// ẋ = (U sin ωt − x)/τ from x₀:  x = U (sin ωt − ωτ cos ωt)/(1 + ω²τ²) + C e^(−t/τ).
struct Lag {
  double U = 20.0, w = 5.0, tau = 0.1, start = 3.0;
  double gain() const { return U / (1.0 + w * w * tau * tau); }
  double C() const { return start + gain() * w * tau; }
  double value(double t) const {
    return gain() * (std::sin(w * t) - w * tau * std::cos(w * t)) + C() * std::exp(-t / tau);
  }
  double integral(double t) const {
    return gain() * ((1.0 - std::cos(w * t)) / w - tau * std::sin(w * t)) +
           C() * tau * (1.0 - std::exp(-t / tau));
  }
};

double state(const test::SimulatedCase& run, std::size_t k = 0) {
  return run.simulation.point().state.memory.states[k];
}

struct Accuracy {
  std::string integrator;
  double error;  ///< of the force and of the velocity that it gives, relative
};

class LaggingForce : public testing::TestWithParam<Accuracy> {};

TEST_P(LaggingForce, FollowsItsClosedFormInEveryFormulation) {
  const Lag lag;
  for (const std::string& formulation : dynamics::formulation_names()) {
    const bool by_positions =
        GetParam().integrator == "trapezoidal" || GetParam().integrator == "generalized-alpha";
    if (formulation == "augmented-lagrangian" && by_positions) continue;  // refused: see below
    test::Way way{.formulation = formulation, .kind = "", .integrator = GetParam().integrator};
    test::SimulatedCase run(pushed_cart(), kEnd, way);
    for (const double t : {0.35, 1.0, kEnd}) {
      ASSERT_TRUE(run.advance_to(t)) << formulation;
      EXPECT_NEAR(state(run), lag.value(t), GetParam().error * lag.U) << formulation << " at " << t;
      EXPECT_NEAR(run.value("slide.v"), lag.integral(t) / 2.0, GetParam().error)
          << formulation << " at " << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, LaggingForce,
                         testing::Values(Accuracy{"rk4", 1e-9}, Accuracy{"dopri5", 1e-7},
                                         Accuracy{"bdf", 1e-6}, Accuracy{"trapezoidal", 1e-4},
                                         Accuracy{"generalized-alpha", 1e-4}),
                         [](const auto& one) {
                           std::string name = one.param.integrator;
                           std::erase(name, '-');
                           return name;
                         });

TEST(AuxiliaryStates, FallWithTheOrderOfTheIntegrator) {
  const Lag lag;
  const auto error = [&](const std::string& integrator, double step) {
    test::Way way{.formulation = "semi-recursive", .kind = "", .integrator = integrator};
    way.options.step = step;
    test::SimulatedCase run(pushed_cart(), kEnd, way);
    EXPECT_TRUE(run.advance_to(kEnd));
    return std::abs(state(run) - lag.value(kEnd));
  };
  EXPECT_NEAR(std::log2(error("rk4", 0.02) / error("rk4", 0.01)), 4.0, 0.2);
  EXPECT_NEAR(std::log2(error("trapezoidal", 0.02) / error("trapezoidal", 0.01)), 2.0, 0.1);
  EXPECT_NEAR(std::log2(error("generalized-alpha", 0.01) / error("generalized-alpha", 0.005)), 2.0, 0.2);
}

// m q̈ = −k q − x,  ẋ = (c v − x)/τ: linear, so that (q, v, x) is the exponential of a matrix, here by its eigenvectors.
TEST(AuxiliaryStates, OfALaggingDamperMoveAsTheMatrixExponentialSays) {
  const model::Mechanism mechanism = io::read_mechanism(R"yaml(
mechanism: lagging damper
plane: xy
bodies: {cart: {mass: 2 kg, center_of_mass: [0, 0], inertia: 1 kg*m^2, points: {P: [0, 0]}}}
ground: {points: {O: [0, 0]}}
joints: {slide: {prismatic: [ground.O, cart.P], axis: [1, 0]}}
springs: {spring: {joint: slide, stiffness: 50 N/m}}
states: {drag: {start: 0 N, rate: "= (6 N*s/m*slide.v - drag.value)/(0.2 s)"}}
forces: {dragged: {joint: slide, force: "= -drag.value"}}
assembly: {slide.q: 100 mm}
outputs: [slide.q, drag.value]
)yaml",
                                                        "damper.yaml");
  Eigen::Matrix3d A;
  A << 0.0, 1.0, 0.0, -25.0, 0.0, -0.5, 0.0, 30.0, -5.0;
  const Eigen::EigenSolver<Eigen::Matrix3d> modes(A);
  const Eigen::Vector3cd c =
      modes.eigenvectors().partialPivLu().solve(Eigen::Vector3d(0.1, 0.0, 0.0).cast<std::complex<double>>());
  test::Way way{.formulation = "null-space", .kind = "", .integrator = "dopri5"};
  way.options.rtol = 1e-11;
  way.options.atol = 1e-13;
  test::SimulatedCase run(mechanism, kEnd, way);
  for (const double t : {0.2, 0.9, kEnd}) {
    ASSERT_TRUE(run.advance_to(t));
    const Eigen::Vector3cd weights = (modes.eigenvalues() * t).array().exp() * c.array();
    const Eigen::Vector3d expected = (modes.eigenvectors() * weights).real();
    EXPECT_NEAR(run.value("slide.q"), expected(0), 1e-10);
    EXPECT_NEAR(run.value("slide.v"), expected(1), 1e-9);
    EXPECT_NEAR(state(run), expected(2), 1e-9);
  }
}

// Units of 1e-9 and 1e9 of what a state measures change nothing but its number.
TEST(AuxiliaryStates, AreIntegratedAsWellInAnyUnit) {
  const auto pushed = [](const std::string& unit) {
    const std::string text = R"yaml(
mechanism: cart
plane: xy
parameters: {unit: )yaml" + unit +
                             R"yaml(}
bodies: {cart: {mass: 2 kg, center_of_mass: [0, 0], inertia: 1 kg*m^2, points: {P: [0, 0]}}}
ground: {points: {O: [0, 0]}}
joints: {slide: {prismatic: [ground.O, cart.P], axis: [1, 0]}}
states: {x: {start: = unit/2, rate: "= (2*unit*sin(3 rad/s*t) - x.value)/(0.3 s)"}}
forces: {push: {joint: slide, force: "= 5 N*x.value/unit"}}
outputs: [slide.q]
)yaml";
    const model::Mechanism mechanism = io::read_mechanism(text, "cart.yaml");
    test::SimulatedCase run(mechanism, kEnd,
                            {.formulation = "null-space", .kind = "", .integrator = "dopri5"});
    EXPECT_TRUE(run.advance_to(kEnd));
    return run.value("slide.q");
  };
  const double expected = pushed("1");
  EXPECT_NEAR(pushed("1e9"), expected, 1e-12);
  EXPECT_NEAR(pushed("1e-9"), expected, 1e-12);
}

TEST(AuxiliaryStates, TakeNothingFromTheHeapInSteps) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  for (const std::string integrator : {"rk4", "dopri5", "trapezoidal", "generalized-alpha"}) {
    test::SimulatedCase run(pushed_cart(), 0.05,
                            {.formulation = "null-space", .kind = "", .integrator = integrator});
    ASSERT_TRUE(run.advance_to(2e-3));
    bool is_good = false;
    const long count = test::count_allocations([&] { is_good = run.simulation.advance_to(0.05); });
    ASSERT_TRUE(is_good);
    EXPECT_EQ(count, 0) << integrator;
  }
}

TEST(AuxiliaryStates, AreNotSolvedByPositions) {
  const test::Way way{.formulation = "augmented-lagrangian", .kind = "", .integrator = "trapezoidal"};
  try {
    const test::SimulatedCase run(pushed_cart(), kEnd, way);
    FAIL() << "it was taken";
  } catch (const core::ModelError& error) {
    EXPECT_STREQ(
        error.what(),
        "auxiliary states are not integrated this way [integrator 'trapezoidal' with formulation "
        "'augmented-lagrangian']: expected a formulation that gives accelerations, or an integrator that "
        "asks "
        "for them, got one that solves for positions. Take another formulation, or 'dopri5' or 'bdf'.");
  }
}

TEST(AuxiliaryStates, WithoutAValueEndTheRunByName) {
  const model::Mechanism mechanism = io::read_mechanism(R"yaml(
mechanism: cart
plane: xy
bodies: {cart: {mass: 2 kg, center_of_mass: [0, 0], inertia: 1 kg*m^2, points: {P: [0, 0]}}}
ground: {points: {O: [0, 0]}}
joints: {slide: {prismatic: [ground.O, cart.P], axis: [1, 0]}}
states: {x: {start: 1, rate: "= sqrt(1 - t/(1 s))/(1 s)"}}
outputs: [slide.q]
)yaml",
                                                        "cart.yaml");
  test::SimulatedCase run(mechanism, kEnd, {.formulation = "null-space", .kind = "", .integrator = "dopri5"});
  EXPECT_FALSE(run.advance_to(kEnd));
  ASSERT_TRUE(run.simulation.failure());
  EXPECT_NE(run.simulation.failure()->error_text(true).where.find("state 'x'"), std::string::npos)
      << run.simulation.failure()->error_text(true).where;
}

}  // namespace
}  // namespace eslabon::integration
