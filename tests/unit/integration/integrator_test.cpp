// Every integrator: its order on a pendulum with a closed form and across a closed loop, and what it refuses.
#include <cmath>
#include <numbers>
#include <string>

#include "tests/jacobi_elliptic.hpp"
#include "tests/sentence_of.hpp"
#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/integration/integrators/interpolation.hpp"

namespace eslabon::integration {
namespace {

using test::SimulatedCase;
using testing::HasSubstr;

/// A way in which the step is h: adaptive integrators may then not find a shorter one.
test::Way with_step(const std::string& integrator, double h) {
  test::Way way{.kind = "relative", .integrator = integrator};
  way.options = {.step = h, .rtol = 1e6, .atol = 1e6, .first_step = h, .largest_step = h};
  return way;
}

/// The order that errors show. Between two steps, 2h and h, it is off by the next term of the error, in proportion to h:
///   log₂(e(2h) / e(h)) = p + c h + …                                                                            (1)
/// Of three steps, 4h, 2h and h, c is known and taken away: p = 2 (1) of h − (1) of 2h.
template <class Error>
double shown_order(const Error& error, double h) {
  const double e4 = error(4.0 * h), e2 = error(2.0 * h), e1 = error(h);
  return 2.0 * std::log2(e2 / e1) - std::log2(e4 / e2);
}

class OrderOfIntegrator : public testing::TestWithParam<std::string> {
 protected:
  int order() const { return make_integrator(GetParam())->facts().order; }
  /// A step small enough for the leading error to lead, and large enough for roundoff not to count.
  double step() const { return order() == 2 ? 2e-3 : order() == 4 ? 1e-2 : 5e-3; }
};

// A01 of the benchmarks: θ from below, sin(θ/2) = k cd(√(g/l) t, k), from θ = −90°, where bob.angle is −180°.
double pendulum_angle(double t) {
  const double k = std::sin(std::numbers::pi / 4.0);
  return -std::numbers::pi / 2.0 - 2.0 * std::asin(k * test::jacobi_cd(std::sqrt(9.81) * t, k));
}

TEST(Pendulum, ClosedFormIsThatOfTheBenchmarks) {
  EXPECT_NEAR(std::cos(pendulum_angle(1.0)), 0.98629175113187532, 1e-13);
  EXPECT_NEAR(std::sin(pendulum_angle(5.0)), -0.33475433841400058, 1e-13);
  EXPECT_NEAR(std::cos(pendulum_angle(10.0)), -0.27508746257611686, 1e-12);
}

/// Root of the mean square of the error of the angle, at times that are ends of steps: at a single one errors of both signs may
/// happen to cancel.
double pendulum_error(const test::Way& way) {
  SimulatedCase run(test::mechanism_of_text(test::kPendulum), 2.0, way);
  double sum = 0.0;
  for (int k = 1; k <= 50; ++k) {
    const double t = 0.04 * k;
    EXPECT_TRUE(run.advance_to(t));
    sum += std::pow(std::remainder(run.value("bob.angle") - pendulum_angle(t), 2.0 * std::numbers::pi), 2);
  }
  return std::sqrt(sum / 50.0);
}

TEST_P(OrderOfIntegrator, IsThatOfItsFacts_OnAPendulum) {
  EXPECT_NEAR(shown_order([](double h) { return pendulum_error(with_step(GetParam(), h)); }, step()), order(),
              0.1);
}

TEST_P(OrderOfIntegrator, IsThatOfItsFacts_AcrossAClosedLoop) {
  const model::Mechanism mechanism = test::load_released("fourbar-testbed");
  const auto angles = [&](const test::Way& way) {
    return test::samples(mechanism, way, "crank.angle", 0.02, 60);
  };
  const Eigen::VectorXd reference = angles(with_step("dopri5", 5e-4));
  const double h = order() == 4 ? 2.5e-3 : order() == 5 ? 5e-3 : 1e-3;
  const auto error = [&](double step) { return (angles(with_step(GetParam(), step)) - reference).norm(); };
  EXPECT_NEAR(shown_order(error, h), order(), 0.1);
}

// Where formulations integrate dependent coordinates, projection after each step keeps the order.
TEST_P(OrderOfIntegrator, IsKeptByProjection) {
  test::Way coarse = with_step(GetParam(), 2.0 * step()), fine = with_step(GetParam(), step());
  coarse.formulation = fine.formulation = "multipliers";
  coarse.kind = fine.kind = "reference-point";
  EXPECT_GE(std::log2(pendulum_error(coarse) / pendulum_error(fine)), order() - 0.1);
}

INSTANTIATE_TEST_SUITE_P(Integrators, OrderOfIntegrator,
                         testing::Values("rk4", "abm4", "dopri5", "trapezoidal", "generalized-alpha"),
                         [](const auto& name) { return test::test_name(name.param); });

TEST(DenseOutput, IsOfOrderFour) {
  const auto error = [](double h) {
    SimulatedCase run(test::mechanism_of_text(test::kPendulum), 2.0, with_step("dopri5", h));
    double worst = 0.0;
    for (double t = 0.013; t < 1.9; t += 0.017) {  // all over the steps
      EXPECT_TRUE(run.advance_to(t));
      worst = std::max(worst, std::abs(std::remainder(run.value("bob.angle") - pendulum_angle(t),
                                                      2.0 * std::numbers::pi)));
    }
    return worst;
  };
  EXPECT_GE(std::log2(error(0.08) / error(0.04)), 3.9);
  EXPECT_LE(error(0.04), 1e-5);
}

TEST(DenseOutput, DoesNotChangeTheSteps) {
  for (const std::string& name : integrator_names()) {
    test::Way way{.kind = "relative", .integrator = name};
    way.options.step = 3e-3;
    const model::Mechanism mechanism = test::load_released("fourbar-testbed");
    SimulatedCase straight(mechanism, 1.0, way), looking(mechanism, 1.0, way);
    ASSERT_TRUE(straight.advance_to(1.0));
    for (int k = 1; k <= 777; ++k) ASSERT_TRUE(looking.advance_to(k / 777.0));
    EXPECT_EQ(straight.simulation.point().state.q, looking.simulation.point().state.q) << name;
    EXPECT_EQ(straight.simulation.statistics().steps, looking.simulation.statistics().steps) << name;
  }
}

TEST(Bdf, AgreesWithDopri5_OnMechanismsOfSeveralFreedoms) {
  for (const std::string name : {"five-bar", "rssr", "fourbar-testbed"})
    for (const std::string formulation : {"null-space", "multipliers"}) {
      const model::Mechanism mechanism = test::load_released(name);
      test::Way dopri5{.formulation = formulation, .kind = "reference-point"}, bdf = dopri5;
      dopri5.options = bdf.options = {.rtol = 1e-11, .atol = 1e-12};
      bdf.integrator = "bdf";
      SimulatedCase a(mechanism, 0.5, dopri5), b(mechanism, 0.5, bdf);
      ASSERT_TRUE(a.advance_to(0.5) && b.advance_to(0.5)) << name;
      for (std::size_t k = 1; k < a.bodies.size(); ++k) {
        EXPECT_LE((a.bodies[k].X_WB.p_AB_A - b.bodies[k].X_WB.p_AB_A).norm(), 2e-7) << name << formulation;
        EXPECT_LE((a.bodies[k].w_WB_W - b.bodies[k].w_WB_W).norm(), 1e-5) << name << formulation;
      }
    }
}

/// A pole that swings below a cart of a hundredth of its mass.
constexpr const char* kLightCart = R"(
mechanism: light cart with a pole
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies:
  cart: {mass: 0.01, shape: {box: [0.2, 0.1]}, points: {O: [0, 0]}}
  pole: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1, 0]}}
