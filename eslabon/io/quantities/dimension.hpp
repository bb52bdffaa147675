#pragma once

#include <string>

#include "eslabon/core/dimension.hpp"

/// Dimensions as files and their errors speak of them.
namespace eslabon::io {

using core::agree_but_for_radians;
using core::Dimension;
using core::power;
using core::si_unit;

using core::kAcceleration;
using core::kAngle;
using core::kAngularAcceleration;
using core::kAngularVelocity;
using core::kArea;
using core::kDamping;
using core::kDensity;
using core::kForce;
using core::kFrequency;
using core::kInertia;
using core::kLength;
using core::kMass;
using core::kNumber;
using core::kPower;
using core::kPressure;
using core::kStiffness;
using core::kTime;
using core::kTorque;
using core::kTorsionalDamping;
using core::kTorsionalStiffness;
using core::kVelocity;
using core::kVolume;

/// The kind with its article, such as "a length" or "an angle"; "a quantity in kg^2" if it has no name.
std::string kind_name(const Dimension& dimension);

/// A value as a user would write it, such as "120 mm"; "1 kg^2" if the kind has no name.
std::string example_text(const Dimension& dimension);

}  // namespace eslabon::io
