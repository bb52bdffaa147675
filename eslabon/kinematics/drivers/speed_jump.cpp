#include "eslabon/kinematics/drivers/speed_jump.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::kinematics {

namespace {

constexpr double kJump = 0.4;      // of the change of the speed
constexpr double kSmall = 1e-6;    // of the speed itself
constexpr double kNoSpeed = 1e-9;  // [rad/s or m/s]
constexpr int kMostBisections = 60;

}  // namespace

std::optional<SpeedJump> find_speed_jump(const DriverMotion& driver, double t0, double t1) {
  coordinates::CoordinateValue x0 = driver.evaluate(t0), x1 = driver.evaluate(t1);
  const double h = t1 - t0, change = x1.velocity - x0.velocity;
  const double scale = std::max({std::abs(x0.velocity), std::abs(x1.velocity), h * std::abs(x0.acceleration),
                                 h * std::abs(x1.acceleration)});
  const double jump = std::max({kJump * std::abs(change), kSmall * scale, kNoSpeed});
  if (std::abs(change - 0.5 * h * (x0.acceleration + x1.acceleration)) <= jump) return std::nullopt;  // (1)
  double a = t0, b = t1;
  for (int k = 0; k < kMostBisections && b - a > 1e-14 * (1.0 + b); ++k) {
    const double middle = 0.5 * (a + b);
    const coordinates::CoordinateValue x = driver.evaluate(middle);
    const bool is_before = std::abs(x.velocity - x0.velocity) > std::abs(x1.velocity - x.velocity);
    (is_before ? b : a) = middle;
    (is_before ? x1 : x0) = x;
  }
  if (std::abs(x1.velocity - x0.velocity) < jump) return std::nullopt;
  return SpeedJump{b, x1.velocity - x0.velocity};
}

}  // namespace eslabon::kinematics
