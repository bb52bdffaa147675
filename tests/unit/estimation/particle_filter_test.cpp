// Particle filters beyond linear systems: unknown starts, circles, threads, numbers, and readings that nobody expects.
#include "eslabon/estimation/particle/particle_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "tests/allocation_counter.hpp"
#include "tests/pendulum_system.hpp"
#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/estimation/circular.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Status = UpdateReport::Status;

constexpr double kNoGate = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;

bool is_full() { return std::getenv("ESLABON_FULL_SWEEPS") != nullptr; }

/// A pendulum whose angle is one; its rate is read (sensor 0), or its angle (1).
class Pendulum final : public test::LinearSystem {
 public:
  explicit Pendulum(double rate_noise = 0.02, double reading_noise = 0.05)
      : LinearSystem(MatrixXd::Identity(2, 2),
                     Eigen::Vector2d(1e-8, rate_noise * rate_noise).asDiagonal().toDenseMatrix(),
                     {{.H = Eigen::RowVector2d(0.0, 1.0),
                       .R_n = MatrixXd::Constant(1, 1, reading_noise * reading_noise)},
                      {.H = Eigen::RowVector2d(1.0, 0.0),
                       .R_n = MatrixXd::Constant(1, 1, reading_noise * reading_noise),
                       .is_angle = true}}) {
    states_[0].unknown_scale = kPi;
    states_[0].is_angle = true;
    states_[1].unknown_scale = 10.0 * kPi;
    states_[1].is_rate = true;
  }
  using LinearSystem::step;
  bool step(double, double h, StateRef x) override {
    x(1) -= h * 20.0 * std::sin(x(0));
    x(0) += h * x(1);
    return true;
  }
};

constexpr double kStep = 0.01;

/// A truth and its readings.
struct Course {
  Course(System& system, int sensor, std::uint64_t seed, int steps, VectorXd start) : x(std::move(start)) {
    core::Rng rng(seed);
    MatrixXd Q_w(2, 2), R_n(1, 1);
    system.plant_noise(0.0, kStep, x, Q_w);
    system.sensor_noise(sensor, R_n);
    VectorXd y(1);
    for (int k = 0; k < steps; ++k) {
      EXPECT_TRUE(system.step(0.0, kStep, x));
      for (int i = 0; i < 2; ++i) x(i) += std::sqrt(Q_w(i, i)) * rng.normal();
      EXPECT_TRUE(system.measure(0.0, x, sensor, y));
      truth.push_back(x);
      readings.emplace_back(VectorXd::Constant(1, y(0) + std::sqrt(R_n(0, 0)) * rng.normal()));
    }
  }
  VectorXd x;
  std::vector<VectorXd> truth, readings;
};

void expect_step(ParticleFilter& filter, int sensor, const VectorXd& y) {
  ASSERT_TRUE(filter.predict(kStep));
  ASSERT_EQ(filter.update(sensor, y, kNoGate).status, Status::kAccepted);
}

double angle_error(const ParticleFilter& filter, const VectorXd& truth) {
  return std::abs(std::remainder(filter.mean()(0) - truth(0), 2.0 * kPi));
}

// statistical: from nothing known, 40 tries (400 in full sweeps); the angle is found by the rate alone in all of them within 2 s, as well as the
// filter says. Likelihoods are as wide as those of [Seed000, §4.2]: the first reading would leave eight of 500 otherwise, on which 2 % of the tries end.
TEST(ParticleFilter, FindsAPendulumThatCanBeAnywhere) {
  Pendulum system;
  const int tries = is_full() ? 400 : 40;
  for (int k = 0; k < tries; ++k) {
    const auto number = static_cast<std::uint64_t>(k);
    core::Rng rng(8, number);
    const Course course(system, 0, 50 + number, 200,
                        Eigen::Vector2d(kPi * (2.0 * rng.uniform() - 1.0), 3.0 * rng.normal()));
    ParticleFilter filter(
        system,
        {.particles = 500, .motion = 0.02, .roughening = 0.02, .sensor_factor = 10.0, .seed = 1000 + number});
    ASSERT_TRUE(filter.start_unknown(0.0, {.rate_deviation = 3.0}));
    for (const VectorXd& y : course.readings) expect_step(filter, 0, y);
    const double deviation = std::sqrt(filter.covariance()(0, 0));
    EXPECT_LE(angle_error(filter, course.truth.back()), 4.0 * deviation) << k;
    EXPECT_LE(deviation, 0.25) << k;
  }
}

