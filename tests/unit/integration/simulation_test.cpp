// Runs: instants, events, failures.
#include <cmath>
#include <numbers>
#include <string>

#include "tests/sentence_of.hpp"
#include "tests/simulated_case.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/kinematics/motion.hpp"

namespace eslabon::integration {
namespace {

using test::SimulatedCase;
using testing::HasSubstr;

std::string failure_of(const SimulatedCase& run) {
  return run.simulation.failure() ? core::to_sentence(run.simulation.failure()->error_text(
                                        run.simulation.integrator().facts().is_adaptive))
                                  : "no failure";
}

TEST(Simulation, HitsTheInstantsThatAreAskedFor) {
  for (const std::string& name : integrator_names()) {
    test::Way way{.kind = "relative", .integrator = name};
    way.options.step = 7e-3;
    SimulatedCase run(test::load_released("fourbar-testbed"), 1.0, way);
    for (const double t : {0.0, 0.1, 0.1, 1.0 / 3.0, 1.0}) {
      ASSERT_TRUE(run.advance_to(t)) << name;
      EXPECT_EQ(run.simulation.t(), t);
      EXPECT_LE(run.simulation.constraint_error(), 1e-12);
    }
    EXPECT_THAT(test::sentence_of<core::ContractError>([&] { static_cast<void>(run.advance_to(0.5)); }),
                HasSubstr("Ask for times in their order"));
    EXPECT_THAT(test::sentence_of<core::ContractError>([&] { static_cast<void>(run.advance_to(1.5)); }),
                HasSubstr("1.5 s"));
  }
}

// A bar that falls from the horizontal passes the vertical where a pendulum does: after a quarter of its period.
TEST(Event, IsLocatedWhereTheFunctionPassesZero) {
  const double quarter = 2.367841947576237 / 4.0;
  for (const std::string& name : integrator_names()) {
    test::Way way{.kind = "relative", .integrator = name};
    way.options = {.step = 1e-3, .rtol = 1e-12, .atol = 1e-13};
    SimulatedCase run(test::mechanism_of_text(test::kPendulum), 2.5, way);
    const auto x = [](double, const coordinates::MechanismMotion& bodies) {
      return bodies[1].point_position({1.0, 0.0, 0.0}).x();
    };
    run.simulation.add_event({.name = "low", .g = x});
    run.simulation.add_event(
        {.name = "to the left", .g = x, .direction = EventFunction::Direction::kFalling});
    ASSERT_TRUE(run.advance_to(2.5));
    const std::vector<LogEntry>& log = run.simulation.log();
    ASSERT_EQ(log.size(), 3u) << name;
    const double tolerance = is_adaptive(name) || name == "rk4" ? 1e-7 : 1e-5;
    EXPECT_NEAR(log[0].t, quarter, tolerance) << name;
    EXPECT_EQ(log[0].text, "low");
    EXPECT_NEAR(log[1].t, 3.0 * quarter, 3.0 * tolerance) << name;
    EXPECT_NEAR(log[2].t, 3.0 * quarter, 3.0 * tolerance) << name;
  }
}

TEST(Event, EndsTheRun) {
  SimulatedCase run(test::mechanism_of_text(test::kPendulum), 3.0, {.kind = "relative"});
  run.simulation.add_event(
      {.name = "low",
       .g = [](double, const auto& bodies) { return bodies[1].X_WB.R_AB.matrix()(0, 0); },
       .ends_run = true});
  EXPECT_TRUE(run.advance_to(0.3));
  EXPECT_FALSE(run.advance_to(3.0));
  ASSERT_TRUE(run.simulation.end().has_value());
  EXPECT_NEAR(run.value("bob.P.x"), 0.0, 1e-7);
  EXPECT_EQ(run.simulation.t(), run.simulation.end()->t);
  EXPECT_FALSE(run.simulation.failure().has_value());
  EXPECT_FALSE(run.advance_to(3.0));
}

TEST(Choice, OfOtherCoordinatesIsLogged) {
  SimulatedCase run(test::load_released("fourbar-testbed"), 5.0, {});
  ASSERT_TRUE(run.advance_to(5.0));
  ASSERT_FALSE(run.simulation.log().empty());
  EXPECT_EQ(run.simulation.log().front().kind, LogEntry::Kind::kChoice);
  EXPECT_THAT(run.simulation.log().front().text, HasSubstr("independent coordinates are now"));
}

// With drivers for every freedom a run is kinematics.
TEST(Simulation, OfADrivenMechanismIsItsKinematics) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {});
  for (const std::string integrator : {"dopri5", "rk4"}) {
    test::Way way{.formulation = "multipliers", .kind = "relative", .integrator = integrator};
    SimulatedCase run(mechanism, 4.0, way);
    ASSERT_TRUE(run.advance_to(4.0)) << failure_of(run);
    const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, run.c.structure);
    const kinematics::DrivenMechanism driven(mechanism, run.c.structure, assembly);
    kinematics::Motion motion("sparse", "relative", driven, 4.0);
    ASSERT_TRUE(motion.advance_to(4.0));
    coordinates::MechanismMotion bodies(mechanism.bodies().size());
    motion.evaluate_bodies(bodies);
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      EXPECT_LE((run.bodies[b].X_WB.p_AB_A - bodies[b].X_WB.p_AB_A).norm(), 1e-9) << integrator;
      EXPECT_LE((run.bodies[b].alpha_WB_W - bodies[b].alpha_WB_W).norm(), 1e-6) << integrator;
    }
  }
}

