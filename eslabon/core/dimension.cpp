#include "eslabon/core/dimension.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace eslabon::core {

namespace {

/// SI units as people write them.
constexpr std::array<std::pair<Dimension, std::string_view>, 22> kUnitsOfKinds{{
    {kNumber, "1"},
    {kMass, "kg"},
    {kLength, "m"},
    {kTime, "s"},
    {kAngle, "rad"},
    {kArea, "m^2"},
    {kVolume, "m^3"},
    {kFrequency, "1/s"},
    {kVelocity, "m/s"},
    {kAcceleration, "m/s^2"},
    {kAngularVelocity, "rad/s"},
    {kAngularAcceleration, "rad/s^2"},
    {kInertia, "kg*m^2"},
    {kDensity, "kg/m^3"},
    {kForce, "N"},
    {kTorque, "N*m"},
    {kPower, "W"},
    {kPressure, "Pa"},
    {kStiffness, "N/m"},
    {kDamping, "N*s/m"},
    {kTorsionalStiffness, "N*m/rad"},
    {kTorsionalDamping, "N*m*s/rad"},
}};

}  // namespace

std::string si_unit(const Dimension& dimension) {
  const auto found =
      std::ranges::find(kUnitsOfKinds, dimension, &std::pair<Dimension, std::string_view>::first);
  if (found != kUnitsOfKinds.end()) return std::string(found->second);
  const std::array<std::pair<std::string_view, int>, 4> factors{
      {{"kg", dimension.kg}, {"m", dimension.m}, {"rad", dimension.rad}, {"s", dimension.s}}};
  std::string above;
  std::string below;
  for (const auto& [unit, exponent] : factors) {
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? above : below;
    if (exponent < 0) {
      side += "/";
    } else if (!side.empty()) {
      side += "*";
    }
    side += unit;
    const int magnitude = exponent < 0 ? -exponent : exponent;
    if (magnitude > 1) side.append("^").append(std::to_string(magnitude));
  }
  if (above.empty()) above.push_back('1');
  return above + below;
}

}  // namespace eslabon::core
