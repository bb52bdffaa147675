// Stops: impacts, rest, release, soft limits and play, against closed forms.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include "tests/simulated_case.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/io/mechanism/document.hpp"

namespace eslabon::integration {
namespace {

using test::SimulatedCase;
using testing::HasSubstr;

constexpr double g = 9.81;

/// A block in a vertical guide above a floor, and what else is written.
std::string block(const std::string& stops, const std::string& start,
                  const std::string& gravity = "[0, -9.81]") {
  return R"(
mechanism: block
plane: xy
gravity: )" +
         gravity + R"(
ground: {points: {O: [0, 0]}}
bodies: {block: {mass: 2, inertia: 0.1, center_of_mass: [0, 0], points: {P: [0, 0]}}}
joints: {guide: {prismatic: [ground.O, block.P], axis: [0, 1]}}
stops: {)" +
         stops + "}\nassembly: {" + start + "}\n";
}

std::vector<LogEntry> stop_entries(const SimulatedCase& run) {
  std::vector<LogEntry> entries;
  for (const LogEntry& entry : run.simulation.log())
    if (entry.kind == LogEntry::Kind::kStop) entries.push_back(entry);
  return entries;
}

/// Falls from h and rebounds with e: impact k, from 0, is at  t₀ (1 + 2 (e + … + eᵏ)),  t₀ = √(2 h/g).
double impact_time(double h, double e, int k) {
  double sum = 1.0, power = 1.0;
  for (int i = 0; i < k; ++i) sum += 2.0 * (power *= e);
  return std::sqrt(2.0 * h / g) * sum;
}

TEST(RigidStop, IsHitWhenTheClosedFormSays) {
  for (const std::string& name : integrator_names()) {
    test::Way way{.kind = "relative", .integrator = name};
    way.options = {.step = 7e-3, .rtol = 1e-12, .atol = 1e-14};
    SimulatedCase run(
        test::mechanism_of_text(block("floor: {joint: guide, lower: 0, restitution: 0.5}", "guide.q: 1")),
        1.6, way);
    // Outputs between impacts are as if nobody had looked.
    for (int k = 1; k <= 160; ++k) {
      ASSERT_TRUE(run.advance_to(0.01 * k)) << name;
      ASSERT_GE(run.value("guide.q"), -1e-12) << name << ", t = " << run.simulation.t();
    }
    const std::vector<LogEntry> log = stop_entries(run);
    ASSERT_GE(log.size(), 20u) << name;
    // bdf begins at order 1 after each: what it loses there adds up.
    for (int k = 0; k < (name == "bdf" ? 10 : 20); ++k) {
      EXPECT_NEAR(log[static_cast<std::size_t>(k)].t, impact_time(1.0, 0.5, k), 1e-9)
          << name << ", impact " << k;
      EXPECT_THAT(log[static_cast<std::size_t>(k)].text, HasSubstr("guide.q hits stop 'floor'"));
    }
    // Infinitely many end at t₀ (1 + e)/(1 − e).
    EXPECT_THAT(log.back().text, HasSubstr("comes to rest at stop 'floor'")) << name;
    EXPECT_NEAR(log.back().t, 3.0 * std::sqrt(2.0 / g), 1e-6) << name;
    EXPECT_NEAR(run.value("guide.q"), 0.0, 1e-12);
    EXPECT_NEAR(run.simulation.point().state.memory.holds[0], 2.0 * g, 1e-9) << name;
  }
}

TEST(RigidStop, LosesNothingWithRestitutionOne) {
  // Between two walls 1 m apart at 3 m/s: a hundred impacts every 1/3 s.
  SimulatedCase run(
      test::mechanism_of_text(block("walls: {joint: guide, lower: -0.5, upper: 0.5, restitution: 1}",
                                    "guide.q: 0, guide.v: 3", "[0, 0]")),
      34.0, {.kind = "relative"});
  ASSERT_TRUE(run.advance_to(33.4));
  const std::vector<LogEntry> log = stop_entries(run);
  ASSERT_EQ(log.size(), 100u);
  for (std::size_t k = 0; k < log.size(); ++k) {
    EXPECT_NEAR(log[k].t, (0.5 + static_cast<double>(k)) / 3.0, 1e-12);
    EXPECT_THAT(log[k].text,
                HasSubstr(k % 2 == 0 ? "upper limit of stop 'walls'" : "lower limit of stop 'walls'"));
  }
  EXPECT_NEAR(std::abs(run.value("guide.v")), 3.0, 1e-12);
}

// A table that swings as A sin ω t throws what lies on it when it falls faster than g: A ω² sin ω t = g. It comes back where
// both parabola and table are, found here by bisection.
TEST(RigidStop, ThatMovesThrowsWhatRestsOnIt) {
  const double A = 0.02, w = 30.0, release = std::asin(g / (A * w * w)) / w;
  const auto height = [&](double t) {
    const double s = t - release;
    return A * std::sin(w * release) + A * w * std::cos(w * release) * s - 0.5 * g * s * s -
           A * std::sin(w * t);
  };
  double low = release + 0.02, high = release + 0.3;
  ASSERT_GT(height(low), 0.0);
  ASSERT_LT(height(high), 0.0);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (height(middle) > 0.0 ? low : high) = middle;
  }
  for (const char* const name : {"dopri5", "rk4"}) {
    test::Way way{.kind = "relative", .integrator = name};
    way.options = {.step = 2e-4, .rtol = 1e-11, .atol = 1e-13};
    SimulatedCase run(
        test::mechanism_of_text(block("table: {joint: guide, lower: = 0.02*sin(30*t), restitution: 0}",
                                      "guide.q: 0, guide.v: 0.6")),
        0.3, way);
    ASSERT_TRUE(run.advance_to(0.5 * release));
    EXPECT_NEAR(run.value("guide.q"), A * std::sin(0.5 * w * release), 1e-11) << name;
    EXPECT_NEAR(run.simulation.point().state.memory.holds[0],
                2.0 * (g - A * w * w * std::sin(0.5 * w * release)), 1e-8)
        << name;
    ASSERT_TRUE(run.advance_to(0.3));
    const std::vector<LogEntry> log = stop_entries(run);
    ASSERT_GE(log.size(), 3u) << name;
    EXPECT_THAT(log[0].text, HasSubstr("comes to rest at"));
    EXPECT_THAT(log[1].text, HasSubstr("guide.q leaves stop 'table'"));
    EXPECT_NEAR(log[1].t, release, 1e-9) << name;
    EXPECT_THAT(log[2].text, HasSubstr("comes to rest at"));
    EXPECT_NEAR(log[2].t, low, 1e-9) << name;
  }
}

