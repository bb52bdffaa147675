// Filters of mechanisms with auxiliary states: against Kalman's filter written out here, differences, and the system state by state.
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/estimated_case.hpp"
#include "tests/system_case.hpp"
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism/mechanism_swarm.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::SystemCase;

constexpr double kNoGate = std::numeric_limits<double>::infinity();
constexpr double kStep = 1e-3;  // [s]

// m q̈ = −k q + x,  ẋ = (−p q − x)/τ
constexpr double m = 2.0, k = 30.0, p = 12.0, tau = 0.05;
const char* const kCart = R"yaml(
mechanism: cart with a lagging drive
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {cart: {mass: 2 kg, inertia: 1 kg*m^2, center_of_mass: [0, 0], points: {P: [0, 0], T: [0.25, 0]}}}
joints: {slide: {prismatic: [ground.O, cart.P], axis: [1, 0]}}
springs: {s: {joint: slide, stiffness: 30 N/m}}
states: {drive: {start: 3 N, size: 10 N, rate: "= (-12 N/m*slide.q - drive.value)/(50 ms)"}}
forces: {push: {joint: slide, force: = drive.value}}
sensors:
  encoder: {encoder: slide, noise: 2 mm, rate: 1000 Hz}
  current: {reads: drive.value, noise: 0.4 N, rate: 1000 Hz}
assembly: {slide.q: 0.1 m}
)yaml";

/// The filter of the textbooks for x = (q, v, drive).
struct Kalman {
  Matrix3d F, Q, P;
  Vector3d x;

  /// v: density of noise of q̈, w: of the drive's rate, which pushes with b = 1/m.
  Kalman(double v, double w) {
    Matrix3d A;
    A << 0, 1, 0, -k / m, 0, 1 / m, -p / tau, 0, -1 / tau;
    const double h = kStep, b = 1 / m;
    F = Matrix3d::Identity() + h * A + 0.5 * h * h * A * A;  // what Heun's rule makes of exp(h A)
    Q << v * v * h * h * h / 3 + w * w * b * b * std::pow(h, 5) / 20,
        v * v * h * h / 2 + w * w * b * b * std::pow(h, 4) / 8, w * w * b * h * h * h / 6,  //
        v * v * h * h / 2 + w * w * b * b * std::pow(h, 4) / 8, v * v * h + w * w * b * b * h * h * h / 3,
        w * w * b * h * h / 2,  //
        w * w * b * h * h * h / 6, w * w * b * h * h / 2, w * w * h;
  }
  void predict() {
    x = F * x;
    P = F * P * F.transpose() + Q;
  }
  void update(const Eigen::RowVector3d& H, double R, double y) {
    const Vector3d K = P * H.transpose() / (H * P * H.transpose() + R);
    x += K * (y - H * x);
    P = ((Matrix3d::Identity() - K * H) * P).eval();
  }
};

class FilterOfALag : public testing::TestWithParam<std::string> {};

