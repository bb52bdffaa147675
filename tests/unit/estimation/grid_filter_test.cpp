#include "eslabon/estimation/grid/grid_filter.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/estimated_case.hpp"
#include "tests/linear_system.hpp"
#include "tests/sensed_mechanisms.hpp"
#include "tests/sentence_of.hpp"
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using Status = UpdateReport::Status;

constexpr double kNoGate = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;

Matrix2d matrix(double a, double b, double c, double d) {
  Matrix2d out;
  out << a, b, c, d;
  return out;
}

// invariant: moments of the normal distribution, up to the seventh.
TEST(PhaseGrid, SpreadsWithTheMomentsOfNormalNumbers) {
  for (const double deviation : {0.01, 0.3, 0.99, 1.0, 2.5}) {
    const std::vector<double> w = spread_weights(deviation);
    std::array<double, 8> moments{};
    const auto radius = static_cast<int>(w.size() / 2);
    for (int m = -radius; m <= radius; ++m)
      for (int k = 0; k < 8; ++k)
        moments[static_cast<std::size_t>(k)] += w[static_cast<std::size_t>(m + radius)] * std::pow(m, k);
    // Samples of a normal density have errors of exp(−2π²σ²), times what the moment makes of them.
    const double tolerance =
        deviation < 1.0 ? 1e-13 : 2e3 * std::exp(-2.0 * kPi * kPi * deviation * deviation) + 1e-9;
    const double s2 = deviation * deviation;
    EXPECT_NEAR(moments[0], 1.0, 1e-14);
    EXPECT_NEAR(moments[2], s2, tolerance);
    EXPECT_NEAR(moments[4], 3.0 * s2 * s2, tolerance * 10.0);
    EXPECT_NEAR(moments[6], 15.0 * s2 * s2 * s2, tolerance * 1000.0);
    for (const std::size_t odd : {1, 3, 5, 7}) EXPECT_NEAR(moments[odd], 0.0, 1e-9);
  }
}

TEST(PhaseGrid, SharesMassWithoutMovingItsMoments_AcrossTheCutToo) {
  const double spacing = 2.0 * kPi / 40.0;
  PhaseGrid grid({.origin = -kPi + 0.5 * spacing, .spacing = spacing, .is_turn = true, .count = 40},
                 {.spacing = 0.1, .first = -20, .count = 41}, 2);
  grid.clear_next();
  grid.deposit(1, kPi + 0.03, 0.333, 2.0);
  grid.commit();
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 6; ++j) {
      double moment = 0.0;
      for (Eigen::Index c = 0; c < 40; ++c)
        for (Eigen::Index r = 0; r < 41; ++r)
          moment += grid.mass(1)(r, c) *
                    std::pow(std::remainder(grid.position().value(c) - kPi, 2.0 * kPi), k) *
                    std::pow(grid.rate().value(r), j);
      EXPECT_NEAR(moment, 2.0 * std::pow(0.03, k) * std::pow(0.333, j), 1e-12) << k << " " << j;
    }
  EXPECT_EQ(grid.mass(0).abs().sum(), 0.0);
  ASSERT_TRUE(grid.tidy());
  EXPECT_NEAR(grid.position_bins(20).sum(), 1.0, 1e-14);
  EXPECT_NEAR(grid.position_bins(7).sum(), 1.0, 1e-14);
}

struct Errors {
  double mean = 0.0, covariance = 0.0, evidence = 0.0, unresolved = 0.0;
};

