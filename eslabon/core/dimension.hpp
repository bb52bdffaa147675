#pragma once

#include <string>

namespace eslabon::core {

/// What a number measures: the exponents of kilogram, metre, second and radian.
/// The radian is kept, although it is a pure number in the SI, so that an angle is not taken for a ratio
/// or a frequency for an angular velocity.
struct Dimension {
  int kg = 0;
  int m = 0;
  int s = 0;
  int rad = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

constexpr Dimension power(const Dimension& a, int n) { return {a.kg * n, a.m * n, a.s * n, a.rad * n}; }
constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.kg + b.kg, a.m + b.m, a.s + b.s, a.rad + b.rad};
}
constexpr Dimension operator/(const Dimension& a, const Dimension& b) { return a * power(b, -1); }

inline constexpr Dimension kNumber{};
inline constexpr Dimension kMass{.kg = 1};
inline constexpr Dimension kLength{.m = 1};
inline constexpr Dimension kTime{.s = 1};
inline constexpr Dimension kAngle{.rad = 1};
inline constexpr Dimension kArea = kLength * kLength;
inline constexpr Dimension kVolume = kArea * kLength;
inline constexpr Dimension kFrequency = kNumber / kTime;
inline constexpr Dimension kVelocity = kLength / kTime;
inline constexpr Dimension kAcceleration = kVelocity / kTime;
inline constexpr Dimension kAngularVelocity = kAngle / kTime;
inline constexpr Dimension kAngularAcceleration = kAngularVelocity / kTime;
inline constexpr Dimension kInertia = kMass * kArea;
inline constexpr Dimension kDensity = kMass / kVolume;
inline constexpr Dimension kForce = kMass * kAcceleration;
inline constexpr Dimension kTorque = kForce * kLength;
inline constexpr Dimension kPower = kTorque / kTime;
inline constexpr Dimension kPressure = kForce / kArea;
inline constexpr Dimension kStiffness = kForce / kLength;
inline constexpr Dimension kDamping = kForce / kVelocity;
inline constexpr Dimension kTorsionalStiffness = kTorque / kAngle;
inline constexpr Dimension kTorsionalDamping = kTorque / kAngularVelocity;

/// A length or an angle: what tells where a mechanism is.
constexpr bool is_position(const Dimension& dimension) { return dimension == kLength || dimension == kAngle; }

/// What pushes along a position: a torque along an angle, otherwise a force.
constexpr Dimension effort_along(const Dimension& position) { return position == kAngle ? kTorque : kForce; }

/// Equal but for the radian: what arithmetic can still tell apart, since (arc)/(radius) is an angle.
constexpr bool agree_but_for_radians(const Dimension& a, const Dimension& b) {
  return a.kg == b.kg && a.m == b.m && a.s == b.s;
}

/// The unit that a bare number has, such as "kg*m^2"; "1" for a plain number.
std::string si_unit(const Dimension& dimension);

}  // namespace eslabon::core