/// Two blocks in guides of their own, or one on the other.
std::string two_blocks(const std::string& second, const std::string& masses, const std::string& stops,
                       const std::string& start) {
  const auto space = masses.find(' ');
  return R"(
mechanism: two blocks
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0], Q: [1, 0]}}
bodies:
  a: {mass: )" +
         masses.substr(0, space) + R"(, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}}
  b: {mass: )" +
         masses.substr(space + 1) + R"(, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}}
joints:
  A: {prismatic: [ground.O, a.P], axis: [0, 1]}
  B: {prismatic: [)" +
         second + ", b.P], axis: [0, 1]}\nstops: {" + stops + "}\nassembly: {" + start + "}\n";
}

// Two stops that one step passes both: each at its own time, in whatever order they are written.
TEST(RigidStop, IsHitInItsOwnTimeBesideOthers) {
  const std::string first = "s: {joint: A, lower: 0, restitution: 1}",
                    second = "u: {joint: B, lower: 0, restitution: 1}";
  for (const std::string& stops : {first + ", " + second, second + ", " + first})
    for (const char* const name : {"dopri5", "rk4"}) {
      test::Way way{.formulation = "semi-recursive", .kind = "", .integrator = name};
      way.options.step = 0.3;
      SimulatedCase run(test::mechanism_of_text(two_blocks("ground.Q", "1 1", stops, "A.q: 1, B.q: 0.5")),
                        3.0, way);
      for (int k = 1; k <= 300; ++k) {
        ASSERT_TRUE(run.advance_to(0.01 * k)) << name;
        ASSERT_GE(std::min(run.value("A.q"), run.value("B.q")), -1e-9) << name << ", " << run.simulation.t();
      }
      int a = 0, b = 0;  // each every 2 t₀
      for (const LogEntry& entry : stop_entries(run)) {
        const bool is_a = entry.text.starts_with("A.q");
        const double t0 = std::sqrt(2.0 * (is_a ? 1.0 : 0.5) / g);
        EXPECT_NEAR(entry.t, t0 * (1 + 2 * (is_a ? a++ : b++)), 1e-9) << name;
      }
      EXPECT_EQ(a, 3);
      EXPECT_EQ(b, 5);
    }
}

