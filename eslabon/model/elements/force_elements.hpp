#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "eslabon/model/elements/time_function.hpp"
#include "eslabon/model/indices.hpp"
#include "eslabon/model/variables/variable.hpp"

namespace eslabon::model {

/// Two points whose distance a spring or damper sees.
struct PointPair {
  PointRef first;
  PointRef second;
  friend bool operator==(const PointPair&, const PointPair&) = default;
};

/// One scalar coordinate of a joint; component counts from 0.
struct JointCoordinate {
  JointIndex joint;
  int component = 0;
  friend bool operator==(const JointCoordinate&, const JointCoordinate&) = default;
};

using Connection = std::variant<PointPair, JointCoordinate>;

/// Rows (argument, force), arguments strictly increasing; linear in between, and beyond by the last slope.
using ForceTable = std::vector<std::pair<double, double>>;

/// Force = preload + stiffness·(length − free_length) + damping·rate, or the table of (length − free_length).
/// A positive force pulls the points together, or turns the joint back.
struct Spring {
  std::string name;
  Connection connection;
  double stiffness = 0.0;    ///< [N/m] or [N m/rad]
  double free_length = 0.0;  ///< [m] or [rad]
  double damping = 0.0;      ///< [N s/m] or [N m s/rad]
  double preload = 0.0;      ///< [N] or [N m]
  ForceTable table;          ///< instead of stiffness, when not empty
  friend bool operator==(const Spring&, const Spring&) = default;
};

/// Force = damping·rate, or the table of the rate.
struct Damper {
  std::string name;
  Connection connection;
  double damping = 0.0;  ///< [N s/m] or [N m s/rad]
  ForceTable table;      ///< instead of damping, when not empty
  friend bool operator==(const Damper&, const Damper&) = default;
};

/// Limits of a joint coordinate or of a coordinate of a point, which it may not pass. Rigid with restitution: what arrives with
/// the rate v leaves with −restitution·v. Soft without: beyond a limit, max(0, stiffness·depth + damping·rate of depth) pushes back.
struct Stop {
  std::string name;
  Variable target;                    ///< kJointPosition or kPointPosition
  std::optional<TimeFunction> lower;  ///< [m] or [rad]
  std::optional<TimeFunction> upper;  ///< [m] or [rad]
  std::optional<double> restitution;  ///< 0 … 1
  double stiffness = 0.0;             ///< [N/m] or [N m/rad]
  double damping = 0.0;               ///< [N s/m] or [N m s/rad]
  bool is_rigid() const { return restitution.has_value(); }
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// A force on a point of a body.
struct PointForce {
  PointRef point;
  std::array<TimeFunction, 3> components;  ///< (3) [N]
  bool in_body_axes = false;               ///< otherwise world axes
  friend bool operator==(const PointForce&, const PointForce&) = default;
};

/// A torque on a body; planar mechanisms: z only.
struct BodyTorque {
  BodyIndex body = kGround;
  std::array<TimeFunction, 3> components;  ///< (3) [N m]
  bool in_body_axes = false;               ///< otherwise world axes
  friend bool operator==(const BodyTorque&, const BodyTorque&) = default;
};

/// A torque or force in a joint, on the second body and opposite on the first.
struct JointEffort {
  JointCoordinate coordinate;
  TimeFunction effort;  ///< [N m] or [N]
  friend bool operator==(const JointEffort&, const JointEffort&) = default;
};

/// An external load as a function of time.
struct Load {
  std::string name;
  std::variant<PointForce, BodyTorque, JointEffort> action;
  friend bool operator==(const Load&, const Load&) = default;
};

}  // namespace eslabon::model
