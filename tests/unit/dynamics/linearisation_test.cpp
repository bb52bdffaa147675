#include "eslabon/dynamics/statics/linearisation.hpp"

#include <algorithm>
#include <cmath>

#include "tests/linear_case.hpp"
#include "tests/sprung_rssr.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/statics/equilibrium.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/dynamics/statics/modes.hpp"
#include "eslabon/dynamics/statics/named_shape.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/variable_value.hpp"

// Linear systems and modes against closed forms, dual numbers, and differences of what the formulations accelerate.
namespace eslabon::dynamics {
namespace {

using test::LinearCase;
using test::sliding_mass;
using Drivers = FreedomChart::Drivers;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Eigenvalues, in an order that roundoff does not change much.
std::vector<std::complex<double>> sorted_eigenvalues(const MatrixXd& A) {
  const Eigen::VectorXcd values = A.eigenvalues();
  std::vector<std::complex<double>> list(values.begin(), values.end());
  std::ranges::sort(list, [](const auto& a, const auto& b) {
    return std::abs(a.imag() - b.imag()) > 1e-6 ? a.imag() < b.imag() : a.real() < b.real();
  });
  return list;
}

std::vector<double> frequencies(const std::vector<Mode>& modes) {
  std::vector<double> list;
  for (const Mode& mode : modes) list.push_back(mode.natural_frequency());
  return list;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], test::tolerance_scale() * tolerance * std::max(1.0, expected[k]));
}

// --- closed forms: frequencies ------------------------------------------------------------------------------------------

const char* const kDoublePendulum =
    "mechanism: double pendulum\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\nbodies:\n"
    "  a: {mass: 2, inertia: 0.1, center_of_mass: [0.4, 0], points: {O: [0, 0], E: [1, 0]}}\n"
    "  b: {mass: 1, inertia: 0.05, center_of_mass: [0.5, 0], points: {O: [0, 0], G: [0.5, 0]}}\n"
    "joints:\n  A: {revolute: [ground.O, a.O]}\n  B: {revolute: [a.E, b.O]}\n";

TEST(DoublePendulum, FrequenciesAreThoseOfItsTwoByTwoProblem) {
  LinearCase c(std::string(kDoublePendulum) + "assembly: {a.angle: -80 deg, b.angle: -95 deg}\n");
  const LinearSystem linear = c.at_rest();
  EXPECT_TRUE(linear.is_equilibrium);
  EXPECT_TRUE(linear.is_undamped);
  // Absolute angles from the vertical: M = [I₁ + m₁ a² + m₂ L², m₂ L b; ·, I₂ + m₂ b²], K = g diag(m₁ a + m₂ L, m₂ b).
  Eigen::Matrix2d M, K;
  M << 0.1 + 2 * 0.16 + 1.0, 0.5, 0.5, 0.05 + 0.25;
  K << 9.81 * (2 * 0.4 + 1), 0, 0, 9.81 * 0.5;
  const Eigen::Vector2d squares =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(K, M).eigenvalues();
  expect_near(frequencies(linear.modes()), {std::sqrt(squares[0]), std::sqrt(squares[1])}, 1e-11);
  EXPECT_LT(linear.error, 1e-9);
  // By the eigenvalues of A as well.
  const std::vector<Mode> of_A = modes_of(linear.A);
  expect_near(frequencies(of_A), {std::sqrt(squares[0]), std::sqrt(squares[1])}, 1e-10);
  for (const Mode& mode : of_A) EXPECT_NEAR(mode.damping_ratio(), 0.0, 1e-11);
}

TEST(MassSpringDamper, FrequencyAndDampingRatio) {
  for (const double ratio : {0.0, 0.05, 0.4, 0.99}) {
    LinearCase c(sliding_mass(2 * ratio * std::sqrt(3 * 48.0)));
    const std::vector<Mode> modes = c.at_rest().modes();
    ASSERT_EQ(modes.size(), 1u);
    EXPECT_EQ(modes[0].kind, Mode::Kind::kOscillation);
    EXPECT_NEAR(modes[0].natural_frequency(), 4.0, 1e-10);
    EXPECT_NEAR(modes[0].damping_ratio(), ratio, 1e-7);
  }
  LinearCase c(sliding_mass(2 * 1.25 * 12.0));  // λ = −4 (1.25 ± 0.75)
  const std::vector<Mode> modes = c.at_rest().modes();
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_EQ(modes[0].kind, Mode::Kind::kReal);
  EXPECT_NEAR(modes[0].eigenvalue.real(), -2.0, 1e-10);
  EXPECT_NEAR(modes[1].eigenvalue.real(), -8.0, 1e-10);
}

