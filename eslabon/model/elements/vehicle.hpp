#pragma once

#include <optional>
#include <vector>

#include "eslabon/model/indices.hpp"

namespace eslabon::model {

/// What turns the steered wheels: angle of the steering wheel, positive to the left, = ratio · coordinate of a driver.
struct VehicleSteering {
  DriverIndex driver;
  double ratio = 1.0;  ///< not 0; [rad/m] where the driver moves along a line, otherwise a number
  friend bool operator==(const VehicleSteering&, const VehicleSteering&) = default;
};

/// Tyres on both ends of an axle, and its parts of the torques of the whole vehicle.
struct VehicleAxle {
  std::vector<TyreIndex> left, right;  ///< one or more each
  double drive = 0.0;                  ///< 0 … 1; those of all axles give 1, or 0
  double brake = 0.0;                  ///< the same
  friend bool operator==(const VehicleAxle&, const VehicleAxle&) = default;
};

/// What is what in a mechanism that is a vehicle: said by its user for manoeuvres and the suspension rig. It changes no motion.
struct Vehicle {
  PointRef chassis;  ///< its body has x forward, y to the left, z up
  std::optional<VehicleSteering> steering;
  std::vector<VehicleAxle> axles;  ///< front to rear, one or more
  friend bool operator==(const Vehicle&, const Vehicle&) = default;
};

}  // namespace eslabon::model