// A heavy block lands on a light one that rests on the floor: the light one cannot give way, whatever the masses.
TEST(RigidStop, HoldsUnderAHeavyBlow) {
  for (const char* const masses : {"1 1", "1 1000", "1 1e6"}) {
    SimulatedCase run(test::mechanism_of_text(two_blocks("a.P", masses,
                                                         "s: {joint: A, lower: 0, restitution: 0}, "
                                                         "u: {joint: B, lower: 0.1, restitution: 1}",
                                                         "A.q: 0, B.q: 1")),
                      1.2, {.formulation = "semi-recursive", .kind = ""});
    ASSERT_TRUE(run.advance_to(1.2)) << masses;
    const double t0 = std::sqrt(2.0 * 0.9 / g);
    int hits = 0;
    for (const LogEntry& entry : stop_entries(run))
      if (entry.text.starts_with("B.q hits")) {
        EXPECT_NEAR(entry.t, t0 * (1 + 2 * hits), 1e-9) << masses;
        ++hits;
      }
    EXPECT_EQ(hits, 1) << masses;
    EXPECT_NEAR(run.value("A.q"), 0.0, 1e-9) << masses;
    EXPECT_NEAR(run.value("B.q"),
                0.1 + std::sqrt(2.0 * g * 0.9) * (1.2 - t0) - 0.5 * g * (1.2 - t0) * (1.2 - t0), 1e-8)
        << masses;
  }
}

// Pressed with 30 N (1 − t) it leaves when that passes zero, whatever the steps, and x = 2.5 (t − 1)³ from there.
TEST(RigidStop, IsLeftWhenNothingPresses) {
  std::string text = block("s: {joint: guide, upper: 0, restitution: 0}", "guide.q: 0", "[0, 0]") +
                     "forces: {f: {joint: guide, force: = 30 - 30*t}}\n";
  for (const std::string& name : integrator_names()) {
    test::Way way{.kind = "relative", .integrator = name};
    way.options = {.step = 1e-3, .rtol = 1e-10, .atol = 1e-12, .largest_step = 0.01};
    SimulatedCase run(test::mechanism_of_text(text), 2.0, way);
    ASSERT_TRUE(run.advance_to(2.0)) << name;
    EXPECT_NEAR(run.value("guide.q"), -2.5, 1e-5) << name;
    ASSERT_EQ(stop_entries(run).size(), 2u) << name;
    EXPECT_NEAR(stop_entries(run)[1].t, 1.0, 1e-8) << name;
  }
}

TEST(RigidStop, ThatADriverRunsIntoIsNamed) {
  const std::string text = block("end: {joint: guide, upper: 0.3, restitution: 0.5}", "guide.q: 0") +
                           "drivers: {lift: {joint: guide, speed: 0.5, start: 0}}\n";
  SimulatedCase run(test::mechanism_of_text(text), 1.0, {.formulation = "semi-recursive", .kind = ""});
  EXPECT_FALSE(run.advance_to(1.0));
  EXPECT_THAT(core::to_sentence(run.simulation.failure()->error_text(true)),
              HasSubstr("what drivers move runs into a rigid stop [stop 'end', t = 0.6"));
}

TEST(RigidStop, OfAnAngleIsMetBeyondHalfATurn) {
  const std::string text = R"(
mechanism: wheel
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {wheel: {mass: 1, inertia: 0.3, center_of_mass: [0, 0], points: {O: [0, 0]}}}
joints: {O: {revolute: [ground.O, wheel.O]}}
stops: {end: {joint: O, upper: 1000 deg, restitution: 0.25}}
assembly: {O.q: 30 deg, O.v: 2}
)";
  for (const auto& [formulation, kind] :
       {std::pair{"semi-recursive", ""}, std::pair{"multipliers", "natural"}}) {
    test::Way way{.formulation = formulation, .kind = kind};
    way.options = {.rtol = 1e-12, .atol = 1e-14};
    SimulatedCase run(test::mechanism_of_text(text), 10.0, way);
    ASSERT_TRUE(run.advance_to(10.0));
    const std::vector<LogEntry> log = stop_entries(run);
    ASSERT_EQ(log.size(), 1u);
    EXPECT_NEAR(log[0].t, 970.0 / 180.0 * std::numbers::pi / 2.0, 1e-9) << formulation;
    EXPECT_NEAR(run.value("O.v"), -0.5, 1e-10);
  }
}

