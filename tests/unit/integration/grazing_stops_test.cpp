// Rigid stops that are grazed inside long steps: no row may be beyond one, with any integrator. Exact motions tell which are hit.
// 10⁴ cases with ESLABON_FULL_SWEEPS=1.
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

#include "tests/simulated_case.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"

namespace eslabon::integration {
namespace {

constexpr double kDeepest = 1e-6;  // of the mechanism's size, which is 1 m

struct GrazingCase {
  std::string text;
  std::string variable;  ///< that the stop limits
  double limit = 0.0;    ///< upper [m]
  double top = 0.0;      ///< where it would go to without the stop [m]
  double period = 0.0;   ///< in which it is there once, before `until` [s]
  double until = 0.0;    ///< [s]
};

/// How far the limit is below the top: from a ten-millionth to a tenth of the size, or above it.
double random_depth(core::Rng& rng) {
  return std::copysign(std::pow(10.0, -7.0 + 6.0 * rng.uniform()), rng.uniform() - 0.2);
}

/// A bar that turns freely under a ceiling: y = sin(θ₀ + ω t).
GrazingCase turning_bar(core::Rng& rng) {
  const double w = std::pow(10.0, -1.0 + 3.0 * rng.uniform()),
               angle = -0.5 * std::numbers::pi * rng.uniform();
  const double depth = random_depth(rng), period = 2.0 * std::numbers::pi / w;
  return {.text = fmt::format(R"(
mechanism: bar under a ceiling
plane: xy
gravity: [0, 0]
ground: {{points: {{O: [0, 0]}}}}
bodies: {{a: {{mass: 1, center_of_mass: [0, 0], inertia: 1, points: {{O: [0, 0], P: [1, 0]}}}}}}
joints: {{A: {{revolute: [ground.O, a.O]}}}}
stops: {{s: {{point: a.P.y, upper: {:.17g}, restitution: {:.3g}}}}}
assembly: {{A: {:.17g}, A.v: {:.17g}}}
)",
                              1.0 - depth, rng.uniform(), angle, w),
          .variable = "a.P.y",
          .limit = 1.0 - depth,
          .top = 1.0,
          .period = period,
          .until = period * (1.0 + 2.0 * rng.uniform())};
}

/// A block between springs: x = −cos(ω t).
GrazingCase swinging_block(core::Rng& rng) {
  const double w = std::pow(10.0, -1.0 + 3.0 * rng.uniform()), depth = random_depth(rng);
  const double period = 2.0 * std::numbers::pi / w;
  return {.text = fmt::format(R"(
mechanism: block
plane: xy
gravity: [0, 0]
ground: {{points: {{O: [0, 0], E: [1, 0]}}}}
bodies: {{block: {{mass: 1, center_of_mass: [0, 0], inertia: 1, points: {{P: [0, 0], Q: [1, 0]}}}}}}
joints: {{guide: {{prismatic: [ground.O, block.P], axis: [1, 0]}}}}
springs: {{s: {{joint: guide, stiffness: {:.17g}}}}}
stops: {{stop: {{joint: guide, upper: {:.17g}, restitution: {:.3g}}}}}
assembly: {{guide: -1}}
)",
                              w * w, 1.0 - depth, rng.uniform()),
          .variable = "guide.q",
          .limit = 1.0 - depth,
          .top = 1.0,
          .period = period,
          .until = period * (1.0 + 2.0 * rng.uniform())};
}

/// A ball thrown up under a ceiling while it turns fast: y = v t − ½ g t².
GrazingCase thrown_ball(core::Rng& rng) {
  const double g = std::pow(10.0, -1.0 + 3.0 * rng.uniform()), depth = random_depth(rng);
  const double v = std::sqrt(2.0 * g), flight = 2.0 * v / g;
  return {.text = fmt::format(R"(
mechanism: ball
plane: xy
gravity: [0, {:.17g}]
ground: {{points: {{O: [0, 0], E: [1, 0]}}}}
bodies:
  slide: {{points: {{P: [0, 0], Q: [1, 0]}}}}
  ball: {{mass: 1, center_of_mass: [0, 0], inertia: 1, points: {{P: [0, 0], Q: [1, 0]}}}}
joints:
  guide: {{prismatic: [ground.O, slide.P], axis: [0, 1]}}
  pin: {{revolute: [slide.P, ball.P]}}
stops: {{stop: {{point: ball.P.y, upper: {:.17g}, restitution: {:.3g}}}}}
assembly: {{guide: 0, guide.v: {:.17g}, pin.v: {:.17g}}}
)",
                              -g, 1.0 - depth, rng.uniform(), v, 20.0 * rng.uniform() / flight),
          .variable = "ball.P.y",
          .limit = 1.0 - depth,
          .top = 1.0,
          .period = flight,
          .until = flight};
}

struct Tally {
  int cases = 0, hits = 0, misses = 0;
  double deepest = 0.0;
};

/// Rows everywhere, far more than steps.
void run_case(const GrazingCase& grazing, const test::Way& way, Tally& tally) {
  constexpr int kRows = 300;
  test::SimulatedCase run(test::mechanism_of_text(grazing.text), grazing.until, way);
  double highest = -HUGE_VAL;
  for (int k = 1; k <= kRows; ++k) {
    ASSERT_TRUE(run.advance_to(grazing.until * (k / static_cast<double>(kRows))))
        << way.integrator << grazing.text;
    highest = std::max(highest, run.value(grazing.variable));
  }
  bool is_hit = false;
  for (const LogEntry& entry : run.simulation.log()) is_hit = is_hit || entry.kind == LogEntry::Kind::kStop;
  ++tally.cases;
  tally.hits += is_hit;
  tally.deepest = std::max(tally.deepest, highest - grazing.limit);
  if (highest - grazing.limit > kDeepest) {
    ++tally.misses;
    ADD_FAILURE() << way.integrator << ": " << highest - grazing.limit << " beyond" << grazing.text;
  }
  // Exact motions of adaptive integrators say what is hit, too.
  const double depth = grazing.top - grazing.limit;
  if (is_adaptive(way.integrator) && std::abs(depth) > 1e-5) {
    EXPECT_EQ(is_hit, depth > 0.0) << way.integrator << grazing.text;
  }
}

TEST(GrazingStops, NoneIsPassed_WithAnyIntegrator) {
  const int cases = std::getenv("ESLABON_FULL_SWEEPS") == nullptr ? 60 : 3'334;
  for (const std::string& name : integrator_names()) {
    core::Rng rng(11);
    Tally tally;
    for (int k = 0; k < cases && tally.misses < 5; ++k)
      for (const GrazingCase& grazing : {turning_bar(rng), swinging_block(rng), thrown_ball(rng)}) {
        test::Way way{.kind = "relative", .integrator = name};
        // Fixed steps of up to an eighth of a period, which is as long as the integrators can do anything with.
        way.options.step = grazing.period / (8.0 + 100.0 * rng.uniform());
        run_case(grazing, way, tally);
      }
    RecordProperty("deepest_of_" + name, fmt::format("{:.2g}", tally.deepest));
    RecordProperty("hits_of_" + name, fmt::format("{} of {}", tally.hits, tally.cases));
    EXPECT_GT(tally.hits, tally.cases / 2);
  }
}

}  // namespace
}  // namespace eslabon::integration