TEST_P(FilterOfALag, IsKalmansFilter) {
  const model::Mechanism mechanism = io::read_mechanism(kCart, "cart.yaml");
  const double walk = 5.0;
  MechanismSystemOptions options{.rule = StepRule::kHeun, .noise = {.velocity = 0.5}};
  options.unknowns = {
      {.what = {dynamics::Unknown::Kind::kState, 0}, .start = 1.0, .deviation = 2.0, .walk = walk}};
  SystemCase c(mechanism, {"encoder", "current"}, options);
  ASSERT_EQ(c.system.num_states(), 3);
  EXPECT_EQ(c.system.states()[2].name, "drive.value");
  const auto filter = make_estimator(GetParam(), c.system);
  const double size = c.system.size_of(0);
  Kalman own(0.5 * size, walk);
  own.x = c.system.start_state();
  EXPECT_NEAR((own.x - Vector3d(0.1, 0.0, 4.0)).norm(), 0.0, 1e-14) << "of the file, and 1 N more";
  own.P = c.system.start_covariance(0.05, 0.1);
  EXPECT_NEAR(own.P(2, 2), 4.0, 1e-14);
  ASSERT_TRUE(filter->start(0.0, own.x, own.P));
  core::Rng rng(7);
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(filter->predict(kStep));
    own.predict();
    const double y = own.x[0] + 0.01 * rng.normal(), u = own.x[2] + 0.8 * rng.normal();
    ASSERT_EQ(filter->update(0, VectorXd::Constant(1, y), kNoGate).status, UpdateReport::Status::kAccepted);
    own.update({1, 0, 0}, 4e-6, y);
    if (i % 3 != 0) continue;
    ASSERT_EQ(filter->update(1, VectorXd::Constant(1, u), kNoGate).status, UpdateReport::Status::kAccepted);
    own.update({0, 0, 1}, 0.16, u);
  }
  const VectorXd deviations = own.P.diagonal().cwiseSqrt();
  // Sigma points lie 1e-3 deviations away: roundoff of the motion counts 1e3 times there.
  const double tolerance = GetParam() == "ukf" ? 1e-6 : 1e-9;
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(filter->mean()[i], own.x[i], tolerance * deviations[i]) << i;
    for (Index j = 0; j < 3; ++j)
      EXPECT_NEAR(filter->covariance()(i, j), own.P(i, j), tolerance * deviations[i] * deviations[j]);
  }
}

INSTANTIATE_TEST_SUITE_P(Filters, FilterOfALag, testing::Values("dekf", "error-ekf", "ukf"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

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
states:
  motor: {start: 5, size: 8, rate: "= (12*sin(A.q - 1) - motor.value - 0.3*A.v*motor.value)/0.05"}
  air: {start: 0.6, rate: "= (0.2*crank.P.y + 0.05*motor.value - air.value^3)/0.2"}
forces: {torque: {joint: A, torque: "= motor.value*(1 + 0.2*air.value)"}}
sensors:
  pull: {reads: tie.force, noise: 0.1 N}
  motor_seen: {reads: motor.value, noise: 0.1}
  gyro: {gyroscope: coupler, noise: 0.01}
  acc: {accelerometer: coupler.Q, noise: 0.01}
assembly: {crank.angle: 70 deg, crank.rate: 1.3 rad/s, coupler.angle: 15 deg, rocker.angle: 110 deg}
)yaml",
                            "loop.yaml");
}

const std::vector<std::string> kSensors{"pull", "motor_seen", "gyro", "acc"};

TEST(SystemWithStates, HasTheDerivativesOfDifferences) {
  for (const StepRule rule : {StepRule::kEuler, StepRule::kHeun, StepRule::kRk4}) {
    MechanismSystemOptions options{.rule = rule};
    options.unknowns = {{.what = {dynamics::Unknown::Kind::kMass, 3}, .name = "mass", .start = 1.1}};
    SystemCase c(curved_loop(), kSensors, options);
    VectorXd x = c.system.start_state();
    ASSERT_EQ(x.size(), 5) << "A.q, A.v, motor, air, mass";
    EXPECT_EQ(c.system.states()[3].name, "air.value");
    EXPECT_EQ(c.system.states()[4].name, "mass");
    const double h = 0.01;
    MatrixXd F(5, 5);
    VectorXd after = x;
    ASSERT_TRUE(c.system.step(0.0, h, after, F));
    for (Index column = 0; column < 5; ++column) {
      const auto slope = dynamics::extrapolated_difference(
          [&](double d) -> std::optional<VectorXd> {
            VectorXd moved = x + d * VectorXd::Unit(5, column);
            if (!c.system.step(0.0, h, moved)) return std::nullopt;
            return moved;
          },
          1e-2);
      ASSERT_TRUE(slope);
      EXPECT_LE((F.col(column) - slope->value).cwiseAbs().maxCoeff(),
                1e-9 * (1.0 + F.col(column).cwiseAbs().maxCoeff()))
          << column;
      for (int sensor = 0; sensor < c.system.num_sensors(); ++sensor) {
        const Index channels = c.system.num_channels(sensor);
        VectorXd y(channels);
        MatrixXd H(channels, 5);
        ASSERT_TRUE(c.system.measure(0.0, x, sensor, y, H));
        const auto seen = dynamics::extrapolated_difference(
            [&](double d) -> std::optional<VectorXd> {
              VectorXd z(channels);
              if (!c.system.measure(0.0, x + d * VectorXd::Unit(5, column), sensor, z)) return std::nullopt;
              return z;
            },
            1e-2);
        ASSERT_TRUE(seen);
        EXPECT_LE((H.col(column) - seen->value).cwiseAbs().maxCoeff(),
                  1e-8 * (1.0 + H.col(column).cwiseAbs().maxCoeff()))
            << kSensors[static_cast<std::size_t>(sensor)] << " by " << column;
      }
    }
  }
}

