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
  kSlot,
  kCircularSlot,
  kRolling,
  kPointOnLine,
  kPointOnPlane,
  kLinearActuator,
  kTranslation,
  kRollingDisc,
  kPointOnCurve,       ///< in the plane
  kPointOnSpaceCurve,  ///< the same in space, by the same name in files
  kCurveOnLine,
  kCurveOnCurve,
  kHelical,
};

/// What the axis of a joint means, and so which axes its description needs in space.
enum class AxisUse {
  kNone,   ///< spherical, fixed, free, rod, linear actuator, translation
  kTurn,   ///< revolute, cylindrical, helical: the line about which the joint turns; z of its frames
  kSlide,  ///< prismatic, slots, rolling, point on a line, curve on a line: the line along which it slides, or where an angle
           ///< is 0; x of its frames
  kNormal,  ///< planar, point on a plane: perpendicular to the plane of the motion; z of its frames
  kCross,  ///< one axis in each body, x of the first frame, y of the second: of a universal joint those of the cross, perpendicular
           ///< to each other; of a rolling disc the normal of the plane and the axis of the disc
};

/// How the motion that a joint leaves is written.
enum class JointMotion {
  kCoordinates,  ///< by its scalar coordinates, of which a fixed joint has none
  kBall,         ///< spherical: by a rotation
  kPointed,      ///< point on a line, on a plane: by its scalar coordinates and a rotation
  kFloating,  ///< free, rod, circular slot, linear actuator, rolling disc, curves: by a position and a rotation
  kShifting,  ///< translation: by a position
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
  bool is_bearing =
      false;  ///< the angle at which the second frame's origin is seen from the first's; otherwise of turning
  bool is_distance = false;  ///< from the first frame's origin to the second's; otherwise of sliding
  bool is_place = false;     ///< where on the curve of end `end` the bodies touch: the parameter of the curve
};

/// The facts about one type of joint.
struct JointTypeFacts {
  JointType type;
  std::string_view name;  ///< in files: "revolute"
  char letter;            ///< in names of structural groups: 'R' [Seed001, §3.1]
  AxisUse axis_use;
  int freedoms_in_plane;  ///< −1: cannot stand in a planar mechanism
  int freedoms_in_space;  ///< −1: cannot stand in a mechanism in space
  JointMotion motion;
  bool keeps_point;  ///< the origins of its two frames stay together
  KeptAxes kept_axes;
  std::array<JointCoordinateFacts, 3> coordinates;  ///< in the order q1, q2, …
  int velocity_rows = 0;  ///< on velocities alone, beside those that take degrees of freedom: no slipping
};

namespace detail {

constexpr JointCoordinateFacts turn_about(int axis, int end = 0) { return {core::kAngle, axis, end}; }
constexpr JointCoordinateFacts slide_along(int axis) { return {core::kLength, axis, 0}; }
constexpr JointCoordinateFacts bearing_about(int axis) { return {core::kAngle, axis, 0, true}; }
constexpr JointCoordinateFacts distance() { return {.dimension = core::kLength, .is_distance = true}; }
constexpr JointCoordinateFacts place_on_curve(int end) {
  return {.dimension = core::kLength, .end = end, .is_place = true};
}

// In the order of JointType. Letters C (cardan), E (esférico), P, R are those of [Seed001, §3.1]; the others are ours.
inline constexpr auto kJointTypes = std::to_array<JointTypeFacts>({
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
    {JointType::kSlot, "slot", 'S', AxisUse::kSlide, 2, -1, JointMotion::kCoordinates, false, KeptAxes::kNone,
     {slide_along(0), turn_about(2)}},
    {JointType::kCircularSlot, "circular_slot", 'A', AxisUse::kSlide, 2, -1, JointMotion::kFloating, false, KeptAxes::kNone,
     {bearing_about(2), turn_about(2)}},
    {JointType::kRolling, "rolling", 'O', AxisUse::kSlide, 1, -1, JointMotion::kCoordinates, false, KeptAxes::kNone,
     {slide_along(0), turn_about(2)}},
    {JointType::kPointOnLine, "point_on_line", 'L', AxisUse::kSlide, -1, 4, JointMotion::kPointed, false, KeptAxes::kNone,
     {slide_along(0)}},
    {JointType::kPointOnPlane, "point_on_plane", 'T', AxisUse::kNormal, -1, 5, JointMotion::kPointed, false, KeptAxes::kNone,
     {slide_along(0), slide_along(1)}},
    {JointType::kLinearActuator, "linear_actuator", 'J', AxisUse::kNone, 3, 6, JointMotion::kFloating, false, KeptAxes::kNone,
     {distance()}},
    {JointType::kTranslation, "translation", 'X', AxisUse::kNone, 2, 3, JointMotion::kShifting, false, KeptAxes::kAll, {}},
    {JointType::kRollingDisc, "rolling_disc", 'Q', AxisUse::kCross, -1, 5, JointMotion::kFloating, false, KeptAxes::kNone,
     {}, 2},
    {JointType::kPointOnCurve, "point_on_curve", 'V', AxisUse::kNone, 2, -1, JointMotion::kFloating, false, KeptAxes::kNone,
     {place_on_curve(0), turn_about(2)}},
    {JointType::kPointOnSpaceCurve, "point_on_curve", 'V', AxisUse::kNone, -1, 4, JointMotion::kFloating, false, KeptAxes::kNone,
     {place_on_curve(0)}},
    {JointType::kCurveOnLine, "curve_on_line", 'U', AxisUse::kSlide, 2, -1, JointMotion::kFloating, false, KeptAxes::kNone,
     {place_on_curve(1), turn_about(2)}},
    {JointType::kCurveOnCurve, "curve_on_curve", 'B', AxisUse::kNone, 2, -1, JointMotion::kFloating, false, KeptAxes::kNone,
     {place_on_curve(0), turn_about(2)}},
    {JointType::kHelical, "helical", 'H', AxisUse::kTurn, -1, 1, JointMotion::kCoordinates, false, KeptAxes::kOne,
     {turn_about(2)}},
    // clang-format on
});

}  // namespace detail

