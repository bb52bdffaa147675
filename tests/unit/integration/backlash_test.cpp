// Stops on couplings: wheels with play against the laws of impact and of oscillation, the tooth force against a coupling that holds, a cam
// that throws its follower against the parabola, a differential with play against the sum of its coordinates.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/linear_case.hpp"
#include "tests/simulated_case.hpp"
#include "tests/test_name.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"

namespace eslabon {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

/// Two wheels of 20 and 60 teeth, I₁ = 0.01 and I₂ = 0.3 kg m², on shafts 0.16 m apart: pitch radii 0.04 m and 0.12 m.
std::string wheels(const std::string& rest) {
  return R"(mechanism: wheels
plane: xy
ground: {points: {A: [0, 0], B: [0.16, 0]}}
bodies:
  pinion: {mass: 1, center_of_mass: A, inertia: 0.01, points: {A: [0, 0]}}
  wheel:  {mass: 5, center_of_mass: B, inertia: 0.3, points: {B: [0, 0]}}
joints:
  A: {revolute: [ground.A, pinion.A]}
  B: {revolute: [ground.B, wheel.B]}
)" + rest +
         "\n";
}
constexpr double kRatio = 3.0, kI1 = 0.01, kI2 = 0.3;
/// What moves the play s = q₁ + 3 q₂ as one mass.
constexpr double kPlayMass = 1.0 / (1.0 / kI1 + kRatio * kRatio / kI2);

test::Way exact(const std::string& formulation, const std::string& kind) {
  test::Way way{.formulation = formulation, .kind = kind};
  way.options.rtol = 1e-11;
  way.options.atol = 1e-13;
  return way;
}

class Backlash : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  test::Way way() const { return exact(GetParam().first, GetParam().second); }
};