/// Generalised momentum ∂T/∂q̇ of coordinate k of a double pendulum, from its kinetic energy written down here.
struct DoublePendulum {
  double m1 = 1.3, m2 = 0.7, l1 = 0.8, l2 = 0.6;
  double kinetic(double a, double b, double da, double db) const {  // b relative to a, point masses
    const double vx = -l1 * std::sin(a) * da - l2 * std::sin(a + b) * (da + db);
    const double vy = l1 * std::cos(a) * da + l2 * std::cos(a + b) * (da + db);
    return 0.5 * m1 * l1 * l1 * da * da + 0.5 * m2 * (vx * vx + vy * vy);
  }
  /// ∂T/∂q̇₂, exact because T is quadratic.
  double momentum2(double a, double b, double da, double db) const {
    return 0.5 * (kinetic(a, b, da, db + 1.0) - kinetic(a, b, da, db - 1.0));
  }
};

constexpr const char* kDoublePendulum = R"(
mechanism: double pendulum
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies:
  upper: {mass: 1.3, inertia: 0, center_of_mass: P, points: {O: [0, 0], P: [0.8, 0]}}
  lower: {mass: 0.7, inertia: 0, center_of_mass: Q, points: {P: [0, 0], Q: [0.6, 0]}}
joints:
  A: {revolute: [ground.O, upper.O]}
  B: {revolute: [upper.P, lower.P]}
stops: {end: {joint: A, lower: -90 deg, restitution: 0.6}}
assembly: {A.q: 0, B.q: 20 deg}
)";

// The impulse acts in A alone: the momentum that belongs to B stays, A's rate turns to −e times itself.
TEST(RigidStop, ChangesOnlyTheMomentumThatItPushes) {
  for (const auto& [formulation, kind] :
       {std::pair{"semi-recursive", ""}, std::pair{"multipliers", "natural"},
        std::pair{"null-space", "reference-point"}, std::pair{"augmented-lagrangian", "relative"}}) {
    test::Way way{.formulation = formulation, .kind = kind};
    way.options = {.rtol = 1e-11, .atol = 1e-13};
    SimulatedCase run(test::mechanism_of_text(kDoublePendulum), 2.0, way);
    double t = 0.0;
    while (stop_entries(run).empty()) ASSERT_TRUE(run.advance_to(t += 0.01));
    const double impact = stop_entries(run)[0].t;
    SimulatedCase again(test::mechanism_of_text(kDoublePendulum), 2.0, way);
    ASSERT_TRUE(again.advance_to(impact));  // just before it
    const double a = again.value("A.q"), b = again.value("B.q"), da = again.value("A.v"),
                 db = again.value("B.v");
    EXPECT_NEAR(a, -0.5 * std::numbers::pi, 1e-10) << formulation;
    ASSERT_TRUE(again.advance_to(impact + 1e-9));  // just behind
    const double da1 = again.value("A.v"), db1 = again.value("B.v");
    EXPECT_NEAR(da1, -0.6 * da, 1e-6) << formulation;
    const DoublePendulum p;
    EXPECT_NEAR(p.momentum2(a, b, da1, db1), p.momentum2(a, b, da, db),
                1e-6 * std::abs(p.momentum2(a, b, da, 0.0)))
        << formulation;
    EXPECT_GT(std::abs(db1 - db), 1.0) << "B's rate jumps";
  }
}

