#include "eslabon/structure/spanning_tree.hpp"

#include "tests/mechanisms.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::structure {
namespace {

using model::JointType;
using ::testing::ElementsAre;

constexpr auto R = JointType::kRevolute;

std::vector<std::string> names(const model::Mechanism& mechanism,
                               const std::vector<model::JointIndex>& joints) {
  std::vector<std::string> list;
  for (const model::JointIndex joint : joints) list.push_back(mechanism.joint(joint).name);
  return list;
}

/// joints[i] really connects links[i] and links[i + 1], all around.
void expect_closed_walk(const model::Mechanism& mechanism, const Topology& topology, const Loop& loop) {
  ASSERT_EQ(loop.joints.size(), loop.links.size());
  for (std::size_t i = 0; i < loop.joints.size(); ++i) {
    const model::Joint& joint = mechanism.joint(loop.joints[i]);
    const std::pair ends(topology.link_of(joint.first()), topology.link_of(joint.second()));
    const std::pair expected(loop.links[i], loop.links[(i + 1) % loop.links.size()]);
    EXPECT_TRUE(ends == expected || ends == std::pair(expected.second, expected.first))
        << "joint " << joint.name;
  }
}

TEST(SpanningTree, ClosesAFourBarAtItsFarthestJoint) {
  const auto mechanism = test::mechanism_of(
      {{"A", R, "ground", "a"}, {"B", R, "a", "b"}, {"C", R, "b", "c"}, {"D", R, "ground", "c"}},
      model::Space::kPlanar);
  const Topology topology = find_topology(mechanism);
  const SpanningTree tree = find_spanning_tree(mechanism, topology);
  ASSERT_EQ(tree.num_loops(), 1);
  EXPECT_THAT(names(mechanism, tree.loops[0].joints), ElementsAre("C", "D", "A", "B"));
  expect_closed_walk(mechanism, topology, tree.loops[0]);
}

TEST(SpanningTree, TakesTheShortWayToEveryLink) {
  // A ring of ten links with a shortcut: breadth first keeps every link within reach.
  std::vector<test::GraphJoint> joints;
  for (int i = 0; i <= 10; ++i)
    joints.push_back({"j" + std::to_string(i), R, i == 0 ? "ground" : "l" + std::to_string(i),
                      i == 10 ? "ground" : "l" + std::to_string(i + 1)});
  joints.push_back({"short", R, "ground", "l5"});
  const auto mechanism = test::mechanism_of(joints, model::Space::kPlanar);
  const Topology topology = find_topology(mechanism);
  const SpanningTree tree = find_spanning_tree(mechanism, topology);
  EXPECT_EQ(tree.num_loops(), 2);
  for (const int depth : tree.depth) EXPECT_LE(depth, 3);
  for (const Loop& loop : tree.loops) expect_closed_walk(mechanism, topology, loop);
}

TEST(SpanningTree, CutsRodsRatherThanJoints) {
  const auto mechanism = test::mechanism_of(
      {{"rod", JointType::kRod, "ground", "b"}, {"A", R, "ground", "a"}, {"B", R, "a", "b"}},
      model::Space::kPlanar);
  const SpanningTree tree = find_spanning_tree(mechanism, find_topology(mechanism));
  ASSERT_EQ(tree.num_loops(), 1);
  EXPECT_EQ(mechanism.joint(tree.loops[0].closing_joint).name, "rod");
}

TEST(SpanningTree, ReachesALinkByRodOnlyWhenNothingElseDoes) {
  const auto mechanism = test::mechanism_of({{"r1", JointType::kRod, "ground", "a"},
                                             {"r2", JointType::kRod, "ground", "a"},
                                             {"B", R, "a", "b"},
                                             {"r3", JointType::kRod, "ground", "b"}},
                                            model::Space::kPlanar);
  const SpanningTree tree = find_spanning_tree(mechanism, find_topology(mechanism));
  EXPECT_EQ(tree.num_loops(), 2);
  EXPECT_EQ(mechanism.joint(*tree.joint_to_parent[1]).name, "r1");
  EXPECT_EQ(mechanism.joint(*tree.joint_to_parent[2]).name, "B");
}

TEST(SpanningTree, CutsABallRatherThanALongerChainOfHinges) {
  // The corner of a double wishbone whose lower ball is written as three hinges: the upper ball would be the shorter way to the upright.
  const auto mechanism = test::mechanism_of({{"upper", R, "ground", "upper_arm"},
                                             {"lower", R, "ground", "lower_arm"},
                                             {"ball", JointType::kSpherical, "upper_arm", "upright"},
                                             {"x", R, "lower_arm", "b1"},
                                             {"y", R, "b1", "b2"},
                                             {"z", R, "b2", "upright"}},
                                            model::Space::kSpatial);
  const SpanningTree tree = find_spanning_tree(mechanism, find_topology(mechanism));
  ASSERT_EQ(tree.num_loops(), 1);
  EXPECT_EQ(mechanism.joint(tree.loops[0].closing_joint).name, "ball");
}

TEST(SpanningTree, ReachesALinkByBallBeforeItDoesByRod) {
  const auto mechanism = test::mechanism_of({{"rod", JointType::kRod, "ground", "coupler"},
                                             {"crank", R, "ground", "a"},
                                             {"ball", JointType::kSpherical, "a", "coupler"}},
                                            model::Space::kSpatial);
  const SpanningTree tree = find_spanning_tree(mechanism, find_topology(mechanism));
  ASSERT_EQ(tree.num_loops(), 1);
  EXPECT_EQ(mechanism.joint(tree.loops[0].closing_joint).name, "rod");
}

TEST(SpanningTree, JointsBetweenTheSameTwoLinks_AreLoopsOfTwo) {
  const auto mechanism =
      test::mechanism_of({{"h1", R, "ground", "door"}, {"h2", R, "ground", "door"}}, model::Space::kSpatial);
  const SpanningTree tree = find_spanning_tree(mechanism, find_topology(mechanism));
  ASSERT_EQ(tree.num_loops(), 1);
  EXPECT_THAT(names(mechanism, tree.loops[0].joints), ElementsAre("h2", "h1"));
}

}  // namespace
}  // namespace eslabon::structure
