#include "eslabon/core/random/rng.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <thread>
#include <vector>

#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

using ::testing::ElementsAre;

// reference: the known answers that the authors of Philox publish with Random123 (kat_vectors,
// philox4x32-10).
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_THAT(philox4x32({0, 0, 0, 0}, {0, 0}),
              ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
  const std::uint32_t ones = 0xffffffffu;
  EXPECT_THAT(philox4x32({ones, ones, ones, ones}, {ones, ones}),
              ElementsAre(0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu));
  EXPECT_THAT(philox4x32({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
              ElementsAre(0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

// Ties the class to the function: which words of which counter a draw is made of.
TEST(Rng, DrawsAreTheWordsOfThePhiloxBlocksOfItsStream) {
  const std::uint64_t seed = 0x0123456789abcdefu, stream = 0xfedcba9876543210u;
  Rng rng(seed, stream);
  rng.jump_to(2u * 0x300000007u);
  const auto block = philox4x32({0x7u, 0x3u, 0x76543210u, 0xfedcba98u}, {0x89abcdefu, 0x01234567u});
  EXPECT_EQ(rng.bits(), (std::uint64_t{block[1]} << 32) | block[0]);
  EXPECT_EQ(rng.bits(), (std::uint64_t{block[3]} << 32) | block[2]);
  EXPECT_EQ(rng.position(), 2u * 0x300000007u + 2u);
}

TEST(OpenUnit, NeverReachesZeroOrOne) {
  const double least = open_unit(0), most = open_unit(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(least, 0x1.0p-53);
  EXPECT_EQ(most, 1.0 - 0x1.0p-53);
  EXPECT_LT(most, 1.0);
}

TEST(OpenUnit, IsSymmetricAboutOneHalf) {
  for (std::uint64_t bits : {0x0u, 0x12345678u, 0xdeadbeefu}) {
    EXPECT_EQ(open_unit(bits << 32) + open_unit(~(bits << 32)), 1.0);
  }
}

TEST(Rng, JumpToGivesTheSameDrawsAsWalkingThere) {
  Rng walking(42);
  std::vector<std::uint64_t> draws;
  for (int k = 0; k < 9; ++k) draws.push_back(walking.bits());
  for (std::uint64_t k : {8u, 3u, 0u, 5u, 4u}) {
    Rng jumping(42);
    jumping.jump_to(k);
    EXPECT_EQ(jumping.position(), k);
    EXPECT_EQ(jumping.bits(), draws[k]) << "draw " << k;
  }
}

TEST(Rng, JumpForgetsTheKeptNormal) {
  Rng rng(42);
  const double first = rng.normal();
  rng.jump_to(0);
  EXPECT_EQ(rng.normal(), first);
}

TEST(Rng, NormalsAreBoxAndMullersPairOfTwoUniforms) {
  Rng rng(7, 3), uniforms(7, 3);
  const double u1 = uniforms.uniform(), u2 = uniforms.uniform();
  const double n1 = rng.normal(), n2 = rng.normal();
  EXPECT_LE(std::abs(n1 * n1 + n2 * n2 + 2.0 * std::log(u1)), test::roundoff(16, 2.0 * std::log(u1)));
  EXPECT_LE(
      std::abs(std::atan2(n2, n1) - std::remainder(2.0 * std::numbers::pi * u2, 2.0 * std::numbers::pi)),
      test::roundoff(16, 2.0 * std::numbers::pi));
}

// statistical: sample mean of uniform^k (mean 1/(k+1)) and of normal^k (moments 0, 1, 0, 3), each within five
// standard deviations of the mean. False alarm 5.7e-7 each, eight of them 4.6e-6 for a random seed.
TEST(RngMoments, OfTheUniformLaw) {
  constexpr int kSamples = 400000;
  Rng rng(20240607);
  double sum[5] = {};
  for (int i = 0; i < kSamples; ++i) {
    const double u = rng.uniform();
    for (int k = 1; k <= 4; ++k) sum[k] += std::pow(u, k);
  }
  for (int k = 1; k <= 4; ++k) {
    const double mean = 1.0 / (k + 1), variance = 1.0 / (2 * k + 1) - mean * mean;
    EXPECT_LE(std::abs(sum[k] / kSamples - mean), test::mean_tolerance(5.0, variance, kSamples))
        << "power " << k;
  }
}

TEST(RngMoments, OfTheNormalLaw) {
  constexpr int kSamples = 400000;
  const double moment[] = {1, 0, 1, 0, 3, 0, 15, 0, 105};
  Rng rng(20240608);
  double sum[5] = {};
  for (int i = 0; i < kSamples; ++i) {
    const double n = rng.normal();
    for (int k = 1; k <= 4; ++k) sum[k] += std::pow(n, k);
  }
  for (int k = 1; k <= 4; ++k) {
    const double variance = moment[2 * k] - moment[k] * moment[k];
    EXPECT_LE(std::abs(sum[k] / kSamples - moment[k]), test::mean_tolerance(5.0, variance, kSamples))
        << "power " << k;
  }
}

// statistical: the two normals of a pair, and neighbouring streams, have correlation 0; the product of two
// independent standard normals has variance 1. Five sigmas: false alarm 5.7e-7 each.
TEST(RngMoments, NormalsOfOnePairAndOfNeighbouringStreamsAreUncorrelated) {
  constexpr int kSamples = 100000;
  double in_pair = 0.0, across = 0.0;
  const Rng root(5);
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    Rng here = root.stream(i), next = root.stream(i + 1);
    const double n1 = here.normal(), n2 = here.normal();
    in_pair += n1 * n2;
    across += n1 * next.normal();
  }
  EXPECT_LE(std::abs(in_pair / kSamples), test::mean_tolerance(5.0, 1.0, kSamples));
  EXPECT_LE(std::abs(across / kSamples), test::mean_tolerance(5.0, 1.0, kSamples));
}

// statistical: the largest gap between the empirical and the normal distribution, Kolmogorov–Smirnov with the
// bound of Dvoretzky, Kiefer, Wolfowitz and Massart: P(gap > t) ≤ 2 exp(−2 N t²). 1e-6 gives t =
// √(log(2e6)/2N).
TEST(Rng, NormalsFollowTheNormalDistributionFunction) {
  constexpr std::size_t kSamples = 100000;
  Rng rng(99);
  std::vector<double> x(kSamples);
  for (double& value : x) value = rng.normal();
  std::sort(x.begin(), x.end());
  double gap = 0.0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double expected = 0.5 * std::erfc(-x[i] / std::numbers::sqrt2);
    gap = std::max({gap, std::abs(expected - static_cast<double>(i) / kSamples),
                    std::abs(expected - static_cast<double>(i + 1) / kSamples)});
  }
  EXPECT_LE(gap, test::tolerance_scale() * std::sqrt(std::log(2e6) / (2.0 * kSamples)));
}

// statistical: counts of each alternative are binomial(N, 1/n); five sigmas, false alarm 5.7e-7 each, 7 of
// them.
TEST(Rng, UniformIndexChoosesEachAlternativeEquallyOften) {
  constexpr std::uint64_t kAlternatives = 7;
  constexpr int kSamples = 140000;
  std::vector<int> count(kAlternatives);
  Rng rng(11);
  for (int i = 0; i < kSamples; ++i) ++count[rng.uniform_index(kAlternatives)];
  const double p = 1.0 / kAlternatives;
  for (int k : count) {
    EXPECT_LE(std::abs(static_cast<double>(k) / kSamples - p),
              test::mean_tolerance(5.0, p * (1 - p), kSamples));
  }
}

// statistical: with n = ¾·2⁶⁴ plain "bits mod n" would give the first third of {0, …, n−1} with probability ½
// instead of ⅓: the bias that rejection removes. Five sigmas, false alarm 5.7e-7.
TEST(Rng, UniformIndexHasNoBias_WhereTheModuloWouldHaveALot) {
  constexpr std::uint64_t n = std::uint64_t{3} << 62;
  constexpr int kSamples = 30000;
  int in_first_third = 0;
  Rng rng(12);
  for (int i = 0; i < kSamples; ++i) in_first_third += rng.uniform_index(n) < n / 3 ? 1 : 0;
  EXPECT_LE(std::abs(static_cast<double>(in_first_third) / kSamples - 1.0 / 3.0),
            test::mean_tolerance(5.0, 2.0 / 9.0, kSamples));
}

TEST(Rng, UniformIndexOfOneAlternativeIsThatOne) { EXPECT_EQ(Rng(1).uniform_index(1), 0u); }

TEST(Rng, UniformIndexOfNothingIsAContractError) {
  try {
    static_cast<void>(Rng(1).uniform_index(0));
    FAIL() << "nothing was thrown";
  } catch (const ContractError& error) {
    EXPECT_STREQ(error.what(),
                 "nothing to choose from [Rng::uniform_index]: expected n >= 1, got n = 0. "
                 "Ask only when there is at least one alternative.");
  }
}

TEST(RngStreams, DoNotDependOnTheOrderOfUse) {
  const Rng root(2024);
  Rng a = root.stream(1), b = root.stream(2);
  const std::uint64_t a1 = a.bits(), b1 = b.bits(), a2 = a.bits(), b2 = b.bits();
  Rng used = root;
  static_cast<void>(used.normal());
  Rng late_b = used.stream(2), late_a = used.stream(1);
  EXPECT_EQ(late_b.bits(), b1);
  EXPECT_EQ(late_b.bits(), b2);
  EXPECT_EQ(late_a.bits(), a1);
  EXPECT_EQ(late_a.bits(), a2);
  EXPECT_NE(a1, b1);
  EXPECT_NE(Rng(2025).stream(1).bits(), a1);
}

/// One normal sum per stream, the streams dealt out to `threads` threads in turn.
std::vector<double> sums_with(unsigned threads) {
  constexpr unsigned kStreams = 64;
  std::vector<double> sums(kStreams);
  const Rng root(77);
  const auto work = [&](unsigned first) {
    for (unsigned s = first; s < kStreams; s += threads) {
      Rng rng = root.stream(s);
      for (int k = 0; k < 101; ++k) sums[s] += rng.normal() + rng.uniform();
    }
  };
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < threads; ++t) pool.emplace_back(work, t);
  for (std::thread& thread : pool) thread.join();
  return sums;
}

TEST(RngStreams, GiveTheSameBitsWithOneTwoAndFourThreads) {
  const std::vector<double> alone = sums_with(1);
  EXPECT_EQ(sums_with(2), alone);
  EXPECT_EQ(sums_with(4), alone);
}

}  // namespace
}  // namespace eslabon::core
