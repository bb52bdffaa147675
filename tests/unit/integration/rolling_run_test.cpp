// Runs of discs that roll without slipping: against the classical equations of the rolling disc, integrated here, against closed forms, and the
// benchmark bicycle against its published eigenvalues.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <ostream>
#include <string>
#include <vector>

#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/linalg/eigenvalues.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/integration/integrators/integrator.hpp"

namespace eslabon::integration {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXcd;

constexpr double kGravity = 9.81, kRadius = 0.3, kMass = 2.0;
constexpr double kA = kMass * kRadius * kRadius / 4.0,
                 kC = kMass * kRadius * kRadius / 2.0;  // of a uniform disc
constexpr double kMr2 = kMass * kRadius * kRadius;

model::Mechanism load(const std::string& name, std::vector<std::string> set = {}) {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/rolling/" + name + ".yaml",
                        io::ModelSettings(std::move(set)));
}

std::string digits(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// theta, psi, w1, w2, w3, x, y: inclination of the axis to the vertical, heading, angular velocity along the horizontal in the disc, upwards in
/// it, and along its axis; place of the centre. The equations of models/rolling/disc.yaml.
using DiscState = std::array<double, 7>;

DiscState slope(const DiscState& s) {
  const auto [theta, psi, w1, w2, w3, x, y] = s;
  const double cot = std::cos(theta) / std::sin(theta);
  const double v1 = -kRadius * w3,
               v3 = kRadius * w1 * std::sin(theta);  // along e1, and horizontally along e3
  return {w1,
          w2 / std::sin(theta),
          (kA * w2 * w2 * cot - (kC + kMr2) * w2 * w3 - kMass * kGravity * kRadius * std::cos(theta)) /
              (kA + kMr2),
          w1 * (kC * w3 - kA * w2 * cot) / kA,
          kMr2 * w1 * w2 / (kC + kMr2),
          -v1 * std::cos(psi) - v3 * std::sin(psi),
          -v1 * std::sin(psi) + v3 * std::cos(psi)};
}

/// By the classical method of order 4 with n steps.
DiscState integrate(DiscState s, double until, int n) {
  const double h = until / n;
  const auto moved = [](const DiscState& from, const DiscState& k, double d) {
    DiscState out = from;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += d * k[i];
    return out;
  };
  for (int step = 0; step < n; ++step) {
    const DiscState k1 = slope(s), k2 = slope(moved(s, k1, h / 2)), k3 = slope(moved(s, k2, h / 2)),
                    k4 = slope(moved(s, k3, h));
    for (std::size_t i = 0; i < s.size(); ++i) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return s;
}

/// The start of models/rolling/disc.yaml with these parameters.
DiscState start_of(double tilt, double lean_rate, double turn, double spin) {
  return {M_PI / 2 - tilt, 0.0, lean_rate, turn, spin, 0.0, 0.0};
}

/// Distance of the run from the state: centre, and angular velocity times the radius.
double error_of(const test::SimulatedCase& run, const DiscState& s) {
  const auto [theta, psi, w1, w2, w3, x, y] = s;
  const Vector3d centre(x, y, kRadius * std::sin(theta));
  const Vector3d h(-std::sin(psi), std::cos(psi), 0.0), z = Vector3d::UnitZ();
  const Vector3d e1(-std::cos(psi), -std::sin(psi), 0.0), e2 = std::sin(theta) * z - std::cos(theta) * h,
                                                          e3 = std::sin(theta) * h + std::cos(theta) * z;
  const Vector3d w = w1 * e1 + w2 * e2 + w3 * e3;
  return std::max((run.bodies[1].X_WB.p_AB_A - centre).norm(), kRadius * (run.bodies[1].w_WB_W - w).norm());
}

double total_energy(const test::SimulatedCase& run) {
  return dynamics::mechanical_energy(run.c.mechanism, run.bodies);
}

struct WayToRun {
  std::string formulation, kind, integrator;
  double step, tolerance;
};

void PrintTo(const WayToRun& way, std::ostream* out) {
  *out << way.formulation << " " << way.kind << " " << way.integrator;
}

class EveryWay : public testing::TestWithParam<WayToRun> {};

// A disc that wobbles, nothing special about its motion: 2 s, in which it rolls 5 m.
TEST_P(EveryWay, WobblesAsTheClassicalEquationsSay) {
  const WayToRun& way = GetParam();
  test::Way how{.formulation = way.formulation, .kind = way.kind, .integrator = way.integrator};
  how.options.step = way.step;
  how.options.rtol = 1e-12;
  how.options.atol = 1e-13;
  test::SimulatedCase run(load("disc"), 2.0, how);
  const DiscState start = start_of(M_PI / 9, 0.7, 1.1, 9.0);
  EXPECT_LE(error_of(run, start), 1e-12);
  ASSERT_TRUE(run.advance_to(2.0)) << core::to_sentence(run.simulation.failure()->error_text(true));
  const DiscState expected = integrate(start, 2.0, 20000);
  const DiscState coarse = integrate(start, 2.0, 10000);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(expected[i], coarse[i], 1e-10);
  EXPECT_LE(error_of(run, expected), way.tolerance);
  const auto& statistics = run.simulation.statistics();
  EXPECT_LE(statistics.worst_constraint_error, 1e-10);
}

std::vector<WayToRun> every_way() {
  std::vector<WayToRun> list;
  for (const std::string& formulation : dynamics::formulation_names())
    if (test::rolls(formulation))
      for (const std::string& kind : dynamics::coordinate_kinds(formulation)) {
        list.push_back({formulation, kind, "dopri5", 0.0, 1e-8});
        // z of null-space in natural coordinates are components of unit vectors of a body that spins, and change some times in a turn: there
        // rk4 loses digits and bdf does not start at such tolerances, with a free body without any contact too.
        const bool is_coarse = formulation == "null-space" && kind == "natural";
        if (!is_coarse) list.push_back({formulation, kind, "bdf", 0.0, 1e-6});
        list.push_back({formulation, kind, "rk4", 1e-3, is_coarse ? 1e-4 : 1e-7});
        list.push_back({formulation, kind, "trapezoidal", 1e-3, 2e-3});
        list.push_back({formulation, kind, "generalized-alpha", 1e-3, 5e-3});
      }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryWay, testing::ValuesIn(every_way()), [](const auto& way) {
  return test::test_name(way.param.formulation + " " + way.param.kind + " " + way.param.integrator);
});

// The error falls with the square of the step, or its fourth power: projections of velocities leave the order as it is.
TEST(RollingDisc, ProjectionKeepsTheOrderOfIntegrators) {
  struct Order {
    const char* integrator;
    double step, order;
  };
  const DiscState expected = integrate(start_of(M_PI / 9, 0.7, 1.1, 9.0), 1.0, 20000);
  for (const auto& [integrator, step, order] :
       {Order{"rk4", 8e-3, 4.0}, Order{"trapezoidal", 4e-3, 2.0}, Order{"generalized-alpha", 4e-3, 2.0}})
    for (const char* formulation : {"multipliers", "null-space", "semi-recursive"}) {
      SCOPED_TRACE(std::string(integrator) + " " + formulation);
      const auto error = [&](double h) {
        test::Way way{.formulation = formulation, .kind = "relative", .integrator = integrator};
        way.options.step = h;
        test::SimulatedCase run(load("disc"), 1.0, way);
        EXPECT_TRUE(run.advance_to(1.0));
        return error_of(run, expected);
      };
      EXPECT_NEAR(std::log2(error(step) / error(step / 2)), order, 0.3);
    }
}

// A w2² cot(theta) = (C + m r²) w2 w3 + m g r cos(theta): the lean stays, and the centre goes round a circle of radius r w3/psi'.
TEST(RollingDisc, RollsInACircle_WhereSteadyPrecessionIs) {
  const double tilt = 25.0 * M_PI / 180.0, theta = M_PI / 2 - tilt, turn = -1.3;  // w2
  const double spin = (kA * turn * turn / std::tan(theta) - kMass * kGravity * kRadius * std::cos(theta)) /
                      ((kC + kMr2) * turn);
  const double psi_dot = turn / std::sin(theta), period = 2 * M_PI / std::abs(psi_dot);
  test::Way way{.formulation = "semi-recursive", .kind = "relative"};
  way.options.rtol = 1e-12;
  way.options.atol = 1e-13;
  test::SimulatedCase run(
      load("disc", {"tilt=25 deg", "lean_rate=0", "turn=" + digits(turn), "spin=" + digits(spin)}), period,
      way);
  // Centre of the circle: perpendicular to the velocity r w3 along x, on the side to which the heading turns.
  const Vector3d middle(0.0, kRadius * spin / psi_dot, kRadius * std::sin(theta));
  for (int k = 1; k <= 8; ++k) {
    ASSERT_TRUE(run.advance_to(period * k / 8));
    const Vector3d p = run.bodies[1].X_WB.p_AB_A - middle;
    EXPECT_NEAR(p.z(), 0.0, 1e-9);
    EXPECT_NEAR(p.norm(), std::abs(kRadius * spin / psi_dot), 1e-9);
  }
  EXPECT_LE(run.bodies[1].X_WB.p_AB_A.head<2>().norm(), 1e-8);
}

// Upright: (A + m r²) e'' = (m g r − (C + m r²)(C/A) w3²) e. It stays above v² = g r/3, and falls below.
TEST(RollingDisc, StaysUprightAboveTheCriticalSpeedAndFallsBelow) {
  const double critical = std::sqrt(kGravity * kRadius / 3.0) / kRadius, e = 1e-6;
  for (const double part : {0.9, 1.1}) {
    const double w3 = part * critical;
    const double k2 = (kMass * kGravity * kRadius - (kC + kMr2) * kC / kA * w3 * w3) / (kA + kMr2);
    EXPECT_EQ(k2 > 0.0, part < 1.0);
    // theta = pi/2 + e: tilt = −e; w2 = (C/A) w3 e.
    test::Way way{.formulation = "null-space", .kind = "reference-point"};
    way.options.rtol = 1e-12;
    way.options.atol = 1e-14;
    test::SimulatedCase run(load("disc", {"tilt=" + digits(-e), "lean_rate=0", "spin=" + digits(w3),
                                          "turn=" + digits(kC / kA * w3 * e)}),
                            1.5, way);
    ASSERT_TRUE(run.advance_to(1.5));
    const double k = std::sqrt(std::abs(k2));
    const double expected = e * (k2 > 0.0 ? std::cosh(1.5 * k) : std::cos(1.5 * k));
    const double found = -std::asin((run.bodies[1].X_WB.R_AB.matrix() * Vector3d::UnitY()).z());
    EXPECT_NEAR(found, expected, 1e-5 * std::abs(expected) + 1e-5 * e);
  }
}

TEST(RollingDisc, KeepsItsEnergy) {
  for (const char* formulation : {"multipliers", "null-space", "semi-recursive"}) {
    test::Way way{.formulation = formulation, .kind = "relative"};
    way.options.rtol = 1e-12;
    way.options.atol = 1e-13;
    test::SimulatedCase run(load("disc"), 10.0, way);
    const double before = total_energy(run);
    ASSERT_TRUE(run.advance_to(10.0));
    EXPECT_NEAR(total_energy(run), before, 1e-10 * before) << formulation;
  }
}

// What integration leaves in A v is taken out after each step: with coarse steps the run is off, but nothing slips.
TEST(RollingDisc, DoesNotSlip_HoweverCoarseTheSteps) {
  for (const char* integrator : {"rk4", "trapezoidal", "generalized-alpha"})
    for (const char* formulation : {"multipliers", "null-space", "semi-recursive"}) {
      SCOPED_TRACE(std::string(integrator) + " " + formulation);
      test::Way way{.formulation = formulation, .kind = "relative", .integrator = integrator};
      way.options.step = 5e-3;
      test::SimulatedCase run(load("disc"), 2.0, way);
      ASSERT_TRUE(run.advance_to(2.0));
      const auto& disc = run.bodies[1];
      const Vector3d axis = disc.X_WB.R_AB.matrix() * Vector3d::UnitY(), z = Vector3d::UnitZ();
      const Vector3d up = (z - z.dot(axis) * axis).normalized();
      const Vector3d slip = disc.v_WB_W + disc.w_WB_W.cross(-kRadius * up);
      EXPECT_LE(slip.norm(), test::roundoff(1e4, disc.v_WB_W.norm()));
    }
}

// Without spin it falls flat, where no point of the rim is the one it rolls on.
TEST(RollingDisc, ThatFallsFlatEndsTheRunByName) {
  for (const char* integrator : {"rk4", "dopri5"})
    for (const char* formulation : {"multipliers", "null-space", "semi-recursive"}) {
      SCOPED_TRACE(std::string(integrator) + " " + formulation);
      test::Way way{.formulation = formulation, .kind = "relative", .integrator = integrator};
      way.options.step = 1e-3;
      test::SimulatedCase run(load("disc", {"lean_rate=0", "turn=0", "spin=0"}), 5.0, way);
      EXPECT_FALSE(run.advance_to(5.0));
      ASSERT_TRUE(run.simulation.failure());
      const std::string sentence = core::to_sentence(run.simulation.failure()->error_text(true));
      EXPECT_NE(sentence.find("a rolling disc lies flat on its plane [joint 'contact', t = "),
                std::string::npos)
          << sentence;
    }
}

// ---- The bicycle ------------------------------------------------------------------------------------------------

/// Lean and steer acceleration of the bicycle at lean, steer and their rates, rolling forwards at `speed`.
Eigen::Vector2d accelerations(double speed, const Eigen::Vector4d& x, const std::string& formulation_name) {
  const test::DynamicCase c(
      load("bicycle", {"speed=" + digits(speed), "lean=" + digits(x[0]), "steer_angle=" + digits(x[1]),
                       "roll_rate=" + digits(x[2]), "steer_rate=" + digits(x[3])}));
  const auto formulation = dynamics::make_formulation(formulation_name, c.model);
  const auto bodies = test::accelerated(*formulation, c.model.start());
  return {kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, "frame.alphax"), bodies),
          kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, "steer.a"), bodies)};
}

