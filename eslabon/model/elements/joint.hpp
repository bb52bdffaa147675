#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <Eigen/Core>

#include "eslabon/core/geometry/pose.hpp"
#include "eslabon/model/elements/curve.hpp"
#include "eslabon/model/elements/joint_type.hpp"
#include "eslabon/model/indices.hpp"

namespace eslabon::model {

/// Where a joint holds one of its two bodies.
struct JointEnd {
  BodyIndex body = kGround;
  std::string marker;  ///< name of a point, frame or curve of the body
  std::optional<Eigen::Vector3d>
      axis_B;               ///< (3) as written; none when the marker is a frame or no axis is needed
  core::Pose<double> X_BF;  ///< frame of the joint on this body, set by MechanismBuilder::build
  std::shared_ptr<const TouchedCurve> curve = {};  ///< where this end is a curve, which begins at the frame
  friend bool operator==(const JointEnd& a, const JointEnd& b) {
    return a.body == b.body && a.marker == b.marker && a.axis_B == b.axis_B;
  }
};

/// Resistance in the degrees of freedom of a joint. Units of torque for rotations, of force for translations. What dry friction resists with
/// at most is  coulomb + coefficient · radius · load  while it slides,  stiction + static_coefficient · radius · load  until then;
/// joints that slide have no radius. The load is the reaction across the axis: radial in a hinge, normal in a guide.
struct JointFriction {
  double viscous = 0.0;             ///< [N m s/rad] or [N s/m]
  double coulomb = 0.0;             ///< sliding friction [N m] or [N]
  double stiction = 0.0;            ///< breakaway friction ≥ coulomb [N m] or [N]
  double coefficient = 0.0;         ///< sliding friction per load, of revolute and prismatic joints
  double static_coefficient = 0.0;  ///< breakaway friction per load ≥ coefficient
  double radius = 0.0;              ///< of the pin of a hinge that rubs by its load [m]
  double stribeck_speed = 0.0;      ///< speed of the fall from breakaway to sliding friction [rad/s] or [m/s]
  double creep_speed = 0.0;         ///< below it a joint that holds creeps [rad/s] or [m/s]; > 0 when dry

  bool is_none() const { return *this == JointFriction{}; }
  bool is_dry() const { return stiction > 0.0 || static_coefficient > 0.0; }
  bool depends_on_load() const { return static_coefficient > 0.0; }
  friend bool operator==(const JointFriction&, const JointFriction&) = default;
};

/// A circle that rolls without slipping on a circle of the first body, in the plane. The joint is a circular slot for its centre; a
/// coupling ties its turn to the way round:  q2 = (1 + base/radius) q1.
struct CircleRolling {
  double radius = 0.0;  ///< of the circle that rolls [m]
  double base = 0.0;    ///< of the circle that it rolls on [m], of one that it rolls inside of with a minus
  /// Of the slot.
  double distance() const { return base < 0.0 ? -base - radius : base + radius; }
  friend bool operator==(const CircleRolling&, const CircleRolling&) = default;
};

/// A joint between two bodies as the user described it. Loops are joints like any other.
struct Joint {
  std::string name;
  JointType type = JointType::kRevolute;
  std::array<JointEnd, 2> ends;
  double length =
      0.0;  ///< rods: distance of the two points; circular slots, rolling, rollers on curves: radius; helical: lead per turn, of a
            ///< left-hand thread negative [m]; otherwise 0
  double rod_mass = 0.0;  ///< rods: mass of the uniform bar [kg], 0 for none; otherwise 0
  JointFriction friction;
  std::optional<CircleRolling> rolling = {};  ///< of a circular slot

  BodyIndex first() const { return ends[0].body; }
  BodyIndex second() const { return ends[1].body; }
  friend bool operator==(const Joint&, const Joint&) = default;
};

}  // namespace eslabon::model