TEST(MassSpringDamper, MatricesInClosedForm) {
  LinearCase c(sliding_mass(6.0));
  const LinearSystem linear =
      c.at_rest({"J.q", "push"}, {"J.q", "J.v", "J.a", "mass.P.ax", "s.force", "s.length"});
  const auto near = [](const MatrixXd& found, const MatrixXd& expected) {
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-10) << found;
  };
  near(linear.A, (MatrixXd(2, 2) << 0, 1, -16, -2).finished());
  near(linear.B, (MatrixXd(2, 2) << 0, 0, 1 / 3.0, 7 / 3.0).finished());
  near(linear.C, (MatrixXd(6, 2) << 1, 0, 0, 1, -16, -2, -16, -2, 48, 6, 1, 0).finished());
  near(linear.D, (MatrixXd(6, 2) << 0, 0, 0, 0, 1 / 3.0, 7 / 3.0, 1 / 3.0, 7 / 3.0, 0, 0, 0, 0).finished());
  EXPECT_THAT(linear.state_names, testing::ElementsAre("J.q", "J.v"));
  EXPECT_THAT(linear.state_units, testing::ElementsAre("m", "m/s"));
  EXPECT_THAT(linear.input_units, testing::ElementsAre("N", "1"));
}

TEST(MassOnSpringsInSpace, SixFrequenciesInClosedForm) {
  // Eight springs without length at the corners ±(a, b, c): V = ½ k Σ |δp|². Two more along x, at their free length, pull along x only.
  const double k = 50, a = 0.3, b = 0.2, d = 0.1, m = 4, along = 30;
  std::string points = "Z: [0, 0, 0], X1: [2, 0, 0], X2: [-2, 0, 0]", corners = "Z: [0, 0, 0]", springs;
  int i = 0;
  for (const double x : {a, -a})
    for (const double y : {b, -b})
      for (const double z : {d, -d}) {
        const std::string n = std::to_string(i++), p = "[" + std::to_string(x) + ", " + std::to_string(y) +
                                                       ", " + std::to_string(z) + "]";
        points += ", C" + n + ": " + p;
        corners += ", C" + n + ": " + p;
        springs += "  s" + n + ": {between: [ground.C" + n + ", block.C" + n + "], stiffness: 50}\n";
      }
  LinearCase c("mechanism: block\nground: {points: {" + points +
               "}}\nbodies:\n  block: {mass: 4, center_of_mass: [0, 0, 0], "
               "inertia: [0.3, 0.5, 0.6], points: {" +
               corners + "}}\njoints: {free: {free: [ground.Z, block.Z]}}\nsprings:\n" + springs +
               "  x1: {between: [ground.X1, block.Z], stiffness: 30, free_length: 2}\n"
               "  x2: {between: [ground.X2, block.Z], stiffness: 30, free_length: 2}\n"
               "assembly: {block.position: [0.02, 0.03, -0.01], block.rotation: [0.1, -0.2, 0.3]}\n");
  std::vector<double> expected{std::sqrt(8 * k / m),
                               std::sqrt(8 * k / m),
                               std::sqrt((8 * k + 2 * along) / m),
                               std::sqrt(8 * k * (b * b + d * d) / 0.3),
                               std::sqrt(8 * k * (a * a + d * d) / 0.5),
                               std::sqrt(8 * k * (a * a + b * b) / 0.6)};
  std::ranges::sort(expected);
  const LinearSystem linear = c.at_rest();
  ASSERT_EQ(linear.A.rows(), 12);
  expect_near(frequencies(linear.modes()), expected, 1e-9);
}