// statistical: errors are at most 1.15 times those of a filter with far more particles; 10⁶ in full sweeps.
TEST(ParticleFilter, HasTheErrorOfFarMoreParticles) {
  Pendulum system(0.1, 0.1);
  const int reference_size = is_full() ? 1'000'000 : 20'000;
  double square = 0.0, reference_square = 0.0;
  for (std::uint64_t seed : {1, 2, 3}) {
    const Course course(system, 1, seed, 100, Eigen::Vector2d(1.5, 0.0));
    ParticleFilter filter(system, {.particles = 500, .seed = 7}),
        reference(system, {.particles = reference_size, .seed = 8});
    for (ParticleFilter* one : {&filter, &reference})
      ASSERT_TRUE(one->start(0.0, Eigen::Vector2d(1.5, 0.0),
                             Eigen::Vector2d(0.04, 0.25).asDiagonal().toDenseMatrix()));
    for (std::size_t k = 0; k < course.readings.size(); ++k) {
      expect_step(filter, 1, course.readings[k]);
      expect_step(reference, 1, course.readings[k]);
      square += std::pow(angle_error(filter, course.truth[k]), 2);
      reference_square += std::pow(angle_error(reference, course.truth[k]), 2);
    }
  }
  RecordProperty("ratio", std::to_string(std::sqrt(square / reference_square)));
  EXPECT_LE(std::sqrt(square / reference_square), 1.15);
}