/// Against the filter of the textbooks, over 40 steps.
Errors errors_on_a_linear_system(int nodes) {
  const Matrix2d F = matrix(1.0, 0.1, -0.1, 0.98), Q = matrix(0.004, 0.002, 0.002, 0.01);
  const Eigen::RowVector2d H(1.0, 0.3);
  const double R = 0.04;
  test::LinearSystem system(F, Q, {{.H = H, .R_n = MatrixXd::Constant(1, 1, R)}});
  GridFilter grid(system, {.grid = {nodes, nodes}});
  Vector2d x(0.3, -0.2), truth = x;
  Matrix2d P = matrix(0.5, 0.1, 0.1, 0.4);
  EXPECT_TRUE(grid.start(0.0, x, P));
  double evidence = 0.0;
  Errors worst;
  core::Rng rng(4);
  for (int k = 0; k < 40; ++k) {
    truth = (F * truth + 0.1 * test::normal_matrix(rng, 2, 1)).eval();
    const double y = H.dot(truth) + 0.2 * rng.normal();
    EXPECT_TRUE(grid.predict(0.1));
    EXPECT_EQ(grid.update(0, VectorXd::Constant(1, y), kNoGate).status, Status::kAccepted);
    x = (F * x).eval();
    P = (F * P * F.transpose() + Q).eval();
    const double S = H * P * H.transpose() + R, innovation = y - H.dot(x);
    const Vector2d K = P * H.transpose() / S;
    x += K * innovation;
    P = ((Matrix2d::Identity() - K * H) * P).eval();
    evidence -= 0.5 * (innovation * innovation / S + std::log(2.0 * kPi * S));
    worst.mean = std::max(worst.mean, (grid.mean() - x).norm());
    worst.covariance = std::max(worst.covariance, (grid.covariance() - P).norm());
    worst.evidence = std::max(worst.evidence, std::abs(grid.log_evidence() - evidence));
    worst.unresolved = std::max(worst.unresolved, grid.unresolved());
  }
  return worst;
}

// order, crosscheck: the Kalman filter, whose deviations end at 0.10 and 0.23; 800 nodes are 0.025 apart.
TEST(GridFilter, IsTheKalmanFilter_WithSixthOrderInTheSpacing) {
  const Errors coarse = errors_on_a_linear_system(400), fine = errors_on_a_linear_system(800);
  for (const auto part : {&Errors::mean, &Errors::covariance, &Errors::evidence})
    EXPECT_GE(std::log2(coarse.*part / fine.*part), 5.5) << coarse.*part << " " << fine.*part;
  EXPECT_LE(fine.mean, 5e-6);
  EXPECT_LE(fine.covariance, 2e-6);
  EXPECT_LE(fine.evidence, 1e-5);
  EXPECT_LE(fine.unresolved, 1e-9);
}

/// θ ← θ + h ω, ω ← ω − h k sin θ, over which angle and rate are blurred.
class Swing final : public test::LinearSystem {
 public:
  explicit Swing(const Matrix2d& Q)
      : LinearSystem(
            Matrix2d::Identity(), Q,
            {{.H = Eigen::RowVector2d(1.0, 0.0), .R_n = MatrixXd::Constant(1, 1, 0.09), .is_angle = true}}) {
    states_[0].is_angle = true;
  }
  bool step(double, double h, StateRef x) override {
    const double angle = x(0);
    x(0) += h * x(1);
    x(1) -= h * 4.0 * std::sin(angle);
    return true;
  }
  bool step(double t, double h, StateRef x, MatrixRef) override { return step(t, h, x); }
};

