#include "eslabon/estimation/particle/resampling.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::estimation {
namespace {

using Counts = std::vector<std::uint32_t>;

Counts draw(Resampling resampling, const std::vector<double>& weights, std::size_t total,
            std::uint64_t position, std::uint64_t seed = 3) {
  Counts counts(weights.size(), 77u);
  draw_offspring(resampling, weights, total, {.seed = seed, .kind = 9}, position, counts);
  return counts;
}

class Offspring : public testing::TestWithParam<Resampling> {};

// statistical: the mean of counts over 20 000 draws is M w/Σw within five deviations, which are those of the multinomial law at most.
TEST_P(Offspring, AreUnbiased) {
  const std::vector<double> weights = {0.3, 0.0, 2.0, 1e-3, 0.7, 1.0, 0.0, 0.25};
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  constexpr int kDraws = 20'000;
  for (std::size_t total : {1u, 8u, 13u}) {
    std::vector<double> mean(weights.size());
    for (int k = 0; k < kDraws; ++k) {
      const Counts counts = draw(GetParam(), weights, total, static_cast<std::uint64_t>(k));
      ASSERT_EQ(std::accumulate(counts.begin(), counts.end(), 0u), total);
      for (std::size_t i = 0; i < counts.size(); ++i) mean[i] += counts[i] / static_cast<double>(kDraws);
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double p = weights[i] / sum, expected = static_cast<double>(total) * p;
      EXPECT_NEAR(mean[i], expected, 5.0 * std::sqrt(expected * (1.0 - p) / kDraws)) << total << ' ' << i;
    }
  }
}

// analytic: variances of counts. Multinomial: M p (1 − p). Systematic and stratified counts are next to M p; residual ones at least its whole part.
TEST_P(Offspring, VaryAsTheirSchemeDoes) {
  core::Rng rng(4);
  std::vector<double> weights(50);
  for (double& w : weights) w = rng.uniform();
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  constexpr int kDraws = 5000;
  constexpr std::size_t kTotal = 200;
  double variance = 0.0, multinomial = 0.0;
  for (int k = 0; k < kDraws; ++k) {
    const Counts counts = draw(GetParam(), weights, kTotal, static_cast<std::uint64_t>(k));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double expected = kTotal * weights[i] / sum, count = counts[i];
      variance += (count - expected) * (count - expected) / kDraws;
      if (GetParam() == Resampling::kSystematic) {
        ASSERT_LT(std::abs(count - expected), 1.0);
      }
      if (GetParam() == Resampling::kStratified) {
        ASSERT_LT(std::abs(count - expected), 2.0);
      }
      if (GetParam() == Resampling::kResidual) {
        ASSERT_GE(count, std::floor(expected));
      }
    }
  }
  for (double w : weights) multinomial += kTotal * w / sum * (1.0 - w / sum);
  if (GetParam() == Resampling::kMultinomial)
    EXPECT_NEAR(variance / multinomial, 1.0, 0.03);
  else
    EXPECT_LT(variance, 0.5 * multinomial);
}

// contract: one weight takes all, equal weights one each (but for chance), nothing goes to those without weight, whatever their scale.
TEST_P(Offspring, GoToThoseWithWeight) {
  std::vector<double> weights(1000, 0.0);
  weights[531] = 1e-300;
  Counts counts = draw(GetParam(), weights, 1000, 1);
  EXPECT_EQ(counts[531], 1000u);
  std::fill(weights.begin(), weights.end(), 1e250);
  counts = draw(GetParam(), weights, 1000, 1);
  if (GetParam() != Resampling::kMultinomial && GetParam() != Resampling::kStratified) {
    EXPECT_EQ(counts, Counts(1000, 1u));
  }
  for (std::size_t i = 0; i < weights.size(); i += 2) weights[i] = 0.0;
  counts = draw(GetParam(), weights, 777, 1);
  for (std::size_t i = 0; i < weights.size(); i += 2) ASSERT_EQ(counts[i], 0u);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0u), 777u);
  EXPECT_EQ(counts, draw(GetParam(), weights, 777, 1));
  if (GetParam() != Resampling::kSystematic) {
    EXPECT_NE(counts, draw(GetParam(), weights, 777, 2));
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, Offspring,
                         testing::Values(Resampling::kMultinomial, Resampling::kResidual,
                                         Resampling::kStratified, Resampling::kSystematic),
                         [](const auto& scheme) { return test::test_name(std::string(name(scheme.param))); });

// invariant: each hypothesis has its count of copies afterwards, survivors are where they were, also when the number changes.
TEST(Moves, MakeTheCopiesInPlace) {
  core::Rng rng(5);
  core::WorkerPool one(1), three(3);
  for (int example = 0; example < 200; ++example) {
    const auto n = static_cast<std::size_t>(1 + rng.uniform_index(400)),
               total = static_cast<std::size_t>(1 + rng.uniform_index(400));
    std::vector<double> weights(n);
    for (double& w : weights) w = rng.uniform() < 0.5 ? 0.0 : std::exp(3.0 * rng.normal());
    weights[rng.uniform_index(n)] = 1.0;
    const Counts counts = draw(Resampling::kMultinomial, weights, total, static_cast<std::uint64_t>(example));
    const std::size_t slots = std::max(n, total);
    std::vector<double> numbers(2 * slots);
    for (std::size_t i = 0; i < n; ++i)
      numbers[i] = static_cast<double>(i), numbers[slots + i] = -static_cast<double>(i);
    const Lanes lanes{.base = numbers.data(), .stride = slots, .count = slots};
    std::vector<Move> moves(total);
    const std::size_t planned = plan_moves(counts, total, moves);
    apply_moves({moves.data(), planned}, 2, lanes, example % 2 == 0 ? one : three);
    Counts found(n, 0u);
    for (std::size_t slot = 0; slot < total; ++slot) {
      ASSERT_EQ(numbers[slot], -numbers[slots + slot]);
      ++found[static_cast<std::size_t>(numbers[slot])];
      if (slot < n && counts[slot] > 0) {
        ASSERT_EQ(numbers[slot], static_cast<double>(slot));
      }
    }
    ASSERT_EQ(found, counts);
  }
}

}  // namespace
}  // namespace eslabon::estimation