/// x' = A x about upright straight running, x = (lean, steer, their rates): differences, extrapolated once.
Eigen::Matrix4d linearised(double speed, const std::string& formulation) {
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  const auto difference = [&](int k, double d) -> Eigen::Vector2d {
    const Eigen::Vector4d x = d * Eigen::Vector4d::Unit(k);
    return (accelerations(speed, x, formulation) - accelerations(speed, -x, formulation)) / (2.0 * d);
  };
  constexpr double kStep = 2e-3;
  for (int k = 0; k < 4; ++k)
    A.col(k).tail<2>() = (4.0 * difference(k, kStep / 2) - difference(k, kStep)) / 3.0;
  return A;
}

std::vector<std::complex<double>> eigenvalues(double speed,
                                              const std::string& formulation = "semi-recursive") {
  const VectorXcd values = core::general_eigen(linearised(speed, formulation)).values;
  std::vector<std::complex<double>> list(values.begin(), values.end());
  std::ranges::sort(list, [](const auto& a, const auto& b) {
    return std::abs(a.real() - b.real()) > 1e-9 ? a.real() < b.real() : a.imag() < b.imag();
  });
  return list;
}

// Reference: Meijaard, Papadopoulos, Ruina, Schwab 2007.
TEST(Bicycle, HasThePublishedEigenvalues) {
  for (const char* formulation : {"multipliers", "null-space", "semi-recursive"}) {
    SCOPED_TRACE(formulation);
    const auto at_rest = eigenvalues(0.0, formulation);
    const std::array<double, 4> expected{-5.53094371765393, -3.13164324790656, 3.13164324790656,
                                         5.53094371765393};
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(at_rest[k].real(), expected[k], 1e-6);
      EXPECT_NEAR(at_rest[k].imag(), 0.0, 1e-6);
    }
    const auto at_5 = eigenvalues(5.0, formulation);
    const std::array<std::complex<double>, 4> expected_5{{{-14.0783896927982, 0.0},
                                                          {-0.775341882195842, -4.46486771378823},
                                                          {-0.775341882195842, 4.46486771378823},
                                                          {-0.322866429004087, 0.0}}};
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_LE(std::abs(at_5[k] - expected_5[k]), 1e-6) << k << " " << at_5[k];
  }
}

