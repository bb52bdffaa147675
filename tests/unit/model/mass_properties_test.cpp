#include "eslabon/model/elements/mass_properties.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace eslabon::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d diagonal(double a, double b, double c) { return Vector3d(a, b, c).asDiagonal(); }

TEST(InertiaFault, IsNone_ForBodiesThatExist) {
  EXPECT_FALSE(find_inertia_fault(diagonal(2.0, 3.0, 4.0)));
  EXPECT_FALSE(find_inertia_fault(diagonal(1.0, 2.0, 3.0))) << "a flat plate";
  EXPECT_FALSE(find_inertia_fault(diagonal(0.0, 5.0, 5.0))) << "a thin bar";
  EXPECT_FALSE(find_inertia_fault(Matrix3d::Zero())) << "a point mass";
}

TEST(InertiaFault, DoesNotDependOnTheAxes) {
  const Matrix3d R = Eigen::AngleAxisd(0.7, Vector3d(1.0, 2.0, 3.0).normalized()).toRotationMatrix();
  EXPECT_FALSE(find_inertia_fault(R * diagonal(1.0, 2.0, 3.0) * R.transpose()));
  EXPECT_TRUE(find_inertia_fault(R * diagonal(1.0, 2.0, 3.001) * R.transpose()));
}

TEST(InertiaFault, NamesTheTriangleRule_WhereverTheLargeMomentStands) {
  for (const Matrix3d& I : {diagonal(4.0, 1.0, 2.0), diagonal(1.0, 4.0, 2.0), diagonal(2.0, 1.0, 4.0)}) {
    const auto fault = find_inertia_fault(I);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->expected, "no principal moment of inertia above the sum of the other two");
    EXPECT_EQ(fault->actual, "1, 2 and 4 kg*m^2");
  }
}

TEST(InertiaFault, NamesTheSign_WhenAMomentIsNegative) {
  const auto fault = find_inertia_fault(diagonal(-1.0, 2.0, 2.0));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->expected, "principal moments of inertia >= 0");
}

TEST(MassProperties, AreMassless_OnlyWithoutMass) {
  EXPECT_TRUE(MassProperties{}.is_massless());
  EXPECT_FALSE((MassProperties{.mass = 1e-300}.is_massless()));
}

}  // namespace
}  // namespace eslabon::model
