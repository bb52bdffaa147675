// Dry friction: where it holds and where it slides, against closed forms and an integration of the test's own.
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/sentence_of.hpp"
#include "tests/simulated_case.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/dynamics/forces/coupled_forces.hpp"
#include "eslabon/dynamics/forces/friction_law.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/io/mechanism/document.hpp"

namespace eslabon::integration {
namespace {

using test::SimulatedCase;
using testing::HasSubstr;

constexpr double g = 9.81;

std::vector<LogEntry> friction_entries(const SimulatedCase& run) {
  std::vector<LogEntry> entries;
  for (const LogEntry& entry : run.simulation.log())
    if (entry.kind == LogEntry::Kind::kFriction) entries.push_back(entry);
  return entries;
}

/// A block of 2 kg on an incline that falls to the right by `slope`; in the plane, or in space about a tilted axis.
std::string incline(double slope, const std::string& friction, const std::string& start = "guide.q: 0",
                    bool is_planar = true) {
  char axis[200];
  std::snprintf(
      axis, sizeof axis,
      is_planar ? "{first: [%.17g, %.17g], second: [1, 0]}" : "{first: [%.17g, 0, %.17g], second: [1, 0, 0]}",
      std::cos(slope), -std::sin(slope));
  return std::string("mechanism: incline\n") +
         (is_planar ? "plane: xy\ngravity: [0, -9.81]\n" : "gravity: [0, 0, -9.81]\n") +
         "ground: {points: {O: " + (is_planar ? "[0, 0]" : "[0, 0, 0]") + "}}\n" +
         "bodies: {block: {mass: 2, inertia: " + (is_planar ? "0.1" : "[0.1, 0.1, 0.1]") +
         ", center_of_mass: P, points: {P: " + (is_planar ? "[0, 0]" : "[0, 0, 0]") + "}}}\n" +
         "joints: {guide: {prismatic: [ground.O, block.P], axis: " + axis + ", friction: {" + friction +
         "}}}\n" + "assembly: {" + start + "}\n";
}

TEST(FrictionLaw, IsSmoothAndHoldsBelowTheCreepSpeed) {
  const model::JointFriction friction{.viscous = 0.5,
                                      .coulomb = 2.0,
                                      .stiction = 3.0,
                                      .coefficient = 0.1,
                                      .static_coefficient = 0.2,
                                      .radius = 0.5,
                                      .stribeck_speed = 0.1,
                                      .creep_speed = 1e-3};
  const double load = 40.0, F_s = 3.0 + 0.2 * 0.5 * 40.0, F_c = 2.0 + 0.1 * 0.5 * 40.0;
  EXPECT_DOUBLE_EQ(dynamics::holding_effort(friction, load), F_s);
  EXPECT_EQ(dynamics::friction_effort(friction, load, 0.0), 0.0);
  EXPECT_NEAR(dynamics::friction_effort(friction, load, 1e-3), F_s + 0.5e-3, 1e-13);
  EXPECT_NEAR(dynamics::friction_effort(friction, load, 10.0), F_c + 5.0, 1e-13);
  EXPECT_NEAR(dynamics::friction_effort(friction, load, 0.101), F_c + (F_s - F_c) / std::numbers::e + 0.0505,
              1e-13);
  for (const double v : {2e-4, 1e-3, 2e-3, 0.07, 3.0}) {
    EXPECT_EQ(dynamics::friction_effort(friction, load, -v), -dynamics::friction_effort(friction, load, v));
    // Less than F_s below the creep speed, and a slope without jumps.
    const double h = 1e-9, f0 = dynamics::friction_effort(friction, load, v - h),
                 f1 = dynamics::friction_effort(friction, load, v),
                 f2 = dynamics::friction_effort(friction, load, v + h);
    EXPECT_NEAR(f2 - f1, f1 - f0, 1e-7);
    EXPECT_LE(f1, F_s + 0.5 * v);
  }
}

// tan slope = μ: 1e-6 rad below it holds, 1e-6 rad above it slides, and so it does by μ_s where that is larger.
TEST(Incline, HoldsAndSlidesWhereItShould) {
  for (const bool is_planar : {true, false})
    for (const auto& [friction, mu] :
         {std::pair{"coefficient: 0.3", 0.3},
          std::pair{"coefficient: 0.3, static_coefficient: 0.4, stribeck_speed: 0.01", 0.4}})
      for (const double off : {-1e-6, 1e-6}) {
        SimulatedCase run(
            test::mechanism_of_text(incline(std::atan(mu) + off, friction, "guide.q: 0", is_planar)), 2.0,
            {.formulation = "semi-recursive", .kind = ""});
        ASSERT_TRUE(run.advance_to(2.0));
        const std::vector<LogEntry> log = friction_entries(run);
        if (off < 0.0) {
          EXPECT_TRUE(log.empty()) << friction;
          EXPECT_LT(run.value("guide.v"), 1e-4) << friction;
          EXPECT_LT(run.value("guide.q"), 2e-4) << friction;
        } else {
          ASSERT_EQ(log.size(), 1u) << friction;
          EXPECT_EQ(log[0].text, "joint 'guide' begins to slide");
          EXPECT_GT(run.value("guide.v"), 1e-4) << friction;
        }
      }
}

// Sliding is a constant deceleration: v falls to the creep speed at (v₀ − v_c)/a, a = g (μ cos − sin), and stays there.
TEST(Incline, StopsWhatSlides) {
  const double slope = 0.1, mu = 0.3, a = g * (mu * std::cos(slope) - std::sin(slope)), v0 = 1.7;
  for (const auto& [formulation, kind] :
       {std::pair{"semi-recursive", ""}, std::pair{"multipliers", "natural"},
        std::pair{"null-space", "reference-point"}}) {
    test::Way way{.formulation = formulation, .kind = kind};
    way.options = {.rtol = 1e-10, .atol = 1e-12};
    SimulatedCase run(test::mechanism_of_text(incline(slope, "coefficient: 0.3", "guide.q: 0, guide.v: 1.7")),
                      3.0, way);
    ASSERT_TRUE(run.advance_to(0.5));
    EXPECT_NEAR(run.value("guide.q"), v0 * 0.5 - 0.125 * a, 1e-9);
    ASSERT_TRUE(run.advance_to(3.0));
    const std::vector<LogEntry> log = friction_entries(run);
    ASSERT_EQ(log.size(), 1u) << formulation;
    EXPECT_EQ(log[0].text, "joint 'guide' begins to hold");
    EXPECT_NEAR(log[0].t, (v0 - 1e-4) / a, 1e-9) << formulation;
    const double stopped = 0.5 * v0 * v0 / a;
    EXPECT_NEAR(run.value("guide.q"), stopped, 1e-4 * 3.0);
    // How fast it creeps: s(x) = tan slope/μ of (1).
    const double x = run.value("guide.v") / 1e-4;
    EXPECT_NEAR(0.5 * x * (3.0 - x * x), std::tan(slope) / mu, 1e-6);
  }
}

// Pushed to and fro harder than it can be held, it turns round without holding; pushed less it holds for a while each time.
TEST(Incline, TurnsRoundWithoutHolding) {
  for (const auto& [push, holds] : {std::pair{"60", false}, std::pair{"9", true}}) {
    const std::string text = incline(0.0, "coefficient: 0.3", "guide.q: 0, guide.v: 1") +
                             "forces: {push: {joint: guide, force: = " + push + "*cos(4*t)}}\n";
    test::Way way{.formulation = "semi-recursive", .kind = ""};
    way.options.largest_step = 1e-3;
    SimulatedCase run(test::mechanism_of_text(text), 4.0, way);
    double before = 1.0;
    int turns = 0;
    for (int k = 1; k <= 4000; ++k) {
      ASSERT_TRUE(run.advance_to(1e-3 * k));
      const double v = run.value("guide.v");
      if (v * before < 0.0) ++turns;
      if (v != 0.0) before = v;
    }
    EXPECT_GE(turns, 3);
    EXPECT_EQ(!friction_entries(run).empty(), holds);
    for (std::size_t k = 0; k < friction_entries(run).size(); ++k)  // by turns
      EXPECT_EQ(friction_entries(run)[k].text,
                k % 2 == 0 ? "joint 'guide' begins to hold" : "joint 'guide' begins to slide");
  }
}

// A pendulum on a pin that rubs by its load, which depends on the friction itself; integrated here by Runge–Kutta with the load
// from the closed form of the reactions.
TEST(Pin, RubsByItsLoad) {
  const double m = 1.4, l = 0.5, J = 0.05, mu = 0.25, r = 0.06, creep = 1e-3;
  const auto s = [&](double v) {
    const double x = v / creep;
    return std::abs(x) > 1.0 ? std::copysign(1.0, x) : 0.5 * x * (3.0 - x * x);
  };
  // θ from the vertical below: (J + m l²) θ̈ = −m g l sin θ − μ r N s(θ̇),  N = m |a − g| at the centre of mass.
  const auto acceleration = [&](double theta, double rate) {
    double N = 0.0, alpha = 0.0;
    for (int i = 0; i < 200; ++i) {
      alpha = (-m * g * l * std::sin(theta) - mu * r * N * s(rate)) / (J + m * l * l);
      const double radial = m * (l * rate * rate + g * std::cos(theta)),
                   tangential = m * (l * alpha + g * std::sin(theta));
      N = std::hypot(radial, tangential);
    }
    return alpha;
  };
  double theta = 1.2, rate = 0.0;
  // 0.6 s: it swings to the other side. The first millisecond, in which it leaves the creep speed behind, in small steps.
  for (int i = 0; i < 1000 + 5990; ++i) {
    const double h = i < 1000 ? 1e-6 : 1e-4;
    const std::array<double, 4> part{0.0, 0.5 * h, 0.5 * h, h};
    std::array<double, 4> k{}, d{};
    for (std::size_t j = 0; j < 4; ++j) {
      const double q = theta + (j == 0 ? 0.0 : part[j] * d[j - 1]),
                   v = rate + (j == 0 ? 0.0 : part[j] * k[j - 1]);
      d[j] = v;
      k[j] = acceleration(q, v);
    }
    theta += h / 6.0 * (d[0] + 2.0 * d[1] + 2.0 * d[2] + d[3]);
    rate += h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]);
  }
  const std::string text = R"(
mechanism: pendulum on a pin
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bob: {mass: 1.4, inertia: 0.05, center_of_mass: C, points: {O: [0, 0], C: [0, -0.5]}}}
joints: {O: {revolute: [ground.O, bob.O], friction: {coefficient: 0.25, radius: 60 mm, creep_speed: 1e-3}}}
assembly: {O.q: 1.2}
)";
  test::Way way{.formulation = "semi-recursive", .kind = ""};
  way.options = {.rtol = 1e-11, .atol = 1e-13};
  SimulatedCase run(test::mechanism_of_text(text), 0.6, way);
  ASSERT_TRUE(run.advance_to(0.6));
  EXPECT_NEAR(run.value("O.q"), theta, 1e-8);
  EXPECT_NEAR(run.value("O.v"), rate, 1e-7);
}