// Between impacts nothing acts; each is a jump of (1 + e) m_s ṡ, which is 1/I₁ of it on the pinion and 3/I₂ on the wheel. The pinion
// makes some turns meanwhile.
TEST_P(Backlash, RattlesByTheLawOfImpact) {
  const double e = 0.8, play = 0.02, until = 3.0;
  test::SimulatedCase run(test::mechanism_of_text(wheels(R"(
stops: {mesh: {gear: {joints: [A, B], teeth: [20, 60]}, play: 0.02 rad, restitution: 0.8}}
assembly: {A.q: 0, B.q: 0, A.v: 12 rad/s, B.v: -1.5 rad/s})")),
                          until, way());
  double t = 0.0, q1 = 0.0, q2 = 0.0, v1 = 12.0, v2 = -1.5, energy = 0.5 * (kI1 * v1 * v1 + kI2 * v2 * v2);
  EXPECT_NEAR(dynamics::kinetic_energy(run.c.mechanism, run.bodies), energy, 1e-12);
  const auto drift = [&](double dt) {
    t += dt;
    q1 += v1 * dt;
    q2 += v2 * dt;
  };
  const double momentum = kRatio * kI1 * v1 - kI2 * v2;  // no impact changes it
  int impacts = 0;
  while (impacts < 25) {
    const double rate = v1 + kRatio * v2, side = rate > 0.0 ? 0.5 * play : -0.5 * play;
    const double dt = (side - q1 - kRatio * q2) / rate;
    if (t + dt > until) break;
    drift(dt);
    const double impulse = -(1.0 + e) * kPlayMass * rate;
    v1 += impulse / kI1;
    v2 += kRatio * impulse / kI2;
    ++impacts;
    if (impacts % 5 != 0) continue;
    drift(1e-4);
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_NEAR(test::turn_difference(run.value("A.q"), q1), 0.0, 1e-9) << impacts;
    EXPECT_NEAR(test::turn_difference(run.value("B.q"), q2), 0.0, 1e-9) << impacts;
    EXPECT_NEAR(run.value("A.v"), v1, 1e-8) << impacts;
    EXPECT_NEAR(run.value("B.v"), v2, 1e-8) << impacts;
    EXPECT_NEAR(kRatio * kI1 * run.value("A.v") - kI2 * run.value("B.v"), momentum, 1e-10);
  }
  EXPECT_GE(impacts, 10);
  EXPECT_GT(q1, 2.0 * pi);
}

// Soft teeth: half a period π √(m_s/k) in touch, play/|ṡ| between. Energy stays, but for what error control lets pass where the force begins:
// 1e-9 of it each time, of which there are 200.
TEST_P(Backlash, OfSoftTeethIsAnOscillatorWithPlay) {
  const double play = 0.02, k = 4000.0, v1 = 8.0, v2 = -1.0, rate = v1 + kRatio * v2;
  test::SimulatedCase run(test::mechanism_of_text(wheels(R"(
stops: {mesh: {gear: {joints: [A, B], teeth: [20, 60]}, play: 0.02 rad, stiffness: 4 kN*m/rad}}
assembly: {A.q: 0, B.q: 0, A.v: 8 rad/s, B.v: -1 rad/s})")),
                          3.0, way());
  const double touch = pi * std::sqrt(kPlayMass / k), free = play / rate, half = 0.5 * free;
  const double common = (kRatio * kI1 * v1 - kI2 * v2);
  const double energy = dynamics::kinetic_energy(run.c.mechanism, run.bodies);
  for (const int n : {1, 2, 41, 100}) {  // passages of the middle; ṡ has turned round as often
    ASSERT_TRUE(run.advance_to(n * (touch + free)));
    const double s = n % 2 == 0 ? rate : -rate;
    EXPECT_NEAR(run.value("A.v") + kRatio * run.value("B.v"), s, 1e-6 * rate) << n;
    EXPECT_NEAR(kRatio * kI1 * run.value("A.v") - kI2 * run.value("B.v"), common, 1e-10) << n;
    EXPECT_NEAR(test::turn_difference(run.value("A.q") + kRatio * run.value("B.q"), 0.0), 0.0, 1e-6) << n;
    EXPECT_NEAR(dynamics::kinetic_energy(run.c.mechanism, run.bodies), energy, 2e-7 * energy) << n;
  }
  // Deepest in the middle of a touch.
  ASSERT_TRUE(run.advance_to(100 * (touch + free) + half + 0.5 * touch));
  EXPECT_NEAR(test::turn_difference(run.value("A.q") + kRatio * run.value("B.q"), 0.0),
              0.5 * play + rate * std::sqrt(kPlayMass / k), 1e-7);
}

// Teeth that are pressed are a coupling: the same motion, the same force, the same reactions of the bearings.
TEST_P(Backlash, UnderLoadIsTheCoupling) {
  const std::string loads =
      "\nforces: {drive: {joint: A, torque: = 3 + 2*sin(5*t)}, brake: {joint: B, torque: 4}}\n";
  test::SimulatedCase held(test::mechanism_of_text(wheels(
                               "couplings: {mesh: {gear: {joints: [A, B], teeth: [20, 60]}, offset: 0.01}}" +
                               loads + "assembly: {A.q: 0.01, B.q: 0}")),
                           2.0, way());
  test::SimulatedCase loose(
      test::mechanism_of_text(
          wheels("stops: {mesh: {gear: {joints: [A, B], teeth: [20, 60]}, play: 0.02 rad, restitution: 0}}" +
                 loads + "assembly: {A.q: 0.01, B.q: 0}")),
      2.0, way());
  for (const double t : {0.5, 1.3, 2.0}) {
    ASSERT_TRUE(held.advance_to(t));
    ASSERT_TRUE(loose.advance_to(t));
    EXPECT_NEAR(test::turn_difference(loose.value("A.q"), held.value("A.q")), 0.0, 1e-8);
    EXPECT_NEAR(loose.value("B.v"), held.value("B.v"), 1e-8);
    dynamics::Reactions of_held(held.c.model), of_loose(loose.c.model);
    ASSERT_TRUE(of_held.solve(t, held.bodies, held.simulation.point().state.memory));
    ASSERT_TRUE(of_loose.solve(t, loose.bodies, loose.simulation.point().state.memory));
    for (const std::size_t j : {0u, 1u})
      EXPECT_LE((of_loose.joints()[j].force - of_held.joints()[j].force).norm(), 1e-7) << j;
    // 1 kg m² of both wheels by the pinion: M₁ − I₁ α₁ = F ρ₁
    const double tooth = (3.0 + 2.0 * std::sin(5.0 * t) - kI1 * loose.value("A.a")) / 0.04;
    EXPECT_NEAR(std::abs(of_loose.joints()[0].force.y()), std::abs(tooth), 1e-6);
    EXPECT_NEAR(loose.simulation.point().state.memory.holds[1], 0.04 * tooth, 1e-7);  // at the upper limit
  }
}

// A cam by its law that only pushes: h (1 − cos ω t) falls faster than g where h ω² cos ω t = −g. From there a parabola, to where it
// meets the law again, found by bisection.
TEST_P(Backlash, LetsACamThrowItsFollower) {
  const double h = 0.02, w = 30.0, g = 9.81;
  test::SimulatedCase run(test::mechanism_of_text(R"(mechanism: thrown
plane: xy
gravity: [0, -9.81]
ground: {points: {C: [0, 0], F: [0, 0.1]}}
bodies:
  cam:      {mass: 1.5, center_of_mass: C, inertia: 2e-3, points: {C: [0, 0]}}
  follower: {mass: 0.4, center_of_mass: F, inertia: 1e-4, points: {F: [0, 0]}}
joints:
  shaft: {revolute: [ground.C, cam.C]}
  guide: {prismatic: [ground.F, follower.F], axis: y}
drivers: {motor: {joint: shaft, speed: 30 rad/s, start: 0}}
stops: {face: {follows: {joint: guide, of: shaft, expression: = 20 mm*(1 - cos(shaft.q))}, lower: 0, restitution: 0}}
assembly: {guide.q: 0, guide.v: 0}
)"),
                          0.5, way());
  const double leaves = std::acos(-g / (h * w * w)) / w;
  const double y0 = h * (1.0 - std::cos(w * leaves)), v0 = h * w * std::sin(w * leaves);
  const auto above = [&](double t) {
    const double s = t - leaves;
    return y0 + v0 * s - 0.5 * g * s * s - h * (1.0 - std::cos(w * t));
  };
  double low = leaves + 0.02, high = leaves + 0.1;
  while (above(high) > 0.0) high += 0.01;
  ASSERT_GT(above(low), 0.0);
  for (int i = 0; i < 200; ++i) (above(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
  for (const double part : {0.2, 0.6, 0.95}) {
    const double t = leaves + part * (low - leaves), s = t - leaves;
    ASSERT_TRUE(run.advance_to(t));
    EXPECT_NEAR(run.value("guide.q"), y0 + v0 * s - 0.5 * g * s * s, 1e-9) << part;
    EXPECT_NEAR(run.value("guide.v"), v0 - g * s, 1e-8) << part;
  }
  ASSERT_TRUE(run.advance_to(low + 2e-3));
  bool left = false, hit = false;
  for (const integration::LogEntry& entry : run.simulation.log()) {
    if (entry.kind != integration::LogEntry::Kind::kStop) continue;
    if (!left && entry.text.find("leaves stop 'face'") != std::string::npos) {
      left = true;
      EXPECT_NEAR(entry.t, leaves, 1e-8);
    } else if (left && !hit) {
      hit = true;
      EXPECT_NEAR(entry.t, low, 1e-8) << entry.text;
      EXPECT_THAT(entry.text, HasSubstr("guide.q - f(shaft.q)"));
    }
  }
  EXPECT_TRUE(left);
  EXPECT_TRUE(hit);
}

// (q₁ + q₂)/2 of a differential may be up to 0.3 rad away from the case: three coordinates, which a torque takes to the limit.
TEST_P(Backlash, OfASumTakesAllItsCoordinates) {
  const std::string text = R"(mechanism: sum
plane: xy
ground: {points: {A: [0, 0], B: [1, 0], C: [2, 0]}}
bodies:
  a: {mass: 1, center_of_mass: A, inertia: 0.2, points: {A: [0, 0]}}
  b: {mass: 1, center_of_mass: B, inertia: 0.3, points: {B: [0, 0]}}
  c: {mass: 1, center_of_mass: C, inertia: 0.5, points: {C: [0, 0]}}
joints:
  A: {revolute: [ground.A, a.A]}
  B: {revolute: [ground.B, b.B]}
  C: {revolute: [ground.C, c.C]}
stops: {spider: {sum: {C.q: 1, A.q: -0.5, B.q: -0.5}, play: 0.6 rad, restitution: 0.5}}
forces: {drive: {joint: C, torque: 2}}
assembly: {A.q: 0, B.q: 0, C.q: 0}
)";
  test::SimulatedCase run(test::mechanism_of_text(text), 2.0, way());
  const double hits = std::sqrt(2.0 * 0.3 / (2.0 / 0.5)), rate = 4.0 * hits;
  const double mass = 1.0 / (1.0 / 0.5 + 0.25 / 0.2 + 0.25 / 0.3), impulse = -1.5 * mass * rate;
  ASSERT_TRUE(run.advance_to(hits + 1e-3));
  EXPECT_NEAR(run.value("C.v"), rate + impulse / 0.5 + 4.0 * 1e-3, 1e-8);
  EXPECT_NEAR(run.value("A.v"), -0.5 * impulse / 0.2, 1e-8);
  EXPECT_NEAR(run.value("B.v"), -0.5 * impulse / 0.3, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Formulations, Backlash,
                         testing::Values(std::pair("null-space", "natural"),
                                         std::pair("multipliers", "reference-point"),
                                         std::pair("semi-recursive", "relative"), std::pair("groups", ""),
                                         std::pair("augmented-lagrangian", "natural")),
                         [](const auto& one) { return test::test_name(std::string(one.param.first)); });

// 2 N m on the pinion press the teeth 4 mrad deep; 6 N m arrive at the wheel, which a spring holds. About there
//   I₁ q̈₁ + k s = 0,  I₂ q̈₂ + 3 k s + k₂ q₂ = 0,  s = q₁ + 3 q₂.
TEST(BacklashAtRest, IsPressedAndSwings) {
  test::LinearCase c(wheels(R"(
stops: {mesh: {gear: {joints: [A, B], teeth: [20, 60]}, play: 0.02 rad, stiffness: 500 N*m/rad}}
springs: {hold: {joint: B, stiffness: 80 N*m/rad}}
forces: {drive: {joint: A, torque: 2}}
assembly: {A.q: 0.01, B.q: 0})"));
  const dynamics::State rest = c.rest();
  coordinates::MechanismMotion bodies(c.mechanism.bodies().size());
  c.chart.evaluate_bodies(rest, std::vector<double>(rest.q.size(), 0.0), bodies);
  const auto value = [&](const char* name) {
    return kinematics::value_of(c.mechanism, model::find_variable(c.mechanism, name), bodies);
  };
  EXPECT_NEAR(value("B.q"), -6.0 / 80.0, 1e-10);
  EXPECT_NEAR(value("A.q"), 0.01 + 2.0 / 500.0 + 3.0 * 6.0 / 80.0, 1e-10);
  const double k = 500.0, k2 = 80.0;  // det(K − λ² …) = 0 in x = ω²
  const double a = kI1 * kI2, b = -(k * kI2 + (9.0 * k + k2) * kI1), d = k * (9.0 * k + k2) - 9.0 * k * k;
  const double root = std::sqrt(b * b - 4.0 * a * d);
  const std::vector<dynamics::Mode> modes = c.at_rest().modes();
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].natural_frequency(), std::sqrt((-b - root) / (2.0 * a)), 1e-7);
  EXPECT_NEAR(modes[1].natural_frequency(), std::sqrt((-b + root) / (2.0 * a)), 1e-6);
}

}  // namespace
}  // namespace eslabon