// crosscheck: sums over all pairs of nodes, without sharing of masses. The angle goes round the turn.
TEST(GridFilter, IsTheSumOverAllPairsOfPlaces_OnASwingThatTurnsOver) {
  const Matrix2d Q = matrix(0.04, 0.01, 0.01, 0.09), P = matrix(0.16, 0.0, 0.0, 0.25);
  const Vector2d start(2.5, 2.0);
  Swing system(Q);
  GridFilter grid(system, {.grid = {120, 240}});
  ASSERT_TRUE(grid.start(0.0, start, P));
  constexpr int kAngles = 50, kRates = 80;
  const double dz = 2.0 * kPi / kAngles, dv = 0.15, h = 0.15;
  const auto angle = [&](int i) { return -kPi + dz * (i + 0.5); };
  const auto rate = [&](int j) { return dv * (j - kRates / 2); };
  const auto density = [](const Matrix2d& inverse, double a, double b) {
    double sum = 0.0;
    for (const int turn : {-1, 0, 1}) {
      const Vector2d d(std::remainder(a, 2.0 * kPi) + 2.0 * kPi * turn, b);
      sum += std::exp(-0.5 * d.dot(inverse * d));
    }
    return sum * std::sqrt(inverse.determinant()) / (2.0 * kPi);
  };
  std::vector<double> p(kAngles * kRates), next(p);
  const Matrix2d P_inverse = P.inverse(), Q_inverse = Q.inverse();
  for (int i = 0; i < kAngles; ++i)
    for (int j = 0; j < kRates; ++j)
      p[static_cast<std::size_t>(i * kRates + j)] =
          dz * dv * density(P_inverse, angle(i) - start[0], rate(j) - start[1]);
  double evidence = 0.0;
  for (int k = 0; k < 3; ++k) {
    std::ranges::fill(next, 0.0);
    for (int i = 0; i < kAngles; ++i)
      for (int j = 0; j < kRates; ++j) {
        const double mass = p[static_cast<std::size_t>(i * kRates + j)];
        if (mass < 1e-12) continue;
        VectorXd x = Vector2d(angle(i), rate(j));
        ASSERT_TRUE(system.step(0.0, h, x));
        for (int a = 0; a < kAngles; ++a)
          for (int b = 0; b < kRates; ++b)
            if (std::abs(rate(b) - x[1]) < 2.4)
              next[static_cast<std::size_t>(a * kRates + b)] +=
                  mass * dz * dv * density(Q_inverse, angle(a) - x[0], rate(b) - x[1]);
      }
    p = next;
    const double y = 2.8 + 0.3 * k;
    double sum = 0.0, cosine = 0.0, sine = 0.0, v = 0.0;
    for (int i = 0; i < kAngles; ++i)
      for (int j = 0; j < kRates; ++j) {
        double& mass = p[static_cast<std::size_t>(i * kRates + j)];
        const double d = std::remainder(y - angle(i), 2.0 * kPi);
        mass *= std::exp(-0.5 * d * d / 0.09) / std::sqrt(2.0 * kPi * 0.09);
        sum += mass;
      }
    evidence += std::log(sum);
    for (int i = 0; i < kAngles; ++i)
      for (int j = 0; j < kRates; ++j) {
        double& mass = p[static_cast<std::size_t>(i * kRates + j)];
        mass /= sum;
        cosine += mass * std::cos(angle(i)), sine += mass * std::sin(angle(i)), v += mass * rate(j);
      }
    ASSERT_TRUE(grid.predict(h));
    ASSERT_EQ(grid.update(0, VectorXd::Constant(1, y), kNoGate).status, Status::kAccepted);
    EXPECT_NEAR(grid.log_evidence(), evidence, 1e-3) << k;
    EXPECT_NEAR(grid.mean()[0], std::atan2(sine, cosine), 1e-3) << k;
    EXPECT_NEAR(grid.mean()[1], v, 1e-3) << k;
  }
}

model::Mechanism double_crank() {
  return io::read_mechanism(
      test::with_after(test::text_of_model("fourbar-double-crank"), "sensors:\n",
                       "  coupler_gyroscope: {gyroscope: floating, noise: 0.05 rad/s, rate: = 1/(6 ms)}\n"),
      "double-crank.yaml");
}

EstimatorOptions four_bar_options(int positions, int rates, double factor = 1.0) {
  EstimatorOptions options;
  options.particle.motion = 0.03;
  options.particle.sensor_factor = factor;
  options.grid = {positions, rates};
  return options;
}

