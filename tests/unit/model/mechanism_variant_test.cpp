#include "eslabon/model/mechanism_variant.hpp"

#include "tests/unit/model/sample_builders.hpp"
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using test::four_bar;
using test::sentence;

/// A four-bar with three drivers of different kinds (too many: layer model does not count).
MechanismBuilder driven_four_bar() {
  MechanismBuilder builder = four_bar();
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.5, 0.7});
  builder.add_driver({"cam", "coupler.P2.y", DriverLevel::kPosition, 0.2 + TimeFunction::time()});
  builder.add_driver({"winch", "rocker.angle", DriverLevel::kAcceleration, 2.5});
  return builder;
}

Mechanism sample() {
  MechanismBuilder builder = driven_four_bar();
  for (const char* output : {"winch.effort", "crank.angle", "motor.effort", "cam.effort", "A.q"})
    builder.add_output(output);
  return builder.build();
}

std::vector<std::string> output_names(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Variable& output : mechanism.outputs()) names.push_back(name(mechanism, output));
  return names;
}

using Names = std::vector<std::string>;

// crosscheck: the builder makes the same mechanism from the same words.
TEST(WithOutputs, IsWhatTheBuilderMakes) {
  const Names names{"B.q", "motor.effort", "coupler.P2.vx"};
  MechanismBuilder builder = driven_four_bar();
  for (const std::string& name : names) builder.add_output(name);
  const Mechanism mechanism = sample();
  EXPECT_EQ(with_outputs(mechanism, names), builder.build());
  EXPECT_EQ(with_outputs(mechanism, {}), driven_four_bar().build());
  EXPECT_EQ(mechanism, sample());  // not changed
}

TEST(WithOutputs, SaysWhichOutputIsWrong) {
  EXPECT_EQ(
      sentence([] {
        (void)with_outputs(sample(), {"A.q", "crank.angel"});
      }),
      "no such variable [output 'crank.angel']: expected 'angle', 'rate' or 'angular_acceleration' after "
      "'crank.', got 'crank.angel'. Did you mean 'crank.angle'?");
  EXPECT_EQ(
      sentence([] {
        (void)with_outputs(sample(), {"A.q", "B.q", "A.q"});
      }),
      "an output is listed twice [output 'A.q']: expected each variable once, got 'A.q' twice. Remove one of "
      "the two.");
}

// crosscheck: the builder makes the same mechanism when the driver was never added.
TEST(WithoutDrivers, IsWhatTheBuilderMakesWithoutThem) {
  MechanismBuilder builder = four_bar();
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.5, 0.7});
  builder.add_driver({"winch", "rocker.angle", DriverLevel::kAcceleration, 2.5});
  for (const char* output : {"winch.effort", "crank.angle", "motor.effort", "A.q"})
    builder.add_output(output);
  builder.add_start_value("coupler.P2.y", 0.2);
  EXPECT_EQ(without_drivers(sample(), {"cam"}), builder.build());
  EXPECT_EQ(without_drivers(sample(), {}), sample());
}

TEST(WithoutDrivers, RenumbersTheEffortsThatStay_AndDropsTheOthers) {
  const Mechanism released = without_drivers(sample(), {"motor"});
  EXPECT_EQ(output_names(released), (Names{"winch.effort", "crank.angle", "cam.effort", "A.q"}));
  EXPECT_EQ(find_variable(released, "winch.effort").element, (decltype(Variable::element)(DriverIndex(1))));
  EXPECT_EQ(output_names(without_drivers(sample(), {"cam", "winch", "cam"})),
            (Names{"crank.angle", "motor.effort", "A.q"}));
  const Mechanism free = without_drivers(sample(), {"motor", "cam", "winch"});
  EXPECT_EQ(output_names(free), (Names{"crank.angle", "A.q"}));
  EXPECT_TRUE(free.drivers().empty());
  EXPECT_FALSE(free.find("motor").has_value());
  EXPECT_TRUE(free.find("crank").has_value());
}

TEST(WithoutDrivers, KeepsWhereTheDriversStart) {
  const Mechanism free = without_drivers(sample(), {"motor", "cam", "winch"});
  const std::vector<StartValue> expected{{find_variable(free, "A.q"), 0.7},            // start
                                         {find_variable(free, "coupler.P2.y"), 0.2}};  // position at t = 0 s
  EXPECT_EQ(free.start_values(), expected);  // the winch does not say where it starts
}

TEST(WithoutDrivers, KeepsAStartValueOfTheUser) {
  MechanismBuilder builder = driven_four_bar();
  builder.add_start_value("coupler.P2.y", 0.3);
  const Mechanism released = without_drivers(builder.build(), {"cam"});
  ASSERT_EQ(released.start_values().size(), 1u);
  EXPECT_EQ(released.start_values()[0].value, 0.3);
}

TEST(WithoutDrivers, KeepsStartRates) {
  MechanismBuilder builder = driven_four_bar();
  builder.add_start_rate("coupler.rate", 0.3);
  const Mechanism released = without_drivers(builder.build(), {"motor", "cam", "winch"});
  const std::vector<StartRate> expected{{find_variable(released, "coupler.rate"), 0.3}};
  EXPECT_EQ(released.start_rates(), expected);
}

TEST(WithoutDrivers, SaysWhichDriversThereAre) {
  EXPECT_EQ(
      sentence([] {
        (void)without_drivers(sample(), {"cam", "moter"});
      }),
      "no such driver [driver 'moter']: expected a driver: 'motor', 'cam' or 'winch', got 'moter'. Did you "
      "mean 'motor'?");
  EXPECT_EQ(sentence([] { (void)without_drivers(sample(), {"crank"}); }),
            "no such driver [driver 'crank']: expected a driver: 'motor', 'cam' or 'winch', got 'crank'. Use "
            "another "
            "name.");
  EXPECT_EQ(
      sentence([] { (void)without_drivers(four_bar().build(), {"motor"}); }),
      "no such driver [driver 'motor']: expected a driver; the mechanism has none, got 'motor'. Use another "
      "name.");
}

}  // namespace
}  // namespace eslabon::model
