// What filters do with what they cannot use: nothing changes, and it is said.
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "tests/filter_names.hpp"
#include "tests/linear_system.hpp"
#include "tests/sentence_of.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/estimation/estimator.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = UpdateReport::Status;

constexpr double kNoGate = std::numeric_limits<double>::infinity();

class FilterContract : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    filter_ = make_estimator(GetParam(), system_);
    ASSERT_TRUE(
        filter_->start(1.0, Eigen::Vector2d(0.5, 2.0), MatrixXd(Eigen::Vector2d(0.04, 1.0).asDiagonal())));
    ASSERT_TRUE(filter_->predict(0.005));
    keep();
  }
  void keep() {
    x_ = filter_->mean();
    P_ = filter_->covariance();
    t_ = filter_->t();
    num_accepted_ = system_.num_accepted;
  }
  bool is_of_hypotheses() const { return estimator_capabilities(GetParam()).unknown_start; }
  void expect_unchanged() {
    EXPECT_EQ((filter_->mean() - x_).norm(), 0.0);
    EXPECT_EQ((filter_->covariance() - P_).norm(), 0.0);
    EXPECT_EQ(filter_->t(), t_);
    EXPECT_EQ(system_.num_accepted, num_accepted_);
  }

  test::LinearSystem system_ = test::constant_speed(1.0);
  std::unique_ptr<Estimator> filter_;
  VectorXd x_;
  MatrixXd P_;
  double t_ = 0.0;
  int num_accepted_ = 0;
};

TEST_P(FilterContract, StaysWhereItWas_WhenNoStateFollows) {
  system_.largest_state =
      1e-4;  // the speed is 2; a hypothesis that is so near to 0 in both states is not to be had
  EXPECT_FALSE(filter_->predict(0.005));
  expect_unchanged();
  system_.largest_state = 1e300;
  EXPECT_TRUE(filter_->predict(0.005));
  EXPECT_NEAR(filter_->t(), t_ + 0.005, 1e-15);
}

TEST_P(FilterContract, RefusesAReading_ThatLeadsToNoState) {
  system_.largest_state = 2.1;
  const UpdateReport report = filter_->update(0, VectorXd::Constant(1, 1e3), kNoGate);
  if (is_of_hypotheses()) {  // All of them are states: the nearest ones gain a little.
    EXPECT_EQ(report.status, Status::kAccepted);
    EXPECT_LE(filter_->mean().cwiseAbs().maxCoeff(), 2.1);
    keep();
  } else {
    EXPECT_EQ(report.status, Status::kFailed);
  }
  expect_unchanged();
  system_.largest_state = 1e-4;  // Not even the present state can be measured.
  EXPECT_EQ(filter_->update(0, x_.head(1), kNoGate).status, Status::kFailed);
  expect_unchanged();
  system_.largest_state = 1e300;
  EXPECT_EQ(filter_->update(0, x_.head(1), kNoGate).status, Status::kAccepted);
}

TEST_P(FilterContract, RefusesReadingsThatAreNoNumbers) {
  for (double y : {std::nan(""), kNoGate, -kNoGate}) {
    const UpdateReport report = filter_->update(0, VectorXd::Constant(1, y), kNoGate);
    EXPECT_EQ(report.status, Status::kFailed);
    EXPECT_EQ(report.nis, 0.0);
    expect_unchanged();
  }
  const UpdateReport huge = filter_->update(0, VectorXd::Constant(1, 1e200), 100.0);
  EXPECT_EQ(huge.status, Status::kOutlier);
  EXPECT_TRUE(std::isfinite(huge.nis));
  expect_unchanged();
  const UpdateReport tried = filter_->update(0, VectorXd::Constant(1, -1.7e308), kNoGate);
  EXPECT_TRUE(std::isfinite(tried.nis));
  EXPECT_TRUE(filter_->mean().allFinite());
}

