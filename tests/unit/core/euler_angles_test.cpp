// Angles of the twelve sequences, against products of elementary rotations.
#include "eslabon/core/geometry/euler_angles.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

Eigen::Matrix3d turned(char axis, double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(axis - 'x')).toRotationMatrix();
}

// analytic: angles come back from R = R_i R_j R_k.
TEST(EulerAngles, AreThoseThatTheRotationWasMadeOf) {
  for (const std::string_view sequence :
       {"xyz", "yzx", "zxy", "xzy", "zyx", "yxz", "xyx", "yzy", "zxz", "xzx", "zyz", "yxy"}) {
    SCOPED_TRACE(sequence);
    for (const double first : {-2.5, 0.3, 3.0})
      for (const double second : {0.2, 1.4})
        for (const double third : {-1.1, 2.9}) {
          const Eigen::Matrix3d R =
              turned(sequence[0], first) * turned(sequence[1], second) * turned(sequence[2], third);
          EXPECT_NEAR(euler_angle<double>(R, sequence, 0), first, 1e-14);
          EXPECT_NEAR(euler_angle<double>(R, sequence, 1), second, 1e-14);
          EXPECT_NEAR(euler_angle<double>(R, sequence, 2), third, 1e-14);
        }
  }
}

}  // namespace
}  // namespace eslabon::core
