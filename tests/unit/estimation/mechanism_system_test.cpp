#include "eslabon/estimation/mechanism/mechanism_system.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "tests/estimated_case.hpp"
#include "tests/sensed_mechanisms.hpp"
#include "tests/sentence_of.hpp"
#include "tests/system_case.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"

namespace eslabon::estimation {
namespace {

using dynamics::Unknown;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::SystemCase;

constexpr std::array kRules{StepRule::kEuler, StepRule::kHeun, StepRule::kRk4};

UnknownState unknown_force(const model::Mechanism& mechanism, const std::string& along) {
  return {.what = {Unknown::Kind::kForce, 0, model::find_variable(mechanism, along)},
          .name = "force of " + along,
          .dimension = core::kForce};
}
UnknownState unknown_factor(Unknown::Kind kind, int index) {
  return {.what = {kind, index}, .name = "factor", .dimension = core::kNumber, .start = 1.0};
}
/// One unknown of each kind.
std::vector<UnknownState> all_unknowns(const model::Mechanism& mechanism) {
  return {{.what = {Unknown::Kind::kFreedomForce, 0}, .name = "effort", .dimension = core::kTorque},
          unknown_force(mechanism, "coupler.P3.y"),
          unknown_force(mechanism, "B.q"),
          unknown_factor(Unknown::Kind::kMass, 3),
          unknown_factor(Unknown::Kind::kSpring, 0),
          unknown_factor(Unknown::Kind::kDamper, 0),
          unknown_factor(Unknown::Kind::kFriction, 0)};
}

constexpr const char* kSlider = R"(
mechanism: slider
plane: xy
ground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}
bodies: {block: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0], T: [0.25, 0]}, axes: {u: [1, 0]}}}
joints: {J: {prismatic: [ground.O, block.P], axis: [ground.u, block.u]}}
)";

