#include "eslabon/study/wilson_interval.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace eslabon::study {
namespace {

// reference: Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I, method 3.
TEST(WilsonInterval, IsThatOfThePublishedTable) {
  struct Row {
    std::size_t k, n;
    double low, high;
  };
  for (const Row& row : std::array{Row{81, 263, 0.2553, 0.3662}, Row{15, 148, 0.0624, 0.1605},
                                   Row{0, 20, 0.0000, 0.1611}, Row{1, 29, 0.0061, 0.1718}}) {
    const Interval found = wilson_interval(row.k, row.n);
    EXPECT_NEAR(found.low, row.low, 0.5e-4) << row.k << "/" << row.n;
    EXPECT_NEAR(found.high, row.high, 0.5e-4) << row.k << "/" << row.n;
  }
}

// analytic: its ends are where the inequality (1) it solves becomes an equation.
TEST(WilsonInterval, HasEndsAsFarFromTheRateAsTheirOwnDeviationAllows) {
  for (const std::size_t n : {1u, 2u, 7u, 100u, 100000u})
    for (std::size_t k = 0; k <= n; k += 1 + n / 13) {
      const Interval found = wilson_interval(k, n);
      const double count = static_cast<double>(n), rate = static_cast<double>(k) / count;
      EXPECT_LE(found.low, rate);
      EXPECT_GE(found.high, rate);
      for (const double p : {found.low, found.high}) {
        if ((p == 0.0 && k == 0) || (p == 1.0 && k == n)) continue;
        EXPECT_NEAR(std::abs(rate - p), kNormal95 * std::sqrt(p * (1.0 - p) / count),
                    64.0 * std::numeric_limits<double>::epsilon())
            << k << "/" << n;
      }
    }
}

// analytic: what covers the truth, summed over the exact binomial distribution, without a generator.
TEST(WilsonInterval, CoversTheTruthNinetyFiveTimesInAHundred_OnAverage) {
  constexpr int kTries = 100, kRates = 400;
  double mean = 0.0;
  for (int r = 0; r < kRates; ++r) {
    const double p = (r + 0.5) / kRates;
    for (int k = 0; k <= kTries; ++k) {
      const Interval found = wilson_interval(static_cast<std::size_t>(k), kTries);
      if (p < found.low || p > found.high) continue;
      mean += std::exp(std::lgamma(kTries + 1.0) - std::lgamma(k + 1.0) - std::lgamma(kTries - k + 1.0) +
                       k * std::log(p) + (kTries - k) * std::log1p(-p)) /
              kRates;
    }
  }
  EXPECT_NEAR(mean, 0.95, 0.003);  // Wilson's is known to be about 0.001 above at 100 tries
}

TEST(WilsonInterval, KnowsNothing_WithoutTries) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0.0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1.0);
  EXPECT_EQ(wilson_interval(5, 5).high, 1.0);
  EXPECT_LT(wilson_interval(5, 5).low, 1.0);
}

}  // namespace
}  // namespace eslabon::study