TEST(Failure, OfAForceIsReportedWithItsTime_AndWhatWasReachedStays) {
  for (const std::string& name : integrator_names()) {
    test::DynamicCase c(test::mechanism_of_text(test::kPendulum), 2.0);
    c.model.add_force([](double t, const auto&, std::span<dynamics::Wrench> wrenches) {
      if (t > 0.5) wrenches[1].force.x() = std::nan("");
    });
    const auto formulation = dynamics::make_formulation("null-space", c.model, {.kind = "relative"});
    Simulation run(c.model, *formulation, make_integrator(name), 2.0);
    EXPECT_TRUE(run.advance_to(0.4));
    EXPECT_FALSE(run.advance_to(2.0)) << name;
    ASSERT_TRUE(run.failure().has_value());
    EXPECT_NEAR(run.t(), 0.5, 2e-3) << name;
    EXPECT_TRUE(std::isfinite(run.point().state.q[0]));
    EXPECT_THAT(core::to_sentence(run.failure()->error_text(true)), HasSubstr("t = 0.5")) << name;
    EXPECT_FALSE(run.advance_to(2.0));
  }
}

TEST(Failure, OfASpringWithoutDirectionIsReportedAtTheStart_InEveryFormulation) {
  for (const std::string& name : dynamics::formulation_names()) {
    const std::string sentence = test::sentence_of<core::ModelError>([&] {
      test::DynamicCase c(test::mechanism_of_text(
          "mechanism: slide\nplane: xy\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
          "bodies: {mass: {mass: 2, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, "
          "0]}}}\n"
          "joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}\n"
          "springs: {s: {between: [ground.O, mass.P], stiffness: 10, free_length: 0.5}}\n"));
      const auto formulation = dynamics::make_formulation(name, c.model);
      Simulation run(c.model, *formulation, make_integrator("dopri5"), 2.0);
    });
    // The augmented Lagrangian looks at the start before there is a run.
    EXPECT_EQ(sentence,
              std::string(name == "augmented-lagrangian" ? "" : "the run ends early: ") +
                  "a force cannot be computed [spring 's', t = 0 s]: expected two points apart from each "
                  "other, got points that coincide, so that the force has no direction. Start "
                  "somewhere else, or choose other points.")
        << name;
  }
}

TEST(Failure, OfAUsersForceThatSaysSoIsReportedInItsWords) {
  for (const std::string& name : integrator_names()) {
    test::DynamicCase c(test::mechanism_of_text(test::kPendulum), 2.0);
    c.model.add_force([](double t, const auto&, std::span<dynamics::Wrench>) {
      if (t > 0.5) throw core::ModelError({"the wind is unknown", "", "", "", "Ask later."});
    });
    const auto formulation = dynamics::make_formulation("null-space", c.model, {.kind = "relative"});
    Simulation run(c.model, *formulation, make_integrator(name), 2.0);
    EXPECT_FALSE(run.advance_to(2.0)) << name;
    ASSERT_TRUE(run.failure().has_value());
    EXPECT_NEAR(run.t(), 0.5, 2e-3) << name;
    EXPECT_THAT(core::to_sentence(run.failure()->error_text(true)),
                HasSubstr("the run ends early: the wind is unknown [t = 0.5"))
        << name;
  }
}

TEST(Failure, OfAStepThatIsTooLargeIsReported) {
  test::Way way{.kind = "relative", .integrator = "rk4"};
  way.options.step = 0.01;  // 100 times too large for 10 000 rad/s
  SimulatedCase run(test::mechanism_of_text(test::kStiffMass), 10.0, way);
  EXPECT_FALSE(run.advance_to(10.0));
  EXPECT_THAT(failure_of(run), HasSubstr("Take a smaller step"));
  EXPECT_TRUE(std::isfinite(run.simulation.point().state.q[0]));
}

TEST(Failure, OfAMassThatIsMissingIsReportedAtTheStart) {
  const std::string massless = R"(
mechanism: massless
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bob: {points: {O: [0, 0], P: [1, 0]}}}
joints: {O: {revolute: [ground.O, bob.O]}}
)";
  EXPECT_THAT(test::sentence_of<core::ModelError>(
                  [&] { SimulatedCase run(test::mechanism_of_text(massless), 1.0, {.kind = "relative"}); }),
              HasSubstr("body 'bob', t = 0 s"));
}

