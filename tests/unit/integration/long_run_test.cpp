// Conservative mechanisms over a thousand seconds: 10⁶ steps of 1 ms of the trapezoidal rule keep constraints and energy.
//
// The rule keeps an energy near the true one, for ever: a bound, not a drift. Of the pendulum it is (h ω)²/12 with ω² = g/l, which is
// 8.2e-7 at 1 ms; there is no such formula for the others. These mechanisms were made large and to swing gently so that 1e-6 holds:
// faster ones are above it (models/watt-sixbar.yaml 1.6e-3), and so is a five-bar that swings twice as far as the one here.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass/energy.hpp"

namespace eslabon::integration {
namespace {

/// Seconds of a run: 1000 with ESLABON_FULL_SWEEPS=1, which takes minutes.
double long_time() { return std::getenv("ESLABON_FULL_SWEEPS") != nullptr ? 1000.0 : 10.0; }

struct Sample {
  std::string name;
  std::string formulation, kind;
  std::string text = {};  ///< empty: a model of that name
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

class LongRun : public testing::TestWithParam<Sample> {};

TEST_P(LongRun, KeepsConstraintsAndEnergy) {
  const Sample& sample = GetParam();
  const double until = long_time();
  const model::Mechanism mechanism =
      sample.text.empty() ? test::load_released(sample.name) : test::mechanism_of_text(sample.text);
  test::SimulatedCase run(mechanism, until,
                          {.formulation = sample.formulation,
                           .kind = sample.kind,
                           .integrator = "trapezoidal",
                           .options = {.step = 1e-3}});
  const double start = dynamics::mechanical_energy(mechanism, run.bodies);
  double swing = dynamics::kinetic_energy(mechanism, run.bodies), drift = 0.0;
  const int rows = 10'000;
  for (int i = 1; i <= rows; ++i) {
    ASSERT_TRUE(run.advance_to(until * i / rows)) << run.simulation.t();
    swing = std::max(swing, dynamics::kinetic_energy(mechanism, run.bodies));
    drift = std::max(drift, std::abs(dynamics::mechanical_energy(mechanism, run.bodies) - start));
  }
  ASSERT_GT(swing, 0.0);
  EXPECT_LE(drift / swing, test::tolerance_scale() * 1e-6);
  EXPECT_LE(run.simulation.statistics().worst_constraint_error, 1e-10);
}

const char* const kSlider = R"(
mechanism: mass on a spring
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], S: [0, 2]}}
bodies: {mass: {mass: 2, center_of_mass: [0, 0], inertia: 0.1, points: {P: [0, 0]}}}
joints: {slide: {prismatic: [ground.O, mass.P], axis: [0, 1]}}
springs: {spring: {between: [ground.S, mass.P], stiffness: 10, free_length: 0.5}}
assembly: {slide: 0.2}
)";

const char* const kDoublePendulum = R"(
mechanism: double pendulum
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies:
  upper: {mass: 2, shape: {bar: [A, B]}, points: {A: [0, 0], B: [4, 0]}}
  lower: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [3, 0]}}
joints:
  O: {revolute: [ground.O, upper.A]}
  P: {revolute: [upper.B, lower.A]}
assembly: {upper.angle: -60 deg, lower.angle: -80 deg}
)";

const char* const kSliderCrank = R"(
mechanism: large slider-crank
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], S: [0, 0]}}
bodies:
  crank: {mass: 2, shape: {bar: [O, A]}, points: {O: [0, 0], A: [2, 0]}}
  rod: {mass: 3, shape: {bar: [A, B]}, points: {A: [0, 0], B: [6, 0]}}
  piston: {mass: 1, center_of_mass: [0, 0], inertia: 0.1, points: {B: [0, 0]}}
joints:
  O: {revolute: [ground.O, crank.O]}
  A: {revolute: [crank.A, rod.A]}
  B: {revolute: [rod.B, piston.B]}
  S: {prismatic: [ground.S, piston.B], axis: [1, 0]}
assembly: {crank.angle: -40 deg, rod.angle: 12 deg, piston.B.x: 7.4}
)";

const char* const kSwing = R"(
mechanism: swing on three equal legs
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], B: [2, 0], C: [4, 0]}}
bodies:
  first: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [3, 0]}}
  second: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [3, 0]}}
  third: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [3, 0]}}
  seat: {mass: 4, shape: {bar: [A, C]}, points: {A: [0, 0], B: [2, 0], C: [4, 0]}}
joints:
  A: {revolute: [ground.A, first.A]}
  B: {revolute: [ground.B, second.A]}
  C: {revolute: [ground.C, third.A]}
  D: {revolute: [first.B, seat.A]}
  E: {revolute: [second.B, seat.B]}
  F: {revolute: [third.B, seat.C]}
