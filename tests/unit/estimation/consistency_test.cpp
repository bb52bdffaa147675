#include "eslabon/estimation/consistency.hpp"

#include <cmath>
#include <limits>

#include "tests/linear_system.hpp"
#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/estimation/chi_square.hpp"
#include "eslabon/estimation/latency_histogram.hpp"

namespace eslabon::estimation {
namespace {

struct Known {
  double x, degrees, p;
};

// analytic: one degree is the square of a normal number, two an exponential one, an even number a sum of Poisson's.
TEST(ChiSquare, HasItsClosedForms) {
  for (double x : {1e-8, 0.01, 0.5, 1.0, 3.0, 10.0, 40.0}) {
    EXPECT_NEAR(chi_square_cdf(x, 1.0), std::erf(std::sqrt(0.5 * x)), 1e-13) << x;
    EXPECT_NEAR(chi_square_cdf(x, 2.0), -std::expm1(-0.5 * x), 1e-13) << x;
    for (int half : {2, 5, 20, 40}) {
      double term = 1.0, sum = 1.0;
      for (int k = 1; k < half; ++k) sum += term *= 0.5 * x / k;
      EXPECT_NEAR(chi_square_cdf(x, 2.0 * half), 1.0 - std::exp(-0.5 * x) * sum, 1e-13) << x << " " << half;
    }
  }
}

// reference: even degrees by the sum in 60 decimal digits, the others by mpmath's gammainc in 40.
TEST(ChiSquare, HasTheProbabilitiesOfLongArithmetic) {
  for (const Known& known :
       {Known{420.0, 400.0, 0.76396967450115385408}, Known{380.0, 400.0, 0.24334742710062380421},
        Known{0.5, 4.0, 0.02649902116074391469}, Known{40200.0, 40000.0, 0.76061670556141764814},
        Known{60.0, 20.0, 0.99999287824913718442}, Known{0.01, 1.0, 0.07965567455405796293},
        Known{3.7, 3.0, 0.70426596762472410930}, Known{250.0, 201.0, 0.98933614086124809110},
        Known{0.3, 0.5, 0.66682819768464336469}, Known{12345.0, 12001.0, 0.98623231212548022662}})
    EXPECT_NEAR(chi_square_cdf(known.x, known.degrees), known.p, 1e-12) << known.x << " " << known.degrees;
}

// reference: likewise.
TEST(ChiSquare, HasTheQuantilesOfLongArithmetic) {
  for (const Known& known :
       {Known{5.99146454710798198687, 2.0, 0.95}, Known{18.3070380532751468718, 10.0, 0.95},
        Known{20.4831773508073965521, 10.0, 0.975}, Known{3.24697278023684107615, 10.0, 0.025},
        Known{124.342113404004081725, 100.0, 0.95}, Known{346.481765362914644347, 400.0, 0.025},
        Known{457.305481966064987053, 400.0, 0.975}, Known{3826.59741925126101084, 4000.0, 0.025},
        Known{38.2583363772096862921, 6.0, 0.999999}, Known{3.8414588206941259584, 1.0, 0.95},
        Known{11.344866730144371931, 3.0, 0.99}, Known{24.321886347856855352, 7.0, 0.999},
        Known{0.00098206911717525591234, 1.0, 0.025}, Known{4.3514601910955273172, 5.0, 0.5},
        Known{242.15586348038528151, 201.0, 0.975}, Known{0.00024181048720124282695, 3.0, 1e-6}})
    EXPECT_NEAR(chi_square_quantile(known.p, known.degrees) / known.x, 1.0, 1e-10) << known.x;
  EXPECT_EQ(chi_square_quantile(0.0, 3.0), 0.0);
}

// invariant: the quantile is the inverse, over fourteen orders of degrees and probability.
TEST(ChiSquare, QuantilesAreTheInverse) {
  for (double degrees : {0.1, 1.0, 2.0, 3.0, 17.0, 1000.0, 12345.0, 1e6})
    for (double p : {1e-9, 1e-3, 0.3, 0.5, 0.9, 0.999999}) {
      const double x = chi_square_quantile(p, degrees);
      EXPECT_NEAR(chi_square_cdf(x, degrees), p, 1e-12 + 1e-10 * p) << degrees << " " << p;
    }
}

TEST(ChiSquare, RefusesWhatHasNoProbability) {
  EXPECT_EQ(test::sentence_of<core::ContractError>([] { (void)chi_square_cdf(1.0, 0.0); }),
            "no degrees of freedom [chi-square distribution]: expected a positive number, got 0. Give "
            "another value.");
  EXPECT_EQ(test::sentence_of<core::ContractError>([] { (void)chi_square_quantile(1.0, 2.0); }),
            "no probability [chi-square distribution]: expected 0 ≤ p < 1, got 1. Give another value.");
  EXPECT_EQ(chi_square_cdf(-1.0, 2.0), 0.0);
  EXPECT_EQ(chi_square_cdf(std::numeric_limits<double>::infinity(), 2.0), 1.0);
}

TEST(MeanBand, HasTheQuantilesOfTheSum) {
  const Band band = mean_band(2, 200);
  EXPECT_NEAR(band.low, 346.481765362914644347 / 200.0, 1e-10);
  EXPECT_NEAR(band.high, 457.305481966064987053 / 200.0, 1e-10);
  EXPECT_TRUE(band.contains(2.0));
  EXPECT_FALSE(band.contains(1.7));
}

// analytic: with P = A Aᵀ and e = A u the square is |u|².
TEST(ErrorSquare, IsTheLengthInUnitsOfTheDeviations) {
  core::Rng rng(5);
  ErrorSquare square(4);
  for (int k = 0; k < 20; ++k) {
    const Eigen::MatrixXd A = test::normal_matrix(rng, 4, 4);
    const Eigen::VectorXd u = test::normal_matrix(rng, 4, 1);
    const Eigen::MatrixXd P = A * A.transpose();
    const auto value = square.evaluate(A * u, P);
    ASSERT_TRUE(value.has_value());
    EXPECT_NEAR(*value / u.squaredNorm(), 1.0, test::solve_tolerance(P));
  }
  EXPECT_EQ(square.evaluate(Eigen::VectorXd::Ones(4), Eigen::MatrixXd::Zero(4, 4)), std::nullopt);
  EXPECT_EQ(square.evaluate(Eigen::VectorXd::Constant(4, std::nan("")), Eigen::MatrixXd::Identity(4, 4)),
            std::nullopt);
}

TEST(RunningMean, IsMeanAndDeviationOfAll) {
  RunningMean running;
  EXPECT_EQ(running.mean(), 0.0);
  EXPECT_EQ(running.deviation(), 0.0);
  for (double x : {1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0, 1e9 + 6.0}) running.add(x);
  EXPECT_EQ(running.count(), 4);
  EXPECT_NEAR(running.mean(), 1e9 + 3.0, 1e-6);
  EXPECT_NEAR(running.deviation(), std::sqrt(14.0 / 3.0), 1e-6);
}

// statistical: true chi-square numbers lie in their band at 95 % of the steps: of 400, outside by binomial chance 20 ± 4.4; five sigmas.
// Numbers of a tenth more do not.
TEST(MonteCarloNees, TellsRightFromWrongCovariances) {
  MonteCarloNees right(3, 400), wrong(3, 400);
  core::Rng rng(21);
  for (int run = 0; run < 300; ++run)
    for (int step = 0; step < 400; ++step) {
      double nees = 0.0;
      for (int k = 0; k < 3; ++k) nees += std::pow(rng.normal(), 2);
      right.add(step, nees);
      wrong.add(step, 1.3 * nees);
    }
  EXPECT_NEAR(right.fraction_inside(), 0.95, 5.0 * std::sqrt(0.95 * 0.05 / 400.0));
  EXPECT_LE(wrong.fraction_inside(), 0.1);
  EXPECT_NEAR(right.mean(7), 3.0, 5.0 * std::sqrt(6.0 / 300.0));
}

core::Duration ns(std::int64_t n) { return core::Duration::from_nanoseconds(n); }

// analytic: the numbers 1 … N have known quantiles; a bin is 1/32 of its time.
TEST(LatencyHistogram, QuantilesAreWithinABin) {
  LatencyHistogram histogram;
  constexpr std::int64_t kAll = 200'000;
  for (std::int64_t k = kAll; k >= 1; --k) histogram.add(ns(k));
  EXPECT_EQ(histogram.count(), static_cast<std::uint64_t>(kAll));
  EXPECT_EQ(histogram.least(), ns(1));
  EXPECT_EQ(histogram.largest(), ns(kAll));
  EXPECT_NEAR(histogram.mean(), 1e-9 * 100'000.5, 1e-15);
  for (double p : {0.0001, 0.01, 0.5, 0.9, 0.99, 0.999}) {
    const double exact = p * static_cast<double>(kAll);
    const auto found = static_cast<double>(histogram.quantile(p).nanoseconds());
    EXPECT_GE(found, exact);
    EXPECT_LE(found, exact * (1.0 + 1.0 / 32.0)) << p;
  }
  EXPECT_EQ(histogram.quantile(1.0), ns(kAll));
  EXPECT_EQ(histogram.quantile(0.0), ns(1));
}

// invariant: at every edge of the bins, and beyond them.
TEST(LatencyHistogram, PutsEveryTimeIntoABinThatIsNotTooLow) {
  for (int bit = 0; bit < 62; ++bit)
    for (std::int64_t offset : {-1, 0, 1}) {
      const std::int64_t time = std::max<std::int64_t>((std::int64_t{1} << bit) + offset, 0);
      LatencyHistogram histogram;
      histogram.add(ns(time));
      histogram.add(ns(std::int64_t{1} << 62));
      EXPECT_GE(histogram.quantile(0.5).nanoseconds(), time);
      if (bit < 39) {
        EXPECT_LE(static_cast<double>(histogram.quantile(0.5).nanoseconds()),
                  static_cast<double>(time) * (1.0 + 1.0 / 32.0));
      }
    }
}

TEST(LatencyHistogram, AddsUpAndForgets) {
  LatencyHistogram a, b;
  EXPECT_EQ(a.quantile(0.5), ns(0));
  EXPECT_EQ(a.text(), "");
  a.add(ns(100));
  b.add(ns(10));
  b.add(ns(-5));
  a.add(b);
  a.add(LatencyHistogram());
  EXPECT_EQ(a.count(), 3u);
  EXPECT_EQ(a.least(), ns(0));
  EXPECT_EQ(a.quantile(0.5), ns(10));
  EXPECT_EQ(a.largest(), ns(100));
  a.clear();
  EXPECT_EQ(a.count(), 0u);
}

// analytic: of the numbers 1 … N a bar has as many as it is wide.
TEST(LatencyHistogram, HasBarsThatCountWhatTheyAreWide) {
  LatencyHistogram histogram;
  EXPECT_TRUE(histogram.bars().edges.empty());
  constexpr std::int64_t kFirst = 20, kLast = 40'959;
  for (std::int64_t k = kFirst; k <= kLast; ++k) histogram.add(ns(k));
  const LatencyHistogram::Bars bars = histogram.bars();
  ASSERT_EQ(bars.edges.size(), bars.counts.size() + 1);
  EXPECT_NEAR(bars.edges.front(), 16e-9, 1e-20);
  EXPECT_NEAR(bars.edges.back(), 40'960e-9, 1e-15);
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < bars.counts.size(); ++k) {
    sum += bars.counts[k];
    EXPECT_NEAR(1e9 * (bars.edges[k + 1] - std::max(bars.edges[k], 1e-9 * kFirst)),
                static_cast<double>(bars.counts[k]), 1e-6);
    if (bars.edges[k] >= 32e-9) {
      EXPECT_LE(bars.edges[k + 1] / bars.edges[k], 1.2500001);
    }
  }
  EXPECT_EQ(sum, histogram.count());
}

// golden
TEST(LatencyHistogram, PrintsBars) {
  LatencyHistogram histogram;
  for (int k = 0; k < 30; ++k) histogram.add(ns(4200));
  for (int k = 0; k < 10; ++k) histogram.add(ns(7000));
  EXPECT_EQ(histogram.brief(), "p50 4.22 µs  p99 7 µs  p99.9 7 µs  max 7 µs  (40)");
  EXPECT_EQ(histogram.text(6),
            "   4.1 µs …   6.14 µs  ██████ 75 %\n"
            "  6.14 µs …   8.19 µs  ██ 25 %\n");
}

}  // namespace
}  // namespace eslabon::estimation
