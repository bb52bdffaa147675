#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "tests/estimated_case.hpp"

#include "eslabon/estimation/consistency.hpp"

// statistical: when the model is perfect a filter's error is as large as it says. Truth is drawn from the system itself: a start from P(0), plant
// noise from Q_w in every step, sensor noise from R_n in every reading.
namespace eslabon::estimation {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0, kStep = 5e-3;
constexpr int kRuns = 200, kSteps = 200, kReadingEvery = 2;

model::Mechanism testbed() { return test::load_released("fourbar-testbed"); }

/// Numbers with this covariance.
Eigen::VectorXd draw(const Eigen::MatrixXd& covariance, core::Rng& rng) {
  Eigen::VectorXd white(covariance.rows());
  for (double& one : white) one = rng.normal();
  return covariance.llt().matrixL() * white;
}

/// One run, from a draw of the start.
void run(test::FilterCase& filter, test::FilterCase& truth, std::uint64_t seed, MonteCarloNees& nees,
         RunningMean& all) {
  core::Rng rng(seed);
  filter.start(3.0 * kDegree, 10.0 * kDegree);
  Eigen::VectorXd x = truth.system.start_state();
  x += draw(filter.system.start_covariance(3.0 * kDegree, 10.0 * kDegree), rng);
  ASSERT_TRUE(truth.system.accept(0.0, x));
  ErrorSquare square(x.size());
  Eigen::MatrixXd Q_w(x.size(), x.size());
  for (int k = 0; k < kSteps; ++k) {
    truth.system.plant_noise(k * kStep, kStep, x, Q_w);
    ASSERT_TRUE(truth.system.step(k * kStep, kStep, x));
    x += draw(Q_w, rng);
    ASSERT_TRUE(truth.system.accept((k + 1) * kStep, x));
    ASSERT_TRUE(filter.estimator->predict(kStep));
    for (int s = 0; (k + 1) % kReadingEvery == 0 && s < truth.system.num_sensors(); ++s) {
      const Eigen::Index m = truth.system.num_channels(s);
      Eigen::VectorXd y(m);
      Eigen::MatrixXd R_n(m, m);
      ASSERT_TRUE(truth.system.measure((k + 1) * kStep, x, s, y));
      truth.system.sensor_noise(s, R_n);
      y += draw(R_n, rng);
      ASSERT_EQ(filter.estimator->update(s, y, std::numeric_limits<double>::infinity()).status,
                UpdateReport::Status::kAccepted);
    }
    const auto found = square.evaluate(filter.estimator->mean() - x, filter.estimator->covariance());
    ASSERT_TRUE(found.has_value());
    nees.add(k, *found);
    all.add(*found);
  }
  ASSERT_EQ(filter.system.states()[0].name, truth.system.states()[0].name);  // the same coordinates
}

void expect_consistent(const std::vector<std::string>& sensors) {
  for (const char* name : {"dekf", "ukf", "error-ekf"}) {
    SCOPED_TRACE(name);
    const MechanismSystemOptions options{.rule = StepRule::kHeun, .noise = {.velocity = 0.5}};
    test::FilterCase filter(testbed(), sensors, name, options), truth(testbed(), sensors, name, options);
    MonteCarloNees nees(2, kSteps);
    RunningMean all;
    for (int seed = 1; seed <= kRuns && !testing::Test::HasFatalFailure(); ++seed)
      run(filter, truth, static_cast<std::uint64_t>(seed), nees, all);
    EXPECT_GE(nees.fraction_inside(0.95), 0.90);
    if (std::getenv("ESLABON_FULL_SWEEPS") != nullptr)
      std::printf("%s, %zu sensors: %.1f %% of the steps inside, mean NEES %.3f\n", name, sensors.size(),
                  100.0 * nees.fraction_inside(0.95), all.mean());
  }
}

TEST(ConsistencyOnTestbed, NeesIsInItsBand_WithGyroscopesAndAnEncoder) {
  expect_consistent({"imu1_gyroscope", "imu2_gyroscope", "crank_encoder"});
}

TEST(ConsistencyOnTestbed, NeesIsInItsBand_WithGyroscopesAlone) {
  expect_consistent({"imu1_gyroscope", "imu2_gyroscope"});
}

}  // namespace
}  // namespace eslabon::estimation
