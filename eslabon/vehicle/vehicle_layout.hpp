#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "eslabon/model/mechanism.hpp"
#include "eslabon/vehicle/vehicle_laws.hpp"

namespace eslabon::vehicle {

/// One wheel of a vehicle, as it stands at the start.
struct Wheel {
  std::string tyre, spin;           ///< names of tyre and joint
  double spin_sign = 1.0;           ///< of the joint's coordinate as it rolls ahead
  Eigen::Vector3d p_OC_B;           ///< (3) its centre from the chassis' point, chassis axes [m]
  double center_height = 0.0;       ///< over the road [m]
  double drive = 0.0, brake = 0.0;  ///< its shares of the torques of the whole
  std::size_t unit = 0;             ///< 0: it carries the chassis; k: trailer k − 1
};

/// What follows the chassis on wheels of its own.
struct Trailer {
  ChassisNames names;  ///< of its body and of a point of it
  Eigen::Vector2d at =
      Eigen::Vector2d::Zero();  ///< (2) of that point from the chassis' point, chassis axes [m]
  double width = 0.0, front = 0.0, rear = 0.0;  ///< of its outline, from that point [m]
};

struct Steering {
  std::string driver, joint, coordinate;  ///< "steer", "rack_slide", "rack_slide.q"
  std::string rate;                       ///< "rack_slide.v"
  bool turns = false;                     ///< the coordinate is an angle
  double straight = 0.0;                  ///< coordinate straight on [m or rad]
  double wheel_per_coordinate = 1.0;      ///< steering wheel by the coordinate [rad/m or 1]
  double road_per_coordinate = 1.0;       ///< the same of the mean steer angle of the front wheels
  /// Of the angle of the steering wheel to that of the front wheels.
  double ratio() const { return wheel_per_coordinate / road_per_coordinate; }
};

/// What manoeuvres have to know of a vehicle: where its wheels are, how it steers, what it weighs. At the start, on its road.
struct VehicleLayout {
  ChassisNames chassis;
  model::BodyIndex chassis_body = model::kGround;
  std::optional<Steering> steering;
  std::vector<std::vector<Wheel>> axles;  ///< front to rear; of each those on the left first
  double mass = 0.0;                      ///< of all that moves [kg]
  std::vector<Trailer> trailers;
  double wheelbase = 0.0;          ///< from the first axle to the middle of the others of the chassis [m]
  double middle = 0.0;             ///< of these two, before the chassis' point [m]
  double width = 0.0;              ///< of the outline [m]
  double front = 0.0, rear = 0.0;  ///< of the outline of the chassis, from its point along its x [m]
  Eigen::Vector2d start = Eigen::Vector2d::Zero();  ///< (2) where the chassis' point is [m]

  std::vector<Wheel> wheels() const;
  double rolling_radius() const;  ///< mean height of the wheels' centres [m]
  double length() const;          ///< of all, trailers included, at the start [m]
  double largest_width() const;   ///< [m]
};

/// Throws core::ModelError for a mechanism that is no vehicle, or one whose section `vehicle` does not fit where its bodies are.
VehicleLayout layout_of(const model::Mechanism& mechanism);

}  // namespace eslabon::vehicle