constexpr const JointTypeFacts& facts(JointType type) {
  return detail::kJointTypes[static_cast<std::size_t>(type)];
}

/// Every type, in the order of JointType.
constexpr const auto& all_joint_types() { return detail::kJointTypes; }

/// The type written as `name` in files, if there is one; of two with one name that which can stand in such a mechanism.
std::optional<JointType> find_joint_type(std::string_view name, bool is_planar);

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

/// Whether it lets the bodies turn about all axes beside its scalar coordinates: a ball, a point on a line or on a plane.
constexpr bool turns_freely(JointType type) {
  return is_ball(type) || facts(type).motion == JointMotion::kPointed;
}

/// Whether each body can be anywhere beside the other, but for the length of a rod or the radius of a slot.
constexpr bool is_floating(JointType type) { return facts(type).motion == JointMotion::kFloating; }

/// Whether each body can be anywhere beside the other, but does not turn against it.
constexpr bool is_shifting(JointType type) { return facts(type).motion == JointMotion::kShifting; }

/// Whether it keeps two points at a distance: a rod, a circular slot.
constexpr bool keeps_distance(JointType type) {
  return type == JointType::kRod || type == JointType::kCircularSlot;
}

/// Whether it holds a body at a point alone and lets it turn about that point: a ball, a rod.
constexpr bool holds_a_point(JointType type) { return is_ball(type) || keeps_distance(type); }
/// The same of one of its two bodies: a point on a line holds the body of the point in this way, not that of the line.
constexpr bool holds_a_point(JointType type, std::size_t end) {
  return holds_a_point(type) || (facts(type).motion == JointMotion::kPointed && end == 1);
}

/// Whether this end of it is a curve.
constexpr bool is_curve(JointType type, std::size_t end) {
  switch (type) {
    case JointType::kPointOnCurve:
    case JointType::kPointOnSpaceCurve:
      return end == 0;
    case JointType::kCurveOnLine:
      return end == 1;
    default:
      return type == JointType::kCurveOnCurve;
  }
}
/// Whether it has a curve.
constexpr bool has_curve(JointType type) { return is_curve(type, 0) || is_curve(type, 1); }

/// Whether its coordinate is the distance of two points: it holds nothing, but what pushes along it is one element.
constexpr bool measures_distance(JointType type) { return facts(type).coordinates[0].is_distance; }

/// Whether it has rows on velocities that follow from none on positions: a disc that rolls on a plane.
constexpr bool is_nonholonomic(JointType type) { return facts(type).velocity_rows > 0; }

/// Whether it leaves two points or curves at a distance, each on its own way: the last joint to go along in a tree.
constexpr bool is_last_resort(JointType type) {
  return keeps_distance(type) || measures_distance(type) || has_curve(type) || is_nonholonomic(type);
}

/// Whether its description has a radius.
constexpr bool has_radius(JointType type) {
  return type == JointType::kCircularSlot || type == JointType::kRolling || type == JointType::kRollingDisc;
}
/// Whether it may have one: a roller on a curve in the plane.
constexpr bool may_have_radius(JointType type) {
  return has_radius(type) || type == JointType::kPointOnCurve;
}

/// Whether it slides by a lead for each turn, and its description says how far.
constexpr bool has_lead(JointType type) { return type == JointType::kHelical; }

/// The column of its frames that is the joint's axis: x where it slides, otherwise z.
constexpr int axis_column(JointType type) { return facts(type).axis_use == AxisUse::kSlide ? 0 : 2; }

}  // namespace eslabon::model
