#include "eslabon/model/elements/joint_type.hpp"

#include <set>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

struct Row {
  JointType type;
  int in_plane, in_space, coordinates;
};

// Counted by hand; −1: not in the plane, or not in space.
constexpr Row kRows[] = {
    {JointType::kRevolute, 1, 1, 1},
    {JointType::kPrismatic, 1, 1, 1},
    {JointType::kCylindrical, -1, 2, 2},
    {JointType::kUniversal, -1, 2, 2},
    {JointType::kSpherical, -1, 3, 0},
    {JointType::kPlanar, -1, 3, 3},
    {JointType::kFixed, 0, 0, 0},
    {JointType::kFree, 3, 6, 0},
    {JointType::kRod, 2, 5, 0},
    {JointType::kSlot, 2, -1, 2},
    {JointType::kCircularSlot, 2, -1, 2},
    {JointType::kRolling, 1, -1, 2},
    {JointType::kPointOnLine, -1, 4, 1},
    {JointType::kPointOnPlane, -1, 5, 2},
    {JointType::kLinearActuator, 3, 6, 1},
    {JointType::kTranslation, 2, 3, 0},
    {JointType::kRollingDisc, -1, 5, 0},
    {JointType::kPointOnCurve, 2, -1, 2},
    {JointType::kPointOnSpaceCurve, -1, 4, 1},
    {JointType::kCurveOnLine, 2, -1, 2},
    {JointType::kCurveOnCurve, 2, -1, 2},
    {JointType::kHelical, -1, 1, 1},
};

TEST(JointType, LeavesTheFreedomsOfItsPair) {
  ASSERT_EQ(std::size(kRows), all_joint_types().size());
  for (const Row& row : kRows) {
    const std::string_view name = facts(row.type).name;
    EXPECT_EQ(freedoms(row.type, true), row.in_plane) << name;
    EXPECT_EQ(freedoms(row.type, false), row.in_space) << name;
    if (row.in_space >= 0) {
      EXPECT_EQ(constraint_rows(row.type, false), 6 - row.in_space) << name;
    }
    EXPECT_EQ(coordinate_count(row.type), row.coordinates) << name;
    if (row.in_plane >= 0) {
      EXPECT_EQ(constraint_rows(row.type, true), 3 - row.in_plane) << name;
    }
  }
}

TEST(JointType, FactsStandInTheOrderOfTheEnumeration) {
  for (const JointTypeFacts& entry : all_joint_types()) EXPECT_EQ(&facts(entry.type), &entry) << entry.name;
}

// The table says the same thing in several columns: what a joint leaves is what it is written by.
TEST(JointType, FactsAgreeWithEachOther) {
  for (const JointTypeFacts& entry : all_joint_types()) {
    const int by_coordinates = coordinate_count(entry.type);
    const bool is_of_plane = entry.freedoms_in_space < 0;
    if (entry.type == JointType::kRolling) {  // the turn follows from the way
      EXPECT_EQ(by_coordinates, entry.freedoms_in_plane + 1) << entry.name;
    } else if (entry.motion == JointMotion::kCoordinates || is_of_plane) {
      EXPECT_EQ(by_coordinates, is_of_plane ? entry.freedoms_in_plane : entry.freedoms_in_space)
          << entry.name;
    } else if (entry.motion == JointMotion::kPointed) {
      EXPECT_EQ(by_coordinates + 3, entry.freedoms_in_space) << entry.name;
    } else if (entry.motion == JointMotion::kShifting) {
      EXPECT_EQ(by_coordinates, 0) << entry.name;
      EXPECT_EQ(entry.kept_axes, KeptAxes::kAll) << entry.name;
    } else {
      EXPECT_EQ(by_coordinates, measures_distance(entry.type) || has_curve(entry.type) ? 1 : 0) << entry.name;
    }
    int turns = 0;
    for (int k = 0; k < 3; ++k) {
      const core::Dimension dimension = coordinate_dimension(entry.type, k);
      EXPECT_EQ(core::is_position(dimension), k < by_coordinates) << entry.name;
      turns += dimension == core::kAngle ? 1 : 0;
    }
    EXPECT_EQ(entry.keeps_point, entry.motion != JointMotion::kFloating && !is_shifting(entry.type) &&
                                     entry.motion != JointMotion::kPointed && turns == by_coordinates &&
                                     !has_lead(entry.type))
        << entry.name;
    if (entry.motion == JointMotion::kCoordinates && !is_of_plane) {
      EXPECT_EQ(static_cast<int>(entry.kept_axes), 2 - turns) << entry.name;
    }
  }
  EXPECT_EQ(coordinate_dimension(JointType::kRevolute, -1), core::kNumber);
  EXPECT_EQ(coordinate_dimension(JointType::kPlanar, 3), core::kNumber);
  EXPECT_TRUE(holds_a_point(JointType::kSpherical) && holds_a_point(JointType::kRod));
  EXPECT_TRUE(holds_a_point(JointType::kPointOnLine, 1) && !holds_a_point(JointType::kPointOnLine, 0));
  EXPECT_FALSE(holds_a_point(JointType::kRollingDisc) || holds_a_point(JointType::kFree) ||
               holds_a_point(JointType::kUniversal));
}

TEST(JointType, IsFoundByItsName) {
  for (const bool is_planar : {true, false}) {
    for (const JointTypeFacts& entry : all_joint_types())
      if (freedoms(entry.type, is_planar) >= 0) {
        EXPECT_EQ(find_joint_type(entry.name, is_planar), entry.type);
      }
    EXPECT_FALSE(find_joint_type("hinge", is_planar));
    EXPECT_FALSE(find_joint_type("", is_planar));
  }
  EXPECT_EQ(find_joint_type("slot", false), JointType::kSlot) << "which is then refused in space";
}

TEST(JointType, LettersAreDistinctWhereNamesAre) {
  std::set<char> letters;
  std::set<std::pair<std::string_view, char>> names;
  for (const JointTypeFacts& entry : all_joint_types()) {
    letters.insert(entry.letter);
    names.emplace(entry.name, entry.letter);
  }
  EXPECT_EQ(letters.size(), names.size());
  EXPECT_EQ(names.size() + 1, all_joint_types().size()) << "a point on a curve, in the plane and in space";
}

}  // namespace
}  // namespace eslabon::model