// analytic: S = P + R is known, so the gate closes at a known distance.
TEST_P(FilterContract, ClosesItsGateAtTheGivenSquare) {
  MatrixXd R_n(1, 1);
  system_.sensor_noise(0, R_n);
  const double S = P_(0, 0) + R_n(0, 0), gate = 9.0;
  const UpdateReport outside = filter_->update(0, VectorXd::Constant(1, x_(0) + 3.001 * std::sqrt(S)), gate);
  EXPECT_EQ(outside.status, Status::kOutlier);
  EXPECT_NEAR(outside.nis, 3.001 * 3.001, 1e-9);
  expect_unchanged();
  const UpdateReport inside = filter_->update(0, VectorXd::Constant(1, x_(0) + 2.999 * std::sqrt(S)), gate);
  EXPECT_EQ(inside.status, Status::kAccepted);
  EXPECT_NEAR(inside.nis, 2.999 * 2.999, 1e-9);
  EXPECT_GT(filter_->mean()(0), x_(0));
}

TEST_P(FilterContract, BelievesLessButNotLessThanNothing) {
  filter_->inflate(3.0);
  EXPECT_LE((filter_->covariance() - 9.0 * P_).norm(), 1e-13 * P_.norm());
  for (int k = 0; k < 1000; ++k) filter_->inflate(3.0);
  EXPECT_NEAR(std::sqrt(filter_->covariance()(0, 0)), 10.0, 1e-12);
  EXPECT_NEAR(std::sqrt(filter_->covariance()(1, 1)), 10.0, 1e-12);
}

TEST_P(FilterContract, RefusesAStartThatIsNone) {
  system_.largest_state = 1.0;
  EXPECT_FALSE(filter_->start(0.0, Eigen::Vector2d(2.0, 0.0), P_));
  expect_unchanged();
  EXPECT_FALSE(filter_->start(0.0, Eigen::Vector2d(std::nan(""), 0.0), P_));
  expect_unchanged();
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { (void)filter_->start(0.0, VectorXd::Zero(3), P_); }),
            "a start of the wrong size [estimator]: expected 2 states, got 3. Give one number for each state "
            "of the system.");
  EXPECT_EQ(
      test::sentence_of<core::ContractError>([&] { (void)filter_->start(0.0, VectorXd::Zero(2), -P_); }),
      "a start without a covariance [estimator]: expected a symmetric matrix without negative directions, "
      "got another one. Give the squares of deviations.");
  expect_unchanged();
}

TEST_P(FilterContract, RefusesMisuse) {
  EXPECT_EQ(
      test::sentence_of<core::ContractError>([&] { (void)filter_->predict(0.0); }),
      "a step that does not advance [estimator]: expected a positive time in s, got 0. Give another step.");
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { (void)filter_->update(1, VectorXd::Zero(1), 9.0); }),
            "a reading of an unknown sensor [estimator]: expected one of 1 sensors, got number 1. Count "
            "sensors from 0.");
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { (void)filter_->update(0, VectorXd::Zero(2), 9.0); }),
            "a reading of the wrong size [estimator]: expected 1 channels, got 2. Give all channels of the "
            "sensor.");
  EXPECT_EQ(
      test::sentence_of<core::ContractError>([&] { filter_->inflate(0.5); }),
      "a factor that would make an estimate more certain [estimator]: expected a factor of at least 1, got "
      "0.5. Give another factor.");
  expect_unchanged();
}