/// z̈ of a pendulum of 1 kg and 1 m that is pushed along x; by hand.
double pendulum(double t, double z) { return -9.81 * std::cos(z) - 2.0 * std::sin(5.0 * t) * std::sin(z); }
Eigen::Vector2d slope(double t, const Eigen::Vector2d& x) { return {x[1], pendulum(t, x[0])}; }
Eigen::Vector2d stepped(StepRule rule, double t, double h, const Eigen::Vector2d& x) {
  const Eigen::Vector2d k1 = slope(t, x);
  if (rule == StepRule::kEuler) return x + h * k1;
  if (rule == StepRule::kHeun) return x + 0.5 * h * (k1 + slope(t + h, x + h * k1));
  const Eigen::Vector2d k2 = slope(t + 0.5 * h, x + 0.5 * h * k1), k3 = slope(t + 0.5 * h, x + 0.5 * h * k2),
                        k4 = slope(t + h, x + h * k3);
  return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

std::string pushed_pendulum() {
  return std::string(test::kPendulum) +
         "forces: {push: {point: bob.P, force: [= 2*sin(5*t), 0]}}\n"
         "sensors: {alpha: {reads: bob.angular_acceleration, noise: 1}}\n";
}

// crosscheck: the rules written out, with the pendulum's equation.
TEST(MechanismSystem, StepsAsItsRuleSays_OfAPushedPendulum) {
  for (const StepRule rule : kRules) {
    SystemCase s(test::mechanism_of_text(pushed_pendulum()), {}, {.rule = rule});
    VectorXd x = s.system.start_state();
    ASSERT_EQ(x.size(), 2);
    EXPECT_EQ(find_step_rule(name(rule)), rule);
    Eigen::Vector2d expected(std::numbers::pi, 0.0);
    for (int k = 0; k < 60; ++k) {
      ASSERT_TRUE(s.system.step(0.02 * k, 0.02, x));
      ASSERT_TRUE(s.system.accept(0.02 * (k + 1), x));
      expected = stepped(rule, 0.02 * k, 0.02, expected);
      ASSERT_LE((x - expected).norm(), 1e-12) << name(rule) << " " << k;
    }
  }
  EXPECT_EQ(find_step_rule("leapfrog"), std::nullopt);
}

TEST(MechanismSystem, ReadsTheForcesOfTheTimeThatIsGiven) {
  SystemCase s(test::mechanism_of_text(pushed_pendulum()), {"alpha"}, {});
  VectorXd x = s.system.start_state(), y(1);
  x[0] = 2.0;
  ASSERT_TRUE(s.system.accept(0.0, x));
  for (const double t : {0.0, 0.3, 1.1}) {  // the same state, accepted for the first of them
    ASSERT_TRUE(s.system.measure(t, x, 0, y));
    EXPECT_NEAR(y[0], pendulum(t, 2.0), 1e-12) << t;
  }
}

// order, crosscheck: the run of another formulation in other coordinates by an integrator with error control.
TEST(MechanismSystem, ConvergesToTheSimulation_WithTheOrderOfItsRule) {
  const model::Mechanism mechanism = test::sensed_testbed();
  test::SimulatedCase run(
      mechanism, 0.4,
      {.formulation = "multipliers", .kind = "reference-point", .options = {.rtol = 1e-12, .atol = 1e-12}});
  ASSERT_TRUE(run.advance_to(0.4));
  const double angle = run.value("crank.angle"), rate = run.value("rocker.rate");
  const std::array orders{1.0, 2.0, 4.0};
  for (const StepRule rule : kRules) {
    double last = 0.0;
    for (const int steps : {40, 80, 160}) {
      test::FilterCase filter(mechanism, {}, "dekf", {.rule = rule});
      VectorXd x = filter.system.start_state();
      const double h = 0.4 / steps;
      for (int k = 0; k < steps; ++k) {
        ASSERT_TRUE(filter.system.step(h * k, h, x));
        ASSERT_TRUE(filter.system.accept(h * (k + 1), x));
        EXPECT_LE(filter.system.constraint_error(), 1e-10);
      }
      const double error =
          std::hypot(filter.value("crank.angle") - angle, filter.value("rocker.rate") - rate);
      if (last > 0.0) {
        EXPECT_NEAR(std::log2(last / error), orders[static_cast<std::size_t>(rule)], 0.2)
            << name(rule) << " " << steps;
      }
      last = error;
    }
    EXPECT_LE(last, rule == StepRule::kRk4 ? 1e-8 : 0.1) << name(rule);
  }
}

void expect_columns(const MatrixXd& exact, const std::function<std::optional<VectorXd>(const VectorXd&)>& f,
                    const VectorXd& x, const std::string& where) {
  for (Index d = 0; d < x.size(); ++d) {
    const auto difference = dynamics::extrapolated_difference(
        [&](double h) {
          VectorXd moved = x;
          moved[d] += h;
          return f(moved);
        },
        4e-3);
    ASSERT_TRUE(difference.has_value()) << where;
    const double scale = std::max(1.0, exact.col(d).cwiseAbs().maxCoeff());
    EXPECT_LE((exact.col(d) - difference->value).cwiseAbs().maxCoeff() / scale,
              std::max(1e-8, 20.0 * difference->error / scale))
        << where << ", state " << d;
    EXPECT_LE(difference->error / scale, 1e-6) << where << ", state " << d;
  }
}

/// The system somewhere else than at its start, moving.
VectorXd moving_state(MechanismSystem& system, std::uint64_t seed) {
  VectorXd x = system.state_of(test::random_motion(system.motion().model(), seed, 0.7), 0.0);
  for (Index k = 2 * system.num_freedoms(); k < x.size(); ++k) x[k] += 0.1 + 0.05 * static_cast<double>(k);
  EXPECT_TRUE(system.accept(0.0, x));
  return x;
}

void expect_derivatives(SystemCase& s, const std::string& where) {
  const VectorXd x = moving_state(s.system, 3);
  const Index n = x.size();
  const auto step = [&](double h) {
    return [&s, h](const VectorXd& from) -> std::optional<VectorXd> {
      VectorXd to = from;
      if (!s.system.step(0.0, h, to)) return std::nullopt;
      return to;
    };
  };
  // At the state accepted last, and away from it.
  VectorXd away = x;
  away.head(s.system.num_freedoms()).array() += 0.02;
  for (const VectorXd& from : {x, away}) {
    MatrixXd F(n, n);
    VectorXd to = from;
    ASSERT_TRUE(s.system.step(0.0, 0.02, to, F));
    EXPECT_EQ((to - *step(0.02)(from)).norm(), 0.0) << where;
    expect_columns(F, step(0.02), from, where + ", F");
    for (int sensor = 0; sensor < s.system.num_sensors(); ++sensor) {
      const auto measure = [&](const VectorXd& at) -> std::optional<VectorXd> {
        VectorXd y(s.system.num_channels(sensor));
        if (!s.system.measure(0.0, at, sensor, y)) return std::nullopt;
        return y;
      };
      VectorXd y(s.system.num_channels(sensor));
      MatrixXd H(y.size(), n);
      ASSERT_TRUE(s.system.measure(0.0, from, sensor, y, H));
      EXPECT_EQ((y - *measure(from)).norm(), 0.0) << where;
      expect_columns(H, measure, from,
                     where + ", " + s.system.sensors()[static_cast<std::size_t>(sensor)].facts.name);
    }
  }
}

// derivative: differences of steps and readings, for every rule and unknowns of every kind.
TEST(MechanismSystem, DerivativesAreThoseOfDifferences_WithUnknownsOfEveryKindAndBiases) {
  for (const StepRule rule : kRules) {
    const model::Mechanism testbed = test::sensed_testbed();
    SystemCase planar(testbed, {"imu", "encoder", "friction", "distance"},
                      {.rule = rule,
                       .unknowns = all_unknowns(testbed),
                       .biases = {{.sensor = 0, .channel = 2, .deviation = 0.1},
                                  {.sensor = 1, .deviation = 0.1},
                                  {.sensor = 0, .channel = 0, .deviation = 0.1}}});
    expect_derivatives(planar, "testbed, " + std::string(name(rule)));
    const model::Mechanism vehicle = test::sensed_quarter_vehicle();
    SystemCase spatial(vehicle, {"imu", "inclinometer", "tyre_force"},
                       {.rule = rule,
                        .unknowns = {unknown_force(vehicle, "wheel.W.z")},
                        .biases = {{.sensor = 0, .channel = 5, .deviation = 0.1}}});
    expect_derivatives(spatial, "vehicle, " + std::string(name(rule)));
  }
}

// order, crosscheck: what has couplings and pairs that roll, slide and follow curves goes where the simulation goes, and its derivatives
// are those of differences.
class SystemOfCouplingsAndPairs : public testing::TestWithParam<std::string> {};

TEST_P(SystemOfCouplingsAndPairs, GoesWhereTheSimulationGoes_WithTheDerivativesOfDifferences) {
  constexpr double kEnd = 0.2;
  constexpr int kSteps = 400;
  const model::Mechanism mechanism = test::load_released(GetParam());
  test::SimulatedCase run(
      mechanism, kEnd,
      {.formulation = "multipliers", .kind = "reference-point", .options = {.rtol = 1e-12, .atol = 1e-12}});
  SystemCase s(mechanism, {}, {.rule = StepRule::kRk4});
  VectorXd x = s.system.state_of(run.bodies, 0.0);
  ASSERT_TRUE(s.system.accept(0.0, x));
  ASSERT_TRUE(run.advance_to(kEnd));
  const double h = kEnd / kSteps;
  for (int k = 0; k < kSteps; ++k) {
    ASSERT_TRUE(s.system.step(h * k, h, x));
    ASSERT_TRUE(s.system.accept(h * (k + 1), x));
    ASSERT_LE(s.system.constraint_error(), 1e-10);
  }
  const coordinates::MechanismMotion& bodies = s.system.point().bodies;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    EXPECT_LE((bodies[b].X_WB.p_AB_A - run.bodies[b].X_WB.p_AB_A).norm(), 1e-8) << mechanism.bodies()[b].name;
    EXPECT_LE((bodies[b].X_WB.R_AB.matrix() - run.bodies[b].X_WB.R_AB.matrix()).norm(), 1e-7)
        << mechanism.bodies()[b].name;
  }
  SystemCase moving(mechanism, {}, {.rule = StepRule::kHeun});
  expect_derivatives(moving, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Models, SystemOfCouplingsAndPairs,
                         testing::Values("planetary-gearbox", "differential", "screw-press-helical",
                                         "rack-and-pinion", "disc-cam", "pairs/whitworth",
                                         "pairs/cylinder-in-cylinder", "pairs/swash-plate"),
                         [](const auto& model) { return test::test_name(model.param); });

TEST(MechanismSystem, ReadsBiases_WhereTheyBelong) {
  SystemCase s(test::sensed_testbed(), {"imu", "encoder"},
               {.biases = {{.sensor = 0, .channel = 1, .deviation = 0.1}, {.sensor = 1, .deviation = 0.1}}});
  VectorXd x = s.system.start_state(), imu(3), encoder(1), biased_imu(3), biased_encoder(1);
  ASSERT_EQ(x.size(), 4);
  ASSERT_TRUE(s.system.measure(0.0, x, 0, imu) && s.system.measure(0.0, x, 1, encoder));
  x[2] = 0.25;
  x[3] = -0.5;
  ASSERT_TRUE(s.system.measure(0.0, x, 0, biased_imu) && s.system.measure(0.0, x, 1, biased_encoder));
  EXPECT_EQ((biased_imu - imu - Eigen::Vector3d(0.0, 0.25, 0.0)).norm(), 0.0);
  EXPECT_NEAR(biased_encoder[0] - encoder[0], -0.5, 1e-15);
  // Outputs have none.
  VectorXd y(1);
  MatrixXd H(1, 4);
  ASSERT_TRUE(s.system.read(0.0, x, *s.system.sensors()[1].instrument, y, H));
  EXPECT_EQ(y[0], encoder[0]);
  EXPECT_EQ(H(0, 3), 0.0);
}

TEST(MechanismSystem, HasTheSimpleTransitionOfItsSource) {
  const model::Mechanism vehicle = test::sensed_quarter_vehicle();
  SystemCase s(vehicle, {}, {});
  MatrixXd F = MatrixXd::Constant(4, 4, 9.0);
  static_cast<void>(moving_state(s.system, 1));
  s.system.simple_transition(0.25, F);
  MatrixXd expected(4, 4);  // [Seed003, eq. (18)]
  expected << 1, 0, 0.25, 0, 0, 1, 0, 0.25, 0, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_EQ((F - expected).norm(), 0.0);
  // Of an unknown: what it does within the step, to second order; biases stay.
  SystemCase with(test::sensed_testbed(), {"encoder"},
                  {.unknowns = {{.what = {Unknown::Kind::kFreedomForce, 0},
                                 .name = "effort",
                                 .dimension = core::kTorque}},
                   .biases = {{.deviation = 0.1}}});
  static_cast<void>(moving_state(with.system, 1));
  F.resize(4, 4);
  with.system.simple_transition(0.25, F);
  const double b = 1.0 / with.system.point().mass(0, 0);
  expected << 1, 0.25, 0.03125 * b, 0, 0, 1, 0.25 * b, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_LE((F - expected).norm(), 1e-12);
}

/// ∫₀ʰ Φ(s) G Gᵀ Φ(s)ᵀ ds of ẋ = A x + G w, by the rule of Simpson; Φ = e^{A s} is a polynomial, A being nilpotent.
MatrixXd integrated_noise(const MatrixXd& A, const VectorXd& G, double h) {
  MatrixXd Q = MatrixXd::Zero(A.rows(), A.cols());
  constexpr int kParts = 200;
  for (int i = 0; i <= kParts; ++i) {
    const double s = h * i / kParts, weight = (i == 0 || i == kParts ? 1.0
                                               : i % 2 == 1          ? 4.0
                                                                     : 2.0) *
                                              h / (3.0 * kParts);
    MatrixXd term = MatrixXd::Identity(A.rows(), A.cols()), Phi = term;
    for (int k = 1; k < 4; ++k) Phi += term = (term * A * (s / k)).eval();
    Q += weight * (Phi * G) * (Phi * G).transpose();
  }
  return Q;
}

// analytic: integrals of noise that is led through the system.
TEST(MechanismSystem, PlantNoiseIsTheIntegralOfItsNoise) {
  const double h = 0.05, p = 0.3, v = 0.7, a = 1.1;
  const auto noise_of = [h](MechanismSystem& system, const VectorXd& x) {
    MatrixXd Q(x.size(), x.size());
    system.plant_noise(0.0, h, x, Q);
    return Q;
  };
  const MatrixXd A = (MatrixXd(2, 2) << 0, 1, 0, 0).finished();
  const Eigen::Vector2d step(0.5 * h * h, h);
  const MatrixXd by_p = p * p * integrated_noise(MatrixXd::Zero(2, 2), Eigen::Vector2d(1, 0), h),
                 by_v = v * v * integrated_noise(A, Eigen::Vector2d(0, 1), h),
                 by_a = a * a * step * step.transpose();
  const struct {
    PlantNoise noise;
    MatrixXd expected;
  } lines[] = {{{.position = p}, by_p},
               {{.velocity = v}, by_v},
               {{.acceleration = a}, by_a},
               {{.position = p, .velocity = v, .acceleration = a}, by_p + by_v + by_a}};
  for (const auto& line : lines) {
    SystemCase s(test::sensed_testbed(), {}, {.noise = line.noise});
    EXPECT_LE((noise_of(s.system, s.system.start_state()) - line.expected).norm(),
              1e-10 * line.expected.norm());
    // Of two freedoms, which do not mix.
    SystemCase vehicle(test::sensed_quarter_vehicle(), {}, {.noise = line.noise});
    const MatrixXd Q = noise_of(vehicle.system, vehicle.system.start_state());
    MatrixXd both = MatrixXd::Zero(4, 4);
    for (const int k : {0, 1})
      for (const int i : {0, 1})
        for (const int j : {0, 1}) both(2 * i + k, 2 * j + k) = line.expected(i, j);
    EXPECT_LE((Q - both).norm(), 1e-10 * both.norm());
  }
  // Lengths count in the size of the mechanism.
  SystemCase slider(test::mechanism_of_text(kSlider), {}, {.noise = {.velocity = v}});
  const double size = slider.system.motion().length();
  EXPECT_NE(size, 1.0);
  EXPECT_LE((noise_of(slider.system, slider.system.start_state()) - size * size * by_v).norm(),
            1e-10 * by_v.norm());
}

TEST(MechanismSystem, PlantNoiseOfAWalk_IsTheIntegralOfWhatItPushes) {
  const double h = 0.03, walk = 1.7;
  const model::Mechanism vehicle = test::sensed_quarter_vehicle(), testbed = test::sensed_testbed();
  std::vector<UnknownState> force{unknown_force(vehicle, "wheel.W.z")},
      factor{unknown_factor(Unknown::Kind::kSpring, 0)},
      effort{{.what = {Unknown::Kind::kFreedomForce, 0}, .name = "effort", .dimension = core::kTorque}};
  const struct {
    const model::Mechanism& mechanism;
    std::vector<UnknownState>& unknowns;
  } lines[] = {{vehicle, force}, {testbed, factor}, {testbed, effort}};
  for (const auto& line : lines) {
    line.unknowns[0].walk = walk;
    SystemCase s(line.mechanism, {line.mechanism.name() == vehicle.name() ? "encoder" : "distance"},
                 {.unknowns = line.unknowns, .biases = {{.deviation = 1.0, .walk = 0.4}}});
    const VectorXd x = moving_state(s.system, 2);
    const Index f = s.system.num_freedoms(), n = x.size();
    MatrixXd Q(n, n);
    s.system.plant_noise(0.0, h, x, Q);
    // b = ∂z̈/∂θ by differences.
    const auto b = dynamics::extrapolated_difference(
        [&](double change) -> std::optional<VectorXd> {
          VectorXd moved = x;
          moved[2 * f] += change;
          if (!s.system.accept(0.0, moved)) return std::nullopt;
          return s.system.point().z_ddot;
        },
        0.1);
    ASSERT_TRUE(s.system.accept(0.0, x) && b);
    MatrixXd A = MatrixXd::Zero(n, n);
    A.block(0, f, f, f).setIdentity();
    A.block(f, 2 * f, f, 1) = b->value;
    VectorXd G = VectorXd::Zero(n), G_bias = G;
    // Of kFreedomForce the walk is that of an acceleration.
    const bool is_freedom = line.unknowns[0].what.kind == Unknown::Kind::kFreedomForce;
    G[2 * f] = walk * (is_freedom ? s.system.point().mass(0, 0) : 1.0);
    G_bias[2 * f + 1] = 0.4;
    const MatrixXd expected = integrated_noise(A, G, h) + integrated_noise(A, G_bias, h);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        EXPECT_NEAR(Q(i, j), expected(i, j), 1e-7 * std::sqrt(expected(i, i) * expected(j, j)))
            << line.mechanism.name() << " " << i << " " << j;
  }
}

TEST(MechanismSystem, StartsWithTheDeviationsThatWereGiven) {
  SystemCase s(test::sensed_testbed(), {"encoder", "imu"},
               {.unknowns = {{.what = {Unknown::Kind::kFreedomForce, 0},
                              .name = "effort",
                              .dimension = core::kTorque,
                              .deviation = 2.0},
                             {.what = {Unknown::Kind::kMass, 1},
                              .name = "mass",
                              .dimension = core::kNumber,
                              .start = 1.5,
                              .deviation = 0.3}},
                .biases = {{.sensor = 1, .channel = 2, .deviation = 0.7}}});
  const VectorXd x = s.system.start_state();
  EXPECT_EQ(x[2], 0.0);
  EXPECT_EQ(x[3], 1.5);
  EXPECT_EQ(s.system.point().theta[1], 1.5) << "it is accepted";
  const MatrixXd P = s.system.start_covariance(0.1, 0.2);
  const double m = s.system.point().mass(0, 0);
  VectorXd expected(5);
  expected << 0.01, 0.04, 4.0 * m * m, 0.09, 0.49;
  EXPECT_LE((P - MatrixXd(expected.asDiagonal())).norm(), 1e-15);
  std::string names;
  for (const StateInfo& state : s.system.states())
    names += state.name + " " + core::si_unit(state.dimension) + (state.is_rate ? " rate; " : "; ");
  EXPECT_EQ(names, "A.q rad; rate of A.q rad/s rate; force:A.q N*m; mass 1; bias:imu.ay m/s^2; ");
  SystemCase slider(test::mechanism_of_text(kSlider), {}, {});
  const double size = slider.system.motion().length();
  EXPECT_NEAR(slider.system.start_covariance(0.1, 0.2)(0, 0), 0.01 * size * size, 1e-15);
  EXPECT_NEAR(slider.system.start_covariance(0.1, 0.2)(1, 1), 0.04 * size * size, 1e-15);
  EXPECT_EQ(slider.system.states()[0].dimension, core::kLength);
}

TEST(MechanismSystem, TellsWhatSensorsAre) {
  SystemCase s(test::sensed_testbed(), {"imu", "encoder"}, {});
  EXPECT_EQ(s.system.num_sensors(), 2);
  EXPECT_EQ(s.system.num_channels(0), 3);
  EXPECT_FALSE(s.system.is_angle(0, 0));
  EXPECT_TRUE(s.system.is_angle(1, 0));
  EXPECT_EQ(s.system.period(0), 0.008);
  EXPECT_EQ(s.system.period(1), 0.0);
  MatrixXd R(3, 3), R1(1, 1);
  s.system.sensor_noise(0, R);
  s.system.sensor_noise(1, R1);
  const double half = 0.04 * 0.04 + 0.01 * 0.01 / 12.0;
  EXPECT_LE((R - MatrixXd(Eigen::Vector3d(0.0009, half, half).asDiagonal())).norm(), 1e-18);
  EXPECT_NEAR(R1(0, 0), 1e-4 / 12.0, 1e-18);
}

TEST(MechanismSystem, RefusesASensorWithoutError) {
  const test::DynamicCase c(test::sensed_testbed());
  std::vector<FilterSensor> sensors = test::sensors_of(c, {"encoder"});
  sensors[0].facts.channels[0].resolution = 0.0;
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { MechanismSystem(c.model, sensors, {}); }),
            "a filter cannot weigh a reading without error [sensor 'encoder']: expected 'noise' or "
            "'resolution' > 0, got "
            "neither. Say how good the sensor is in the mechanism file.");
}