TEST(BifilarPendulum, SwaysTwistsAndSpins) {
  // A beam on two upright rods of length L at ±r: sways along and across with g/L, twists with m g r²/(I L); nothing turns it about itself.
  LinearCase c(
      "mechanism: bifilar\ngravity: [0, 0, -9.81]\nground: {points: {A: [0.4, 0, 0], B: [-0.4, 0, 0]}}\n"
      "bodies: {beam: {mass: 3, center_of_mass: [0, 0, 0], inertia: [0.05, 0.32, 0.32], points: {A: [0.4, 0, "
      "0], B: [-0.4, 0, 0]}}}\n"
      "joints:\n  left: {rod: [ground.A, beam.A], length: 1.5}\n  right: {rod: [ground.B, beam.B], length: "
      "1.5}\n"
      "assembly: {beam.position: [0.1, 0.05, -1.49], beam.rotation: [0, 0, 0.1]}\n");
  const LinearSystem linear = c.at_rest();
  const double sway = std::sqrt(9.81 / 1.5), twist = std::sqrt(3 * 9.81 * 0.16 / (0.32 * 1.5));
  const std::vector<Mode> modes = linear.modes();
  expect_near(frequencies(modes), {0.0, sway, sway, twist}, 1e-9);
  EXPECT_EQ(modes[0].kind, Mode::Kind::kRigid);
  // Rods have no coordinates: the shape is told by the beam.
  const NamedShape spin = named_shape(c.chart, linear.state, linear.directions, modes[0].shape);
  EXPECT_THAT(spin.text(), testing::HasSubstr("beam.turn_x 1 rad"));
  const NamedShape turn = named_shape(c.chart, linear.state, linear.directions, modes[3].shape);
  EXPECT_THAT(turn.text(), testing::HasSubstr("beam.turn_z 1 rad"));
}

TEST(QuarterVehicle, OneModeOfTheArmAndOneRigidOfTheWheel) {
  LinearCase c(test::load_released("quarter-vehicle"));
  const LinearSystem linear = c.at_rest();
  EXPECT_THAT(linear.state_names, testing::ElementsAre("A.q", "hub.q", "A.v", "hub.v"));
  const std::vector<Mode> modes = linear.modes();
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_EQ(modes[0].kind, Mode::Kind::kRigid);
  EXPECT_EQ(modes[1].kind, Mode::Kind::kOscillation);
  // The arm alone, λ² + d λ + k = 0, with energies of the bodies along its motion: V'' and 2 T by differences of positions, and
  // c L'² of shock and tyre.
  FreedomChart& chart = c.chart;
  ASSERT_EQ(chart.centre_at_named(linear.state), ChartStatus::kGood);
  const auto bodies_at = [&](double y, State& state) {
    EXPECT_EQ(chart.move(y * VectorXd::Unit(2, 0), VectorXd::Zero(2), state), ChartStatus::kGood);
    coordinates::MechanismMotion bodies(c.mechanism.bodies().size());
    chart.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies);
    return bodies;
  };
  const auto V = [&](double y) {
    State state;
    const coordinates::MechanismMotion bodies = bodies_at(y, state);
    return potential_energy(c.model, state, bodies);
  };
  const auto value = [&](const char* name, double y) {
    State state;
    return kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, name), bodies_at(y, state));
  };
  const double h = 2e-3;
  const auto slope = [&](const char* name) {
    return (8 * (value(name, h) - value(name, -h)) - (value(name, 2 * h) - value(name, -2 * h))) / (12 * h);
  };
  const double stiffness = (16 * (V(h) + V(-h)) - (V(2 * h) + V(-2 * h)) - 30 * V(0)) / (12 * h * h);
  const double spring = slope("spring.length"), wheel = slope("wheel.W.z");
  const double damping = 160 * spring * spring + 50 * wheel * wheel;
  State state;
  const coordinates::MechanismMotion left = bodies_at(-h, state), right = bodies_at(h, state);
  double mass = 0.0;
  for (std::size_t b = 1; b < left.size(); ++b) {
    const model::MassProperties& of = c.mechanism.bodies()[b].mass_properties;
    const Eigen::Vector3d shift =
        (right[b].point_position(of.p_BC_B) - left[b].point_position(of.p_BC_B)) / (2 * h);
    const Eigen::Vector3d y = Eigen::Vector3d::UnitY();  // across all hinges of the arm's motion
    const double turn =
        2 * std::asin(0.5 * (right[b].X_WB.R_AB * y - left[b].X_WB.R_AB * y).norm()) / (2 * h);
    mass += of.mass * shift.squaredNorm() + of.I_BC_B(0, 0) * turn * turn;
  }
  EXPECT_NEAR(modes[1].natural_frequency(), std::sqrt(stiffness / mass), 1e-5 * std::sqrt(stiffness / mass));
  EXPECT_NEAR(modes[1].damping_ratio(), damping / (2 * std::sqrt(stiffness * mass)), 1e-5);
}

