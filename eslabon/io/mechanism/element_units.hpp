#pragma once

#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

/// Units of a spring, damper or stop: those of forces between points and in sliding joints, or those of torques.
struct ElementUnits {
  Dimension length, force;

  static ElementUnits of(const Dimension& position) {
    return position == kLength ? ElementUnits{kLength, kForce} : ElementUnits{kAngle, kTorque};
  }
  Dimension stiffness() const { return force / length; }
  Dimension damping() const { return force / (length / kTime); }
};

}  // namespace eslabon::io
