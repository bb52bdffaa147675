#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "eslabon/core/dimension.hpp"
#include "eslabon/model/indices.hpp"

namespace eslabon::model {

class Mechanism;

/// Everything about a moving mechanism that has a name and one value.
enum class VariableKind {
  kBodyAngle,                ///< crank.angle                    planar [rad]
  kBodyRate,                 ///< crank.rate                     planar [rad/s]
  kBodyAngularAcceleration,  ///< crank.angular_acceleration     planar [rad/s²]
  kBodyEulerParameter,       ///< arm.e0 … arm.e3                spatial
  kBodyAngularVelocity,      ///< arm.wx, wy, wz                 spatial, world axes [rad/s]
  kBodyAlpha,                ///< arm.alphax, alphay, alphaz     spatial, world axes [rad/s²]
  kPointPosition,            ///< coupler.P3.x, y, z             world axes [m]
  kPointVelocity,            ///< coupler.P3.vx, vy, vz          [m/s]
  kPointAcceleration,        ///< coupler.P3.ax, ay, az          [m/s²]
  kJointPosition,            ///< A.q, or A.q1, A.q2 …           [rad] or [m]
  kJointVelocity,            ///< A.v, or A.v1 …
  kJointAcceleration,        ///< A.a, or A.a1 …
  kJointForce,               ///< A.fx, fy, fz                   on the second body, world axes [N]
  kJointMoment,              ///< A.mx, my, mz                   on the second body, world axes [N m]
  kDriverEffort,             ///< motor.effort                   [N m] or [N]
  kCouplingEffort,           ///< mesh.effort                    along its first coordinate [N m] or [N]
  kElementLength,            ///< strut.length                   of a spring or damper [m] or [rad]
  kElementRate,              ///< strut.rate                     [m/s] or [rad/s]
  kElementForce,  ///< strut.force                    [N] or [N m]; of a stop: what it pushes with; of a load: what acts
  kJointFriction,   ///< A.friction, or A.friction1 …   on the second body [N m] or [N]
  kBodyEulerAngle,  ///< arm.euler_zyx_1 … euler_zyx_3  spatial, turns about axes that go with the body [rad]
  kAxisDirection,   ///< upright.spin.x, y, z           of a named axis, of unit length, world axes
  kTyre,            ///< front_left.fz, .slip, .x …    of a tyre, in axes of its contact (TyreQuantity)
  kState,           ///< lag.value                     of an auxiliary state
  kFormula,         ///< twist                          of what a motion determines
  kForceFormula,    ///< grip                           of forces or auxiliary states too
};

/// A variable of one mechanism. `component` counts x, y, z or q1, q2, … from 0.
struct Variable {
  VariableKind kind;
  std::variant<BodyIndex, PointRef, JointIndex, DriverIndex, SpringIndex, DamperIndex, StopIndex, AxisRef,
               StateIndex, FormulaIndex, CouplingIndex, LoadIndex, TyreIndex>
      element;
  int component = 0;
  friend bool operator==(const Variable&, const Variable&) = default;
};

/// The variable that `text` names. Throws core::ModelError that says what is missing and the nearest name;
/// its `where` is left to the caller.
Variable find_variable(const Mechanism& mechanism, std::string_view text);

/// The variable that a formula is.
Variable variable_of(const Mechanism& mechanism, FormulaIndex formula);

/// Whether the variable is a force or torque, or a formula of some: reactions of joints, efforts of drivers and couplings, forces of springs, dampers and
/// stops, friction.
bool is_force(const Variable& variable);

/// Whether the motion of the bodies does not tell it: a force, an auxiliary state, or a formula of some.
bool needs_dynamics(const Variable& variable);

/// The name of the variable, as find_variable reads it.
std::string name(const Mechanism& mechanism, const Variable& variable);

/// What the variable measures: core::kAngle, core::kVelocity, …
core::Dimension dimension(const Mechanism& mechanism, const Variable& variable);

/// SI unit of the variable: "rad", "m/s", … as the second row of a result file shows it.
std::string unit(const Mechanism& mechanism, const Variable& variable);

/// Whether the variable says where the mechanism is and may therefore be driven, given a start value or
/// chosen as an input: an angle of a planar body, a coordinate of a point, a joint coordinate.
bool is_position(const Variable& variable);

/// Whether the variable says how fast the mechanism moves and may therefore be given a start rate: the rate of a body, the
/// velocity of a point, of a joint coordinate, of a spring or damper.
bool is_rate(const Variable& variable);

/// The variable whose derivative a rate is; none for angular velocities in space, and for what is no rate.
std::optional<Variable> position_of(const Variable& rate);

}  // namespace eslabon::model
