#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "eslabon/core/dimension.hpp"

namespace eslabon::model {

/// How two bodies can be joined.
enum class JointType {
  kRevolute,
  kPrismatic,
  kCylindrical,
  kUniversal,
  kSpherical,
  kPlanar,
  kFixed,
  kFree,
  kRod,
};

/// What the axis of a joint means, and so which axes its description needs in space.
enum class AxisUse {
  kNone,    ///< spherical, fixed, free, rod
  kTurn,    ///< revolute, cylindrical: the line about which the joint turns; z of its frames
  kSlide,   ///< prismatic: the line along which it slides; x of its frames
  kNormal,  ///< planar: perpendicular to the plane of the motion; z of its frames
  kCross,   ///< universal: one axis in each body, perpendicular to each other; x of the first frame, y of the
            ///< second
};

/// How the motion that a joint leaves is written.
enum class JointMotion {
  kCoordinates,  ///< by its scalar coordinates, of which a fixed joint has none
  kBall,         ///< spherical: by a rotation
  kFloating,     ///< free, rod: by a position and a rotation
};

/// Which axes of its two frames a joint keeps parallel.
enum class KeptAxes {
  kNone,
  kOne,  ///< the axis of JointTypeFacts::axis_use
  kAll,
};

/// A scalar coordinate of a joint: an angle about, or a length along, an axis of one of its frames.
struct JointCoordinateFacts {
  core::Dimension dimension = core::kNumber;  ///< kNumber: there is no coordinate of this number
  int axis = 0;                               ///< 0, 1, 2 for x, y, z
  int end = 0;                                ///< 0: of the first body's frame, 1: of the second's
};

/// The facts about one type of joint.
struct JointTypeFacts {
  JointType type;
  std::string_view name;  ///< in files: "revolute"
  char letter;            ///< in names of structural groups: 'R' [Seed001, §3.1]
  AxisUse axis_use;
  int freedoms_in_plane;  ///< −1: cannot stand in a planar mechanism
  int freedoms_in_space;
  JointMotion motion;
  bool keeps_point;  ///< the origins of its two frames stay together
  KeptAxes kept_axes;
  std::array<JointCoordinateFacts, 3> coordinates;  ///< in the order q1, q2, …
};

namespace detail {

constexpr JointCoordinateFacts turn_about(int axis, int end = 0) { return {core::kAngle, axis, end}; }
constexpr JointCoordinateFacts slide_along(int axis) { return {core::kLength, axis, 0}; }

// In the order of JointType. Letters C (cardan), E (esférico), P, R are those of [Seed001, §3.1]; the others are ours.
inline constexpr std::array<JointTypeFacts, 9> kJointTypes{{
    // clang-format off
    {JointType::kRevolute, "revolute", 'R', AxisUse::kTurn, 1, 1, JointMotion::kCoordinates, true, KeptAxes::kOne,
     {turn_about(2)}},
    {JointType::kPrismatic, "prismatic", 'P', AxisUse::kSlide, 1, 1, JointMotion::kCoordinates, false, KeptAxes::kAll,
     {slide_along(0)}},
    {JointType::kCylindrical, "cylindrical", 'Y', AxisUse::kTurn, -1, 2, JointMotion::kCoordinates, false, KeptAxes::kOne,
     {turn_about(2), slide_along(2)}},
    {JointType::kUniversal, "universal", 'C', AxisUse::kCross, -1, 2, JointMotion::kCoordinates, true, KeptAxes::kNone,
     {turn_about(0), turn_about(1, 1)}},
    {JointType::kSpherical, "spherical", 'E', AxisUse::kNone, -1, 3, JointMotion::kBall, true, KeptAxes::kNone, {}},
    {JointType::kPlanar, "planar", 'N', AxisUse::kNormal, -1, 3, JointMotion::kCoordinates, false, KeptAxes::kOne,
     {slide_along(0), slide_along(1), turn_about(2)}},
    {JointType::kFixed, "fixed", 'W', AxisUse::kNone, 0, 0, JointMotion::kCoordinates, true, KeptAxes::kAll, {}},
    {JointType::kFree, "free", 'F', AxisUse::kNone, 3, 6, JointMotion::kFloating, false, KeptAxes::kNone, {}},
    {JointType::kRod, "rod", 'D', AxisUse::kNone, 2, 5, JointMotion::kFloating, false, KeptAxes::kNone, {}},
    // clang-format on
}};

}  // namespace detail

constexpr const JointTypeFacts& facts(JointType type) {
  return detail::kJointTypes[static_cast<std::size_t>(type)];
}

/// Every type, in the order of JointType.
constexpr const std::array<JointTypeFacts, 9>& all_joint_types() { return detail::kJointTypes; }

/// The type written as `name` in files, if there is one.
std::optional<JointType> find_joint_type(std::string_view name);

/// Relative degrees of freedom that the joint leaves to its two bodies.
constexpr int freedoms(JointType type, bool is_planar) {
  return is_planar ? facts(type).freedoms_in_plane : facts(type).freedoms_in_space;
}

/// Relative degrees of freedom that it takes away: 3 (planar) or 6 minus the degrees of freedom it leaves.
constexpr int constraint_rows(JointType type, bool is_planar) {
  return (is_planar ? 3 : 6) - freedoms(type, is_planar);
}

/// Number of scalar joint coordinates q1, q2, … of a joint of this type.
constexpr int coordinate_count(JointType type) {
  int count = 0;
  for (const JointCoordinateFacts& coordinate : facts(type).coordinates)
    count += coordinate.dimension != core::kNumber ? 1 : 0;
  return count;
}

/// What coordinate `component`, from 0, of such a joint measures: an angle or a length; kNumber where it has no such coordinate.
constexpr core::Dimension coordinate_dimension(JointType type, int component) {
  const auto& coordinates = facts(type).coordinates;
  const bool is_one = component >= 0 && component < static_cast<int>(coordinates.size());
  return is_one ? coordinates[static_cast<std::size_t>(component)].dimension : core::kNumber;
}

/// Whether it is a ball: it turns about all axes, and has no scalar coordinates.
constexpr bool is_ball(JointType type) { return facts(type).motion == JointMotion::kBall; }

/// Whether each body can be anywhere beside the other, but for the length of a rod.
constexpr bool is_floating(JointType type) { return facts(type).motion == JointMotion::kFloating; }

/// Whether it holds a body at a point alone and lets it turn about that point: a ball, a rod.
constexpr bool holds_a_point(JointType type) {
  return is_ball(type) || (is_floating(type) && facts(type).freedoms_in_space < 6);
}

/// The column of its frames that is the joint's axis: x where it slides, otherwise z.
constexpr int axis_column(JointType type) { return facts(type).axis_use == AxisUse::kSlide ? 0 : 2; }

}  // namespace eslabon::model
