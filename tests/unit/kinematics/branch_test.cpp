#include "eslabon/kinematics/assembly/branch.hpp"

#include <algorithm>
#include <cmath>

#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/motion.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::kinematics {
namespace {

using testing::UnorderedElementsAre;

std::vector<std::string> names_of(const std::vector<Branch>& branches) {
  std::vector<std::string> names;
  for (const Branch& branch : branches) names.push_back(branch.name);
  return names;
}

std::vector<Branch> branches_of(const model::Mechanism& mechanism, int tries) {
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const AssemblyReport assembly = assemble(mechanism, structure);
  EXPECT_TRUE(assembly.usable()) << assembly.brief();
  return find_branches(mechanism, structure, assembly, tries);
}

model::Mechanism load(const std::string& name) {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
}

/// Crank 0.04, coupler 0.12, rocker 0.08, ground 0.1; crank at 60° and 1 rad/s.
model::Mechanism freudenstein() {
  using model::JointType;
  model::MechanismBuilder builder("four-bar", model::Space::kPlanar);
  builder.add_ground_point("A", {0.0, 0.0, 0.0});
  builder.add_ground_point("B", {0.1, 0.0, 0.0});
  const auto bar = [&](const std::string& name, double length) {
    builder.add_body({.name = name, .points = {{"P", {0, 0, 0}}, {"Q", {length, 0, 0}}}});
  };
  bar("crank", 0.04);
  bar("coupler", 0.12);
  bar("rocker", 0.08);
  builder.add_joint({"A", JointType::kRevolute, "ground.A", "crank.P"});
  builder.add_joint({"C", JointType::kRevolute, "crank.Q", "coupler.P"});
  builder.add_joint({"D", JointType::kRevolute, "coupler.Q", "rocker.Q"});
  builder.add_joint({"B", JointType::kRevolute, "ground.B", "rocker.P"});
  builder.add_driver({.name = "motor",
                      .target = "A.q",
                      .level = model::DriverLevel::kSpeed,
                      .function = model::TimeFunction::constant(1.0),
                      .start = M_PI / 3.0});
  builder.add_start_value("coupler.angle", 0.3);
  builder.add_start_value("rocker.angle", 1.1);
  return builder.build();
}

// Reference values of both branches, computed apart from this library with Freudenstein's equation to 15 digits.
TEST(Branch, FourBarHasTheTwoPublishedOnes_WithTheirRates) {
  const model::Mechanism mechanism = freudenstein();
  const structure::Structure structure = structure::analyse_structure(mechanism);
  AssemblyReport assembly = assemble(mechanism, structure);
  const std::vector<Branch> branches = find_branches(mechanism, structure, assembly, 40);
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_THAT(names_of(branches), UnorderedElementsAre("+", "-"));
  struct Expected {
    double coupler, rocker, coupler_rate, rocker_rate;
  };
  const Expected expected[] = {
      {0.320722011634256, 1.13347757300292, -0.039555158026317, 0.457348836973636},
      {-1.13799772182944, -1.9507532831981, -0.0657079998684198, -0.562611994868373}};
  for (std::size_t b = 0; b < 2; ++b) {
    assembly.bodies = branches[b].bodies;
    const DrivenMechanism driven(mechanism, structure, assembly);
    Motion motion("sparse", "natural", driven, 1.0);
    coordinates::MechanismMotion bodies(mechanism.bodies().size());
    motion.evaluate_bodies(bodies);
    const auto value = [&](const char* name) {
      return value_of(mechanism, model::find_variable(mechanism, name), bodies);
    };
    const double tolerance = test::roundoff(64, 2.0);  // fifteen digits are given
    EXPECT_NEAR(value("coupler.angle"), expected[b].coupler, tolerance);
    EXPECT_NEAR(value("rocker.angle"), expected[b].rocker, tolerance);
    EXPECT_NEAR(value("coupler.rate"), expected[b].coupler_rate, tolerance);
    EXPECT_NEAR(value("rocker.rate"), expected[b].rocker_rate, tolerance);
  }
}

TEST(Branch, NameStaysTheSameAlongAMotion) {
  const model::Mechanism mechanism = load("watt-sixbar");
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const AssemblyReport assembly = assemble(mechanism, structure);
  const DrivenMechanism driven(mechanism, structure, assembly);
  Motion motion("global", "relative", driven, 2.0);
  coordinates::MechanismMotion bodies(mechanism.bodies().size());
  const std::string name = branch_name(mechanism, structure, assembly.bodies);
  EXPECT_THAT(name, testing::AnyOf("++", "+-", "-+", "--"));  // two dyads
  for (int k = 1; k <= 100; ++k) {
    ASSERT_TRUE(motion.advance_to(0.02 * k));
    motion.evaluate_bodies(bodies);
    ASSERT_EQ(branch_name(mechanism, structure, bodies), name) << k;
  }
}

TEST(Branch, EveryDyadDoublesTheNumber) {
  EXPECT_EQ(branches_of(load("slider-crank"), 30).size(), 2u);
  EXPECT_EQ(branches_of(io::load_model("family:scalable-fourbar,dyads=2", {}), 60).size(), 4u);
}

// Of Watt's four only two exist: with the first loop crossed, the ternary's second arm ends 428 mm from the fixed pivot D,
// and link and rocker together are 420 mm long.
TEST(Branch, OnesThatCannotBeReachedAreNotFound) {
  EXPECT_THAT(names_of(branches_of(load("watt-sixbar"), 100)), UnorderedElementsAre("--", "-+"));
}

// With the second dyad folded back onto its pivot, the third is stretched: the circles about (6, 0) and (18, 0) touch, and
// its two branches are one, which is singular.
TEST(Branch, BranchesThatMeetAreOneAndSingular) {
  const auto names = names_of(branches_of(io::load_model("family:scalable-fourbar,dyads=3", {}), 200));
  EXPECT_EQ(names.size(), 6u);
  EXPECT_EQ(std::ranges::count_if(names, [](const std::string& name) { return name.ends_with("0"); }), 2);
}

TEST(Branch, WithoutDriversThereIsOnlyTheOneOfTheAssembly) {
  const auto branches = branches_of(load("fourbar-double-crank"), 10);
  ASSERT_EQ(branches.size(), 1u);
  EXPECT_EQ(branches[0].name, "");
}

}  // namespace
}  // namespace eslabon::kinematics
