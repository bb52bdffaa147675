// Jumps of a driver's speed: found where they are, and not where a function is only sharp or fast.
#include "eslabon/kinematics/drivers/speed_jump.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace eslabon::kinematics {
namespace {

using model::TimeFunction;

const TimeFunction kTime = TimeFunction::time();

DriverMotion motion(model::DriverLevel level, const TimeFunction& function) {
  return {model::Driver{.name = "crank",
                        .target = {model::VariableKind::kJointPosition, model::JointIndex(0)},
                        .level = level,
                        .function = function,
                        .start = std::nullopt,
                        .start_speed = std::nullopt},
          0.0};
}

/// The jumps that steps of this length meet in 2 s.
std::vector<SpeedJump> jumps(const DriverMotion& driver, double h) {
  std::vector<SpeedJump> found;
  for (double t = 0.0; t + h <= 2.0; t += h)
    if (const auto jump = find_speed_jump(driver, t, t + h)) found.push_back(*jump);
  return found;
}

TEST(SpeedJump, IsFoundWhereAPositionHasAKink) {
  const DriverMotion kink = motion(model::DriverLevel::kPosition, abs(kTime - 0.7123));
  for (const double h : {0.5, 0.03, 1e-3}) {
    const auto found = jumps(kink, h);
    ASSERT_EQ(found.size(), 1u) << h;
    EXPECT_NEAR(found[0].t, 0.7123, 1e-12);
    EXPECT_NEAR(found[0].change, 2.0, 1e-12);
  }
}

TEST(SpeedJump, IsNotSeenInWhatIsSmooth) {
  for (const TimeFunction& f :
       {sin(600.0 * kTime), cos(2.0 * 3.141592653589793 * 100.0 * kTime), exp(3.0 * kTime), pow(kTime, 5),
        exp(-1e4 * pow(kTime - 0.7, 2)), 0.3 * kTime}) {
    const DriverMotion smooth = motion(model::DriverLevel::kPosition, f);
    for (const double h : {0.01, 0.0071, 1e-3, 1e-5}) EXPECT_TRUE(jumps(smooth, h).empty()) << h;
  }
}

}  // namespace
}  // namespace eslabon::kinematics