// The whole mechanism has one freedom: whatever the loop, all rates turn to −e times themselves.
TEST(RigidStop, TurnsALoopRoundInAllFormulations) {
  const std::string extra = "\nstops: {end: {joint: A, lower: 60 deg, upper: 110 deg, restitution: 0.5}}\n";
  std::string text = io::read_file_text(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml");
  const model::Mechanism mechanism = test::released(io::read_mechanism(text + extra, "testbed.yaml"));
  std::vector<double> times;
  for (const auto& [formulation, kind] :
       {std::pair{"groups", ""}, std::pair{"semi-recursive", ""}, std::pair{"multipliers", "reference-point"},
        std::pair{"null-space", "natural"}, std::pair{"augmented-lagrangian", "natural"}}) {
    test::Way way{.formulation = formulation, .kind = kind};
    way.options = {.rtol = 1e-11, .atol = 1e-13};
    SimulatedCase run(mechanism, 3.0, way);
    double t = 0.0;
    while (stop_entries(run).empty()) ASSERT_TRUE(run.advance_to(t += 0.01)) << formulation;
    const double impact = stop_entries(run)[0].t;
    SimulatedCase again(mechanism, 3.0, way);
    ASSERT_TRUE(again.advance_to(impact));
    const double T0 = dynamics::kinetic_energy(mechanism, again.bodies), crank = again.value("crank.rate"),
                 coupler = again.value("coupler.rate");
    ASSERT_TRUE(again.advance_to(impact + 1e-10));
    EXPECT_NEAR(dynamics::kinetic_energy(mechanism, again.bodies), 0.25 * T0, 1e-7 * T0) << formulation;
    EXPECT_NEAR(again.value("crank.rate"), -0.5 * crank, 1e-7) << formulation;
    EXPECT_NEAR(again.value("coupler.rate"), -0.5 * coupler, 1e-7) << formulation;
    EXPECT_LE(again.simulation.constraint_error(), 1e-11) << formulation;
    times.push_back(impact);
  }
  for (const double t : times) EXPECT_NEAR(t, times[0], 1e-9);
}

TEST(RigidStop, IsNotHitByWhatTurnsBackBeforeIt) {
  // Thrown up to 0.2 m: v²/2 g = 0.2.
  const std::string start = "guide.q: 0, guide.v: " + std::to_string(std::sqrt(2.0 * g * 0.2));
  SimulatedCase near(
      test::mechanism_of_text(block("roof: {joint: guide, upper: 0.200001, restitution: 1}", start)), 0.4,
      {.kind = "relative"});
  ASSERT_TRUE(near.advance_to(0.4));
  EXPECT_TRUE(stop_entries(near).empty());
  // A grain lower it touches the roof for less than a step, in the middle of one.
  SimulatedCase hit(
      test::mechanism_of_text(block("roof: {joint: guide, upper: 0.199, restitution: 1}", start)), 0.4,
      {.kind = "relative"});
  ASSERT_TRUE(hit.advance_to(0.4));
  EXPECT_EQ(stop_entries(hit).size(), 1u);
}

TEST(RigidStop, BeyondWhichARunStartsIsRefused) {
  EXPECT_THAT(test::sentence_of<core::ModelError>([] {
                SimulatedCase run(test::mechanism_of_text(block(
                                      "floor: {joint: guide, lower: 0, restitution: 0.5}", "guide.q: -0.1")),
                                  1.0, {.kind = "relative"});
              }),
              HasSubstr("the run starts beyond a limit [stop 'floor']: expected guide.q within its "
                        "limits, got 0.1 m beyond"));
}

TEST(RigidStop, IsRefusedWherePositionsAreSolvedFor) {
  EXPECT_THAT(
      test::sentence_of<core::ModelError>([] {
        SimulatedCase run(
            test::mechanism_of_text(block("floor: {joint: guide, lower: 0, restitution: 0.5}", "guide.q: 1")),
            1.0, {.formulation = "augmented-lagrangian", .kind = "natural", .integrator = "trapezoidal"});
      }),
      HasSubstr("rigid stops and friction by load are not simulated this way"));
}

// Between soft walls without gravity: half a period of √(k/m) in each, constant speed between.
TEST(SoftStop, HoldsForHalfAPeriod) {
  const double w = std::sqrt(5000.0 / 2.0), v = 3.0, period = 2.0 * (1.0 / v + std::numbers::pi / w);
  test::Way way{.kind = "relative"};
  way.options = {.rtol = 1e-12,
                 .atol = 1e-14};  // each of twenty touches is a kink, which costs steps their order
  SimulatedCase run(
      test::mechanism_of_text(block("walls: {joint: guide, lower: -0.5, upper: 0.5, stiffness: 5000}",
                                    "guide.q: 0, guide.v: 3", "[0, 0]")),
      10.0, way);
  ASSERT_TRUE(run.advance_to(5.0 * period));
  EXPECT_NEAR(run.value("guide.q"), 0.0, 1e-8);
  EXPECT_NEAR(run.value("guide.v"), v, 1e-8);
  // Deepest in the middle of a contact: v/ω beyond the limit, pushed back with k v/ω.
  ASSERT_TRUE(run.advance_to(5.0 * period + 0.5 / v + 0.5 * std::numbers::pi / w));
  EXPECT_NEAR(run.value("guide.q"), 0.5 + v / w, 1e-8);
  EXPECT_NEAR(run.c.model.forces().stop_force(0, 0.0, run.bodies, run.simulation.point().state.memory),
              -5000.0 * v / w, 1e-4);
}

// With damping it rebounds slower, and never pulls: by the closed form of a damped contact that ends when the force does.
TEST(SoftStop, WithDampingPushesOnly) {
  const double m = 2.0, k = 5000.0, c = 40.0, v0 = 3.0;
  const double d = 0.5 * c / m, w = std::sqrt(k / m - d * d);
  // depth x = v₀/ω e^(−d t) sin ω t; the force k x + c ẋ falls to zero at tan ω t = 2 d ω/(d² − ω²) (second quadrant).
  const double T = (std::atan2(2.0 * d * w, d * d - w * w)) / w;
  const double after = v0 * std::exp(-d * T) * (std::cos(w * T) - d / w * std::sin(w * T));
  ASSERT_LT(after, 0.0);
  test::Way way{.kind = "relative"};
  way.options = {.rtol = 1e-11, .atol = 1e-13};
  SimulatedCase run(
      test::mechanism_of_text(block("wall: {joint: guide, upper: 0.5, stiffness: 5000, damping: 40}",
                                    "guide.q: 0, guide.v: 3", "[0, 0]")),
      1.0, way);
  ASSERT_TRUE(run.advance_to(1.0));
  EXPECT_NEAR(run.value("guide.v"), after, 1e-8);
}

// Rebounds within the play, friction in it, and a loop of hinges about one point: impacts, rest and sliding together, to the end.
TEST(Play, OfAGearThatRattlesIsRunToItsEnd) {
  const std::string text = R"(
mechanism: gear
plane: xy
bodies:
  motor: {mass: 1, inertia: 0.02, center_of_mass: [0, 0], points: {O: [0, 0]}}
  load: {mass: 1, inertia: 0.05, center_of_mass: [0, 0], points: {O: [0, 0]}}
ground: {points: {O: [0, 0]}}
joints:
  shaft: {revolute: [ground.O, motor.O]}
  mesh: {revolute: [motor.O, load.O], friction: {coulomb: 0.01}}
  bearing: {revolute: [ground.O, load.O]}
stops: {teeth: {joint: mesh, play: 1 deg, restitution: 0.3}}
forces: {drive: {joint: shaft, torque: = 0.5*sin(6*t)}}
)";
  for (const auto& [formulation, kind] :
       {std::pair{"semi-recursive", ""}, std::pair{"multipliers", "natural"}}) {
    test::Way way{.formulation = formulation, .kind = kind};
    way.options.largest_step = 3e-3;
    SimulatedCase run(test::mechanism_of_text(text), 3.0, way);
    for (int k = 1; k <= 300; ++k) {
      ASSERT_TRUE(run.advance_to(0.01 * k)) << formulation;
      ASSERT_LE(std::abs(run.value("mesh.q")), 0.5 / 180.0 * std::numbers::pi + 1e-9) << formulation;
    }
    // Where both move together, the load takes J₂/(J₁ + J₂) of the torque through the teeth.
    EXPECT_NEAR(run.c.model.forces().stop_force(0, 3.0, run.bodies, run.simulation.point().state.memory),
                0.5 * std::sin(18.0) * 0.05 / 0.07, 1e-6)
        << formulation;
  }
}