TEST(LoadAndFlap, FrequenciesAreTheirOwn) {
  for (const auto& [load, flap] :
       {std::pair{"100000", "0.001"}, std::pair{"100000", "0.0002"}, std::pair{"1000", "0.00001"}}) {
    LinearCase c(
        "mechanism: flap\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0], P: [1, 0]}}\nbodies:\n"
        "  load: {mass: " +
        std::string(load) +
        ", inertia: 1, center_of_mass: [10, 0], points: {O: [0, 0]}}\n  flap: {mass: " + flap +
        ", inertia: 0, center_of_mass: [0.05, 0], points: {P: [0, 0]}}\n"
        "joints:\n  A: {revolute: [ground.O, load.O]}\n  F: {revolute: [ground.P, flap.P]}\n"
        "assembly: {A.q: -80 deg, F.q: -30 deg}\n");
    const LinearSystem linear = c.at_rest();
    EXPECT_TRUE(linear.is_equilibrium);
    const double m = std::stod(load);
    expect_near(frequencies(linear.modes()), {std::sqrt(m * 98.1 / (1 + m * 100)), std::sqrt(9.81 / 0.05)},
                1e-10);
  }
}

TEST(Overdamped, SlowDecayIsNotRigid) {
  // m λ² + c λ + k = 0 with m = 3, k = 48; c = 3·10⁵: λ₁ = −k/(c + m λ₁), nine decades below the fast one.
  LinearCase c(sliding_mass(3e5));
  const std::vector<Mode> modes = c.at_rest().modes();
  ASSERT_EQ(modes.size(), 2u);
  const double root = std::sqrt(9e10 - 4 * 3 * 48.0);
  EXPECT_EQ(modes[0].kind, Mode::Kind::kReal);
  EXPECT_NEAR(modes[0].eigenvalue.real(), -2 * 48 / (3e5 + root), 1e-6 * 1.6e-4);
  EXPECT_NEAR(modes[1].eigenvalue.real(), -(3e5 + root) / 6, 1e-4);
}

TEST(RigidMotions, WithDampingHaveOneZeroAndADecay) {
  // Without the spring: λ = 0 and λ = −c/m; without both a double zero, one mode.
  const std::string text = sliding_mass(0),
                    free = text.substr(0, text.find("springs")) + "assembly: {J.q: 0.3}\n";
  LinearCase damped(free + "dampers: {d: {joint: J, damping: 6}}\n");
  const std::vector<Mode> modes = damped.at_rest().modes();
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_EQ(modes[0].kind, Mode::Kind::kRigid);
  EXPECT_EQ(modes[1].kind, Mode::Kind::kReal);
  EXPECT_NEAR(modes[1].eigenvalue.real(), -2.0, 1e-10);
  LinearCase idle(free);
  ASSERT_EQ(idle.at_rest().modes().size(), 1u);
  EXPECT_EQ(idle.at_rest().modes()[0].kind, Mode::Kind::kRigid);
}

TEST(InvertedPendulum, IsADivergence) {
  LinearCase c(
      "mechanism: pendulum\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\n"
      "bodies: {bob: {mass: 2, inertia: 0.3, center_of_mass: P, points: {O: [0, 0], P: [0.7, 0]}}}\n"
      "joints: {O: {revolute: [ground.O, bob.O]}}\nassembly: {bob.angle: 90 deg}\n");
  const std::vector<Mode> modes = c.at_rest().modes();
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_EQ(modes[0].kind, Mode::Kind::kDivergence);
  EXPECT_NEAR(modes[0].eigenvalue.real(), std::sqrt(2 * 9.81 * 0.7 / (0.3 + 0.98)), 1e-10);
}

// --- dual numbers: a moving state ---------------------------------------------------------------------------------------

