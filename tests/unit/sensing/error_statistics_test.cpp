// Whether errors have the distributions that their figures say. Every figure is held to four deviations of its own
// estimate: a right model fails one comparison in 16000, and the seeds are fixed. 10⁶ draws of each kind, 10⁷ with
// ESLABON_FULL_SWEEPS=1.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "eslabon/core/geometry/rotation.hpp"
#include "eslabon/sensing/allan.hpp"
#include "eslabon/sensing/sensor_error_model.hpp"

namespace eslabon::sensing {
namespace {

using core::Duration;
using core::Instant;
using model::SensorErrors;

constexpr double kDeviations = 4.0;

bool is_full_sweep() { return std::getenv("ESLABON_FULL_SWEEPS") != nullptr; }
int num_draws() { return is_full_sweep() ? 10'000'000 : 1'000'000; }
int num_allan_readings() { return is_full_sweep() ? 10'000'000 : 2'000'000; }

/// Sums of x, x², x³, x⁴.
struct Moments {
  double sums[4] = {};
  double count = 0.0;
  void add(double x) {
    double power = 1.0;
    for (double& sum : sums) sum += power *= x;
    count += 1.0;
  }
};

/// What the moments of a distribution are, and the variance that one draw gives each of their estimates.
struct Expected {
  double mean[4];
  double variance[4];
};

constexpr Expected kStandardNormal{{0.0, 1.0, 0.0, 3.0}, {1.0, 2.0, 15.0, 96.0}};
/// Uniform on ±½: E xⁿ = 2⁻ⁿ/(n + 1).
constexpr Expected kUniform{{0.0, 1.0 / 12.0, 0.0, 1.0 / 80.0},
                            {1.0 / 12.0, 1.0 / 80.0 - 1.0 / 144.0, 1.0 / 448.0, 1.0 / 2304.0 - 1.0 / 6400.0}};

void expect_moments(const Moments& found, const Expected& expected, const char* what) {
  for (int k = 0; k < 4; ++k) {
    const double off = found.sums[k] / found.count - expected.mean[k];
    const double deviation = std::sqrt(expected.variance[k] / found.count);
    EXPECT_LT(std::abs(off / deviation), kDeviations)
        << what << ", moment " << k + 1 << " of " << found.count << " draws";
  }
}

/// One reading of a perfect sensor that reads `truth` in nine channels, in the run `seed`.
void read_once(const SensorErrors& errors, double truth, std::uint64_t seed,
               const std::function<void(double)>& take) {
  SensorErrorModel model("s", {{errors, 9, false}}, seed);
  double values[9];
  for (double& value : values) value = truth;
  model.read(Instant(), values);
  for (const double value : values) take(value);
}

/// Readings of one channel whose truth is zero.
std::vector<double> series(const SensorErrors& errors, std::int64_t period_ns, int count,
                           std::string_view name = "s", std::uint64_t seed = 3) {
  SensorErrorModel model(name, {{errors, 1, false}}, seed);
  std::vector<double> all(static_cast<std::size_t>(count), 0.0);
  for (std::size_t k = 0; k < all.size(); ++k)
    model.read(Instant::at(Duration::from_nanoseconds(period_ns * static_cast<std::int64_t>(k))),
               {&all[k], 1});
  return all;
}

TEST(WhiteNoise, IsNormal) {
  const double sd = 0.2;
  Moments found;
  for (const double y : series({.noise = sd}, 10'000'000, num_draws())) found.add(y / sd);
  expect_moments(found, kStandardNormal, "noise");
}

TEST(TurnOnBias, IsNormalOverRuns) {
  Moments found;
  for (int run = 0; run < num_draws() / 9; ++run)
    read_once({.bias = 7.0, .turn_on_bias = 0.3}, 1.0, static_cast<std::uint64_t>(run),
              [&](double y) { found.add((y - 8.0) / 0.3); });
  expect_moments(found, kStandardNormal, "turn-on bias");
}

TEST(Scale, IsNormalOverRuns) {
  Moments found;
  for (int run = 0; run < num_draws() / 9; ++run)
    read_once({.scale = 0.01}, -5.0, static_cast<std::uint64_t>(run),
              [&](double y) { found.add((y / -5.0 - 1.0) / 0.01); });
  expect_moments(found, kStandardNormal, "scale");
}

TEST(Misalignment, HasThreeNormalAnglesOverRuns) {
  const double sd = 0.05;
  Moments found[3];
  for (int run = 0; run < num_draws() / 3; ++run) {
    SensorErrorModel model("s", {{{.misalignment = sd}, 3, true}}, static_cast<std::uint64_t>(run));
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 3; ++k) model.read(Instant(), {R.col(k).data(), 3});
    const Eigen::Vector3d phi = core::Rotation<double>::from_matrix(R).to_rotation_vector();
    for (int k = 0; k < 3; ++k) found[k].add(phi(k) / sd);
  }
  for (const Moments& angle : found) expect_moments(angle, kStandardNormal, "misalignment");
}

TEST(Drift, BeginsInItsStationaryDistribution) {
  Moments found;
  for (int run = 0; run < num_draws() / 9; ++run)
    read_once({.drift = 0.4, .drift_time = 30.0}, 0.0, static_cast<std::uint64_t>(run),
              [&](double y) { found.add(y / 0.4); });
  expect_moments(found, kStandardNormal, "start of the drift");
}

// Readings are correlated by ρ_v = φ^|v|. Hermite polynomials Heₙ of a normal process are correlated by φⁿ, so each of them has
// the variance n! (1 + φⁿ)/(1 − φⁿ)/N, and  x² = He₂ + 1,  x³ = He₃ + 3 He₁,  x⁴ = He₄ + 6 He₂ + 3  are sums of independent ones.
TEST(Drift, KeepsItsStationaryDistribution) {
  const double sd = 0.4, ratio = 0.1, phi = std::exp(-ratio);
  Moments found;
  for (const double y : series({.drift = sd, .drift_time = 0.01 / ratio}, 10'000'000, num_draws()))
    found.add(y / sd);
  const auto inflation = [&](int n) { return (1.0 + std::pow(phi, n)) / (1.0 - std::pow(phi, n)); };
  expect_moments(found,
                 {{0.0, 1.0, 0.0, 3.0},
                  {inflation(1), 2.0 * inflation(2), 6.0 * inflation(3) + 9.0 * inflation(1),
                   24.0 * inflation(4) + 72.0 * inflation(2)}},
                 "drift");
}

// Covariance at lag l: mean φ^l; N times the variance of its estimate is Σ_v (ρ_v² + ρ_{v+l} ρ_{v−l}) [Bartlett1946].
TEST(Drift, IsForgottenExponentially) {
  const double ratio = 0.1, phi = std::exp(-ratio);
  const std::vector<double> y = series({.drift = 1.0, .drift_time = 0.01 / ratio}, 10'000'000, num_draws());
  for (const int lag : {1, 3, 10, 20, 40}) {
    double sum = 0.0;
    const std::size_t count = y.size() - static_cast<std::size_t>(lag);
    for (std::size_t k = 0; k < count; ++k) sum += y[k] * y[k + static_cast<std::size_t>(lag)];
    double variance = 0.0;
    for (int v = -1000; v <= 1000; ++v)
      variance += std::pow(phi, 2 * std::abs(v)) + std::pow(phi, std::abs(v + lag) + std::abs(v - lag));
    const double n = static_cast<double>(count);
    EXPECT_LT(std::abs(sum / n - std::pow(phi, lag)), kDeviations * std::sqrt(variance / n)) << "lag " << lag;
  }
}

// The same process at instants that are far and near in turn: covariances follow the time, not the number of readings. Pairs of
// one kind are T = 1.4 τ apart; the sum of [Bartlett1946] is then  1 + c² + 4 Σ_{v≥1} e^(−2vT/τ).
TEST(Drift, DoesNotMindUnevenInstants) {
  const double near = 0.3, far = 1.1;
  SensorErrorModel model("s", {{{.drift = 1.0, .drift_time = 1.0}, 1, false}}, 8);
  double last = 0.0, t = 0.0, near_sum = 0.0, far_sum = 0.0;
  const int pairs = num_draws() / 2;
  model.read(Instant(), {&last, 1});
  for (int k = 0; k < pairs; ++k) {
    double a = 0.0, b = 0.0;
    model.read(Instant::from_seconds(t += near), {&a, 1});
    model.read(Instant::from_seconds(t += far), {&b, 1});
    near_sum += last * a;
    far_sum += a * b;
    last = b;
  }
  const double n = pairs, rho = std::exp(-2.0 * (near + far));
  for (const auto& [sum, ratio] : {std::pair{near_sum, near}, std::pair{far_sum, far}}) {
    const double c = std::exp(-ratio);
    const double deviation = std::sqrt((1.0 + c * c + 4.0 * rho / (1.0 - rho)) / n);
    EXPECT_LT(std::abs(sum / n - c), kDeviations * deviation) << ratio;
  }
}

TEST(Resolution, ErrsUniformlyByHalfAStep) {
  const double step = 2.0 * std::numbers::pi / 1024.0;
  SensorErrorModel model("s", {{{.resolution = step}, 1, false}}, 1);
  core::Rng truth(9);
  Moments found;
  for (int k = 0; k < num_draws(); ++k) {
    const double y = 40.0 * (truth.uniform() - 0.5);
    double reading = y;
    model.read(Instant(), {&reading, 1});
    ASSERT_LE(std::abs(reading - y), 0.5 * step * (1.0 + 1e-12));
    found.add((reading - y) / step);
  }
  expect_moments(found, kUniform, "resolution");
}

/// Largest |correlation| of two different series, in deviations of its estimate.
double largest_correlation(const std::vector<std::vector<double>>& all) {
  double largest = 0.0;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double sum = 0.0;
      for (std::size_t k = 0; k < all[a].size(); ++k) sum += all[a][k] * all[b][k];
      largest = std::max(largest, std::abs(sum) / std::sqrt(static_cast<double>(all[a].size())));
    }
  return largest;
}

