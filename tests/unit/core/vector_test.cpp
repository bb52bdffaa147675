#include "eslabon/core/geometry/vector.hpp"

#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

const Vector3<double> kA(0.7, -1.3, 2.1), kB(-0.4, 0.9, 1.6);

// crosscheck: Eigen's own cross product.
TEST(Skew, TimesAVectorIsTheCrossProduct) {
  EXPECT_LE((skew(kA) * kB - kA.cross(kB)).norm(), test::roundoff(4, kA.norm() * kB.norm()));
}

TEST(Skew, IsAntisymmetricAndHasItsVectorAsNullSpace) {
  EXPECT_EQ(skew(kA).transpose(), -skew(kA));
  EXPECT_LE((skew(kA) * kA).norm(), test::roundoff(4, kA.squaredNorm()));
}

// analytic: ã² = a aᵀ − |a|² I.
TEST(Skew, SquaredIsTheOuterProductLessTheSquareOfTheLength) {
  const Eigen::Matrix3d expected = kA * kA.transpose() - kA.squaredNorm() * Eigen::Matrix3d::Identity();
  EXPECT_LE((skew(kA) * skew(kA) - expected).norm(), test::roundoff(16, kA.squaredNorm()));
}

TEST(CrossZ, IsTheSpatialCrossProductWithTheZAxis) {
  const double w = 1.7;
  const Vector3<double> expected = Vector3<double>(0, 0, w).cross(Vector3<double>(kA.x(), kA.y(), 0));
  EXPECT_EQ(cross_z(w, Vector2<double>(kA.x(), kA.y())), expected.head<2>());
}

}  // namespace
}  // namespace eslabon::core