constexpr std::size_t kBlock = Swarm::kBlock;

TEST(SwarmWithStates, ReadsAndStepsAsTheSystemDoes) {
  MechanismSystemOptions options{.rule = StepRule::kRk4};
  options.unknowns = {{.what = {dynamics::Unknown::Kind::kMass, 3}, .name = "mass", .start = 1.1}};
  SystemCase c(curved_loop(), kSensors, options);
  VectorXd x = c.system.start_state();
  MechanismSwarm swarm(c.system);
  const std::size_t stride = kBlock;
  std::vector<double> data(static_cast<std::size_t>(swarm.num_arrays()) * stride);
  const Lanes lanes{data.data(), stride, 3};
  const auto workspace = swarm.make_workspace();
  swarm.at(0.0);
  ASSERT_TRUE(swarm.place(x, lanes));
  // Both are of second order at least, over 0.04 s with a time constant of 0.05 s: the difference falls with h².
  const auto difference = [&](double h, int steps) {
    x = c.system.start_state();
    swarm.at(0.0);
    EXPECT_TRUE(swarm.place(x, lanes));
    std::vector<double> normals(kBlock * 8, 0.0), ok(kBlock);
    for (int i = 0; i < steps; ++i) {
      swarm.prepare_step(i * h, h, 0.0);
      swarm.step(*workspace, lanes, normals.data(), ok.data());
      EXPECT_EQ(ok[1], 1.0);
      EXPECT_TRUE(c.system.step(i * h, h, x));
      EXPECT_TRUE(c.system.accept((i + 1) * h, x));
    }
    VectorXd found(5);
    for (Index s = 0; s < 5; ++s) found[s] = lanes.array(swarm.array_of_state(s))[1];
    EXPECT_EQ(found[4], 1.1);
    return VectorXd((found - x).cwiseAbs()).maxCoeff();
  };
  const double coarse = difference(2e-3, 20), fine = difference(1e-3, 40);
  EXPECT_LT(coarse, 5e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.25);
  ASSERT_TRUE(swarm.place(x, lanes));
  swarm.at(c.system.point().t);
  std::vector<double> y(kBlock * 8);
  for (int sensor = 0; sensor < c.system.num_sensors(); ++sensor) {
    VectorXd expected(c.system.num_channels(sensor));
    ASSERT_TRUE(c.system.measure(c.system.point().t, x, sensor, expected));
    swarm.measure(*workspace, lanes, sensor, y.data());
    for (Index channel = 0; channel < expected.size(); ++channel)
      EXPECT_NEAR(y[static_cast<std::size_t>(channel) * kBlock + 1], expected[channel],
                  1e-8 * (1.0 + std::abs(expected[channel])))
          << kSensors[static_cast<std::size_t>(sensor)];
  }
}

TEST(FilterOfStates, GridRefusesThem) {
  SystemCase c(io::read_mechanism(kCart, "cart.yaml"), {"encoder"}, {});
  try {
    static_cast<void>(make_estimator("grid", c.system));
    FAIL() << "it was taken";
  } catch (const core::ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("a grid of too many directions"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace eslabon::estimation