// 45 and 28 pairs; the largest of so many passes four deviations in 1 of 300 cases.
TEST(Channels, AreIndependent) {
  std::vector<std::vector<double>> channels(9);
  SensorErrorModel model("imu", {{{.noise = 1.0}, 9, false}}, 4);
  const int count = num_draws() / 2;
  for (int k = 0; k < count; ++k) {
    double values[9] = {};
    model.read(Instant::from_seconds(0.01 * k), values);
    for (std::size_t c = 0; c < 9; ++c) channels[c].push_back(values[c]);
  }
  channels.push_back(series({.noise = 1.0}, 10'000'000, count, "imv", 4));
  EXPECT_LT(largest_correlation(channels), kDeviations);
}

TEST(Runs, SensorsAndKindsOfDrawsAreIndependent) {
  std::vector<std::vector<double>> all;
  const int count = num_draws() / 2;
  for (const std::uint64_t seed : {1u, 2u, 3u})
    all.push_back(series({.noise = 1.0}, 10'000'000, count, "a", seed));
  for (const char* name : {"b", "a1", "a2"})
    all.push_back(series({.noise = 1.0}, 10'000'000, count, name, 1));
  // A drift that forgets at once is white: its draws against those of the noise.
  all.push_back(series({.drift = 1.0, .drift_time = 1e-6}, 10'000'000, count, "a", 1));
  all.push_back(series({.drift = 1.0, .drift_time = 1e-6}, 10'000'000, count, "b", 1));
  EXPECT_LT(largest_correlation(all), kDeviations);
}