TEST(Simulation, KeepsTheConstraintsOfDependentCoordinates) {
  for (const std::string& name : integrator_names())
    for (const std::string formulation : {"multipliers", "null-space"}) {
      test::Way way{.formulation = formulation, .kind = "reference-point", .integrator = name};
      way.options.step = 5e-3;
      SimulatedCase run(test::load_released("fourbar-testbed"), 2.0, way);
      ASSERT_TRUE(run.advance_to(2.0)) << name << failure_of(run);
      EXPECT_LE(run.simulation.statistics().worst_constraint_error, 1e-12) << name << " " << formulation;
    }
}

TEST(Recorder, WatchesTheEnergy) {
  const model::Mechanism mechanism =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {});
  SimulatedCase run(mechanism, 1.0, {.formulation = "multipliers", .kind = "relative"});
  Recorder recorder(run.c.model.assembled());
  double first = 0.0, last = 0.0, worst = 0.0;
  for (int k = 0; k <= 10; ++k) {
    ASSERT_TRUE(run.advance_to(0.1 * k));
    const auto row = recorder.record(0.1 * k, run.bodies, 0.0);
    last = row[row.size() - 2];
    if (k == 0) first = last;
    worst = std::max(worst, std::abs(last - first));
  }
  EXPECT_GT(worst, 0.1);  // the motor lifts and lowers the links
  EXPECT_EQ(recorder.energy().start, first);
  EXPECT_EQ(recorder.energy().end, last);
  EXPECT_EQ(recorder.energy().largest_change, worst);
  EXPECT_GT(recorder.energy().largest_kinetic, 0.0);
}

// A pendulum of 2 t that hangs: its energy is known to roundoff of the 10 kJ that are in play, and its motion is worth less.
TEST(Recorder, KnowsWhetherSoMuchMovesThatItsEnergyIsAMeasure) {
  const auto is_moving = [](const std::string& angle) {
    SimulatedCase run(test::mechanism_of_text(R"(
mechanism: pendulum
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bob: {mass: 2000, shape: {bar: [A, B]}, points: {A: [0, 0], B: [0.7, 0]}}}
joints: {O: {revolute: [ground.O, bob.A]}}
assembly: {bob.angle: )" + angle + " deg}\n"),
                      1.0, {.kind = "relative"});
    Recorder recorder(run.c.model.assembled());
    for (int k = 0; k <= 20; ++k) {
      EXPECT_TRUE(run.advance_to(0.05 * k));
      recorder.record(0.05 * k, run.bodies, 0.0);
    }
    EXPECT_GE(recorder.energy().in_play, 2000 * 9.81 * 0.7);
    return recorder.energy().is_moving();
  };
  EXPECT_FALSE(is_moving("-90"));
  EXPECT_FALSE(is_moving("-90.0001"));
  EXPECT_TRUE(is_moving("-91"));
  EXPECT_TRUE(is_moving("0"));
}

TEST(Recorder, KnowsWhatIsConservative) {
  EXPECT_TRUE(is_conservative(test::load_released("fourbar-testbed")));
  EXPECT_FALSE(
      is_conservative(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {})));
  EXPECT_FALSE(is_conservative(test::load_released("quarter-vehicle")));  // a shock absorber
}

// Ten thousand turns a minute in steps of 5 ms are five radians each: nothing counts turns, and an even rotation is no trouble.
TEST(Step, MayBeOfSeveralTurns_WhereNothingCountsThem) {
  const model::Mechanism flywheel = test::mechanism_of_text(R"(
mechanism: flywheel
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {wheel: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {O: [0, 0]}}}
joints: {O: {revolute: [ground.O, wheel.O]}}
assembly: {O.v: 1047}
)");
  for (const std::string name : {"rk4", "trapezoidal"}) {
    SimulatedCase run(
        flywheel, 1.0,
        {.formulation = "semi-recursive", .kind = "", .integrator = name, .options = {.step = 5e-3}});
    ASSERT_TRUE(run.advance_to(1.0)) << failure_of(run);
    EXPECT_NEAR(run.simulation.point().state.q[0], 1047.0, 1e-6) << name;
  }
}

// A driver whose position jumps by 0.3 rad at rest: implicit steps of dependent coordinates must not swallow it.
TEST(Step, ThatJumpsIsRefused_WithDependentCoordinatesToo) {
  const model::Mechanism mechanism = test::mechanism_of_text(R"(
mechanism: jump
plane: xy
ground: {points: {O: [0, 0]}}
bodies: {bar: {mass: 1, shape: {bar: [O, P]}, points: {O: [0, 0], P: [1, 0]}}}
joints: {O: {revolute: [ground.O, bar.O]}}
drivers: {motor: {joint: O, position: '= 0.1*atan(1e20*(t/1 s - 0.5003))'}}
)");
  for (const std::string formulation : {"multipliers", "augmented-lagrangian"}) {
    SimulatedCase run(mechanism, 1.0,
                      {.formulation = formulation,
                       .kind = "natural",
                       .integrator = "trapezoidal",
                       .options = {.step = 1e-3}});
    EXPECT_FALSE(run.advance_to(1.0)) << formulation;
    EXPECT_NEAR(run.simulation.t(), 0.5, 2e-3) << formulation;
  }
}

}  // namespace
}  // namespace eslabon::integration