/// The double pendulum of above, by Lagrange's equations in absolute angles, for any scalar: (θ̈₁, θ̈₂ − θ̈₁, accelerations of b.G).
template <class T>
Eigen::Matrix<T, 4, 1> lagrange(const Eigen::Matrix<T, 4, 1>& x, const T& effort_A, const T& effort_B) {
  using std::cos, std::sin;
  const T t1 = x[0], t2 = x[0] + x[1], w1 = x[2], w2 = x[2] + x[3];
  const T m11 = T(0.1 + 2 * 0.16 + 1.0), m22 = T(0.05 + 0.25), m12 = T(0.5) * cos(t1 - t2);
  const T c = T(0.5) * sin(t1 - t2);
  const T f1 = effort_A - effort_B - c * w2 * w2 - T(9.81 * 1.8) * cos(t1);
  const T f2 = effort_B + c * w1 * w1 - T(9.81 * 0.5) * cos(t2);
  const T det = m11 * m22 - m12 * m12;
  const T a1 = (m22 * f1 - m12 * f2) / det, a2 = (m11 * f2 - m12 * f1) / det;
  Eigen::Matrix<T, 4, 1> out;
  out << a1, a2 - a1, -a1 * sin(t1) - w1 * w1 * cos(t1) - T(0.5) * (a2 * sin(t2) + w2 * w2 * cos(t2)),
      a1 * cos(t1) - w1 * w1 * sin(t1) + T(0.5) * (a2 * cos(t2) - w2 * w2 * sin(t2));
  return out;
}

TEST(DoublePendulum, MovingStateAgainstDualNumbers) {
  LinearCase c(std::string(kDoublePendulum) +
               "assembly: {a.angle: 0.3, b.angle: -0.5, a.rate: 1.7, b.rate: -2.3}\n");
  const LinearSystem linear = c.at_start({"A.q", "B.q"}, {"b.G.ax", "b.G.ay", "B.a"});
  EXPECT_FALSE(linear.is_equilibrium);
  using D = core::Dual<double>;
  const Eigen::Vector4d at(0.3, -0.8, 1.7, -4.0);
  double worst = 0.0;
  for (int k = 0; k < 6; ++k) {
    Eigen::Matrix<D, 4, 1> x;
    for (int i = 0; i < 4; ++i) x[i] = D(at[i], i == k ? 1.0 : 0.0);
    const auto out = lagrange<D>(x, D(0.0, k == 4 ? 1.0 : 0.0), D(0.0, k == 5 ? 1.0 : 0.0));
    const VectorXd column = k < 4 ? linear.A.col(k) : linear.B.col(k - 4);
    const VectorXd outputs = k < 4 ? linear.C.col(k) : linear.D.col(k - 4);
    for (int r = 0; r < 2; ++r) worst = std::max(worst, std::abs(column[2 + r] - out[r].derivative));
    worst = std::max({worst, std::abs(outputs[0] - out[2].derivative),
                      std::abs(outputs[1] - out[3].derivative), std::abs(outputs[2] - out[1].derivative)});
  }
  RecordProperty("largest_difference", core::number_text(worst));
  EXPECT_LT(worst, 1e-9 * linear.A.cwiseAbs().maxCoeff() * test::tolerance_scale());
  EXPECT_GE(linear.error * linear.A.cwiseAbs().maxCoeff() * 2,
            worst);  // the estimate is no less than the error
}

TEST(ExtrapolatedDifference, HasOrderSixAndSeesKinks) {
  const auto f = [](double x) { return std::optional<VectorXd>(VectorXd::Constant(1, std::exp(3 * x))); };
  // Any error is accepted, so that the first h is the one.
  const double coarse = std::abs(extrapolated_difference(f, 0.4, 1e9)->value[0] - 3.0),
               fine = std::abs(extrapolated_difference(f, 0.2, 1e9)->value[0] - 3.0);
  EXPECT_NEAR(std::log2(coarse / fine), 6.0, 0.2);
  EXPECT_EQ(extrapolated_difference(f, 0.008)->kinks[0], 0.0);
  EXPECT_LT(std::abs(extrapolated_difference(f, 0.008)->value[0] - 3.0), 1e-11);
  const auto kink = [](double x) {
    return std::optional<VectorXd>(VectorXd::Constant(1, x < 0 ? 5 * x : 2 * x));
  };
  EXPECT_NEAR(extrapolated_difference(kink, 0.008)->kinks[0], 1.5, 1e-12);
  const auto one_side = [&](double x) { return x > 1e-9 ? std::nullopt : f(x); };
  EXPECT_FALSE(extrapolated_difference(one_side, 0.008));
}

// --- other formulations -------------------------------------------------------------------------------------------------

