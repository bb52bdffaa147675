#include "eslabon/model/mechanism_addition.hpp"

#include "tests/unit/model/sample_builders.hpp"
#include <gtest/gtest.h>

#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::model {
namespace {

using test::sentence;

/// A hub that is led upright, with a wheel on a tyre; a state of the user, and a force and an output that look at states of the tyre.
MechanismBuilder rolling_wheel() {
  MechanismBuilder builder("rolling wheel", Space::kSpatial);
  builder.add_ground_point("O", {0.0, 0.0, 0.0});
  builder.add_body(
      {.name = "hub", .mass = 100.0, .shape = Box{.size = {0.5, 0.2, 0.2}}, .points = {{"C", {0, 0, 0}}}});
  builder.add_body(
      {.name = "wheel", .mass = 20.0, .shape = Sphere{.radius = 0.3}, .points = {{"C", {0, 0, 0}}}});
  builder.add_joint({"guide", JointType::kPlanar, "ground.O", "hub.C", AxisPair{{0, 1, 0}, {0, 1, 0}}});
  builder.add_joint({"spin", JointType::kRevolute, "hub.C", "wheel.C", AxisPair{{0, 1, 0}, {0, 1, 0}}});
  builder.add_tyre({.name = "tyre",
                    .center = "wheel.C",
                    .fitted = {.model = tyres::PlainTyre{.radius = 0.3,
                                                         .stiffness = 2e5,
                                                         .damping = 300.0,
                                                         .relaxation_along = 0.4,
                                                         .relaxation_across = 0.5,
                                                         .curves = tyres::LinearTyre{}}}});
  builder.add_state({.name = "lag", .rate = {-TimeFunction::argument(0), {"lag.value"}}});
  builder.add_load({.name = "pull",
                    .kind = LoadKind::kJointEffort,
                    .target = "spin",
                    .components = {TimeFunction::argument(0), 0.0, 0.0},
                    .variables = {"tyre_kappa.value"}});
  builder.add_output("tyre_tan_alpha.value");
  builder.add_output("tyre.slip");
  builder.add_output("lag.value");
  return builder;
}

StateDescription growing(const std::string& name) {
  return {.name = name,
          .dimension = core::kLength,
          .rate = {TimeFunction(1.0) + TimeFunction::argument(0), {name + ".value"}}};
}

LoadDescription push() {
  return {.name = "push",
          .kind = LoadKind::kPointForce,
          .target = "hub.C",
          .components = {TimeFunction::argument(0) * TimeFunction::argument(1), 0.0, 0.0},
          .variables = {"second.value", "lag.value"}};
}

// crosscheck: the builder makes the same mechanism from the same words, slips of tyres behind the states that are new.
TEST(WithAddition, IsWhatTheBuilderMakes) {
  MechanismBuilder builder = rolling_wheel();
  const Mechanism before = builder.build();
  builder.add_state(growing("first"));
  builder.add_state(growing("second"));
  builder.add_load(push());
  builder.add_event(
      {.name = "far", .quantity = {TimeFunction::argument(0) - 5.0, {"hub.C.x"}}, .ends_run = true});
  builder.set_start_speed("hub", 7.0);
  tyres::Road road;
  road.slope_x = 0.1;
  builder.set_road(road);
  const Mechanism expected = builder.build();
  const Mechanism made =
      with_addition(before, {.states = {growing("first"), growing("second")},
                             .loads = {push()},
                             .events = {{.name = "far",
                                         .quantity = {TimeFunction::argument(0) - 5.0, {"hub.C.x"}},
                                         .ends_run = true}},
                             .road = road,
                             .start_speed = StartSpeed{std::get<BodyIndex>(*before.find("hub")), 7.0}});
  EXPECT_EQ(made, expected);
  for (const char* text : {"tyre_kappa.value", "second.value", "push.fx", "tyre.slip"})
    EXPECT_EQ(find_variable(made, text), find_variable(expected, text)) << text;
  EXPECT_EQ(name(made, made.loads().front().variables.front()), "tyre_kappa.value");
}

// contract
TEST(WithAddition, NamesAreNew) {
  const Mechanism before = rolling_wheel().build();
  EXPECT_EQ(sentence([&] { return with_addition(before, {.states = {growing("hub")}}); }),
            "two elements have the same name [state 'hub']: expected a name that nothing else has, got "
            "'hub'. Rename the element of "
            "the mechanism.");
}

// contract: a driver takes another function; a vehicle whose driver is released has no steering.
TEST(WithAddition, DriversTakeOtherFunctions) {
  MechanismBuilder builder = rolling_wheel();
  builder.add_driver({"turn", "spin.q", DriverLevel::kSpeed, 1.5, 0.7});
  builder.set_vehicle({.chassis = "hub.C",
                       .steering = VehicleSteeringDescription{"turn", 2.0},
                       .axles = {{{"tyre"}, {"tyre"}}}});
  EXPECT_EQ(sentence([&] { return builder.build(); }),
            "a tyre is named twice [vehicle, axle 1, right]: expected each tyre once, got 'tyre'. Remove one "
            "of the two.");
  MechanismBuilder driven = rolling_wheel();
  driven.add_driver({"turn", "spin.q", DriverLevel::kSpeed, 1.5, 0.7});
  const Mechanism made = with_addition(driven.build(), {.drivers = {{"turn", 0.5 * TimeFunction::time()}}});
  EXPECT_EQ(made.drivers().front().level, DriverLevel::kPosition);
  EXPECT_EQ(made.drivers().front().function, 0.5 * TimeFunction::time());
  EXPECT_FALSE(made.drivers().front().start);
}

}  // namespace
}  // namespace eslabon::model
