#include "eslabon/io/dimension.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace eslabon::io {
namespace {

struct Kind {
  Dimension dimension;
  std::string_view name;     ///< with its article
  std::string_view unit;     ///< SI, as people write it
  std::string_view example;  ///< a typical value
};

constexpr std::array kKinds{
    Kind{kNumber, "a plain number", "1", "0.5"},
    Kind{kMass, "a mass", "kg", "2 kg"},
    Kind{kLength, "a length", "m", "120 mm"},
    Kind{kTime, "a time", "s", "0.5 s"},
    Kind{kAngle, "an angle", "rad", "30 deg"},
    Kind{kArea, "an area", "m^2", "1e-4 m^2"},
    Kind{kVolume, "a volume", "m^3", "1e-6 m^3"},
    Kind{kFrequency, "a frequency", "1/s", "100 Hz"},
    Kind{kVelocity, "a velocity", "m/s", "1.5 m/s"},
    Kind{kAcceleration, "an acceleration", "m/s^2", "9.81 m/s^2"},
    Kind{kAngularVelocity, "an angular velocity", "rad/s", "60 rpm"},
    Kind{kAngularAcceleration, "an angular acceleration", "rad/s^2", "2 rad/s^2"},
    Kind{kInertia, "a moment of inertia", "kg*m^2", "0.02 kg*m^2"},
    Kind{kDensity, "a density", "kg/m^3", "7850 kg/m^3"},
    Kind{kForce, "a force", "N", "20 N"},
    Kind{kTorque, "a torque or an energy", "N*m", "5 N*m"},
    Kind{kPower, "a power", "W", "150 W"},
    Kind{kPressure, "a pressure", "Pa", "200 kPa"},
    Kind{kStiffness, "a stiffness", "N/m", "1500 N/m"},
    Kind{kDamping, "a damping", "N*s/m", "40 N*s/m"},
    Kind{kTorsionalStiffness, "a torsional stiffness", "N*m/rad", "30 N*m/rad"},
    Kind{kTorsionalDamping, "a torsional damping", "N*m*s/rad", "0.1 N*m*s/rad"},
};

const Kind* find_kind(const Dimension& dimension) {
  for (const Kind& kind : kKinds) {
    if (kind.dimension == dimension) return &kind;
  }
  return nullptr;
}

}  // namespace

std::string si_unit(const Dimension& dimension) {
  if (const Kind* kind = find_kind(dimension)) return std::string(kind->unit);
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

std::string kind_name(const Dimension& dimension) {
  const Kind* kind = find_kind(dimension);
  return kind ? std::string(kind->name) : "a quantity in " + si_unit(dimension);
}

std::string example_text(const Dimension& dimension) {
  const Kind* kind = find_kind(dimension);
  return kind ? std::string(kind->example) : "1 " + si_unit(dimension);
}

}  // namespace eslabon::io