// crosscheck: means over random motions from random starts, which share the system's step and the prior alone.
TEST(GridFilter, KnowsWhatRandomMotionsSay_OfAFourBarWithAnUnknownStart) {
  const model::Mechanism mechanism = double_crank();
  const MechanismSystemOptions noise{.noise = {.velocity = 1.0}};
  test::FilterCase f(mechanism, {"coupler_gyroscope"}, "grid", noise, four_bar_options(240, 2000, 6.0));
  auto& grid = dynamic_cast<GridFilter&>(*f.estimator);
  ASSERT_TRUE(grid.start_unknown(0.0, {.rate_deviation = 0.5}));
  ASSERT_EQ(grid.grid().num_sheets(), 2);
  EXPECT_NEAR(grid.sheet_probabilities()[0], 0.5, 1e-12);
  EXPECT_NEAR(grid.position_entropy(24), std::log(24.0), 1e-12);
  EXPECT_NEAR(grid.entropy(), std::log(2.0 * 2.0 * kPi * 0.5 * std::sqrt(2.0 * kPi * std::exp(1.0))), 1e-9);
  constexpr int kSteps = 6, kMotions = 10000;
  constexpr double h = 0.03;
  const std::array<double, kSteps> readings{0.2, 0.3, 0.25, 0.4, 0.5, 0.45};
  for (const double y : readings) {
    ASSERT_TRUE(grid.predict(h));
    ASSERT_EQ(grid.update(0, VectorXd::Constant(1, y), kNoGate).status, Status::kAccepted);
  }
  MechanismSystem system(f.c.model, test::sensors_of(f.c, {"coupler_gyroscope"}), noise);
  PositionPrior prior(f.c.model, {system.states()[0].name});
  MatrixXd Q(2, 2), R_n(1, 1);
  system.plant_noise(0.0, h, VectorXd::Zero(2), Q);
  Q(0, 0) += 0.03 * 0.03;
  system.sensor_noise(0, R_n);
  R_n *= 36.0;
  const Matrix2d root = Eigen::LLT<MatrixXd>(Q).matrixL();
  core::Rng rng(11);
  DrawnPosition drawn = prior.make_position();
  double sum = 0.0, squares = 0.0, rates = 0.0, rate_squares = 0.0, first_side = 0.0, sines = 0.0,
         sided_sines = 0.0;
  for (int i = 0; i < kMotions; ++i) {
    ASSERT_TRUE(prior.draw(rng, drawn));
    VectorXd x = Vector2d(drawn.q[prior.motion().columns()[0]], 0.5 * rng.normal()), y(1);
    // The branch whose coupler is on the side of the drawn one.
    const double side = std::sin(drawn.q[2]);
    ASSERT_TRUE(system.accept_any(0.0, x, 0));
    if (std::sin(system.point().q[2]) * side < 0.0) {
      ASSERT_TRUE(system.accept_any(0.0, x, 1));
    }
    ASSERT_GT(std::sin(system.point().q[2]) * side, 0.0);
    double log_weight = 0.0;
    bool is_good = true;
    for (int k = 0; k < kSteps && is_good; ++k) {
      is_good = system.step(k * h, h, x);
      x += root * Vector2d(rng.normal(), rng.normal());
      is_good = is_good && system.accept((k + 1) * h, x) && system.measure((k + 1) * h, x, 0, y);
      const double d = readings[static_cast<std::size_t>(k)] - y[0];
      log_weight -= 0.5 * (d * d / R_n(0, 0) + std::log(2.0 * kPi * R_n(0, 0)));
    }
    ASSERT_TRUE(is_good);
    const double weight = std::exp(log_weight);
    sum += weight;
    squares += weight * weight;
    rates += weight * x[1];
    rate_squares += weight * x[1] * x[1];
    sines += weight * std::sin(x[0]);
    sided_sines += weight * std::sin(x[0]) * (side > 0.0 ? 1.0 : -1.0);
    first_side += side > 0.0 ? weight : 0.0;
  }
  const double deviation = std::sqrt(squares - sum * sum / kMotions) / sum;  // of the mean weight, relative
  EXPECT_LE(deviation, 0.03);
  EXPECT_NEAR(grid.log_evidence(), std::log(sum / kMotions), 4.0 * deviation);
  const double rate_deviation = std::sqrt(rate_squares / sum - std::pow(rates / sum, 2));
  EXPECT_NEAR(grid.mean()[1], rates / sum, 4.0 * deviation * rate_deviation);
  EXPECT_NEAR(std::sqrt(grid.covariance()(1, 1)), rate_deviation, 4.0 * deviation * rate_deviation);
  EXPECT_NEAR(grid.sheet_probabilities().maxCoeff(), std::max(first_side, sum - first_side) / sum,
              4.0 * deviation);
  // Where each sheet has its mass; which sheet has which side is not told.
  std::array<double, 2> sine{};
  for (const int sheet : {0, 1})
    for (Eigen::Index c = 0; c < grid.grid().position().count; ++c)
      sine[static_cast<std::size_t>(sheet)] +=
          grid.grid().mass(sheet).col(c).sum() * std::sin(grid.grid().position().value(c));
  EXPECT_GE(std::abs(sided_sines / sum), 8.0 * deviation);
  EXPECT_NEAR(sine[0] + sine[1], sines / sum, 4.0 * deviation);
  EXPECT_NEAR(std::abs(sine[0] - sine[1]), std::abs(sided_sines / sum), 4.0 * deviation);
}