TEST(MechanismSystem, HasNoStepAndNoReadingWhereAForceHasNoValue_AndThrowsNothing) {
  SystemCase s(test::mechanism_of_text(
                   "mechanism: slide\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
                   "bodies: {mass: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: "
                   "{u: [1, 0]}}}\n"
                   "joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}\n"
                   "springs: {s: {between: [ground.O, mass.P], stiffness: 10, free_length: 0.5}}\n"
                   "sensors: {ruler: {encoder: J, noise: 0.001}}\nassembly: {J.q: 0.3}\n"),
               {"ruler"}, {});
  const VectorXd start = s.system.start_state();
  VectorXd x = start, y(1);
  x[0] = 0.0;  // the points of the spring coincide
  MatrixXd F(2, 2), H(1, 2);
  bool is_had = true;
  EXPECT_NO_THROW(is_had = s.system.measure(0.0, x, 0, y) || s.system.measure(0.0, x, 0, y, H) ||
                           s.system.accept(0.0, x) || s.system.step(0.0, 0.01, x) ||
                           s.system.step(0.0, 0.01, x, F));
  EXPECT_FALSE(is_had);
  x = start;
  EXPECT_TRUE(s.system.measure(0.0, x, 0, y, H) && s.system.step(0.0, 0.01, x, F));
}