assembly: {first.angle: -50 deg, second.angle: -50 deg, third.angle: -50 deg, seat.angle: 0, seat.A.x: 1.93, seat.A.y: -2.3}
)";

const char* const kFiveBar = R"(
mechanism: hanging five-bar
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], E: [3, 0]}}
bodies:
  left: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [4, 0]}}
  left_low: {mass: 1, shape: {bar: [B, C]}, points: {B: [0, 0], C: [5, 0]}}
  right_low: {mass: 1, shape: {bar: [D, C]}, points: {D: [0, 0], C: [5, 0]}}
  right: {mass: 1, shape: {bar: [E, D]}, points: {E: [0, 0], D: [4, 0]}}
joints:
  A: {revolute: [ground.A, left.A]}
  B: {revolute: [left.B, left_low.B]}
  C: {revolute: [left_low.C, right_low.C]}
  D: {revolute: [right.D, right_low.D]}
  E: {revolute: [ground.E, right.E]}
assembly: {left.angle: -92 deg, right.angle: -91 deg, left_low.angle: -75 deg, right_low.angle: -105 deg}
)";

const char* const kSpinning = R"(
mechanism: free body
bodies: {body: {mass: 1, center_of_mass: [0, 0, 0], inertia: [1, 2, 3], points: {O: [0, 0, 0]}}}
joints: {loose: {free: [ground.O, body.O]}}
ground: {points: {O: [0, 0, 0]}}
assembly: {body.wx: 0.3, body.wy: 0.8, body.wz: -0.2, body.O.vx: 0.001}
)";

const char* const kBall = R"(
mechanism: bar on a ball joint
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {bar: {mass: 1, center_of_mass: [2, 0, 0], inertia: [0.1, 1.4, 1.4], points: {O: [0, 0, 0]}}}
joints: {O: {spherical: [ground.O, bar.O]}}
assembly: {bar.rotation: [0, 60 deg, 0], bar.wz: 0.6}
)";

const char* const kArms = R"(
mechanism: three arms in space
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies:
  a: {mass: 2, center_of_mass: [0, 0, -2], inertia: [2, 2, 0.1], points: {A: [0, 0, 0], B: [0, 0, -4]}}
  b: {mass: 1, center_of_mass: [0, 0, -1.5], inertia: [1, 1, 0.1], points: {A: [0, 0, 0], B: [0, 0, -3]}}
  c: {mass: 1, center_of_mass: [0, 0, -1.5], inertia: [1, 1, 0.1], points: {A: [0, 0, 0], B: [0, 0, -3]}}
joints:
  A: {revolute: [ground.O, a.A], axis: [1, 0, 0]}
  B: {revolute: [a.B, b.A], axis: [0, 1, 0]}
  C: {revolute: [b.B, c.A], axis: [1, 0, 0]}
assembly: {A: 0.3, B: -0.25, C: 0.2}
)";

const char* const kRssr = R"(
mechanism: large RSSR
gravity: [0, 0, -9.81]
ground: {points: {A: [0, 0, 0], D: [5, 4, 0]}}
bodies:
  swing: {mass: 2, center_of_mass: [0, 0, -1.5], inertia: [1.5, 1.5, 0.05], points: {A: [0, 0, 0], B: [0, 0, -3]}}
  other: {mass: 2, center_of_mass: [0, 0, -2], inertia: [2.6, 2.6, 0.05], points: {D: [0, 0, 0], C: [0, 0, -4]}}
joints:
  A: {revolute: [ground.A, swing.A], axis: [0, 1, 0]}
  D: {revolute: [ground.D, other.D], axis: [1, 0, 0]}
  rod: {rod: [swing.B, other.C], length: 6.6, mass: 1}
assembly: {A: 0.4}
)";

INSTANTIATE_TEST_SUITE_P(Mechanisms, LongRun,
                         testing::Values(Sample{"pendulum", "semi-recursive", "", test::kPendulum},
                                         Sample{"mass on a spring", "multipliers", "reference-point",
                                                kSlider},
                                         Sample{"double pendulum", "semi-recursive", "", kDoublePendulum},
                                         Sample{"slider-crank", "groups", "", kSliderCrank},
                                         Sample{"swing on three legs", "null-space", "natural", kSwing},
                                         Sample{"five-bar", "null-space", "relative", kFiveBar},
                                         Sample{"free body", "multipliers", "reference-point", kSpinning},
                                         Sample{"bar on a ball", "null-space", "natural", kBall},
                                         Sample{"three arms", "semi-recursive", "", kArms},
                                         Sample{"rssr", "null-space", "reference-point", kRssr}),
                         [](const auto& sample) { return test::test_name(sample.param.name); });

}  // namespace
}  // namespace eslabon::integration