// Turn-on bias, scale and misalignment of three channels: 36 pairs. The same run gives each of them by itself what it gives it beside
// the others (sensor_error_model_test).
TEST(Constants, OfOneRunAreIndependent) {
  std::vector<std::vector<double>> all(9);
  for (int run = 0; run < num_draws() / 10; ++run) {
    const auto model = [&](const SensorErrors& errors) {
      return SensorErrorModel("s", {{errors, 3, true}}, static_cast<std::uint64_t>(run));
    };
    double biases[3] = {}, gains[3] = {1.0, 1.0, 1.0};
    model({.turn_on_bias = 1.0}).read(Instant(), biases);
    model({.scale = 1.0}).read(Instant(), gains);
    SensorErrorModel askew = model({.misalignment = 0.01});
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 3; ++k) askew.read(Instant(), {R.col(k).data(), 3});
    const Eigen::Vector3d phi = core::Rotation<double>::from_matrix(R).to_rotation_vector() / 0.01;
    for (std::size_t k = 0; k < 3; ++k) {
      all[k].push_back(biases[k]);
      all[3 + k].push_back(gains[k] - 1.0);
      all[6 + k].push_back(phi(static_cast<Eigen::Index>(k)));
    }
  }
  EXPECT_LT(largest_correlation(all), kDeviations);
}

