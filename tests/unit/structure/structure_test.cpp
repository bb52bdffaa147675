// The structural groups of mechanisms whose answers are known from the books, and of mechanisms that confuse
// counts.

#include "eslabon/structure/structure.hpp"

#include "tests/mechanisms.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/families/family.hpp"

namespace eslabon::structure {
namespace {

using model::JointType;
using model::Space;
using test::GraphJoint;
using test::mechanism_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto R = JointType::kRevolute;
constexpr auto P = JointType::kPrismatic;
constexpr auto S = JointType::kSpherical;
constexpr auto U = JointType::kUniversal;
constexpr auto Y = JointType::kCylindrical;
constexpr auto D = JointType::kRod;

std::vector<std::string> types(const Structure& structure) {
  std::vector<std::string> list;
  for (const StructuralGroup& group : structure.groups) list.push_back(group.type);
  return list;
}

std::vector<std::string> classic_names(const Structure& structure) {
  std::vector<std::string> list;
  for (const StructuralGroup& group : structure.groups) list.push_back(group.assur);
  return list;
}

std::vector<std::string> input_names(const Structure& structure) {
  std::vector<std::string> list;
  for (const Input& input : structure.inputs) list.push_back(input.name);
  return list;
}

std::string message_of(const model::Mechanism& mechanism) {
  return test::sentence_of<core::ModelError>([&] { (void)analyse_structure(mechanism); });
}

const std::vector<GraphJoint> kFourBar{{"A", R, "ground", "crank"},
                                       {"B", R, "crank", "coupler"},
                                       {"C", R, "coupler", "rocker"},
                                       {"D", R, "ground", "rocker"}};

const std::vector<GraphJoint> kFiveBar{{"a", R, "ground", "l2"},
                                       {"b", R, "l2", "l3"},
                                       {"c", R, "l3", "l4"},
                                       {"d", R, "l4", "l5"},
                                       {"e", R, "ground", "l5"}};

/// Ternary link t carries b, c and d; b goes to the crank, c and d to the ground.
const std::vector<GraphJoint> kStephenson{
    {"A", R, "ground", "crank"}, {"B", R, "crank", "b"},  {"C", R, "b", "t"},     {"D", R, "t", "c"},
    {"E", R, "t", "d"},          {"F", R, "ground", "c"}, {"G", R, "ground", "d"}};

const std::vector<GraphJoint> kRssr{{"A", R, "ground", "crank"},
                                    {"B", S, "crank", "coupler"},
                                    {"C", S, "coupler", "rocker"},
                                    {"D", R, "ground", "rocker"}};

/// Equation (2) of structural_group.hpp, group by group: an identity of counting that shares no code with the
/// search.
void expect_fundamental_condition(const model::Mechanism& mechanism, const Structure& structure) {
  for (const StructuralGroup& group : structure.groups) {
    int S_c = 0;
    for (const model::JointIndex joint : group.joints)
      S_c += model::freedoms(mechanism.joint(joint).type, mechanism.is_planar());
    const int n_c = static_cast<int>(group.inputs.size());
    const int pairs_minus_links =
        static_cast<int>(group.joints.size()) - static_cast<int>(group.links.size());
    EXPECT_EQ(S_c - n_c - group.idle + group.redundant, mechanism.body_freedoms() * pairs_minus_links)
        << group.type;
  }
}

TEST(Structure, DrivenFourBar_Is1RThen3R) {
  const auto mechanism = mechanism_of(kFourBar, Space::kPlanar, {"A"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 1);
  EXPECT_EQ(structure.tree.num_loops(), 1);
  EXPECT_THAT(types(structure), ElementsAre("1R", "3R"));
  EXPECT_THAT(classic_names(structure), ElementsAre("driven link", "dyad RRR"));
  EXPECT_THAT(structure.groups[1].depends_on, ElementsAre(0));
  expect_fundamental_condition(mechanism, structure);
}

TEST(Structure, UndrivenFourBar_PicksAJointAtTheGround) {
  const Structure structure = analyse_structure(mechanism_of(kFourBar, Space::kPlanar));
  EXPECT_THAT(input_names(structure), ElementsAre("A.q"));
  EXPECT_EQ(structure.inputs[0].origin, InputOrigin::kPicked);
  EXPECT_THAT(types(structure), ElementsAre("1R", "3R"));
}

TEST(Structure, InputChosenByTheUser_WinsOverTheProgramsPick) {
  const Structure structure = analyse_structure(mechanism_of(kFourBar, Space::kPlanar, {}, {"B.q"}));
  EXPECT_THAT(input_names(structure), ElementsAre("B.q"));
  EXPECT_EQ(structure.inputs[0].origin, InputOrigin::kChosen);
  EXPECT_THAT(types(structure), ElementsAre("4R"));  // a relative input couples all three bars
}

TEST(Structure, DrivenCoupler_IsOneGroupOfThreeLinks) {
  const Structure structure = analyse_structure(mechanism_of(kFourBar, Space::kPlanar, {"C"}));
  EXPECT_THAT(types(structure), ElementsAre("4R"));
}

// Seed 001, Fig. 2.4 a and 2.5 a: inputs 1–2 and 3–4; Assur's theory has no answer.
TEST(Structure, FiveBarWithInputBetweenMovingLinks_Is1RThen4RWithOneInput) {
  const auto mechanism = mechanism_of(kFiveBar, Space::kPlanar, {"a", "c"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 2);
  EXPECT_THAT(types(structure), ElementsAre("1R", "4R"));
  EXPECT_THAT(structure.groups[1].inputs, ElementsAre(1));
  EXPECT_THAT(classic_names(structure), ElementsAre("driven link", ""));
  expect_fundamental_condition(mechanism, structure);
}

TEST(Structure, FiveBarWithoutDrivers_PicksBothGroundJoints) {
  const Structure structure = analyse_structure(mechanism_of(kFiveBar, Space::kPlanar));
  EXPECT_THAT(input_names(structure), ElementsAre("a.q", "e.q"));
  EXPECT_THAT(types(structure), ElementsAre("1R", "1R", "3R"));
}

struct DyadCase {
  JointType outer_first, inner, outer_second;
  const char* name;
};

class Dyads : public ::testing::TestWithParam<DyadCase> {};

TEST_P(Dyads, HasItsClassicName) {
  const DyadCase& dyad = GetParam();
  const auto mechanism = mechanism_of({{"A", R, "ground", "crank"},
                                       {"B", dyad.outer_first, "crank", "l1"},
                                       {"C", dyad.inner, "l1", "l2"},
                                       {"D", dyad.outer_second, "ground", "l2"}},
                                      Space::kPlanar, {"A"});
  EXPECT_EQ(analyse_structure(mechanism).groups.at(1).assur, dyad.name);
}

INSTANTIATE_TEST_SUITE_P(Assur, Dyads,
                         ::testing::Values(DyadCase{R, R, R, "dyad RRR"}, DyadCase{R, R, P, "dyad RRP"},
                                           DyadCase{P, R, R, "dyad RRP"}, DyadCase{R, P, R, "dyad RPR"},
                                           DyadCase{P, R, P, "dyad PRP"}, DyadCase{R, P, P, "dyad RPP"},
                                           DyadCase{P, P, R, "dyad RPP"}));

// Watt's six-bar is crank, dyad, dyad; a Stephenson six-bar driven at the five-bar side holds a triad.
TEST(Structure, WattSixBar_IsTwoDyads) {
  const Structure structure = analyse_structure(mechanism_of({{"A", R, "ground", "crank"},
                                                              {"B", R, "crank", "coupler"},
                                                              {"C", R, "coupler", "rocker"},
                                                              {"D", R, "ground", "rocker"},
                                                              {"E", R, "rocker", "l5"},
                                                              {"F", R, "l5", "l6"},
                                                              {"G", R, "ground", "l6"}},
                                                             Space::kPlanar, {"A"}));
  EXPECT_THAT(classic_names(structure), ElementsAre("driven link", "dyad RRR", "dyad RRR"));
}

TEST(Structure, StephensonDrivenInTheFiveBar_HoldsATriad) {
  const auto mechanism = mechanism_of(kStephenson, Space::kPlanar, {"A"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_THAT(types(structure), ElementsAre("1R", "6R"));
  EXPECT_THAT(classic_names(structure), ElementsAre("driven link", "triad"));
  // Left to the program, the input goes where two dyads suffice.
  const Structure free_choice = analyse_structure(mechanism_of(kStephenson, Space::kPlanar));
  EXPECT_THAT(input_names(free_choice), ElementsAre("F.q"));
  EXPECT_THAT(types(free_choice), ElementsAre("1R", "3R", "3R"));
}

TEST(Structure, FourLinksInAContour_AreATetrad) {
  const Structure structure = analyse_structure(mechanism_of({{"A", R, "ground", "crank"},
                                                              {"B", R, "crank", "a"},
                                                              {"C", R, "a", "b"},
                                                              {"D", R, "b", "c"},
                                                              {"E", R, "c", "d"},
                                                              {"F", R, "d", "a"},
                                                              {"G", R, "ground", "c"}},
                                                             Space::kPlanar, {"A"}));
  EXPECT_THAT(classic_names(structure), ElementsAre("driven link", "tetrad"));
}

TEST(Structure, MoreDriversThanFreedoms_NamesThem) {
  EXPECT_EQ(message_of(mechanism_of(kFourBar, Space::kPlanar, {"A", "D"})),
            "more inputs than degrees of freedom [driver 'drive_A' and driver 'drive_D']: expected at most 1 "
            "of these "
            "2 here, "
            "got 2. Remove one of them, or free a joint.");
}

TEST(Structure, DriversThatConflictInOnePart_AreNamedWithoutTheInnocentOnes) {
  std::vector<GraphJoint> joints = kFourBar;
  joints.push_back({"E", R, "ground", "arm"});
  EXPECT_THAT(message_of(mechanism_of(joints, Space::kPlanar, {"A", "E", "D"})),
              HasSubstr("[driver 'drive_A' and driver 'drive_D']"));
}

// Counting cannot tell a truss from a parallelogram with a third crank: the input is believed, the row is shown.
TEST(Structure, DriverThatJointsHoldRigidly_IsBelievedAndARedundantRowShown) {
  const auto parallelogram = mechanism_of({{"A", R, "ground", "left"},
                                           {"B", R, "ground", "middle"},
                                           {"C", R, "ground", "right"},
                                           {"D", R, "left", "coupler"},
                                           {"E", R, "middle", "coupler"},
                                           {"F", R, "right", "coupler"}},
                                          Space::kPlanar, {"A"});
  const Structure structure = analyse_structure(parallelogram);
  EXPECT_EQ(structure.mobility, 0);
  EXPECT_EQ(structure.num_redundant(), 1);
  EXPECT_EQ(structure.groups[0].type, "1R");
  expect_fundamental_condition(parallelogram, structure);
}

TEST(Structure, RedundancyElsewhere_DoesNotHideOneDriverTooMany) {
  std::vector<GraphJoint> joints = kFourBar;
  joints.push_back({"h1", R, "ground", "truss"});
  joints.push_back({"h2", R, "ground", "truss"});
  EXPECT_THAT(message_of(mechanism_of(joints, Space::kPlanar, {"A", "D"})),
              HasSubstr("[driver 'drive_A' and driver 'drive_D']"));
}

TEST(Structure, SpatialFourBarDrivenAtBothCranks_IsOverdriven) {
  const auto rssr = mechanism_of(kRssr, Space::kSpatial, {"A", "D"});
  EXPECT_THAT(message_of(rssr),
              HasSubstr("more inputs than degrees of freedom [driver 'drive_A' and driver 'drive_D']"));
}

TEST(Structure, SecondWeldOfTheSameBodies_IsRedundantAndALoop) {
  const auto mechanism = mechanism_of({{"A", R, "ground", "arm"},
                                       {"w1", JointType::kFixed, "arm", "plate"},
                                       {"w2", JointType::kFixed, "arm", "plate"}},
                                      Space::kPlanar);
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, -2);
  EXPECT_EQ(structure.num_redundant(), 3);
  EXPECT_EQ(structure.tree.num_loops(), 1);
}

TEST(Structure, BallAndRodEnd_LeaveASpinThatIsIdle) {
  const auto mechanism =
      mechanism_of({{"A", S, "ground", "arm"}, {"B", D, "ground", "arm"}}, Space::kSpatial);
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 2);
  EXPECT_EQ(structure.idle.size(), 1u);
  EXPECT_EQ(structure.inputs.size(), 1u);
}

// An overconstrained part elsewhere must not hide what the rest can do: seven rows hold three floating links
// of which six suffice, so Grübler's count is one too low.
TEST(Structure, OverconstrainedFloatingPart_LeavesTheRestItsFreedoms) {
  const auto mechanism = mechanism_of({{"A", R, "ground", "crank"},
                                       {"B", R, "crank", "t1"},
                                       {"C", R, "t1", "t2"},
                                       {"D", R, "t2", "t3"},
                                       {"E", R, "t3", "t1"},
                                       {"brace", D, "t1", "t3"},
                                       {"F", R, "t3", "rocker"},
                                       {"G", R, "ground", "rocker"}},
                                      Space::kPlanar, {"A"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 0);
  EXPECT_EQ(structure.num_redundant(), 1);
  EXPECT_THAT(input_names(structure), ElementsAre("A.q"));
  EXPECT_EQ(structure.groups.front().type, "1R");
  expect_fundamental_condition(mechanism, structure);
}

TEST(Structure, PlanarFourBarModelledInSpace_KeepsItsGroupsAndCountsThreeRedundantRows) {
  const auto mechanism = mechanism_of(kFourBar, Space::kSpatial, {"A"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, -2);
  EXPECT_THAT(types(structure), ElementsAre("1R", "3R"));
  EXPECT_EQ(structure.num_redundant(), 3);
  EXPECT_EQ(structure.groups[1].redundant, 3);
  expect_fundamental_condition(mechanism, structure);
}

TEST(Structure, RssrHasOneIdleFreedom_AndStillTwoGroups) {
  const auto mechanism = mechanism_of(kRssr, Space::kSpatial, {"A"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 2);
  EXPECT_EQ(structure.useful_mobility(), 1);
  ASSERT_EQ(structure.idle.size(), 1u);
  EXPECT_EQ(direction(structure.idle[0]), "rotation about the line from coupler.P_B to coupler.P_C");
  EXPECT_THAT(types(structure), ElementsAre("1R", "2E1R"));
  expect_fundamental_condition(mechanism, structure);
}

TEST(Structure, InputOnABallCenter_LeavesTheSpinIdle) {
  const auto mechanism = mechanism_of(kRssr, Space::kSpatial, {}, {"coupler.P_B.x"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.idle.size(), 1u);
  EXPECT_THAT(input_names(structure), ElementsAre("coupler.P_B.x"));
}

TEST(Structure, StrutBetweenTwoBalls_SpinsIdlyAsAWhole) {
  // A rocker on the ground pushed by a strut of two bodies.
  const auto mechanism = mechanism_of({{"A", R, "ground", "rocker"},
                                       {"B", S, "rocker", "rod"},
                                       {"C", P, "rod", "tube"},
                                       {"D", S, "ground", "tube"}},
                                      Space::kSpatial, {"A"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.idle.size(), 1u);
  EXPECT_THAT(types(structure), ElementsAre("1R", "2E1P"));
}

TEST(Structure, BodyHungOnTwoBallsOfOneLink_IsAHingeAndNotIdle) {
  const auto mechanism =
      mechanism_of({{"left", S, "ground", "flap"}, {"right", S, "ground", "flap"}}, Space::kSpatial);
  const Structure structure = analyse_structure(mechanism);
  EXPECT_THAT(structure.idle, IsEmpty());
  EXPECT_EQ(structure.mobility, 0);  // Grübler does not see that the two balls repeat one distance
  EXPECT_EQ(structure.num_redundant(), 1);
  EXPECT_EQ(structure.inputs.size(), 1u);
  expect_fundamental_condition(mechanism, structure);
}

TEST(Structure, WheelCarrierOnFiveRods_HasOneFreedomLeft) {
  const auto mechanism = mechanism_of({{"a", D, "ground", "upright"},
                                       {"b", D, "ground", "upright"},
                                       {"c", D, "ground", "upright"},
                                       {"d", D, "ground", "upright"},
                                       {"e", D, "ground", "upright"}},
                                      Space::kSpatial);
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 1);
  EXPECT_THAT(types(structure), ElementsAre("5D"));
  EXPECT_THAT(input_names(structure), ElementsAre("upright.P_a.x"));
  expect_fundamental_condition(mechanism, structure);
}

TEST(Structure, WeldedBodies_AreOneLink) {
  std::vector<GraphJoint> joints = kFourBar;
  joints.push_back({"weld", JointType::kFixed, "crank", "disc"});
  joints.push_back({"bolt", JointType::kFixed, "ground", "frame"});
  const Structure structure = analyse_structure(mechanism_of(joints, Space::kPlanar, {"A"}));
  EXPECT_EQ(structure.mobility, 1);
  EXPECT_THAT(types(structure), ElementsAre("1R", "3R"));
  EXPECT_EQ(structure.groups[0].bodies.size(), 2u);
}

TEST(Structure, SerialRobot_IsOneGroupPerJoint) {
  std::vector<GraphJoint> joints;
  for (int i = 1; i <= 6; ++i)
    joints.push_back({"j" + std::to_string(i), R, i == 1 ? "ground" : "l" + std::to_string(i - 1),
                      "l" + std::to_string(i)});
  const Structure structure = analyse_structure(mechanism_of(joints, Space::kSpatial));
  EXPECT_THAT(types(structure), ElementsAre("1R", "1R", "1R", "1R", "1R", "1R"));
  EXPECT_EQ(structure.tree.num_loops(), 0);
}

TEST(Structure, SphericalPendulum_HasThreeInputsWithoutScalarCoordinates) {
  const Structure structure =
      analyse_structure(mechanism_of({{"ball", S, "ground", "bob"}}, Space::kSpatial));
  EXPECT_THAT(input_names(structure), ElementsAre("ball.rotation_1", "ball.rotation_2", "ball.rotation_3"));
}

// 3000 missing inputs: far beyond what can be tried one against the other; they are taken in order.
TEST(Structure, HundredsOfFreeBodies_GetTheirInputsWithoutASearch) {
  std::vector<GraphJoint> joints;
  for (int i = 0; i < 500; ++i)
    joints.push_back({"f" + std::to_string(i), JointType::kFree, "ground", "b" + std::to_string(i)});
  const Structure structure = analyse_structure(mechanism_of(joints, Space::kSpatial));
  EXPECT_EQ(structure.inputs.size(), 3000u);
  EXPECT_EQ(structure.groups.size(), 500u);
  EXPECT_EQ(structure.groups[0].type, "free");
}

TEST(Structure, CylindricalAndUniversalPairs_AreNamedInTheGroup) {
  // A driven crank, a coupler on a universal joint, a follower on a cylindrical pair: R–U–S–C … closes with 6
  // freedoms.
  const auto mechanism = mechanism_of({{"A", R, "ground", "crank"},
                                       {"B", U, "crank", "coupler"},
                                       {"C", U, "coupler", "follower"},
                                       {"D", Y, "ground", "follower"}},
                                      Space::kSpatial, {"A"});
  const Structure structure = analyse_structure(mechanism);
  EXPECT_EQ(structure.mobility, 1);
  EXPECT_THAT(types(structure), ElementsAre("1R", "2C1Y"));
}

// Seed 001, §3.2.2: per axle the groups {2,3,4,5}, {7,9}, {6,8}, {12,13}, {10,11}.
TEST(Structure, TruckSuspension_HasTheGroupsOfTheSeed) {
  for (int axles = 1; axles <= 5; ++axles) {
    const auto mechanism = model::make_family("truck-suspension,axles=" + std::to_string(axles));
    const Structure structure = analyse_structure(mechanism);
    EXPECT_EQ(structure.mobility, 2 * axles);
    std::map<std::string, int> counts;
    for (const std::string& type : types(structure)) ++counts[type];
    EXPECT_EQ(counts,
              (std::map<std::string, int>{{"2C3E1R", axles}, {"1C1E1R", 2 * axles}, {"1C1E1P", 2 * axles}}));
    expect_fundamental_condition(mechanism, structure);
  }
}

TEST(Structure, TruckWithoutItsDrivers_PicksTwoInputsPerAxle) {
  const auto driven = model::make_family("truck-suspension,axles=1");
  std::vector<GraphJoint> joints;
  for (const model::Joint& joint : driven.joints())
    joints.push_back(
        {joint.name, joint.type, driven.body(joint.first()).name, driven.body(joint.second()).name});
  const Structure structure = analyse_structure(mechanism_of(joints, Space::kSpatial));
  EXPECT_EQ(structure.inputs.size(), 2u);
  std::size_t largest = 0;
  for (const StructuralGroup& group : structure.groups) largest = std::max(largest, group.links.size());
  EXPECT_LE(largest, 4u);  // no larger than with the seed's own inputs
}

TEST(Structure, ScalableFourBar_IsACrankAndItsDyadsInOrder) {
  const auto mechanism = model::make_family("scalable-fourbar,dyads=300");
  const Structure structure = analyse_structure(mechanism);
  ASSERT_EQ(structure.groups.size(), 301u);
  EXPECT_EQ(structure.tree.num_loops(), 300);
  for (std::size_t g = 1; g < structure.groups.size(); ++g) {
    EXPECT_EQ(structure.groups[g].type, "3R");
    EXPECT_THAT(structure.groups[g].depends_on, ElementsAre(static_cast<int>(g) - 1));
  }
}

}  // namespace
}  // namespace eslabon::structure
