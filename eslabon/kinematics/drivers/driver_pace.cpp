#include "eslabon/kinematics/drivers/driver_pace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace eslabon::kinematics {

DriverPace::DriverPace(const DrivenMechanism& driven, double until) : until_(until) {
  constexpr int kSamples = 2048;
  driven.prepare_drivers(until);
  const model::Mechanism& mechanism = driven.mechanism();
  const bool is_steady = std::ranges::all_of(mechanism.drivers(), [](const model::Driver& driver) {
    return driver.function.is_constant() && driver.level != model::DriverLevel::kAcceleration;
  });
  const double length = coordinates::length_scale(mechanism);
  speeds_.assign(is_steady ? 1 : kSamples + 1, 0.0);
  for (std::size_t i = 0; i < driven.drivers().size(); ++i) {
    const bool is_angle = model::dimension(mechanism, mechanism.drivers()[i].target) == core::kAngle;
    for (std::size_t k = 0; k < speeds_.size(); ++k) {
      coordinates::CoordinateValue x;
      if (!driven.drivers()[i].evaluate(until_ * static_cast<double>(k) / kSamples, x))
        continue;  // the run will say so when it comes there
      speeds_[k] = std::max(speeds_[k], std::abs(x.velocity) / (is_angle ? 1.0 : length));
    }
  }
}

double DriverPace::longest_step(double t) const {
  constexpr double kLongestTurn = 0.5;
  const double endless = std::numeric_limits<double>::infinity();
  if (speeds_.size() == 1) return speeds_[0] > 0.0 ? kLongestTurn / speeds_[0] : endless;
  // Through the intervals of the samples until the drivers have moved so far, or a 64th of the run is over.
  const double width = until_ / static_cast<double>(speeds_.size() - 1);
  auto k = static_cast<std::size_t>(std::clamp(t / width, 0.0, static_cast<double>(speeds_.size() - 2)));
  double step = 0.0, turn = 0.0;
  for (int i = 0; i < 32 && k + 1 < speeds_.size(); ++i, ++k) {
    const double speed = std::max(speeds_[k], speeds_[k + 1]);
    if (turn + speed * width >= kLongestTurn) {
      step += (kLongestTurn - turn) / speed;
      break;
    }
    turn += speed * width;
    step += width;
  }
  return step;
}

}  // namespace eslabon::kinematics
