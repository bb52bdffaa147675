#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

/// Checks of joints and the frames that hold their bodies. Private to layer model. Each throws
/// core::ModelError.
namespace eslabon::model::detail {

/// What can be said of a joint by itself: its name, type, numbers.
void check_joint(const JointDescription& description, bool is_planar);

/// The joint with its ends resolved. Both ends are points or both are frames when the joint has an axis.
///
/// The frame F of each end, by facts(type).axis_use:
///   kTurn, kNormal   z along the axis (frame_with_z_along)
///   kSlide           x along the axis (frame_with_x_along)
///   kCross           first end x along its axis (frame_with_x_along), second end y along its axis
///   kNone, and revolute joints in the plane: the axes of the body
/// An end on a named frame has the axes of that frame.
/// y along u: x is e_x made perpendicular to u, or e_z where u is nearer than 26° to ±e_x; z = x × y.
Joint make_joint(const JointDescription& description, const Mechanism& mechanism, const NameLookup& lookup);

/// What can be said of all joints together: none is written twice, and every body hangs on the ground.
void check_joints_together(const Mechanism& mechanism);

}  // namespace eslabon::model::detail