// analytic: angles on both sides of the cut, and on other turns, are near each other.
TEST(ParticleFilter, HasCircularMeansAndDeviations) {
  Pendulum system;
  ParticleFilter filter(system, {.particles = 20'000});
  for (double angle : {kPi, -kPi, kPi - 0.05, 7.0 * kPi}) {
    ASSERT_TRUE(filter.start(0.0, Eigen::Vector2d(angle, 0.0),
                             Eigen::Vector2d(0.01, 0.01).asDiagonal().toDenseMatrix()));
    // Some of them one turn on: the same angles.
    for (std::size_t i = 0; i < filter.num_particles(); i += 3) filter.cloud().state(0)[i] -= 2.0 * kPi;
    EXPECT_LE(std::abs(std::remainder(filter.mean()(0) - angle, 2.0 * kPi)), 5.0 * 0.1 / std::sqrt(20'000.0))
        << angle;
    EXPECT_NEAR(filter.covariance()(0, 0), 0.01, 5.0 * std::sqrt(2.0 / 20'000.0) * 0.01) << angle;
    const UpdateReport report = filter.update(1, VectorXd::Constant(1, -angle), 9.0);
    EXPECT_EQ(report.status, std::abs(std::sin(angle)) > 1e-3 ? Status::kAccepted : report.status);
    EXPECT_LE(report.nis, 9.0);
  }
  for (double x : {0.0, 3.0, -3.1, 100.0, -1e6})
    EXPECT_NEAR(wrap_lane(x), std::remainder(x, 2.0 * kPi), 1e-9) << x;
}

std::vector<ParticleOptions> all_kinds() {
  std::vector<ParticleOptions> kinds;
  for (ParticleVariant variant :
       {ParticleVariant::kBootstrap, ParticleVariant::kRegularised, ParticleVariant::kAuxiliary})
    for (int fewest : {0, 50})
      kinds.push_back(
          {.particles = 1000, .fewest = fewest, .variant = variant, .motion = 0.01, .roughening = 0.02});
  return kinds;
}

/// Numbers that depend on everything that the filter does.
std::vector<double> fingerprint(const ParticleOptions& options) {
  Pendulum system;
  const Course course(system, 0, 3, 40, Eigen::Vector2d(1.0, 2.0));
  ParticleFilter filter(system, options);
  std::vector<double> out;
  EXPECT_TRUE(filter.start_unknown(0.0, {.rate_deviation = 3.0}));
  for (std::size_t k = 0; k < course.readings.size(); ++k) {
    expect_step(filter, 0, course.readings[k]);
    if (k == 20) filter.inflate(2.0);
    out.insert(out.end(),
               {filter.mean()(0), filter.mean()(1), filter.covariance()(0, 1), filter.log_evidence(),
                filter.effective_size(), static_cast<double>(filter.num_particles())});
  }
  return out;
}

// invariant.
TEST(ParticleFilter, HasTheSameBits_WithOneTwoAndFourThreads) {
  for (ParticleOptions options : all_kinds()) {
    const std::vector<double> one = fingerprint(options);
    for (int threads : {2, 4}) {
      options.threads = threads;
      EXPECT_EQ(one, fingerprint(options)) << name(options.variant) << options.fewest << threads;
    }
    options.seed = 2;
    EXPECT_NE(one, fingerprint(options));
  }
}

// invariant: a hypothesis with its slot's random numbers does not depend on how many others there are.
TEST(ParticleFilter, MovesAHypothesisWhateverTheOthersAre) {
  Pendulum system;
  ParticleFilter few(system, {.particles = 65}), many(system, {.particles = 777});
  for (ParticleFilter* filter : {&few, &many}) {
    ASSERT_TRUE(filter->start_unknown(0.0, {.rate_deviation = 1.0}));
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(filter->predict(kStep));
  }
  for (std::size_t i = 0; i < 65; ++i)
    for (int k = 0; k < 2; ++k) ASSERT_EQ(few.cloud().state(k)[i], many.cloud().state(k)[i]);
}

TEST(ParticleFilter, TakesNothingFromTheHeap_AlsoWhileResamplingAndAdapting) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  for (ParticleOptions options : all_kinds()) {
    options.threads = 2;
    Pendulum system;
    const Course course(system, 0, 3, 40, Eigen::Vector2d(1.0, 2.0));
    ParticleFilter filter(system, options);
    ASSERT_TRUE(filter.start(0.0, Eigen::Vector2d(1.0, 2.0), 0.1 * MatrixXd::Identity(2, 2)));
    bool is_good = true;
    VectorXd y(1);
    const long count = test::count_allocations([&] {
      for (std::size_t k = 0; k < course.readings.size(); ++k) {
        is_good = filter.predict(kStep) && is_good;
        y(0) = course.readings[k](0) + (k > 30 ? 10.0 : 0.0);  // nobody expects the last ones
        is_good = filter.update(0, y, kNoGate).status == Status::kAccepted && is_good;
        is_good = filter.mean().allFinite() && filter.covariance().allFinite() && is_good;
      }
    });
    EXPECT_TRUE(is_good);
    EXPECT_GT(filter.num_resamplings(), 3);
    EXPECT_GT(filter.num_recoveries(), 0);
    EXPECT_EQ(count, 0) << name(options.variant) << options.fewest;
  }
}

// analytic: (1) of kld_size.hpp against the quantiles of chi-square that it approximates [Fox2003]: N = χ²_{k−1, 1−δ}/(2ε).
TEST(KldNumber, IsHalfTheQuantileOfChiSquare) {
  EXPECT_EQ(kld_number(1, 0.05, 2.326), 1.0);
  EXPECT_NEAR(kld_number(11, 0.05, 2.3263479), 23.209 / 0.1, 0.5);    // χ²(10), 99 %
  EXPECT_NEAR(kld_number(101, 0.05, 2.3263479), 135.807 / 0.1, 1.0);  // χ²(100), 99 %
  EXPECT_NEAR(kld_number(31, 0.02, 1.6448536), 43.773 / 0.04, 1.0);   // χ²(30), 95 %
}

// contract: many while little is known, few when much is, and more again.
TEST(ParticleFilter, AdaptsItsNumberToTheSpread) {
  Pendulum system;
  const Course course(system, 1, 3, 100, Eigen::Vector2d(1.0, 2.0));
  ParticleFilter filter(system, {.particles = 5000, .fewest = 100, .seed = 3});
  ASSERT_TRUE(filter.start_unknown(0.0, {.rate_deviation = 5.0}));
  EXPECT_EQ(filter.num_particles(), 5000u);
  for (int k = 0; k < 50; ++k) expect_step(filter, 1, course.readings[static_cast<std::size_t>(k)]);
  const std::size_t tracked = filter.num_particles();
  EXPECT_LE(tracked, 500u);
  EXPECT_GE(tracked, 100u);
  EXPECT_LE(angle_error(filter, course.truth[49]), 0.1);
  filter.inflate(20.0);
  for (int k = 50; k < 55; ++k) expect_step(filter, 1, course.readings[static_cast<std::size_t>(k)]);
  EXPECT_GT(filter.num_particles(), tracked);
  for (int k = 55; k < 100; ++k) expect_step(filter, 1, course.readings[static_cast<std::size_t>(k)]);
  EXPECT_LE(angle_error(filter, course.truth[99]), 0.1);
}

/// Errors 1 s after a filter was sure of a wrong state, or the truth has jumped.
struct Recovery {
  double error = 0.0;
  long recoveries = 0;
};

Recovery recover(ParticleVariant variant, bool is_unknown, double reading_noise) {
  Pendulum system(0.02, reading_noise);
  const Course before(system, 1, 3, 50, Eigen::Vector2d(1.0, 2.0)),
      after(system, 1, 4, 100, Eigen::Vector2d(-1.5, -2.0));
  ParticleFilter filter(system, {.particles = 500, .variant = variant, .seed = 9});
  if (is_unknown)
    EXPECT_TRUE(filter.start_unknown(0.0, {.rate_deviation = 3.0}));
  else
    EXPECT_TRUE(filter.start(0.0, Eigen::Vector2d(1.0, 2.0),
                             Eigen::Vector2d(1e-4, 1e-4).asDiagonal().toDenseMatrix()));
  for (const VectorXd& y : before.readings) expect_step(filter, 1, y);
  EXPECT_LE(angle_error(filter, before.truth.back()), 0.15);
  const long recoveries = filter.num_recoveries();
  for (const VectorXd& y : after.readings) {
    expect_step(filter, 1, y);
    EXPECT_TRUE(filter.mean().allFinite() && filter.covariance().allFinite() &&
                std::isfinite(filter.log_evidence()));
  }
  return {.error = angle_error(filter, after.truth.back()),
          .recoveries = filter.num_recoveries() - recoveries};
}

// contract: the truth jumps, so that readings have no likelihood with any hypothesis; 1 s of good readings later the filter is back.
TEST(ParticleFilter, ComesBackWithinASecond_WhenAllLikelihoodsAreZero) {
  for (ParticleVariant variant :
       {ParticleVariant::kBootstrap, ParticleVariant::kRegularised, ParticleVariant::kAuxiliary})
    for (bool is_unknown : {false, true})
      for (double noise : {0.05, 0.005}) {
        const Recovery recovery = recover(variant, is_unknown, noise);
        EXPECT_LE(recovery.error, std::max(0.05, 3.0 * noise)) << name(variant) << is_unknown << noise;
        EXPECT_GE(recovery.recoveries, 1) << name(variant) << is_unknown << noise;
      }
}

// contract: readings beyond everything, one after the other, leave numbers; good ones bring the filter back.
TEST(ParticleFilter, SurvivesReadingsBeyondEverything) {
  Pendulum system;
  const Course course(system, 0, 3, 200, Eigen::Vector2d(1.0, 2.0));
  for (double wild : {1e3, 1e30, 1.7e308}) {
    ParticleFilter filter(system, {.particles = 300});
    ASSERT_TRUE(filter.start(0.0, Eigen::Vector2d(1.0, 2.0), 0.01 * MatrixXd::Identity(2, 2)));
    for (int k = 0; k < 50; ++k) {
      expect_step(filter, 0, VectorXd::Constant(1, k % 2 == 0 ? wild : -wild));
      ASSERT_TRUE(filter.mean().allFinite() && filter.covariance().allFinite()) << wild << ' ' << k;
      ASSERT_FALSE(std::isnan(filter.log_evidence()));
    }
    for (std::size_t k = 50; k < 200; ++k) expect_step(filter, 0, course.readings[k]);
    EXPECT_LE(std::abs(filter.mean()(1) - course.truth.back()(1)), 0.3) << wild;
  }
}

// analytic: a reading far sharper than 200 hypotheses are dense leaves ten effective ones, (7), and the evidence is the plain mean of its likelihoods, summed here.
TEST(ParticleFilter, FlattensAReadingThatWouldLeaveFew) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  test::LinearSystem system(one, 1e-6 * one, {{.H = one, .R_n = 1e-8 * one}});
  ParticleFilter filter(system, {.particles = 200});
  ASSERT_TRUE(filter.start(0.0, VectorXd::Zero(1), one));
  double largest = -1e300, sum = 0.0;
  const auto log_likelihood = [&](std::size_t i) {
    return -0.5 * std::pow((filter.cloud().state(0)[i] - 0.3) / 1e-4, 2) -
           std::log(1e-4 * std::sqrt(2.0 * kPi));
  };
  for (std::size_t i = 0; i < 200; ++i) largest = std::max(largest, log_likelihood(i));
  for (std::size_t i = 0; i < 200; ++i) sum += std::exp(log_likelihood(i) - largest) / 200.0;
  ASSERT_EQ(filter.update(0, VectorXd::Constant(1, 0.3), kNoGate).status, Status::kAccepted);
  EXPECT_NEAR(filter.effective_size(), 10.0, 0.1);
  EXPECT_NEAR(filter.log_evidence(), largest + std::log(sum), 1e-9 * std::abs(largest));
  EXPECT_NEAR(filter.mean()(0), 0.3, 0.1);
  const double deviation = std::sqrt(filter.covariance()(0, 0));
  ASSERT_TRUE(filter.predict(kStep));  // copies are spread, as wide as the ten were
  EXPECT_NEAR(std::sqrt(filter.covariance()(0, 0)) / deviation, 1.0, 0.2);
  std::vector<double> x(filter.cloud().state(0), filter.cloud().state(0) + 200);
  std::sort(x.begin(), x.end());
  EXPECT_GT(x[150] - x[50], 0.3 * deviation);
}

// contract: hypotheses that no state follows from lose their weight; the others go on.
TEST(ParticleFilter, DropsHypothesesWithoutAState) {
  Pendulum system;
  ParticleFilter filter(system, {.particles = 1000});
  ASSERT_TRUE(
      filter.start(0.0, Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(1.0, 1e-4).asDiagonal().toDenseMatrix()));
  ASSERT_TRUE(filter.predict(kStep));
  for (std::size_t i = 0; i < 600; ++i) filter.cloud().state(1)[i] = std::nan("");
  ASSERT_TRUE(filter.predict(kStep));
  EXPECT_NEAR(filter.effective_size(), 400.0, 1e-9);
  ASSERT_TRUE(filter.predict(kStep));  // resampled
  EXPECT_EQ(filter.num_resamplings(), 1);
  EXPECT_TRUE(filter.mean().allFinite() && filter.covariance().allFinite());
}

TEST(ParticleOptions, AreChecked) {
  test::LinearSystem system = test::constant_speed(1.0);
  const auto sentence = [&](const ParticleOptions& options) {
    return test::sentence_of<core::ModelError>(
        [&] { (void)make_estimator("particle", system, {.particle = options}); });
  };
  EXPECT_EQ(sentence({.particles = 0}),
            "the number of particles is out of range [filter 'particle']: expected 1 to 100000000, got 0. "
            "Omit it, or give another value.");
  EXPECT_EQ(sentence({.particles = 10, .fewest = 11}),
            "the minimum number of particles is out of range [filter 'particle']: expected 0 (the number is "
            "constant) to the maximum number, got 11. Omit it, or give another value.");
  for (const ParticleOptions& options : std::vector<ParticleOptions>{{.kld_error = 0.0},
                                                                     {.kld_quantile = -1.0},
                                                                     {.threshold = 1.5},
                                                                     {.motion = -1.0},
                                                                     {.roughening = std::nan("")},
                                                                     {.sensor_factor = 0.0},
                                                                     {.threads = 0}})
    EXPECT_NE(sentence(options).find("is out of range [filter 'particle']: expected "), std::string::npos);
  for (Resampling value :
       {Resampling::kMultinomial, Resampling::kResidual, Resampling::kStratified, Resampling::kSystematic})
    EXPECT_EQ(find_resampling(name(value)), value);
  for (ParticleVariant value :
       {ParticleVariant::kBootstrap, ParticleVariant::kRegularised, ParticleVariant::kAuxiliary})
    EXPECT_EQ(find_particle_variant(name(value)), value);
  EXPECT_FALSE(find_resampling("wheel") || find_particle_variant("wheel"));
}

}  // namespace
}  // namespace eslabon::estimation