/// Where f changes its sign between a and b.
template <class F>
double bisect(double a, double b, F f) {
  const bool is_positive = f(a) > 0.0;
  for (int i = 0; i < 32; ++i) {
    const double middle = 0.5 * (a + b);
    ((f(middle) > 0.0) == is_positive ? a : b) = middle;
  }
  return 0.5 * (a + b);
}

TEST(Bicycle, HasThePublishedWeaveAndCapsizeSpeeds) {
  const auto weave = [](double v) {  // real part of the pair
    for (const auto& value : eigenvalues(v))
      if (value.imag() > 1.0) return value.real();
    return 0.0;
  };
  const auto capsize = [](double v) { return linearised(v, "semi-recursive").determinant(); };
  EXPECT_NEAR(bisect(4.2, 4.4, weave), 4.29238253634111, 1e-6);
  EXPECT_NEAR(bisect(5.9, 6.1, capsize), 6.02426201538837, 1e-6);
}

// 4.6 m/s with a roll rate of 0.5 rad/s, 20 s: the energy stays, lean and steer die out as the eigenvalues of the speed at the end say.
TEST(Bicycle, KeepsItselfUprightAndItsEnergy) {
  test::Way way{.formulation = "semi-recursive", .kind = "relative"};
  way.options.rtol = 1e-12;
  way.options.atol = 1e-13;
  test::SimulatedCase run(load("bicycle"), 20.0, way);
  const double before = total_energy(run);
  EXPECT_NEAR(run.value("rear_wheel.C.vx"), 4.6, 1e-12);
  EXPECT_NEAR(run.value("frame.wx"), 0.5, 1e-12);
  std::vector<double> steer;
  constexpr double kEvery = 0.01;
  double most_lean = 0.0;
  for (int k = 1; k <= 2000; ++k) {
    ASSERT_TRUE(run.advance_to(kEvery * k));
    steer.push_back(run.value("steer.q"));
    most_lean = std::max(most_lean, std::abs(run.value("frame.across.z")));
    ASSERT_LE(std::abs(total_energy(run) - before), 1e-9 * before) << k;
  }
  EXPECT_GT(most_lean, 0.05);  // it did something
  EXPECT_LE(std::abs(run.value("frame.across.z")), 0.01 * most_lean);
  // Extremes of the steer angle at late times: rate of decay and frequency.
  std::vector<std::pair<double, double>> extremes;
  for (std::size_t k = 1200; k + 1 < steer.size(); ++k)
    if ((steer[k] - steer[k - 1]) * (steer[k + 1] - steer[k]) < 0.0) {
      // By a parabola through three samples.
      const double a = 0.5 * (steer[k + 1] + steer[k - 1]) - steer[k],
                   b = 0.5 * (steer[k + 1] - steer[k - 1]);
      extremes.emplace_back(kEvery * (static_cast<double>(k + 1) - b / (2 * a)), steer[k] - b * b / (4 * a));
    }
  ASSERT_GE(extremes.size(), 5U);
  // Differences of neighbours, so that a slow part, as capsizing is, drops out.
  const std::size_t last = extremes.size() - 1;
  const double first_swing = std::abs(extremes[1].second - extremes[0].second),
               last_swing = std::abs(extremes[last].second - extremes[last - 1].second);
  const double decay = std::log(last_swing / first_swing) / (extremes[last].first - extremes[1].first);
  const double frequency = M_PI * static_cast<double>(last - 1) / (extremes[last].first - extremes[1].first);
  const double speed = kRadius * std::abs(run.value("rear_hub.v"));
  for (const auto& value : eigenvalues(speed))
    if (value.imag() > 1.0) {
      EXPECT_NEAR(decay, value.real(), 0.01 * std::abs(value.real())) << "at " << speed << " m/s";
      EXPECT_NEAR(frequency, value.imag(), 0.01 * value.imag());
    }
}

}  // namespace
}  // namespace eslabon::integration