// order: the same density with finer nodes.
TEST(GridFilter, DoesNotDependOnItsNodes_OnAFourBarWithAnUnknownStart) {
  const model::Mechanism mechanism = double_crank();
  const auto truth = test::true_motion(mechanism, 0.006, 25);
  std::array<std::array<double, 4>, 2> found{};
  for (const int fine : {0, 1}) {
    test::FilterCase f(mechanism, {"coupler_gyroscope"}, "grid", {.noise = {.velocity = 1.0}},
                       fine == 1 ? four_bar_options(360, 2000) : four_bar_options(240, 1500));
    auto& grid = dynamic_cast<GridFilter&>(*f.estimator);
    ASSERT_TRUE(grid.start_unknown(0.0, {.rate_deviation = 0.3}));
    core::Rng rng(1);
    for (int k = 1; k <= 25; ++k) {
      ASSERT_TRUE(grid.predict(0.006));
      ASSERT_EQ(f.read(0, truth[static_cast<std::size_t>(k)], rng).status, Status::kAccepted);
    }
    found[static_cast<std::size_t>(fine)] = {grid.log_evidence(), grid.entropy(), grid.mean()[1],
                                             grid.position_entropy(24)};
    EXPECT_LE(grid.unresolved(), 1e-6);
    EXPECT_LE(f.system.constraint_error(), 1e-10);
  }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[0][i], found[1][i], 1e-4) << i;
}

// crosscheck: another filter, where the posterior is narrow and so nearly normal.
TEST(GridFilter, AgreesWithAnExtendedFilter_AtAKnownStart) {
  const model::Mechanism mechanism = double_crank();
  const auto truth = test::true_motion(mechanism, 0.006, 30);
  const MechanismSystemOptions noise{.noise = {.position = 0.1, .velocity = 0.5}};
  test::FilterCase grid(mechanism, {"gyroscope"}, "grid", noise, {.grid = {1440, 12000}}),
      kalman(mechanism, {"gyroscope"}, "error-ekf", noise);
  grid.start(0.02, 0.03);
  kalman.start(0.02, 0.03);
  core::Rng one(5), other(5);
  for (std::size_t k = 1; k <= 30; ++k) {
    ASSERT_TRUE(grid.estimator->predict(0.006) && kalman.estimator->predict(0.006));
    ASSERT_EQ(grid.read(0, truth[k], one).status, Status::kAccepted);
    ASSERT_EQ(kalman.read(0, truth[k], other).status, Status::kAccepted);
  }
  for (int k = 0; k < 2; ++k) {
    const double deviation = std::sqrt(kalman.estimator->covariance()(k, k));
    EXPECT_NEAR(grid.estimator->mean()[k], kalman.estimator->mean()[k], 0.02 * deviation) << k;
    EXPECT_NEAR(std::sqrt(grid.estimator->covariance()(k, k)), deviation, 0.02 * deviation) << k;
  }
}