model::Mechanism rubbing_testbed(const std::string& friction) {
  std::string text = io::read_file_text(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml");
  const std::string hinge = "[ground.B, rocker.B]";
  const auto at = text.find(hinge);
  EXPECT_NE(at, std::string::npos);
  text.insert(at + hinge.size(), ", friction: {" + friction + "}");
  return test::released(io::read_mechanism(text, "testbed.yaml"));
}

/// What friction takes up to t, by quadrature with three points of Gauss in steps of h.
double friction_work(SimulatedCase& run, model::JointIndex joint, double until, double h) {
  constexpr std::array<double, 3> kAt{0.5 - 0.3872983346207417, 0.5, 0.5 + 0.3872983346207417};
  constexpr std::array<double, 3> kWeight{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  double work = 0.0;
  const auto steps = static_cast<int>(std::lround(until / h));
  const model::Joint& j = run.c.mechanism.joint(joint);
  for (int i = 0; i < steps; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_TRUE(run.advance_to(h * (i + kAt[k])));
      const double v =
          coordinates::joint_coordinate(j.type, 0, coordinates::relative_motion(j, run.bodies)).velocity;
      work +=
          h * kWeight[k] *
          run.c.model.forces().friction_effort({joint, 0}, run.bodies, run.simulation.point().state.memory) *
          v;
    }
  EXPECT_TRUE(run.advance_to(until));
  return work;
}

TEST(Rocker, StopsAndStaysAndLosesWhatFrictionTakes) {
  for (const std::string friction : {"coulomb: 0.6", "coefficient: 0.4, radius: 60 mm",
                                     "coulomb: 0.4, stiction: 0.5, stribeck_speed: 0.2, viscous: 0.01"}) {
    const model::Mechanism mechanism = rubbing_testbed(friction + ", creep_speed: 1e-3");
    test::Way way{.formulation = "semi-recursive", .kind = ""};
    way.options = {.rtol = 1e-12,
                   .atol = 1e-14};  // sliding that turns back is a kink, which costs steps their order
    SimulatedCase run(mechanism, 70.0, way);
    const auto energy = [&] { return dynamics::mechanical_energy(mechanism, run.bodies); };
    const double E0 = energy();
    const double work = friction_work(run, std::get<model::JointIndex>(*mechanism.find("B")), 2.0, 1e-4);
    EXPECT_LT(work, -0.1) << friction;
    EXPECT_NEAR(energy() - E0, work, 1e-8 * std::abs(work)) << friction;

    ASSERT_TRUE(run.advance_to(60.0));
    const std::vector<LogEntry> log = friction_entries(run);
    ASSERT_FALSE(log.empty()) << friction;
    EXPECT_EQ(log.back().text, "joint 'B' begins to hold") << friction;
    const double there = run.value("rocker.angle");
    ASSERT_TRUE(run.advance_to(70.0));
    EXPECT_LT(std::abs(run.value("rocker.angle") - there), 1e-3 * 10.0) << friction;
    EXPECT_LT(std::abs(run.value("rocker.rate")), 1e-3) << friction;
  }
}

// Four hinges that all rub by their loads, each of which depends on all others: the same in every formulation, and the power that
// bodies lose is that of friction.
TEST(CoupledForces, AgreeInAllFormulations) {
  std::string text = io::read_file_text(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml");
  const std::string own = ", friction: {coulomb: = crank_friction}";
  text.erase(text.find(own), own.size());
  std::size_t found = 0;
  for (const std::string hinge :
       {"[ground.A, crank.A]", "[crank.P1, coupler.P1]", "[coupler.P2, rocker.P2]", "[ground.B, rocker.B]"})
    if (const auto at = text.find(hinge); at != std::string::npos) {
      text.insert(at + hinge.size(), ", friction: {coefficient: 0.35, radius: 30 mm}");
      ++found;
    }
  ASSERT_EQ(found, 4u);
  const test::DynamicCase c(test::released(io::read_mechanism(text, "testbed.yaml")));
  const coordinates::MechanismMotion moving = test::random_motion(c.model, 3);
  std::vector<double> reference;
  for (const auto& [name, kind] :
       {std::pair{"groups", ""}, std::pair{"semi-recursive", ""}, std::pair{"null-space", "natural"},
        std::pair{"multipliers", "reference-point"}, std::pair{"augmented-lagrangian", "natural"}}) {
    const auto formulation = dynamics::make_formulation(name, c.model, {.kind = kind});
    dynamics::CoupledForces coupled(c.model, *formulation);
    dynamics::State state = formulation->state_of(moving, 0.0);
    std::vector<double> a(state.q.size()), z_ddot(static_cast<std::size_t>(formulation->num_integrated()));
    ASSERT_EQ(coupled.accelerate(state, a, z_ddot), dynamics::DynamicsStatus::kSolved) << name;
    coordinates::MechanismMotion bodies(moving.size());
    formulation->evaluate_bodies(state, a, bodies);
    std::vector<double> values = state.memory.loads;
    for (const coordinates::BodyMotion& body : bodies) values.push_back(body.alpha_WB_W.z());
    if (reference.empty()) reference = values;
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_NEAR(values[k], reference[k], 1e-9 * (1.0 + std::abs(reference[k]))) << name << ", " << k;
    for (const double load : state.memory.loads) EXPECT_GT(load, 0.1);
  }
}

// The rod pushes the slider against its guide harder than friction lets it move: no finite motion of rigid bodies goes on.
TEST(CoupledForces, SayWhenAJointJams) {
  const std::string text = R"(
mechanism: wedge
plane: xy
gravity: [0, -9.81]
ground: {points: {A: [0, 0], S: [0, 0]}}
bodies:
  rod: {mass: 1, inertia: 0.1, center_of_mass: [0.5, 0], points: {A: [0, 0], B: [1, 0]}}
  top: {mass: 1, inertia: 0.1, center_of_mass: [0, 0], points: {P: [0, 0]}}
  slider: {mass: 0.1, inertia: 0.1, center_of_mass: [0, 0], points: {B: [0, 0], S: [0, 0]}}
joints:
  wall: {prismatic: [ground.A, top.P], axis: [0, 1]}
  A: {revolute: [top.P, rod.A]}
  B: {revolute: [rod.B, slider.B]}
  floor: {prismatic: [ground.S, slider.S], axis: [1, 0], friction: {coefficient: 8}}
assembly: {rod.angle: -60 deg, floor.q: 0.5, wall.q: 0.866, floor.v: 1}
)";
  EXPECT_THAT(
      test::sentence_of<core::ModelError>([&] {
        SimulatedCase run(test::mechanism_of_text(text), 1.0, {.formulation = "semi-recursive", .kind = ""});
      }),
      HasSubstr("a joint jams [t = 0 s]: expected reactions that agree with the friction that they cause"));
}

}  // namespace
}  // namespace eslabon::integration
