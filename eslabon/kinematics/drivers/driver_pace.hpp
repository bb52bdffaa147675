#pragma once

#include <vector>

#include "eslabon/kinematics/drivers/driven_mechanism.hpp"

namespace eslabon::kinematics {

/// How fast the drivers of a mechanism go in a run, from their speeds at 2048 times of it.
class DriverPace {
 public:
  /// `until`: the end of the run [s], up to which it prepares the drivers; throws as DriverMotion::prepare does.
  DriverPace(const DrivenMechanism& driven, double until);

  /// A step from t on in which no driver moves by more than about half a radian, or half the mechanism's size: steps of a
  /// motion that are longer could miss what the drivers do in between [s].
  double longest_step(double t) const;

 private:
  double until_;
  std::vector<double>
      speeds_;  ///< (samples, or 1 when all are constant) of the fastest driver [rad/s] or sizes per second
};

}  // namespace eslabon::kinematics
