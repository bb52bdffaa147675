// Equilibria and linear systems of mechanisms with auxiliary states: against closed forms, characteristic polynomials and differences.
#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "tests/linear_case.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::dynamics {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

/// A table of 4 kg that slides upwards under its weight; `states` and `forces` are text of these sections.
std::string table(const std::string& states, const std::string& force, const std::string& more = "") {
  return "mechanism: table\nplane: xy\ngravity: [0, -10]\n"
         "ground: {points: {O: [0, 0]}}\n"
         "bodies: {table: {mass: 4 kg, inertia: 1 kg*m^2, center_of_mass: [0, 0], points: {P: [0, 0]}}}\n"
         "joints: {slide: {prismatic: [ground.O, table.P], axis: [0, 1]}}\n"
         "states: {" +
         states + "}\nforces: {push: {joint: slide, force: \"" + force + "\"}}\n" + more;
}

std::string spring(double k) {
  return "springs: {s: {joint: slide, stiffness: " + std::to_string(k) + " N/m}}\n";
}

EquilibriumReport search(test::LinearCase& c) {
  State start;
  EXPECT_EQ(c.chart.start(0.0, start), ChartStatus::kGood);
  return find_equilibrium(c.chart, start);
}

/// |p(λ)| in parts of the sum of its terms' sizes; coefficients of the highest power first.
double left_of(const std::vector<double>& polynomial, std::complex<double> value) {
  std::complex<double> sum = 0.0;
  double size = 0.0;
  for (const double c : polynomial) {
    sum = sum * value + c;
    size = size * std::abs(value) + std::abs(c);
  }
  return std::abs(sum) / size;
}

std::vector<std::complex<double>> eigenvalues(const std::vector<Mode>& modes) {
  std::vector<std::complex<double>> list;
  for (const Mode& mode : modes) list.push_back(mode.eigenvalue);
  return list;
}

TEST(LagsInModes, BesideAnOscillatorTheyDecayAsTheyAre) {
  test::LinearCase c(table("lag: {start: 2 N, rate: \"= -lag.value/(0.25 s)\"}", "= 0", spring(36.0)));
  const LinearSystem linear = c.at_rest();
  EXPECT_TRUE(linear.is_equilibrium);
  EXPECT_THAT(linear.state_names, testing::ElementsAre("slide.q", "slide.v", "lag.value"));
  EXPECT_THAT(linear.state_units, testing::ElementsAre("m", "m/s", "N"));
  const std::vector<Mode> modes = linear.modes();
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(std::abs(modes[0].eigenvalue - std::complex<double>(0.0, 3.0)), 0.0, 1e-9);  // √(36/4)
  EXPECT_NEAR(std::abs(modes[1].eigenvalue + 4.0), 0.0, 1e-12);
  EXPECT_EQ(modes[1].kind, Mode::Kind::kReal);
}

// m q̈ = −k q − m g + x,  ẋ = (u(q) − x)/τ,  u = −p q:  x follows slow motions, so that K = k + p.
TEST(LagsInEquilibria, RestWhereTheStateHasCaughtUp) {
  test::LinearCase c(table("lag: {start: 50 N, rate: \"= (-30 N/m*slide.q - lag.value)/(0.1 s)\"}",
                           "= lag.value", spring(50.0)));
  const EquilibriumReport report = search(c);
  ASSERT_TRUE(report.usable());
  const Equilibrium& at = *report.equilibrium;
  EXPECT_NEAR(at.state.q[0], -40.0 / 80.0, 1e-12);
  EXPECT_NEAR(at.state.memory.states[0], 15.0, 1e-10);
  EXPECT_NEAR(at.stiffness(0, 0) / std::pow(c.chart.length(), 2), 80.0, 1e-7);
  EXPECT_TRUE(at.neutral_states.empty());
}

// With p the characteristic polynomial is  m τ λ³ + m λ² + k τ λ + k + p: Routh wants k τ m > m τ (k + p), so p < 0.
TEST(LagsInEquilibria, AreJudgedByTheEigenvaluesOfEverything) {
  for (const double p : {-10.0, 10.0}) {
    test::LinearCase c(
        table("lag: {start: 0 N, rate: \"= (" + std::to_string(-p) + " N/m*slide.q - lag.value)/(0.1 s)\"}",
              "= lag.value", spring(50.0)));
    const EquilibriumReport report = search(c);
    ASSERT_TRUE(report.usable());
    EXPECT_EQ(report.equilibrium->stability, p < 0.0 ? Stability::kStable : Stability::kUnstable) << p;
    const std::vector<Mode> modes = c.at_rest().modes();
    for (const std::complex<double>& value : eigenvalues(modes))
      EXPECT_LE(left_of({4.0 * 0.1, 4.0, 50.0 * 0.1, 50.0 + p}, value), 1e-11) << value;
  }
}

