#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::vehicle {

/// The wheel, or the twin wheels, at one end of an axle.
struct RigWheel {
  std::string name;                           ///< of its first tyre
  std::vector<model::TyreIndex> tyres;        ///< one or more
  model::BodyIndex wheel = model::kGround;    ///< that its first tyre is on
  model::BodyIndex carrier = model::kGround;  ///< the other body of the joint that it spins in
  Eigen::Vector3d axis_B =
      Eigen::Vector3d::UnitY();  ///< (3) unit, axes of the wheel; to the left of the way ahead
  double side = 1.0;             ///< 1 on the left, −1 on the right
  double radius = 0.0;           ///< of the tyre where it stands on the bench [m]
};

struct RigAxle {
  std::string name;                 ///< "axle 1"
  std::array<RigWheel, 2> wheels;   ///< left, right
  double drive = 0.0, brake = 0.0;  ///< shares of the torques of the vehicle
  /// Both wheels have one carrier: the torque of a drive is taken by the axle, otherwise by the chassis.
  bool is_live() const { return wheels[0].carrier == wheels[1].carrier; }
};

/// A vehicle as it stands on a suspension rig.
struct RigVehicle {
  /// The vehicle at rest, its steering released, without dry friction, which would hold a range of positions.
  model::Mechanism mechanism;
  model::PointRef chassis;
  std::optional<model::Variable> steering;  ///< what steers: a joint coordinate
  double ratio = 1.0;                       ///< angle of the steering wheel by that coordinate
  std::vector<model::Variable> spins;       ///< joint coordinates in which wheels turn
  std::vector<RigAxle> axles;               ///< front to rear
};

/// `radius`: of all tyres on the bench; none: that of the free tyre [m].
/// Throws core::ModelError for a mechanism that is not a vehicle.
RigVehicle on_suspension_rig(const model::Mechanism& mechanism, std::optional<double> radius);

}  // namespace eslabon::vehicle