TEST(GridFilter, StaysWhereItWas_WhenNothingFollows) {
  test::LinearSystem system(matrix(1.0, 0.1, 0.0, 1.0), matrix(0.01, 0.0, 0.0, 0.01),
                            {{.H = Eigen::RowVector2d(1.0, 0.0), .R_n = MatrixXd::Constant(1, 1, 0.04)}});
  GridFilter grid(system, {.grid = {400, 400}});
  EXPECT_FALSE(grid.predict(0.1));  // not started
  ASSERT_TRUE(grid.start(0.0, Vector2d(1.0, 2.0), 0.04 * Matrix2d::Identity()));
  const VectorXd mean = grid.mean();
  const MatrixXd P = grid.covariance();
  const auto expect_unchanged = [&] {
    EXPECT_EQ(grid.mean(), mean);
    EXPECT_EQ(grid.covariance(), P);
    EXPECT_EQ(grid.t(), 0.0);
    EXPECT_EQ(grid.log_evidence(), 0.0);
  };
  system.largest_state = 1e-3;
  EXPECT_FALSE(grid.predict(0.1));
  expect_unchanged();
  EXPECT_EQ(grid.update(0, VectorXd::Ones(1), kNoGate).status, Status::kFailed);
  expect_unchanged();
  system.largest_state = 1e300;
  EXPECT_EQ(grid.update(0, VectorXd::Constant(1, std::nan("")), kNoGate).status, Status::kFailed);
  expect_unchanged();
  const UpdateReport far = grid.update(0, VectorXd::Constant(1, 3.0), 9.0);
  EXPECT_EQ(far.status, Status::kOutlier);
  EXPECT_NEAR(far.nis, 4.0 / 0.08, 1e-4);
  expect_unchanged();
  EXPECT_FALSE(grid.start_unknown(0.0, {}));  // a number without ends
  grid.inflate(2.0);
  EXPECT_NEAR(grid.covariance()(0, 0), 4.0 * P(0, 0), 1e-6);
  EXPECT_NEAR(grid.covariance()(1, 1), 4.0 * P(1, 1), 1e-6);
}

// analytic: moments of one step.
TEST(GridFilter, AddsTheMotionOfParticlesToPositions) {
  const Matrix2d F = matrix(1.0, 0.1, 0.0, 1.0), Q = matrix(0.01, 0.0, 0.0, 0.01),
                 P = 0.09 * Matrix2d::Identity();
  test::LinearSystem system(F, Q, {});
  EstimatorOptions options{.grid = {400, 400}};
  options.particle.motion = 0.2;
  GridFilter grid(system, options);
  ASSERT_TRUE(grid.start(0.0, Vector2d(1.0, 2.0), P));
  ASSERT_TRUE(grid.predict(0.1));
  const Matrix2d expected = F * P * F.transpose() + Q + matrix(0.04, 0.0, 0.0, 0.0);
  EXPECT_LE((grid.covariance() - expected).norm(), 1e-9);
  EXPECT_LE((grid.mean() - Vector2d(1.2, 2.0)).norm(), 1e-12);
  EXPECT_NEAR(grid.entropy(), 1.0 + std::log(2.0 * kPi * std::sqrt(expected.determinant())), 1e-4);
}

TEST(GridFilter, SaysWhatItCannotDo) {
  test::LinearSystem three(MatrixXd::Identity(3, 3), MatrixXd::Identity(3, 3), {});
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { (void)make_estimator("grid", three); }),
            "a grid of too many directions [filter 'grid']: expected a mechanism of one degree of freedom "
            "without other unknowns: 2 states, got 3. Take the filter 'particle'.");
  test::LinearSystem two = test::constant_speed(1.0);
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] {
              (void)make_estimator("grid", two, {.grid = {4, 400}});
            }),
            "nodes of positions are out of range [filter 'grid']: expected 16 to 100000, got 4. Give another "
            "number.");
  const auto grid = make_estimator("grid", two);
  EXPECT_THROW((void)grid->predict(0.0), core::ContractError);
  EXPECT_THROW((void)grid->update(1, VectorXd::Zero(1), kNoGate), core::ContractError);
  EXPECT_THROW((void)grid->start(0.0, VectorXd::Zero(3), Matrix2d::Identity()), core::ContractError);
  EXPECT_THROW((void)grid->start(0.0, VectorXd::Zero(2), matrix(1.0, 2.0, 2.0, 1.0)), core::ContractError);
}

}  // namespace
}  // namespace eslabon::estimation