joints:
  rail: {prismatic: [ground.O, cart.O], axis: [1, 0]}
  pin: {revolute: [cart.O, pole.A]}
assembly: {pole.angle: 20 deg}
)";

// What bdf damps has one sign and adds up over thousands of steps: none of them may be worth the whole tolerance.
TEST(Bdf, LeavesAnErrorOfTheSizeOfItsTolerance_OverThousandsOfSteps) {
  const auto check = [](const model::Mechanism& mechanism, const std::string& name, double until) {
    test::Way exact{.kind = "relative"}, bdf = exact;
    exact.options = {.rtol = 1e-12, .atol = 1e-14};
    bdf.integrator = "bdf";
    const Eigen::VectorXd expected =
        test::samples(mechanism, exact, name, 0.1, static_cast<int>(10.0 * until));
    for (const double rtol : {1e-6, 1e-8}) {
      bdf.options = {.rtol = rtol, .atol = 1e-2 * rtol};
      const Eigen::VectorXd found = test::samples(mechanism, bdf, name, 0.1, static_cast<int>(10.0 * until));
      EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(),
                100.0 * rtol * expected.lpNorm<Eigen::Infinity>())
          << mechanism.name() << " " << name << " " << rtol;
    }
  };
  check(test::mechanism_of_text(kLightCart), "pin.v", 10.0);
  check(test::load_released("fourbar-testbed"), "A.v", 20.0);
  check(test::mechanism_of_text(test::kPendulum), "O.v", 20.0);
}