/// ∂(ż, z̈)/∂(z, ż) by central differences of fourth order of what a formulation completes and accelerates.
MatrixXd by_formulation(Formulation& formulation, const coordinates::MechanismMotion& bodies) {
  State at = formulation.state_of(bodies, 0.0);
  static_cast<void>(formulation.choose_integrated(at));
  const auto f = static_cast<std::size_t>(formulation.num_integrated());
  std::vector<double> x(2 * f), a(at.q.size()), z_ddot(f);
  formulation.read(at, std::span(x).first(f), std::span(x).last(f));
  const auto accelerations = [&](std::vector<double> there) {
    State state = at;
    EXPECT_EQ(formulation.complete(0.0, std::span(there).first(f), std::span(there).last(f), state),
              DynamicsStatus::kSolved);
    EXPECT_EQ(formulation.accelerate(state, a, z_ddot), DynamicsStatus::kSolved);
    return VectorXd(Eigen::Map<const VectorXd>(z_ddot.data(), static_cast<Index>(f)));
  };
  MatrixXd A = MatrixXd::Zero(static_cast<Index>(2 * f), static_cast<Index>(2 * f));
  A.topRightCorner(static_cast<Index>(f), static_cast<Index>(f)).setIdentity();
  const double h = 3e-5;
  for (std::size_t k = 0; k < 2 * f; ++k) {
    const auto beside = [&](double step) {
      std::vector<double> there = x;
      there[k] += step;
      return accelerations(there);
    };
    A.col(static_cast<Index>(k)).tail(static_cast<Index>(f)) =
        (8 * (beside(h) - beside(-h)) - (beside(2 * h) - beside(-2 * h))) / (12 * h);
  }
  return A;
}