/// A table held at 0.3 m by a PI law: force = kp e − c v + x,  ẋ = ki e,  e = 0.3 m − q.
std::string controlled(double ki) {
  return table(
      "sum: {start: 0 N, size: 10 N, rate: \"= " + std::to_string(ki) + " N/m/s*(0.3 m - slide.q)\"}",
      "= 200 N/m*(0.3 m - slide.q) - 30 N*s/m*slide.v + sum.value");
}

TEST(IntegralsInEquilibria, HoldWhatTheyControlWhereItShallBe) {
  test::LinearCase c(controlled(600.0));
  const EquilibriumReport report = search(c);
  ASSERT_TRUE(report.usable());
  EXPECT_NEAR(report.equilibrium->state.q[0], 0.3, 1e-11);
  EXPECT_NEAR(report.equilibrium->state.memory.states[0], 40.0, 1e-9) << "it carries the weight";
  EXPECT_EQ(report.equilibrium->stability, Stability::kStable);
  EXPECT_EQ(report.equilibrium->neutral.cols(), 0);
}

// m λ³ + c λ² + kp λ + ki:  stable when  c kp > m ki, that is below 1500 N/(m s).
TEST(IntegralsInModes, HaveTheCharacteristicPolynomial) {
  for (const double ki : {600.0, 1490.0, 1510.0}) {
    test::LinearCase c(controlled(ki));
    const LinearSystem linear = c.at_rest();
    EXPECT_TRUE(linear.is_equilibrium);
    const std::vector<Mode> modes = linear.modes();
    int count = 0;
    for (const Mode& mode : modes) {
      EXPECT_LE(left_of({4.0, 30.0, 200.0, ki}, mode.eigenvalue), 1e-11) << ki;
      count += mode.kind == Mode::Kind::kOscillation ? 2 : 1;
    }
    EXPECT_EQ(count, 3);
    EXPECT_EQ(search(c).equilibrium->stability, ki < 1500.0 ? Stability::kStable : Stability::kUnstable);
  }
}

TEST(IntegralsInEquilibria, WithoutFeedbackHaveNoRestAndAreNamed) {
  test::LinearCase c(table("clock: {start: 1 N, rate: 0.5 N/s}", "= 0", spring(40.0)));
  const EquilibriumReport report = search(c);
  ASSERT_FALSE(report.usable());
  EXPECT_EQ(
      core::to_sentence(report.error_text(c.mechanism)),
      "no equilibrium was found [mechanism 'table']: expected a position near the start where all forces "
      "balance and no auxiliary state changes, got 'clock.value', which changes by 0.5 N/s whatever the "
      "position and the states are. Its rate must become 0 somewhere: an integral without feedback has "
      "no rest.");
}

TEST(IntegralsInEquilibria, OfVelocitiesStayWhereTheyArePut) {
  test::LinearCase c(table("way: {start: 3 m, rate: \"= slide.v\"}", "= 0", spring(40.0)));
  const EquilibriumReport report = search(c);
  ASSERT_TRUE(report.usable());
  EXPECT_NEAR(report.equilibrium->state.q[0], -1.0, 1e-12);
  EXPECT_EQ(report.equilibrium->state.memory.states[0], 3.0);
  EXPECT_EQ(report.equilibrium->stability, Stability::kNeutral);
  EXPECT_THAT(report.equilibrium->neutral_states, testing::ElementsAre("way"));
}

// A free cart with the integral of its place: q̈ = 0, ẋ = q is one chain of three eigenvalues 0, in one mode.
TEST(IntegralsInModes, OfAFreeBodyAreOneChainOfZeros) {
  test::LinearCase c(
      "mechanism: cart\nplane: xy\nground: {points: {O: [0, 0]}}\n"
      "bodies: {cart: {mass: 4 kg, inertia: 1 kg*m^2, center_of_mass: [0, 0], points: {P: [0, 0]}}}\n"
      "joints: {slide: {prismatic: [ground.O, cart.P], axis: [1, 0]}}\n"
      "states: {sum: {rate: \"= slide.q\"}}\n");
  const LinearSystem linear = c.at_start();
  const std::vector<Mode> modes = linear.modes();
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_EQ(modes[0].kind, Mode::Kind::kRigid);
}

