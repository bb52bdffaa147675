#include "eslabon/kinematics/drivers/speed_jump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace eslabon::kinematics {

namespace {

constexpr double kJump = 0.4;      // of the change of the speed
constexpr double kSmall = 1e-6;    // of the speed itself
constexpr double kNoSpeed = 1e-9;  // [rad/s or m/s]
constexpr int kMostBisections = 60;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::optional<SpeedJump> find_speed_jump(const DriverMotion& driver, double t0, double t1) {
  coordinates::CoordinateValue x0, x1, x;
  for (const auto& [t, end] : {std::pair{t0, &x0}, std::pair{t1, &x1}})
    if (!driver.evaluate(t, *end)) return SpeedJump{t, kNoValue};
  const double h = t1 - t0, change = x1.velocity - x0.velocity;
  const double scale = std::max({std::abs(x0.velocity), std::abs(x1.velocity), h * std::abs(x0.acceleration),
                                 h * std::abs(x1.acceleration)});
  const double jump = std::max({kJump * std::abs(change), kSmall * scale, kNoSpeed});
  if (std::abs(change - 0.5 * h * (x0.acceleration + x1.acceleration)) <= jump) return std::nullopt;  // (1)
  double a = t0, b = t1;
  for (int k = 0; k < kMostBisections && b - a > 1e-14 * (1.0 + b); ++k) {
    const double middle = 0.5 * (a + b);
    if (!driver.evaluate(middle, x)) return SpeedJump{middle, kNoValue};
    const bool is_before = std::abs(x.velocity - x0.velocity) > std::abs(x1.velocity - x.velocity);
    (is_before ? b : a) = middle;
    (is_before ? x1 : x0) = x;
  }
  if (std::abs(x1.velocity - x0.velocity) < jump) return std::nullopt;
  return SpeedJump{b, x1.velocity - x0.velocity};
}

}  // namespace eslabon::kinematics