// Weights of a white source in the second difference x_{k+2m} − 2 x_{k+m} + x_k.
using Weights = std::vector<double>;
Weights of_white_noise(std::size_t m) {
  Weights w(2 * m, -1.0);
  std::fill(w.begin() + static_cast<std::ptrdiff_t>(m), w.end(), 1.0);
  return w;
}
Weights of_random_walk(std::size_t m) {
  Weights w = of_white_noise(m);
  std::partial_sum(w.begin(), w.end(), w.begin());
  return w;
}
Weights of_rounding(std::size_t m) {
  Weights w(2 * m + 1, 0.0);
  w[0] = w[2 * m] = 1.0;
  w[m] = -2.0;
  return w;
}

/// Relative deviation of the estimate of σ: with ρ_j the autocorrelation of the second differences, which the weights tell, the mean
/// of n squares of them has the relative variance  (2/n) Σ_j ρ_j²  if they are normal, and σ half of its deviation.
double deviation_of_estimate(const Weights& w, std::size_t terms) {
  const double square = std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  double sum = 1.0;
  for (std::size_t j = 1; j < w.size(); ++j) {
    const double rho =
        std::inner_product(w.begin() + static_cast<std::ptrdiff_t>(j), w.end(), w.begin(), 0.0) / square;
    sum += 2.0 * rho * rho;
  }
  return 0.5 * std::sqrt(2.0 * sum / static_cast<double>(terms));
}

/// Slope to 0.05, and the level of every point to four deviations of its estimate.
void expect_allan(const std::vector<AllanPoint>& points, double slope,
                  const std::function<double(const AllanPoint&)>& level, Weights (*weights)(std::size_t)) {
  for (const AllanPoint& point : points)
    EXPECT_NEAR(point.deviation / level(point), 1.0,
                kDeviations * deviation_of_estimate(weights(point.cluster), point.terms))
        << "clusters of " << point.cluster;
  const double found = log_log_slope(points);
  ::testing::Test::RecordProperty("slope", std::to_string(found));
  EXPECT_NEAR(found, slope, 0.05);
}

// White noise:  σ(τ) = noise/√m.
TEST(AllanSlope, OfWhiteNoiseIsMinusOneHalf) {
  const auto points =
      allan_deviation(series({.noise = 0.3}, 10'000'000, num_allan_readings()), 0.01, octaves(1024));
  expect_allan(
      points, -0.5, [](const AllanPoint& p) { return 0.3 / std::sqrt(static_cast<double>(p.cluster)); },
      &of_white_noise);
}

// Far below its correlation time the drift is a random walk of q = 2 drift²/drift_time:  σ² = q τ (2m² + 1)/(6m²), which has
// slope ½ once m is more than a few.
TEST(AllanSlope, OfDriftIsOneHalfBelowItsTime) {
  const double sd = 0.4, time = 1e5;
  const std::vector<std::size_t> clusters{4, 8, 16, 32, 64, 128, 256, 512, 1024};
  const auto points = allan_deviation(
      series({.drift = sd, .drift_time = time}, 10'000'000, num_allan_readings()), 0.01, clusters);
  const auto level = [&](const AllanPoint& p) {
    const double m = static_cast<double>(p.cluster);
    return std::sqrt(2.0 * sd * sd / time * p.tau * (2.0 * m * m + 1.0) / (6.0 * m * m));
  };
  expect_allan(points, 0.5, level, &of_random_walk);
}

// An encoder gives the integral of a rate. Its rounding errors, independent, make  σ² = 3 (step²/12)/τ²  in the rate.
TEST(AllanSlope, OfAnEncoderIsMinusOne) {
  const double step = 0.01;
  SensorErrorModel model("s", {{{.resolution = step}, 1, false}}, 1);
  core::Rng truth(10);
  std::vector<double> errors;
  for (int k = 0; k <= num_allan_readings(); ++k) {
    const double y = 100.0 * truth.uniform();
    double reading = y;
    model.read(Instant(), {&reading, 1});
    errors.push_back(reading - y);
  }
  expect_allan(
      allan_deviation_of_integral(errors, 0.01, octaves(1024)), -1.0,
      [&](const AllanPoint& p) { return 0.5 * step / p.tau; }, &of_rounding);
}

}  // namespace
}  // namespace eslabon::sensing