TEST(Bdf, CountsTheStepsThatCvodeRejects) {
  SimulatedCase run(test::mechanism_of_text(kLightCart), 5.0, {.kind = "relative", .integrator = "bdf"});
  ASSERT_TRUE(run.advance_to(5.0));
  EXPECT_GT(run.simulation.statistics().rejected, 0);
  EXPECT_LT(run.simulation.statistics().rejected, run.simulation.statistics().steps / 10);
}

TEST(Tolerance, TightensTheError) {
  for (const std::string integrator : {"dopri5", "bdf"}) {
    double before = 1.0;
    for (const double rtol : {1e-4, 1e-7, 1e-10}) {
      test::Way way{.kind = "relative", .integrator = integrator};
      way.options = {.rtol = rtol, .atol = rtol};
      const double error = pendulum_error(way);
      EXPECT_LE(error, 1e4 * rtol) << integrator << " " << rtol;
      EXPECT_LE(error, 0.05 * before) << integrator << " " << rtol;
      before = error;
    }
  }
}

// Its equations, with the points before and after a step, at a step so large that Newton has work to do.
TEST(Trapezoidal, SolvesItsEquationsToRoundoff) {
  const double h = 0.02;
  SimulatedCase run(test::load_released("five-bar"), 1.0, with_step("trapezoidal", h));
  MotionPoint before = run.simulation.point();
  for (int k = 1; k <= 10; ++k) {
    ASSERT_TRUE(run.advance_to(h * k));
    const MotionPoint& after = run.simulation.point();
    for (std::size_t i = 0; i < after.z.size(); ++i) {
      EXPECT_NEAR(after.z[i], before.z[i] + h / 2 * (before.z_dot[i] + after.z_dot[i]), 1e-12);
      EXPECT_NEAR(after.z_dot[i], before.z_dot[i] + h / 2 * (before.z_ddot[i] + after.z_ddot[i]), 1e-10);
    }
    before = after;
  }
}

TEST(Interpolation, IsExactForPolynomialsOfDegreeFive) {
  const auto x = [](double t) { return 1.0 + t * (2.0 + t * (-3.0 + t * (0.5 + t * (0.7 - 1.1 * t)))); };
  const auto v = [](double t) { return 2.0 + t * (-6.0 + t * (1.5 + t * (2.8 - 5.5 * t))); };
  const auto a = [](double t) { return -6.0 + t * (3.0 + t * (8.4 - 22.0 * t)); };
  const double t0 = 0.3, t1 = 1.5;
  const std::vector<double> x0{x(t0)}, v0{v(t0)}, a0{a(t0)}, x1{x(t1)}, v1{v(t1)}, a1{a(t1)};
  for (const double t : {0.3, 0.41, 0.9, 1.37, 1.5}) {
    std::vector<double> position(1), velocity(1);
    interpolate_quintic(t0, t1, t, x0, v0, a0, x1, v1, a1, position, velocity);
    EXPECT_NEAR(position[0], x(t), 1e-13);
    EXPECT_NEAR(velocity[0], v(t), 1e-12);
  }
}

TEST(GeneralizedAlpha, DampsWhatIsTooFastForTheStep) {
  const auto amplitude = [&](const std::string& integrator) {
    test::Way way{.kind = "relative", .integrator = integrator};
    way.options = {.step = 0.01, .spectral_radius = 0.5};
    SimulatedCase run(test::mechanism_of_text(test::kStiffMass), 1.0, way);
    EXPECT_TRUE(run.advance_to(1.0));
    return std::abs(run.value("J.q") - 0.1);
  };
  EXPECT_LE(amplitude("generalized-alpha"), 1e-12);
  EXPECT_GE(amplitude("trapezoidal"), 1e-3);  // keeps amplitudes
}

TEST(Registry, RefusesWhatIsNoIntegrator) {
  const auto sentence = [](const std::string& name, const IntegratorOptions& options) {
    return test::sentence_of<core::ModelError>([&] { make_integrator(name, options); });
  };
  EXPECT_THAT(sentence("euler", {}),
              HasSubstr("unknown integrator: expected one of 'rk4', 'abm4', 'dopri5'"));
  EXPECT_THAT(sentence("rk4", {.step = 0.0}), HasSubstr("the step of an integrator"));
  EXPECT_THAT(sentence("rk4", {.step = std::nan("")}), HasSubstr("the step of an integrator"));
  EXPECT_THAT(sentence("dopri5", {.rtol = 0.0}), HasSubstr("the relative tolerance"));
  EXPECT_THAT(sentence("bdf", {.atol = -1.0}), HasSubstr("the absolute tolerance"));
  EXPECT_THAT(sentence("generalized-alpha", {.spectral_radius = 1.1}), HasSubstr("the spectral radius"));
  EXPECT_TRUE(is_adaptive("bdf"));
  EXPECT_FALSE(is_adaptive("rk4"));
}

}  // namespace
}  // namespace eslabon::integration