/// Its tangents and noise can be no numbers.
class BrokenSystem final : public test::LinearSystem {
 public:
  using LinearSystem::LinearSystem;
  bool step(double t, double h, StateRef x) override { return LinearSystem::step(t, h, x) && spoil(x); }
  bool step(double t, double h, StateRef x, MatrixRef F) override {
    const bool is_good = LinearSystem::step(t, h, x, F);
    if (breaks == "F") F(0, 0) = std::nan("");
    return is_good && spoil(x);
  }
  void plant_noise(double t, double h, ConstStateRef x, MatrixRef Q_w) override {
    LinearSystem::plant_noise(t, h, x, Q_w);
    if (breaks == "Q") Q_w(1, 1) = -1.0;
  }
  void sensor_noise(int sensor, MatrixRef R_n) const override {
    LinearSystem::sensor_noise(sensor, R_n);
    if (breaks == "R") R_n(0, 0) = std::nan("");
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y) override {
    const bool is_good = LinearSystem::measure(t, x, sensor, y);
    if (breaks == "y") y(0) = kNoGate;
    return is_good;
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) override {
    const bool is_good = LinearSystem::measure(t, x, sensor, y, H);
    if (breaks == "y") y(0) = kNoGate;
    if (breaks == "H") H(0, 0) = std::nan("");
    return is_good;
  }
  std::string breaks;

 private:
  bool spoil(StateRef x) const {
    if (breaks == "f") x(0) = std::nan("");
    return true;
  }
};

// Nothing that a system computes can bring NaN into the estimate.
TEST_P(FilterContract, NeverTakesWhatIsNoNumber_FromASystem) {
  const MatrixXd one = MatrixXd::Identity(2, 2);
  BrokenSystem system(one, one, {{.H = MatrixXd::Ones(1, 2), .R_n = MatrixXd::Ones(1, 1)}});
  const auto filter = make_estimator(GetParam(), system);
  ASSERT_TRUE(filter->start(0.0, VectorXd::Ones(2), one));
  const bool has_own_tangents = GetParam() == "ukf" || is_of_hypotheses();
  for (const std::string what : {"f", "F", "Q", "y", "H", "R"}) {
    system.breaks = what;
    const bool is_of_step = what == "f" || what == "F" || what == "Q";
    const bool is_used = !(has_own_tangents && (what == "F" || what == "H"));  // or none
    const MatrixXd before = filter->covariance();
    EXPECT_EQ(filter->predict(0.1), !(is_of_step && is_used)) << what;
    const Status status = filter->update(0, VectorXd::Ones(1), kNoGate).status;
    EXPECT_EQ(status, !is_of_step && is_used ? Status::kFailed : Status::kAccepted) << what;
    EXPECT_TRUE(filter->mean().allFinite() && filter->covariance().allFinite()) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Filters, FilterContract, testing::ValuesIn(test::general_filter_names()),
                         [](const auto& name) { return test::test_name(name.param); });

// A held reading that has become impossible is let go, and the prediction stands.
TEST(Cekf, LetsAHeldReadingGo_ThatLeadsToNoState) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  test::LinearSystem system(one, one, {{.H = one, .R_n = one, .period = 1.0}});
  const auto filter = make_estimator("cekf", system);
  ASSERT_TRUE(filter->start(0.0, VectorXd::Zero(1), one));
  ASSERT_TRUE(filter->predict(0.1));
  ASSERT_EQ(filter->update(0, VectorXd::Constant(1, 5.0), kNoGate).status, Status::kAccepted);
  const double x = filter->mean()(0);
  system.largest_state = x + 1e-3;
  ASSERT_TRUE(filter->predict(0.1));
  EXPECT_EQ(filter->mean()(0), x);
  system.largest_state = 1e300;
  ASSERT_TRUE(filter->predict(0.1));
  EXPECT_EQ(filter->mean()(0), x);
}

// analytic: readings of angles that differ by whole turns are the same.
class AngleFilter : public testing::TestWithParam<std::string> {};

/// Its reading comes back in (−π, π], whatever the state.
class WrappedAngle final : public test::LinearSystem {
 public:
  using LinearSystem::LinearSystem;
  bool measure(double, ConstStateRef x, int, StateRef y) override {
    y(0) = std::atan2(std::sin(x(0)), std::cos(x(0)));
    return true;
  }
  bool measure(double t, ConstStateRef x, int sensor, StateRef y, MatrixRef H) override {
    H(0, 0) = 1.0;
    return measure(t, x, sensor, y);
  }
};

