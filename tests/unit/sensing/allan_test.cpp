#include "eslabon/sensing/allan.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::sensing {
namespace {

using Clusters = std::vector<std::size_t>;

/// Means of clusters, one by one, as the definition says: no sums that are shared.
double direct_deviation(const std::vector<double>& y, std::size_t m) {
  const auto mean = [&](std::size_t first) {
    double sum = 0.0;
    for (std::size_t i = 0; i < m; ++i) sum += y[first + i];
    return sum / static_cast<double>(m);
  };
  double sum = 0.0;
  std::size_t terms = 0;
  for (std::size_t k = 0; k + 2 * m <= y.size(); ++k, ++terms) {
    const double difference = mean(k + m) - mean(k);
    sum += difference * difference;
  }
  return std::sqrt(sum / (2.0 * static_cast<double>(terms)));
}

// reference: the set of 1000 numbers of [Riley2008, Table 31], made by a linear congruence; seven digits are published.
TEST(AllanDeviation, GivesThePublishedFigures) {
  std::vector<double> y;
  std::uint64_t n = 1234567890;
  for (int k = 0; k < 1000; ++k, n = 16807 * n % 2147483647)
    y.push_back(static_cast<double>(n) / 2147483647.0);
  const std::vector<AllanPoint> points = allan_deviation(y, 1.0, Clusters{1, 10, 100});
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[0].deviation, 2.922319e-01, 5e-8);
  EXPECT_NEAR(points[1].deviation, 9.159953e-02, 5e-9);
  EXPECT_NEAR(points[2].deviation, 3.241343e-02, 5e-9);
  EXPECT_EQ(points[1].terms, 981u);
  EXPECT_EQ(points[2].tau, 100.0);
}

// crosscheck: both sides average the same numbers, in another order; 1e-12 is far above what order costs.
TEST(AllanDeviation, IsTheDifferenceOfMeansOfClusters) {
  core::Rng rng(1);
  std::vector<double> y;
  for (int k = 0; k < 300; ++k) y.push_back(1000.0 + rng.normal());
  for (const AllanPoint& point : allan_deviation(y, 0.01, Clusters{1, 2, 3, 17, 64, 150}))
    EXPECT_NEAR(point.deviation, direct_deviation(y, point.cluster), 1e-12) << point.cluster;
}

// analytic: the means of neighbouring clusters of y = a t differ by a τ.
TEST(AllanDeviation, OfARampIsTauOverRootTwo) {
  const double a = 0.3, period = 0.25;
  std::vector<double> y;
  for (int k = 0; k < 2000; ++k) y.push_back(5.0 + a * period * k);
  const std::vector<AllanPoint> points = allan_deviation(y, period, octaves(1000));
  for (const AllanPoint& point : points)
    EXPECT_NEAR(point.deviation / (a * point.tau), std::numbers::sqrt2 / 2.0, 1e-9) << point.cluster;
  EXPECT_NEAR(log_log_slope(points), 1.0, 1e-9);
}

// analytic: x alternates between ±1, so  x_{k+2} − 2 x_{k+1} + x_k = ±4  and those of even clusters vanish.
TEST(AllanDeviation, OfAnAlternatingIntegralVanishesInEvenClusters) {
  std::vector<double> x;
  for (int k = 0; k < 101; ++k) x.push_back(k % 2 == 0 ? 1.0 : -1.0);
  const std::vector<AllanPoint> points = allan_deviation_of_integral(x, 0.5, Clusters{1, 2, 3});
  EXPECT_DOUBLE_EQ(points[0].deviation, 4.0 / (std::numbers::sqrt2 * 0.5));
  EXPECT_EQ(points[1].deviation, 0.0);
  EXPECT_DOUBLE_EQ(points[2].deviation, 4.0 / (std::numbers::sqrt2 * 1.5));
}

TEST(LogLogSlope, OfAPowerIsItsExponent) {
  std::vector<AllanPoint> points;
  for (const std::size_t m : octaves(1024))
    points.push_back(
        {m, 0.1 * static_cast<double>(m), 3.0 * std::pow(0.1 * static_cast<double>(m), -0.7), 1});
  EXPECT_NEAR(log_log_slope(points), -0.7, 1e-12);
}

// By hand: weights 1, 1/2, 1/4 at x = 0, 1, 2 and y = 0, 0, 1 (times log 2) have slope 5/13.
TEST(LogLogSlope, WeighsPointsByTheirPrecision) {
  const std::vector<AllanPoint> points{{1, 1.0, 1.0, 1}, {2, 2.0, 1.0, 1}, {4, 4.0, 2.0, 1}};
  EXPECT_NEAR(log_log_slope(points), 5.0 / 13.0, 1e-15);
}

TEST(Octaves, EndAtTheLargest) {
  EXPECT_THAT(octaves(1), testing::ElementsAre(1));
  EXPECT_THAT(octaves(8), testing::ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(octaves(15), testing::ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(octaves(0), testing::IsEmpty());
}

TEST(AllanDeviation, NeedsReadingsForTwoClusters) {
  const std::vector<double> y(10, 1.0);
  EXPECT_NO_THROW(static_cast<void>(allan_deviation(y, 1.0, Clusters{5})));
  EXPECT_THROW(static_cast<void>(allan_deviation(y, 1.0, Clusters{6})), core::ContractError);
  EXPECT_THROW(static_cast<void>(allan_deviation(y, 1.0, Clusters{0})), core::ContractError);
  EXPECT_THROW(static_cast<void>(allan_deviation(y, 0.0, Clusters{1})), core::ContractError);
  EXPECT_THROW(static_cast<void>(allan_deviation_of_integral({}, 1.0, Clusters{1})), core::ContractError);
  const std::vector<AllanPoint> none = allan_deviation(y, 1.0, Clusters{1, 2});
  EXPECT_THROW(static_cast<void>(log_log_slope(none)), core::ContractError) << "a constant has no logarithm";
  EXPECT_THROW(static_cast<void>(log_log_slope({})), core::ContractError);
}

}  // namespace
}  // namespace eslabon::sensing
