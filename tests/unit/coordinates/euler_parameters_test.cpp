// Euler parameters against dual numbers of the rotation matrix, which share no formula with them.
#include "eslabon/coordinates/euler_parameters.hpp"

#include <array>
#include <numbers>

#include "tests/motion_of_time.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

namespace eslabon::coordinates {
namespace {

using core::Rotation;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test::D1;
using test::D2;

const double kTimes[] = {-1.3, 0.0, 0.4, 1.7, 2.9};

Orientation orientation_at(double t) {
  const BodyMotion motion = test::motion_of(test::tumbling(test::seeded_time(t)));
  return {motion.X_WB.R_AB, motion.w_WB_W, motion.alpha_WB_W};
}

TEST(EulerParameters, ColumnsEqualDualNumbersOfTheScaledRotation_ForAnyLength) {
  const Vector4d e(0.9, -0.4, 0.3, 1.2);  // not a unit
  const Vector3d u(0.7, -0.2, 0.5);
  std::array<Vector3d, 4> columns;
  rotated_by_euler_parameters<double>(e, u, columns);
  for (int k = 0; k < 4; ++k) {
    core::EulerParameters<D1> seeded = e.cast<D1>();
    seeded[k].derivative = 1.0;
    const core::Vector3<D1> rotated = core::scaled_rotation_matrix<D1>(seeded) * u.cast<D1>();
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(columns[static_cast<std::size_t>(k)][i], rotated[i].derivative, test::roundoff(16, 5.0))
          << k << i;
  }
}

// The rates of (5), put into e(t) as dual numbers of second order, must turn R(e) as the motion turns.
TEST(EulerParameters, RatesTurnTheRotationAsTheMotionDoes) {
  for (const double t : kTimes) {
    const Orientation expected = orientation_at(t);
    const EulerParameterMotion motion = euler_parameters_of(expected);
    core::EulerParameters<D2> e;
    for (int k = 0; k < 4; ++k)
      e[k] = D2(D1(motion.e[k], motion.e_dot[k]), D1(motion.e_dot[k], motion.e_ddot[k]));
    const BodyMotion turned =
        test::motion_of({Rotation<D2>::from_euler_parameters(e), core::Vector3<D2>::Zero()});
    EXPECT_LE((turned.X_WB.R_AB.matrix() - expected.R.matrix()).norm(), test::roundoff(32, 1.0)) << t;
    EXPECT_LE((turned.w_WB_W - expected.w).norm(), test::roundoff(64, 1.0 + expected.w.norm())) << t;
    EXPECT_LE((turned.alpha_WB_W - expected.alpha).norm(), test::roundoff(256, 1.0 + expected.alpha.norm()))
        << t;
  }
}

TEST(EulerParameters, StayOfUnitLength) {
  for (const double t : kTimes) {
    const EulerParameterMotion m = euler_parameters_of(orientation_at(t));
    EXPECT_NEAR(m.e.norm(), 1.0, test::roundoff(4, 1.0));
    EXPECT_NEAR(m.e.dot(m.e_dot), 0.0, test::roundoff(16, 1.0 + m.e_dot.norm()));
    EXPECT_NEAR(m.e.dot(m.e_ddot) + m.e_dot.squaredNorm(), 0.0, test::roundoff(64, 1.0 + m.e_ddot.norm()));
  }
}

TEST(EulerParameters, RoundTripGivesTheOrientationBack_AlsoFromTheirNegativesAndScaled) {
  for (const double t : kTimes) {
    const Orientation expected = orientation_at(t);
    const EulerParameterMotion m = euler_parameters_of(expected);
    for (const double factor : {1.0, -1.0, 1.7}) {
      const Orientation actual = orientation_of({factor * m.e, factor * m.e_dot, factor * m.e_ddot});
      EXPECT_LE((actual.R.matrix() - expected.R.matrix()).norm(), test::roundoff(32, 1.0))
          << t << " " << factor;
      EXPECT_LE((actual.w - expected.w).norm(), test::roundoff(64, 1.0 + expected.w.norm()))
          << t << " " << factor;
      EXPECT_LE((actual.alpha - expected.alpha).norm(), test::roundoff(256, 1.0 + expected.alpha.norm()))
          << t;
    }
  }
}

// Half a turn, where e0 = 0: about each axis and about one between them.
TEST(EulerParameters, HalfTurnsAreNoSpecialCase) {
  for (const Vector3d& axis :
       {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1), Vector3d(0.6, -0.8, 0.0)}) {
    const Orientation expected{
        Rotation<double>::from_rotation_vector(std::numbers::pi * axis), {0.3, -1.2, 0.5}, {2.0, 0.1, -0.7}};
    const Orientation actual = orientation_of(euler_parameters_of(expected));
    EXPECT_LE((actual.R.matrix() - expected.R.matrix()).norm(), test::roundoff(32, 1.0));
    EXPECT_LE((actual.w - expected.w).norm(), test::roundoff(64, 2.0));
    EXPECT_LE((actual.alpha - expected.alpha).norm(), test::roundoff(64, 3.0));
  }
}

}  // namespace
}  // namespace eslabon::coordinates