TEST(StatesWithoutMass, AreJudgedWithForcesInBalance) {
  for (const double p : {-30.0, 30.0}) {  // τ ẋ = p q − x,  k q = x:  λ τ = p/k − 1
    test::LinearCase c(
        "mechanism: link\nplane: xy\nground: {points: {O: [0, 0]}}\n"
        "bodies: {link: {points: {P: [0, 0]}}}\n"
        "joints: {slide: {prismatic: [ground.O, link.P], axis: [1, 0]}}\n"
        "springs: {s: {joint: slide, stiffness: 20 N/m}}\n"
        "states: {lag: {start: 0 N, rate: \"= (" +
        std::to_string(p) +
        " N/m*slide.q - lag.value)/(0.1 s)\"}}\n"
        "forces: {push: {joint: slide, force: \"= lag.value\"}}\n");
    const EquilibriumReport report = search(c);
    ASSERT_TRUE(report.usable());
    EXPECT_EQ(report.equilibrium->stability, p < 20.0 ? Stability::kStable : Stability::kUnstable) << p;
  }
}

/// A four-bar with a torque and a spring that look at two states, all of it curved.
model::Mechanism curved_loop() {
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
dampers: {drag: {joint: B, damping: 0.4 N*m*s/rad}}
states:
  motor: {start: 5, size: 8, rate: "= (12*sin(A.q - 1) - motor.value - 0.3*A.v*motor.value)/0.05"}
  air: {start: 0.6, rate: "= (0.2*crank.P.y + 0.05*motor.value - air.value^3)/0.2"}
forces: {torque: {joint: A, torque: "= motor.value*(1 + 0.2*air.value)"}}
assembly: {crank.angle: 70 deg, crank.rate: 1.3 rad/s, coupler.angle: 15 deg, rocker.angle: 110 deg}
)yaml",
                            "loop.yaml");
}

TEST(StateDerivatives, AreThoseOfDifferences) {
  test::LinearCase c(curved_loop());
  const State start = c.moving.state_of(c.model.start(), 0.0);
  ASSERT_EQ(c.moving.centre_at_named(start), ChartStatus::kGood);
  const auto exact = c.moving.differentiate_states(c.moving.centre());
  ASSERT_TRUE(exact);
  const Index f = c.moving.num_freedoms();
  const VectorXd xi = c.moving.measured_states(c.moving.centre());
  for (Index k = 0; k < 2; ++k) {
    constexpr double h = 1e-5;
    State right = c.moving.centre(), left = right;
    c.moving.set_states(xi + h * VectorXd::Unit(2, k), right);
    c.moving.set_states(xi - h * VectorXd::Unit(2, k), left);
    const VectorXd slope = (*c.moving.force_at_state(right) - *c.moving.force_at_state(left)) / (2.0 * h);
    const double size = slope.cwiseAbs().maxCoeff();
    EXPECT_GT(size, 1e-2);
    // Differences of h²/6 f''' and of roundoff/h.
    EXPECT_LE((slope.head(f) - exact->force.col(k)).cwiseAbs().maxCoeff(), 1e-8 * size);
    EXPECT_LE((slope.tail(2) - exact->rate.col(k)).cwiseAbs().maxCoeff(), 1e-8 * size);
  }
}

TEST(StateDerivatives, AreTheSameInAllKindsOfCoordinates) {
  std::vector<std::complex<double>> expected;
  for (const char* kind : {"relative", "natural", "reference-point"}) {
    test::LinearCase c(curved_loop(), kind);
    const LinearSystem linear = c.at_rest();
    EXPECT_TRUE(linear.is_equilibrium);
    const auto values = eigenvalues(linear.modes());
    if (expected.empty()) expected = values;
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_NEAR(std::abs(values[k] - expected[k]), 0.0, 1e-8 * std::abs(expected[k])) << kind;
  }
}

TEST(StatesAsOutputs, OfALinearSystemAreThemselves) {
  test::LinearCase c(curved_loop());
  const LinearSystem linear = c.at_rest({"A.q"}, {"motor.value", "tie.force"});
  const Index s = linear.A.cols() - 2;
  VectorXd unit = VectorXd::Zero(linear.A.cols());
  unit[s] = 1.0;
  EXPECT_LE((linear.C.row(0).transpose() - unit).cwiseAbs().maxCoeff(), 1e-10);
  const double air = linear.state.memory.states[1];
  EXPECT_NEAR(linear.C(1, s + 1), 6.0 * air, 1e-8);
}

TEST(HeldMechanisms, LetStatesFollowTheirDrivers) {
  test::LinearCase c(table("lag: {start: 0 N, rate: \"= (7 N/m*slide.q - lag.value)/(0.1 s)\"}",
                           "= lag.value", "drivers: {d: {joint: slide, position: 0.4 m}}\n"));
  c.chart.let_states_follow(true);
  State start;
  ASSERT_EQ(c.chart.start(0.0, start), ChartStatus::kGood);
  EXPECT_NEAR(start.memory.states[0], 2.8, 1e-12);
}

}  // namespace
}  // namespace eslabon::dynamics