TEST(MechanismSystem, RefusesStatesThatAreNone_AndChangesNothing) {
  SystemCase s(test::sensed_testbed("inputs: [B.q]\n"), {"imu"}, {.biases = {{.deviation = 1.0}}});
  const VectorXd x = moving_state(s.system, 4);
  ASSERT_EQ(s.system.states()[0].name, "B.q");
  VectorXd y(3), y_after(3);
  MatrixXd H(3, 3), H_after(3, 3), F(3, 3), F_after(3, 3);
  VectorXd to = x, to_after = x;
  ASSERT_TRUE(s.system.measure(0.0, x, 0, y, H) && s.system.step(0.0, 0.01, to, F));
  const std::vector<double> q = s.system.point().q;
  const double error = s.system.constraint_error();
  std::vector<VectorXd> bad(5, x);
  bad[0][0] -= 1.0;  // the rocker does not reach so far
  bad[1][0] = std::nan("");
  bad[2][1] = std::numeric_limits<double>::infinity();
  bad[3][0] = 1e300;
  bad[4][2] = std::nan("");  // the bias
  for (const VectorXd& none : bad) {
    EXPECT_FALSE(s.system.accept(0.0, none));
    VectorXd unused(3), stepped = none;
    EXPECT_FALSE(s.system.measure(0.0, none, 0, unused));
    EXPECT_FALSE(s.system.measure(0.0, none, 0, unused, H_after));
    EXPECT_FALSE(s.system.step(0.0, 0.01, stepped));
    EXPECT_EQ(s.system.point().q, q);
    EXPECT_EQ(s.system.constraint_error(), error);
    to_after = x;
    ASSERT_TRUE(s.system.measure(0.0, x, 0, y_after, H_after) && s.system.step(0.0, 0.01, to_after, F_after));
    EXPECT_EQ((y - y_after).norm() + (H - H_after).norm() + (to - to_after).norm() + (F - F_after).norm(),
              0.0);
  }
}

TEST(MechanismSystem, ForgetsDerivativesOfAnotherMotion_WhenItIsGivenOne) {
  SystemCase s(test::sensed_testbed(), {"imu"}, {}), fresh(test::sensed_testbed(), {"imu"}, {});
  VectorXd x = s.system.start_state();
  MatrixXd F(2, 2), expected(2, 2);
  ASSERT_TRUE(s.system.step(0.0, 0.02, x, F));
  const auto other = test::random_motion(s.c.model, 9, 2.0);
  VectorXd x1 = s.system.state_of(other, 0.0), x2 = fresh.system.state_of(other, 0.0);
  ASSERT_TRUE(s.system.step(0.0, 0.02, x1, F) && fresh.system.step(0.0, 0.02, x2, expected));
  EXPECT_EQ((F - expected).norm(), 0.0);
}

}  // namespace
}  // namespace eslabon::estimation
