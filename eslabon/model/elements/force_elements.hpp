#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "eslabon/model/elements/joint.hpp"
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
/// Where it is.
inline Variable variable_of(const JointCoordinate& coordinate) {
  return {VariableKind::kJointPosition, coordinate.joint, coordinate.component};
}

/// Two joint coordinates that both turn or both slide; what a spring or damper sees is second − first.
struct CoordinatePair {
  JointCoordinate first;
  JointCoordinate second;
  friend bool operator==(const CoordinatePair&, const CoordinatePair&) = default;
};

/// One coordinate of a point, from the user's origin along an axis of the world.
struct PointCoordinate {
  PointRef point;
  int axis = 0;  ///< x, y, z
  friend bool operator==(const PointCoordinate&, const PointCoordinate&) = default;
};

using Connection = std::variant<PointPair, JointCoordinate, CoordinatePair, PointCoordinate>;

/// A force as a function of time and of variables that say where the mechanism is and how it moves.
struct ForceLaw {
  TimeFunction function;            ///< SI; its argument k is variable k
  std::vector<Variable> variables;  ///< each once, Formula::kMostVariables at most
  friend bool operator==(const ForceLaw&, const ForceLaw&) = default;
};

/// Gas in a cylinder: pressure · volumeⁿ stays as it is. It pushes, with the area, against the pressure outside.
///   force = −area (pressure (volume/(volume + area d))ⁿ − ambient),   d = length − free_length
struct GasCharge {
  double pressure = 0.0;  ///< where length = free_length [Pa]
  double volume = 0.0;    ///< there [m³]
  double area = 0.0;      ///< [m²]
  double exponent = 1.0;  ///< n
  double ambient = 0.0;   ///< [Pa]
  friend bool operator==(const GasCharge&, const GasCharge&) = default;
};

/// Rows (argument, force), arguments strictly increasing; linear in between, and beyond by the last slope.
using ForceTable = std::vector<std::pair<double, double>>;

/// Force = preload + stiffness·(length − free_length) + damping·rate, or the table of (length − free_length).
/// A positive force pulls the points together, or turns the joint back.
struct Spring {
  std::string name;
  Connection connection;
  double stiffness = 0.0;             ///< [N/m] or [N m/rad]
  double free_length = 0.0;           ///< [m] or [rad]
  double damping = 0.0;               ///< [N s/m] or [N m s/rad]
  double preload = 0.0;               ///< [N] or [N m]
  ForceTable table;                   ///< instead of stiffness, when not empty
  std::optional<GasCharge> gas = {};  ///< instead of stiffness
  std::optional<ForceLaw> law =
      {};  ///< instead of everything else: it stores no energy, its power is that of a load
  friend bool operator==(const Spring&, const Spring&) = default;
};

/// Force = damping·rate, or the table of the rate.
struct Damper {
  std::string name;
  Connection connection;
  double damping = 0.0;              ///< [N s/m] or [N m s/rad]
  ForceTable table;                  ///< instead of damping, when not empty
  std::optional<ForceLaw> law = {};  ///< instead of damping
  friend bool operator==(const Damper&, const Damper&) = default;
};

/// Springs and dampers in all directions between two frames F1 and F2 that coincide when it is at rest. With p from F1 to F2 in axes of F1
/// and angles θ of the turn of F2 seen from F1, about x, then the new y, then the new z,
///   along the axes of F1, on the second body   −k_i p_i − c_i ṗ_i,   i = 0, 1, 2;   for θ_i   −k_{3+i} θ_i − c_{3+i} θ̇_i
/// In the plane only 0, 1 and 5 count.
struct Bushing {
  std::string name;
  std::array<JointEnd, 2> ends;       ///< F1 and F2
  std::array<double, 6> stiffness{};  ///< (6) [N/m] and [N m/rad]
  std::array<double, 6> damping{};    ///< (6) [N s/m] and [N m s/rad]
  friend bool operator==(const Bushing&, const Bushing&) = default;
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

/// An external load as a function of time, and of variables of the mechanism.
struct Load {
  std::string name;
  std::variant<PointForce, BodyTorque, JointEffort> action;
  std::vector<Variable> variables = {};  ///< argument k of its functions
  friend bool operator==(const Load&, const Load&) = default;
};

}  // namespace eslabon::model