struct Sample {
  std::string name;
  std::string text = {};
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

class EveryFormulation : public testing::TestWithParam<Sample> {};

TEST_P(EveryFormulation, HasTheSameEigenvalues) {
  const Sample& sample = GetParam();
  const model::Mechanism mechanism =
      sample.text.empty() ? test::load_released(sample.name) : io::read_mechanism(sample.text, "test.yaml");
  LinearCase c(mechanism);
  const LinearSystem linear = c.at_rest();
  ASSERT_TRUE(linear.is_equilibrium);
  EXPECT_LT(linear.error, 1e-8);
  const auto expected = sorted_eigenvalues(linear.A);
  double size = 0.0;
  for (const auto& value : expected) size = std::max(size, std::abs(value));
  coordinates::MechanismMotion bodies(mechanism.bodies().size());
  c.chart.evaluate_bodies(linear.state, std::vector<double>(linear.state.q.size(), 0.0), bodies);
  double worst = 0.0;
  int compared = 0;
  const auto compare = [&](const MatrixXd& A, const std::string& name) {
    const auto found = sorted_eigenvalues(A);
    ASSERT_EQ(found.size(), expected.size()) << name;
    ++compared;
    for (std::size_t k = 0; k < found.size(); ++k) {
      // Rigid motions are double zeros: what is off by δ moves them by √δ.
      const bool is_zero = std::abs(expected[k]) < 1e-3 * size;
      EXPECT_LT(std::abs(found[k] - expected[k]), (is_zero ? 1e-3 : 1e-8) * size)
          << name << " " << expected[k];
      if (!is_zero) worst = std::max(worst, std::abs(found[k] - expected[k]) / size);
    }
  };
  for (const auto& [name, kind] :
       std::vector<std::pair<std::string, std::string>>{{"null-space", "natural"},
                                                        {"null-space", "reference-point"},
                                                        {"semi-recursive", ""},
                                                        {"groups", ""}}) {
    std::unique_ptr<Formulation> formulation;
    try {
      formulation = make_formulation(name, c.model, {.kind = kind});
    } catch (const core::ModelError&) {
      EXPECT_EQ(name, "groups");  // refuses some
      continue;
    }
    compare(by_formulation(*formulation, bodies), name + " " + kind);
  }
  for (const char* kind : {"natural", "reference-point"}) {
    LinearCase other(mechanism, kind);
    compare(other.system(other.chart, other.chart.state_of(bodies, 0.0), {}, {}).A,
            std::string("chart ") + kind);
  }
  RecordProperty("largest_relative_difference", core::number_text(worst));
  EXPECT_GE(compared, 5);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryFormulation,
                         testing::Values(Sample{"fourbar-testbed"}, Sample{"stephenson-sixbar"},
                                         Sample{"five-bar"}, Sample{"andrews-squeezer"},
                                         Sample{"quarter-vehicle"}, Sample{"sprung RSSR", test::kSprungRssr}),
                         [](const auto& sample) { return test::test_name(sample.param.name); });

TEST(Inputs, PushAsAForceOnTheBodiesDoes) {
  // B and D against accelerations with a force of the user: the effort in O as a pair of torques, the load as a force.
  const std::string text = std::string(test::kSprungRssr) +
                           "forces:\n  pull: {point: coupler.T, force: [1, -2, 3]}\n  turn: {body: rocker, "
                           "torque: [0.3, 0.1, 0.2], axes: body}\n";
  LinearCase c(text);
  const LinearSystem linear =
      c.at_rest({"O.q", "pull", "turn", "G.q"}, {"coupler.T.ax", "coupler.T.az", "G.a", "G.q", "hang.force"});
  coordinates::MechanismMotion bodies(c.mechanism.bodies().size());
  c.chart.evaluate_bodies(linear.state, std::vector<double>(linear.state.q.size(), 0.0), bodies);
  int which = -1;
  double amplitude = 0.0;
  DynamicModel pushed(c.mechanism, c.structure, kinematics::assemble(c.mechanism, c.structure));
  pushed.add_force([&](double, const coordinates::MechanismMotion& at, std::span<Wrench> wrenches) {
    if (which == 0) wrenches[1].torque += amplitude * Eigen::Vector3d::UnitZ();
    if (which == 1)
      wrenches[2].add_force(amplitude * Eigen::Vector3d(1, -2, 3),
                            at[2].X_WB.R_AB * Eigen::Vector3d(0.2, 0.1, 0));
    if (which == 2) wrenches[3].torque += amplitude * (at[3].X_WB.R_AB * Eigen::Vector3d(0.3, 0.1, 0.2));
    if (which == 3) wrenches[3].torque += amplitude * Eigen::Vector3d::UnitX();
  });
  const auto formulation = make_formulation("multipliers", pushed, {.kind = "reference-point"});
  const coordinates::MechanismMotion plain = test::accelerated(*formulation, bodies);
  for (which = 0; which < 4; ++which) {
    amplitude = 1.0;
    const coordinates::MechanismMotion with = test::accelerated(*formulation, bodies);
    amplitude = 0.0;
    for (Index r = 0; r < 3; ++r) {
      const model::Variable variable =
          find_linear_output(c.mechanism, linear.output_names[static_cast<std::size_t>(r)]);
      const double change = kinematics::value_of(c.mechanism, variable, with) -
                            kinematics::value_of(c.mechanism, variable, plain);
      EXPECT_NEAR(linear.D(r, which), change, 1e-9 * (1 + std::abs(change))) << which << " " << r;
      // The output is an acceleration: its D is its C of the rates times B.
    }
    EXPECT_EQ(linear.D(3, which), 0.0);
    EXPECT_NEAR(linear.D(4, which), 0.0, 1e-9);
    // ÿ itself, of the coordinates that are y.
    std::vector<double> q(linear.state.q.size()), v(q.size()), a(q.size()), a0(q.size());
    c.chart.system().read_bodies(with, {q, v, a});
    c.chart.system().read_bodies(plain, {q, v, a0});
    for (std::size_t k = 0; k < c.chart.named_columns().size(); ++k) {
      const auto column = static_cast<std::size_t>(c.chart.named_columns()[k]);
      const double change = a[column] - a0[column];
      const double sign = q[column] * linear.state.q[column] < 0 ? -1.0 : 1.0;  // Euler parameters e and −e
      EXPECT_NEAR(linear.B(static_cast<Index>(k + c.chart.named_columns().size()), which), sign * change,
                  1e-9 * (1 + std::abs(change)));
    }
  }
}

// What nothing brings back has the eigenvalue 0, whether or not it was counted among the rigid motions before.
TEST(Modes, HaveADampingRatio_WhereTheEigenvalueIsZero) {
  const Eigen::MatrixXd M = Eigen::MatrixXd::Identity(1, 1), K = Eigen::MatrixXd::Zero(1, 1);
  const Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2, 2);
  for (const std::vector<Mode>& modes : {undamped_modes(K, M), modes_of(A)})
    for (const Mode& mode : modes) {
      EXPECT_EQ(mode.kind, Mode::Kind::kRigid);
      EXPECT_EQ(mode.natural_frequency(), 0.0);
      EXPECT_EQ(mode.damping_ratio(), 0.0);
    }
  Mode still;  // a pair of eigenvalues that is 0 by accident
  EXPECT_EQ(still.damping_ratio(), 0.0);
}

}  // namespace
}  // namespace eslabon::dynamics
