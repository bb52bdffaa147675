#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The facts about one type of joint.
struct JointTypeFacts {
  JointType type;
  std::string_view name;  ///< in files: "revolute"
  char letter;            ///< in names of structural groups: 'R' [Seed001, §3.1]
  AxisUse axis_use;
  int freedoms_in_plane;  ///< −1: cannot stand in a planar mechanism
  int freedoms_in_space;
  /// What the scalar joint coordinates q1, q2, … measure; kNumber: there is none of that number. A joint of three rotations
  /// has none at all.
  std::array<core::Dimension, 3> coordinates;
};

const JointTypeFacts& facts(JointType type);

/// Every type, in the order of JointType.
const std::array<JointTypeFacts, 9>& all_joint_types();

/// The type written as `name` in files, if there is one.
std::optional<JointType> find_joint_type(std::string_view name);

/// Relative degrees of freedom that the joint leaves to its two bodies.
int freedoms(JointType type, bool is_planar);

/// Relative degrees of freedom that it takes away: 3 (planar) or 6 minus the degrees of freedom it leaves.
int constraint_rows(JointType type, bool is_planar);

/// Number of scalar joint coordinates q1, q2, … of a joint of this type.
int coordinate_count(JointType type);

/// What coordinate `component`, from 0, of such a joint measures: an angle or a length; kNumber where it has no such coordinate.
core::Dimension coordinate_dimension(JointType type, int component);

}  // namespace eslabon::model
