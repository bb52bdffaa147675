#include "eslabon/io/quantities/dimension.hpp"

#include <array>
#include <string_view>

namespace eslabon::io {
namespace {

struct Kind {
  Dimension dimension;
  std::string_view name;     ///< with its article
  std::string_view example;  ///< a typical value
};

constexpr std::array kKinds{
    Kind{kNumber, "a plain number", "0.5"},
    Kind{kMass, "a mass", "2 kg"},
    Kind{kLength, "a length", "120 mm"},
    Kind{kTime, "a time", "0.5 s"},
    Kind{kAngle, "an angle", "30 deg"},
    Kind{kArea, "an area", "1e-4 m^2"},
    Kind{kVolume, "a volume", "1e-6 m^3"},
    Kind{kFrequency, "a frequency", "100 Hz"},
    Kind{kVelocity, "a velocity", "1.5 m/s"},
    Kind{kAcceleration, "an acceleration", "9.81 m/s^2"},
    Kind{kAngularVelocity, "an angular velocity", "60 rpm"},
    Kind{kAngularAcceleration, "an angular acceleration", "2 rad/s^2"},
    Kind{kInertia, "a moment of inertia", "0.02 kg*m^2"},
    Kind{kDensity, "a density", "7850 kg/m^3"},
    Kind{kForce, "a force", "20 N"},
    Kind{kTorque, "a torque or an energy", "5 N*m"},
    Kind{kPower, "a power", "150 W"},
    Kind{kPressure, "a pressure", "200 kPa"},
    Kind{kStiffness, "a stiffness", "1500 N/m"},
    Kind{kDamping, "a damping", "40 N*s/m"},
    Kind{kTorsionalStiffness, "a torsional stiffness", "30 N*m/rad"},
    Kind{kTorsionalDamping, "a torsional damping", "0.1 N*m*s/rad"},
};

const Kind* find_kind(const Dimension& dimension) {
  for (const Kind& kind : kKinds) {
    if (kind.dimension == dimension) return &kind;
  }
  return nullptr;
}

}  // namespace

std::string kind_name(const Dimension& dimension) {
  const Kind* kind = find_kind(dimension);
  return kind ? std::string(kind->name) : "a quantity in " + si_unit(dimension);
}

std::string example_text(const Dimension& dimension) {
  const Kind* kind = find_kind(dimension);
  return kind ? std::string(kind->example) : "1 " + si_unit(dimension);
}

}  // namespace eslabon::io
