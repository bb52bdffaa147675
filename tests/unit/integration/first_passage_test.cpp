#include "eslabon/integration/first_passage.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::integration {
namespace {

/// height − a sin(w t + phase): comes to zero at most once in each turn.
struct Wave {
  double height = 1.0, a = 1.0, w = 1.0, phase = 0.0;

  Knot operator()(double t) const {
    const double s = std::sin(w * t + phase), c = std::cos(w * t + phase);
    return {t, height - a * s, -a * w * c, a * w * w * s};
  }
};

std::vector<Knot> knots_of(const Wave& wave, double until, int pieces) {
  std::vector<Knot> knots;
  for (int k = 0; k <= pieces; ++k) knots.push_back(wave(until * k / pieces));
  return knots;
}

struct Found {
  std::optional<Passage> passage;
  int evaluations = 0;
};

Found search(const Wave& wave, double until, int pieces, const PassageLimits& limits) {
  Found found;
  const KnotAt at = [&](double t) -> std::optional<Knot> {
    ++found.evaluations;
    return wave(t);
  };
  EXPECT_TRUE(find_first_passage(knots_of(wave, until, pieces), limits, at, found.passage));
  return found;
}

constexpr PassageLimits kLimits{.floor = -1e-12, .resolved = 1e-9};

// [analytic] A wave that dips below zero between two knots that are both above it.
TEST(FirstPassage, IsFoundWhereBothEndsAreAbove) {
  const Wave wave{.height = 0.999, .w = 1.0, .phase = 1.1};  // below zero for ±44.7 mrad around t = 0.4708
  const Found found = search(wave, 1.0, 1, kLimits);
  ASSERT_TRUE(found.passage);
  EXPECT_GT(wave(found.passage->t0).value, 0.0);
  EXPECT_LE(wave(found.passage->t1).value, 0.0);
  const double begins = std::asin(0.999) - 1.1;
  EXPECT_LE(found.passage->t0, begins);
  EXPECT_GE(found.passage->t1, begins);
}

// [analytic] Ten thousand waves with one piece per radian and less: what dips deeper than it is resolved is found, in the turn in which it
// does; what stays above is not.
TEST(FirstPassage, GrazingWaves) {
  core::Rng rng(7);
  int deep = 0, clear = 0;
  for (int k = 0; k < 10'000; ++k) {
    const double depth = std::copysign(std::pow(10.0, -8.5 + 7.5 * rng.uniform()), rng.uniform() - 0.5);
    const Wave wave{.height = 1.0 - depth,
                    .a = 1.0,
                    .w = 0.5 + 2.0 * rng.uniform(),
                    .phase = 2.0 * std::numbers::pi * rng.uniform()};
    const double until = 2.0 * std::numbers::pi / wave.w;
    const int pieces =
        static_cast<int>(std::ceil(2.0 * std::numbers::pi)) + static_cast<int>(3.0 * rng.uniform());
    // The top is the only extreme in a turn, and not at its very ends.
    const Found found = search(wave, until, pieces, kLimits);
    EXPECT_EQ(found.passage.has_value(), depth > 0.0) << "depth " << depth << ", phase " << wave.phase;
    EXPECT_LE(found.evaluations, 60);
    (depth > 0.0 ? deep : clear) += 1;
  }
  EXPECT_GT(deep, 4'000);
  EXPECT_GT(clear, 4'000);
}

// [analytic] The first of several.
TEST(FirstPassage, IsTheFirst) {
  const Wave wave{.height = 0.5};
  const Found found = search(wave, 40.0, 41, kLimits);
  ASSERT_TRUE(found.passage);
  EXPECT_LT(found.passage->t0, std::numbers::pi / 6.0);
  EXPECT_LT(found.passage->t1, 5.0 * std::numbers::pi / 6.0);
}

// [contract] Far from the floor nothing is evaluated.
TEST(FirstPassage, FarAway_CostsNothing) {
  const Found found = search({.height = 1.5}, 6.0, 6, kLimits);
  EXPECT_FALSE(found.passage);
  EXPECT_EQ(found.evaluations, 0);
}

// [contract] What leaves the floor is not what comes to it.
TEST(FirstPassage, LeavingIsNone) {
  const Wave wave{.height = 0.0, .phase = std::numbers::pi};  // sin t
  EXPECT_FALSE(search(wave, 1.0, 1, kLimits).passage);
  const Found found = search(wave, 4.0, 4, kLimits);
  ASSERT_TRUE(found.passage);
  EXPECT_GT(found.passage->t1, 3.14);
}

// [contract] A function that cannot be had somewhere.
TEST(FirstPassage, WhatCannotBeHad_IsSaid) {
  const std::vector<Knot> knots = knots_of({.height = 0.999, .phase = 1.1}, 1.0, 1);
  std::optional<Passage> passage;
  EXPECT_FALSE(find_first_passage(
      knots, kLimits, [](double) { return std::nullopt; }, passage));
}

}  // namespace
}  // namespace eslabon::integration