// Two equal trucks coupled with play, elastic: they exchange velocities each time the play is used up.
TEST(Play, PassesTheVelocityOn) {
  const std::string text = R"(
mechanism: trucks
plane: xy
ground: {points: {O: [0, 0]}}
bodies:
  first: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}}
  second: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}}
joints:
  track: {prismatic: [ground.O, first.P], axis: [1, 0]}
  buffer: {prismatic: [first.P, second.P], axis: [1, 0]}
stops: {coupling: {joint: buffer, play: 40 mm, center: 1, restitution: 1}}
assembly: {track.q: 0, track.v: 0.5, buffer.q: 1, buffer.v: -0.5}
)";
  SimulatedCase run(test::mechanism_of_text(text), 1.0, {.formulation = "semi-recursive", .kind = ""});
  ASSERT_TRUE(run.advance_to(0.9));
  const std::vector<LogEntry> log = stop_entries(run);
  // 20 mm at 0.5 m/s to the first, 40 mm from one to the next.
  ASSERT_EQ(log.size(), 11u);
  for (std::size_t k = 0; k < log.size(); ++k)
    EXPECT_NEAR(log[k].t, 0.04 + 0.08 * static_cast<double>(k), 1e-10);
  EXPECT_NEAR(run.value("track.v"), 0.0, 1e-12);  // after an odd number of impacts
  EXPECT_NEAR(run.value("buffer.v"), 0.5, 1e-12);
}

}  // namespace
}  // namespace eslabon::integration
