// Forces that are formulas of time and variables, against closed forms and against integrations that know nothing of mechanisms.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "tests/allocation_counter.hpp"
#include "tests/formula_mechanisms.hpp"
#include "tests/jacobi_elliptic.hpp"
#include "tests/linear_case.hpp"
#include "tests/sentence_of.hpp"
#include "tests/simulated_case.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/formulations/body_needs.hpp"
#include "eslabon/dynamics/reactions/powers.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"

namespace eslabon::integration {
namespace {

using test::mechanism_of_text;
using test::SimulatedCase;
using test::Way;

/// A mass of 2 kg on a slide along x without gravity; `more` of the file, at `start` [m].
std::string slide(const std::string& more, const std::string& start) {
  return "mechanism: slide\nplane: xy\nground: {points: {O: [-1, 0], W: [-1, 0]}, axes: {u: [1, 0]}}\n"
         "bodies: {mass: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, "
         "0]}}}\n"
         "joints: {S: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}\nassembly: {S.q: " +
         start + "}\n" + more;
}

/// Every formulation in its own coordinates.
std::vector<Way> exact_ways() {
  std::vector<Way> ways;
  for (const std::string& formulation : dynamics::formulation_names()) {
    Way way{.formulation = formulation,
            .kind = dynamics::coordinate_kinds(formulation).empty() ? "" : "natural"};
    if (!way.kind.empty()) way.kind = dynamics::coordinate_kinds(formulation).front();
    way.options.rtol = 1e-11;
    way.options.atol = 1e-12;
    ways.push_back(way);
  }
  return ways;
}

// ---- Closed forms -------------------------------------------------------------------------------------------------

// analytic: Duffing's oscillator, m ẍ = −k x + b x³. With  k/m = Ω²(1 + κ²),  b/m = 2 κ² Ω²/A²  it is  x = A cd(Ω t, κ).
TEST(ForceFormula, DuffingOscillatorFollowsJacobisFunction) {
  constexpr double kAmplitude = 0.4, kOmega = 3.0, kModulus = 0.6, kMass = 2.0;
  const double k = kMass * kOmega * kOmega * (1.0 + kModulus * kModulus),
               b = kMass * 2.0 * std::pow(kModulus * kOmega / kAmplitude, 2);
  const std::string numbers =
      "parameters: {k: " + core::number_text(k) + " N/m, b: " + core::number_text(b) + " N/m^3}\n";
  const std::array<std::string, 4> files{
      "forces: {f: {joint: S, force: = -k*S.q + b*S.q^3}}\n",
      "forces: {f: {point: mass.P, force: [= -k*(mass.P.x + 1 m) + b*(mass.P.x + 1 m)^3, 0]}}\n",
      "springs: {f: {joint: S, force: = k*f.length - b*f.length^3}}\n",
      "springs: {linear: {point: mass.P.x, stiffness: = k, free_length: -1 m}}\n"
      "dampers: {f: {joint: S, force: = -b*S.q^3}}\n"};
  for (const std::string& file : files)
    for (const Way& way : exact_ways()) {
      SimulatedCase run(mechanism_of_text(slide(numbers + file, "0.4")), 2.0, way);
      for (int step = 1; step <= 4; ++step) {
        ASSERT_TRUE(run.advance_to(0.5 * step)) << way.formulation;
        const double expected = kAmplitude * test::jacobi_cd(kOmega * 0.5 * step, kModulus);
        EXPECT_NEAR(run.value("S.q"), expected, 2e-9) << way.formulation << " " << file;
      }
    }
}

// analytic: a fall against c v²:  v = −v∞ tanh(g t/v∞),  y = −v∞²/g log cosh(g t/v∞),  v∞ = √(m g/c).
TEST(ForceFormula, FallWithQuadraticDragHasItsClosedForm) {
  const model::Mechanism ball = mechanism_of_text(
      "mechanism: fall\nplane: xy\ngravity: [0, -9.81]\nparameters: {c: 0.05 N*s^2/m^2}\n"
      "ground: {points: {O: [0, 0]}, axes: {v: [0, 1]}}\n"
      "bodies: {ball: {mass: 0.5, inertia: 0.1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {v: [0, "
      "1]}}}\n"
      "joints: {S: {prismatic: [ground.O, ball.P], axis: [ground.v, ball.v]}}\n"
      "forces: {drag: {point: ball.P, force: [0, = -c*ball.P.vy*abs(ball.P.vy)]}}\n");
  const double g = 9.81, limit = std::sqrt(0.5 * g / 0.05);
  for (const Way& way : exact_ways()) {
    SimulatedCase run(ball, 3.0, way);
    ASSERT_TRUE(run.advance_to(3.0));
    EXPECT_NEAR(run.value("ball.P.y"), -limit * limit / g * std::log(std::cosh(g * 3.0 / limit)), 1e-8);
    EXPECT_NEAR(run.value("ball.P.vy"), -limit * std::tanh(g * 3.0 / limit), 1e-9);
  }
}

/// x and ẋ of  ẍ = f(t, x, ẋ)  by the classical method of Runge and Kutta with so many steps.
std::array<double, 2> independent(const std::function<double(double, double, double)>& f, double x, double v,
                                  double until, int steps) {
  const double h = until / steps;
  for (int k = 0; k < steps; ++k) {
    const double t = k * h;
    const double a1 = f(t, x, v), v2 = v + 0.5 * h * a1, a2 = f(t + 0.5 * h, x + 0.5 * h * v, v2),
                 v3 = v + 0.5 * h * a2, a3 = f(t + 0.5 * h, x + 0.5 * h * v2, v3), v4 = v + h * a3,
                 a4 = f(t + h, x + h * v3, v4);
    x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return {x, v};
}

// crosscheck: an integration written here, 40 000 fixed steps.
TEST(ForceFormula, VanDerPolsOscillatorRunsAsAnIndependentIntegration) {
  const model::Mechanism oscillator = mechanism_of_text(
      slide("forces: {f: {joint: S, force: = 2*(1.5*(1 - S.q^2)*S.v - S.q) + 0.6*cos(1.1*t)}}\n", "0.5"));
  const auto expected = independent(
      [](double t, double x, double v) { return 1.5 * (1.0 - x * x) * v - x + 0.3 * std::cos(1.1 * t); }, 0.5,
      0.0, 5.0, 40'000);
  for (const Way& way : exact_ways()) {
    SimulatedCase run(oscillator, 5.0, way);
    ASSERT_TRUE(run.advance_to(5.0));
    EXPECT_NEAR(run.value("S.q"), expected[0], 1e-8) << way.formulation;
    EXPECT_NEAR(run.value("S.v"), expected[1], 1e-8) << way.formulation;
  }
}

// analytic: gas that is pushed together by x keeps p Vⁿ; its energy is that of the mass that flies against it.
TEST(ForceFormula, GasSpringKeepsPressureTimesVolumeToItsPower) {
  constexpr double kPressure = 4e5, kVolume = 2e-4, kArea = 1e-3, kAmbient = 1e5;
  for (const double n : {1.0, 1.4}) {
    const model::Mechanism piston =
        mechanism_of_text(slide("springs: {gas: {between: [ground.W, mass.P], free_length: 0.3 m, gas: "
                                "{pressure: 400 kPa, volume: 200 cm^3, "
                                "area: 10 cm^2, exponent: " +
                                    core::number_text(n) + ", ambient: 100 kPa}}}\n",
                                "0.25"));
    SimulatedCase run(piston, 0.2, exact_ways().front());
    const auto pressure_at = [&](double length) {
      return kPressure * std::pow(kVolume / (kVolume + kArea * (length - 0.3)), n);
    };
    const auto work = [&](double from, double to) {  // of the gas against the outside, by Simpson's rule
      double sum = 0.0;
      constexpr int kParts = 2000;
      const double h = (to - from) / kParts;
      for (int k = 0; k <= kParts; ++k)
        sum += (k == 0 || k == kParts ? 1.0
                : k % 2 == 1          ? 4.0
                                      : 2.0) *
               kArea * (pressure_at(from + k * h) - kAmbient);
      return sum * h / 3.0;
    };
    EXPECT_NEAR(run.c.model.forces().spring_force(0, 0.0, run.bodies, run.c.model.start_memory()),
                -kArea * (pressure_at(0.25) - kAmbient), 1e-9);
    ASSERT_TRUE(run.advance_to(0.05));
    const double x = run.value("S.q"), v = run.value("S.v");
    EXPECT_GT(x, 0.27);
    EXPECT_NEAR(0.5 * 2.0 * v * v, work(0.25, x), 1e-9);
  }
}

// ---- All formulations, energy and memory ---------------------------------------------------------------------------

// crosscheck: formulations share neither coordinates nor masses.
TEST(ForceFormula, FormulationsRunAlike) {
  for (const char* text : {test::kFormulaChain, test::kFormulaFourBar}) {
    const model::Mechanism mechanism = mechanism_of_text(text);
    std::vector<coordinates::MechanismMotion> ends;
    for (const Way& way : exact_ways()) {
      SimulatedCase run(mechanism, 0.1, way);
      ASSERT_TRUE(run.advance_to(0.1)) << way.formulation;
      ends.push_back(run.bodies);
    }
    for (const coordinates::MechanismMotion& end : ends)
      for (std::size_t b = 1; b < end.size(); ++b) {
        EXPECT_LE((end[b].X_WB.p_AB_A - ends[0][b].X_WB.p_AB_A).norm(), 1e-9);
        EXPECT_LE((end[b].v_WB_W - ends[0][b].v_WB_W).norm(), 1e-8);
      }
  }
}

// invariant: what all elements give is what the motion gains, each by a way of its own.
TEST(ForceFormula, PowersOfElementsAddUp) {
  for (const char* text : {test::kFormulaChain, test::kFormulaFourBar}) {
    test::DynamicCase c(mechanism_of_text(text));
    const auto formulation = dynamics::make_formulation("multipliers", c.model, {.kind = "reference-point"});
    const auto motion = test::accelerated(*formulation, test::random_motion(c.model, 5), 0.3);
    dynamics::BodyNeeds needs(c.model);
    const dynamics::ForceMemory& memory = c.model.start_memory();
    ASSERT_TRUE(needs.evaluate(0.3, motion, memory));
    const auto powers = dynamics::evaluate_powers(c.model, 0.3, motion, memory, needs);
    ASSERT_TRUE(powers);
    EXPECT_NEAR(powers->friction, 0.0, 1e-9);  // no force is left that no element has
    EXPECT_NEAR(powers->balance(), 0.0, 1e-9 * (1.0 + std::abs(powers->kinetic)));
    EXPECT_GT(std::abs(powers->loads), 1e-3);
    EXPECT_GT(std::abs(powers->dampers), 1e-3);
    EXPECT_GT(std::abs(powers->springs), 1e-3);
  }
}

TEST(ForceFormula, StepsTakeNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  for (const char* text : {test::kFormulaChain, test::kFormulaFourBar})
    for (const std::string& formulation : dynamics::formulation_names()) {
      Way way{.formulation = formulation, .kind = "", .integrator = "rk4"};
      if (const auto kinds = dynamics::coordinate_kinds(formulation); !kinds.empty())
        way.kind = kinds.front();
      way.options.step = 1e-3;
      SimulatedCase run(mechanism_of_text(text), 0.03, way);
      ASSERT_TRUE(run.advance_to(2e-3));
      bool is_good = false;
      const long count = test::count_allocations([&] { is_good = run.simulation.advance_to(0.03); });
      ASSERT_TRUE(is_good);
      EXPECT_EQ(count, 0) << formulation;
    }
}

// ---- Angles, files, what cannot be --------------------------------------------------------------------------------

// analytic: a torque −k q beyond half a turn is that of the whole angle:  q = 3 cos(√(k/I) t)  rad for a start at 3π rad more.
TEST(ForceFormula, AnglesCountTurns) {
  const model::Mechanism wheel = mechanism_of_text(
      "mechanism: wheel\nplane: xy\nground: {points: {O: [0, 0]}}\n"
      "bodies: {wheel: {mass: 1, inertia: 0.5, center_of_mass: [0, 0], points: {O: [0, 0]}}}\n"
      "joints: {A: {revolute: [ground.O, wheel.O]}}\n"
      "forces: {coil: {joint: A, torque: = -2 N*m/rad*A.q}}\nassembly: {A.q: 8 rad}\n");
  for (const Way& way : exact_ways()) {
    SimulatedCase run(wheel, 2.0, way);
    ASSERT_TRUE(run.advance_to(2.0));
    const double expected = 8.0 * std::cos(2.0 * 2.0);
    EXPECT_NEAR(std::remainder(run.value("A.q") - expected, 2.0 * std::numbers::pi), 0.0, 1e-8)
        << way.formulation;
    EXPECT_NEAR(run.value("A.v"), -8.0 * 2.0 * std::sin(4.0), 1e-8) << way.formulation;
  }
}

TEST(ForceFormula, ReadsBackEqual) {
  for (const char* text : {test::kFormulaChain, test::kFormulaFourBar}) {
    const model::Mechanism mechanism = mechanism_of_text(text);
    const std::string written = io::write_mechanism(mechanism);
    EXPECT_TRUE(mechanism_of_text(written) == mechanism) << written;
    EXPECT_EQ(io::write_mechanism(mechanism_of_text(written)), written);
  }
}

TEST(ForceFormula, WithoutAValueIsNamed) {
  const model::Mechanism mechanism =
      mechanism_of_text(slide("forces: {pull: {joint: S, force: = 1/(S.q - 0.4)}}\n", "0.4"));
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { SimulatedCase run(mechanism, 1.0, exact_ways().front()); }),
      "the run ends early: a formula has no value [force 'pull', t = 0 s]: expected a finite number, got inf "
      "with S.q = 0.4 m. Check "
      "divisions, roots and logarithms in it.");
}

// analytic: a spring that acts on one side only,  ẍ = −ω² x  for x < 0 and nothing beyond: half an oscillation, then a straight line.
TEST(ForceFormula, AChoiceSwitchesWhereItsConditionDoes) {
  const model::Mechanism bouncer =
      mechanism_of_text(slide("forces: {pad: {joint: S, force: \"= if(S.q < 0, -50*S.q, 0)\"}}\n", "-0.1"));
  const double omega = 5.0, leaves = std::numbers::pi / (2.0 * omega), speed = 0.1 * omega;
  for (const Way& way : exact_ways()) {
    SimulatedCase run(bouncer, 1.0, way);
    ASSERT_TRUE(run.advance_to(0.2));
    EXPECT_NEAR(run.value("S.q"), -0.1 * std::cos(omega * 0.2), 1e-9);
    ASSERT_TRUE(run.advance_to(1.0));
    EXPECT_NEAR(run.value("S.q"), speed * (1.0 - leaves), 1e-8) << way.formulation;
  }
}

// analytic: pushed to and fro by forces that jump, a mass flies along parabolas; a method of fixed steps is exact on each, and to roundoff
// where they meet only if its steps end there.
TEST(ForceFormula, FixedStepsEndWhereAForceJumps) {
  for (const char* law :
       {"= if(S.q < 0, 3, -1)", "= 4*step(-S.q) - 1", "= where(-S.q, 3) + where_not(-S.q, -1)"}) {
    const model::Mechanism mechanism =
        mechanism_of_text(slide(std::string("forces: {push: {joint: S, force: \"") + law + "\"}}\n", "-0.1"));
    Way way{.formulation = "semi-recursive", .kind = "", .integrator = "rk4"};
    way.options.step = 0.07;
    SimulatedCase run(mechanism, 1.0, way);
    ASSERT_TRUE(run.advance_to(1.0));
    const double passes = std::sqrt(0.2 / 1.5), after = 1.0 - passes;
    EXPECT_NEAR(run.value("S.q"), 1.5 * passes * after - 0.25 * after * after, 1e-10) << law;
  }
}

// analytic: a mass hangs on a cubic spring at q = ∛(m g/k) and swings about it with ω² = 3 k q²/m; a damper c |v| v damps no small motion.
TEST(ForceFormula, EquilibriumAndFrequencyOfACubicSpring) {
  test::LinearCase c(
      "mechanism: hung\nplane: xy\ngravity: [0, -10]\nground: {points: {O: [0, 0]}, axes: {d: [0, -1]}}\n"
      "bodies: {mass: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {d: [0, "
      "-1]}}}\n"
      "joints: {S: {prismatic: [ground.O, mass.P], axis: [ground.d, mass.d]}}\n"
      "springs: {cubic: {joint: S, force: = 2500*cubic.length^3}}\n"
      "dampers: {air: {joint: S, force: = 7*air.rate*abs(air.rate)}}\n"
      "forces: {wind: {joint: S, force: = 0*S.v}}\nassembly: {S.q: 0.1}\n");
  const dynamics::LinearSystem linear = c.at_rest();
  const double q = std::cbrt(2.0 * 10.0 / 2500.0);
  coordinates::MechanismMotion bodies(2);
  c.chart.evaluate_bodies(linear.state, std::vector<double>(linear.state.q.size(), 0.0), bodies);
  EXPECT_NEAR(bodies[1].X_WB.p_AB_A.y(), -q, 1e-12);
  const std::vector<dynamics::Mode> modes = linear.modes();
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes[0].natural_frequency(), std::sqrt(3.0 * 2500.0 * q * q / 2.0), 1e-7);
  EXPECT_NEAR(modes[0].damping_ratio(), 0.0, 1e-5);  // |v| v over the differences
}

/// Angles from the x axis of a double pendulum and their rates.
using Angles = std::array<double, 4>;

/// Rates of these under torques of controllers, saturated, by Lagrange's equations: bars of 1 m and 0.8 m, masses 2 and 1 kg in their
/// middles, inertias 0.2 and 0.1 about them.
Angles controlled(double t, const Angles& x) {
  const double g = 9.81, a = 0.5, b = 0.4, I1 = 0.2, I2 = 0.1, m1 = 2.0, m2 = 1.0;
  const auto limited = [](double u) { return std::min(std::max(u, -18.0), 18.0); };
  const double q2 = x[1] - x[0], v2 = x[3] - x[2];
  const double u1 = limited(60.0 * (0.5 * std::sin(2.0 * t) - x[0]) - 9.0 * x[2]),
               u2 = limited(25.0 * (0.3 * std::cos(3.0 * t) - q2) - 3.0 * v2);
  const double m11 = I1 + m1 * a * a + m2, m12 = m2 * b * std::cos(q2), m22 = I2 + m2 * b * b;
  const double h = m2 * b * std::sin(q2);
  const double f1 = u1 - u2 + h * x[3] * x[3] - (m1 * a + m2) * g * std::cos(x[0]),
               f2 = u2 - h * x[2] * x[2] - m2 * b * g * std::cos(x[1]);
  const double det = m11 * m22 - m12 * m12;
  return {x[2], x[3], (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det};
}

Angles moved(const Angles& x, double h, const Angles& rate) {
  Angles out = x;
  for (std::size_t k = 0; k < 4; ++k) out[k] += h * rate[k];
  return out;
}

// crosscheck: Lagrange's equations, written here, by a method of fixed steps.
TEST(ForceFormula, ControlledDoublePendulumRunsAsLagrangesEquationsSay) {
  const model::Mechanism arm = mechanism_of_text(R"(mechanism: controlled arm
plane: xy
gravity: [0, -9.81]
parameters: {most: 18 N*m}
ground: {points: {O: [0, 0]}}
bodies:
  a: {mass: 2, inertia: 0.2, center_of_mass: [0.5, 0], points: {O: [0, 0], E: [1, 0]}}
  b: {mass: 1, inertia: 0.1, center_of_mass: [0.4, 0], points: {E: [0, 0]}}
joints: {A: {revolute: [ground.O, a.O]}, B: {revolute: [a.E, b.E]}}
forces:
  shoulder: {joint: A, torque: '= min(max(60 N*m/rad*(0.5 rad*sin(2 rad/s*t) - A.q) - 9 N*m*s/rad*A.v, -most), most)'}
  elbow: {joint: B, torque: '= min(max(25 N*m/rad*(0.3 rad*cos(3 rad/s*t) - B.q) - 3 N*m*s/rad*B.v, -most), most)'}
)");
  constexpr int kSteps = 20'000;
  constexpr double kUntil = 1.5, kStep = kUntil / kSteps;
  Angles x{};
  for (int k = 0; k < kSteps; ++k) {
    const double t = k * kStep;
    const Angles k1 = controlled(t, x), k2 = controlled(t + 0.5 * kStep, moved(x, 0.5 * kStep, k1)),
                 k3 = controlled(t + 0.5 * kStep, moved(x, 0.5 * kStep, k2)),
                 k4 = controlled(t + kStep, moved(x, kStep, k3));
    for (std::size_t i = 0; i < 4; ++i) x[i] += kStep / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  SimulatedCase run(arm, kUntil, exact_ways().front());
  ASSERT_TRUE(run.advance_to(kUntil));
  EXPECT_NEAR(run.value("a.angle"), x[0], 1e-8);
  EXPECT_NEAR(run.value("b.angle"), x[1], 1e-8);
  EXPECT_NEAR(run.value("a.rate"), x[2], 1e-7);
  EXPECT_NEAR(run.value("b.rate"), x[3], 1e-7);
}

}  // namespace
}  // namespace eslabon::integration