TEST_P(AngleFilter, ReadsAnglesAcrossTheCut) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  const double angle = std::numbers::pi - 0.01;
  constexpr int kParticles = 100'000;  // five times what they are wrong by chance
  const double tolerance =
      estimator_capabilities(GetParam()).unknown_start ? 5.0 * std::sqrt(0.04 / kParticles) : 1e-12;
  for (int turns : {-2, 0, 1}) {
    WrappedAngle system(one, 0.0 * one, {{.H = one, .R_n = 0.04 * one, .is_angle = true}});
    const auto filter =
        make_estimator(GetParam(), system, {.alpha = 1.0, .particle = {.particles = kParticles}});
    ASSERT_TRUE(filter->start(0.0, VectorXd::Constant(1, angle), 0.04 * one));
    ASSERT_TRUE(filter->predict(0.1));
    const double y = angle + 0.1 + 2.0 * std::numbers::pi * turns;
    const UpdateReport report = filter->update(0, VectorXd::Constant(1, y), kNoGate);
    ASSERT_EQ(report.status, Status::kAccepted);
    EXPECT_NEAR(report.nis, 0.01 / 0.08, 10.0 * tolerance) << turns;
    EXPECT_NEAR(filter->mean()(0), angle + 0.05, tolerance) << turns;
    EXPECT_NEAR(filter->covariance()(0, 0), 0.02, tolerance) << turns;
  }
}

INSTANTIATE_TEST_SUITE_P(Filters, AngleFilter, testing::ValuesIn(test::general_filter_names()),
                         [](const auto& name) { return test::test_name(name.param); });

TEST(MakeEstimator, ListsWhatThereIs) {
  test::LinearSystem system = test::constant_speed(1.0);
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { (void)make_estimator("ekf", system); }),
      "unknown filter: expected one of 'dekf', 'ukf', 'cekf', 'error-ekf', 'particle' or 'grid', got 'ekf'. "
      "dekf is a good start; error-ekf is its other name.");
  EXPECT_EQ(test::sentence_of<core::ModelError>(
                [&] { (void)make_estimator("ukf", system, {.exact_jacobian = false}); }),
            "a filter without a simple Jacobian [filter 'ukf']: expected one of 'dekf' or 'error-ekf', got "
            "'ukf'. Take one of those, or leave the Jacobian exact.");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { (void)make_estimator("ukf", system, {.alpha = 0.0}); }),
            "alpha is out of range [filter 'ukf']: expected 1e-6 to 10, got 0. Omit it, or give "
            "another value.");
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { (void)make_estimator("ukf", system, {.kappa = -2.0}); }),
      "kappa is out of range [filter 'ukf']: expected more than minus the number of states, -2, got -2. "
      "Omit it, or give another value.");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { (void)make_estimator("ukf", system, {.beta = -1.0}); }),
            "beta is out of range [filter 'ukf']: expected at least −kappa alpha²/states, so that "
            "covariances are positive, got -1. Omit it, or give another value.");
  test::LinearSystem scaleless = test::constant_speed(1.0);
  scaleless.set_unknown_scale(1, 0.0);
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { (void)make_estimator("dekf", scaleless); }),
            "a state without a scale [state 'x1']: expected a positive unknown_scale, got 0. Give the "
            "deviation that means \"nothing is known\".");
  EXPECT_TRUE(estimator_capabilities("dekf").simple_jacobian);
  EXPECT_TRUE(estimator_capabilities("ukf").euler_steps);
  EXPECT_FALSE(estimator_capabilities("error-ekf").euler_steps);
  for (const std::string& name : estimator_names()) EXPECT_EQ(make_estimator(name, system)->name(), name);
}

}  // namespace
}  // namespace eslabon::estimation
