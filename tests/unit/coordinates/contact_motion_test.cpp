// Where bodies touch that curves hold, and how fast the place goes along: against trying all places, and against differences in time.
#include <cmath>
#include <numbers>

#include "tests/every_joint.hpp"
#include "tests/motion_of_time.hpp"
#include <gtest/gtest.h>

#include "eslabon/coordinates/contact_kernel.hpp"
#include "eslabon/coordinates/joint_motion.hpp"

namespace eslabon::coordinates {
namespace {

using core::Pose;
using core::Rotation;
using core::Vector3;
using model::JointType;
using test::D2;

Pose<D2> pose(const D2& x, const D2& y, const D2& angle) {
  return {Rotation<D2>::from_axis_angle(Vector3<D2>(D2(0.0), D2(0.0), D2(1.0)), angle), {x, y, D2(0.0)}};
}

/// Two bodies that move, apart from each other.
MechanismMotion bodies_at(double time) {
  const D2 t = test::seeded_time(time);
  return {BodyMotion(), test::motion_of(pose(0.1 + 0.2 * t, -0.3 * t * t, 0.4 * t)),
          test::motion_of(pose(1.3 - 0.1 * t, 0.4 + 0.5 * sin(t), 0.9 - 0.8 * t))};
}

model::Joint make_joint(JointType type) {
  model::Joint joint;
  joint.type = type;
  for (std::size_t e = 0; e < 2; ++e) {
    joint.ends[e].body = model::BodyIndex(static_cast<int>(e) + 1);
    joint.ends[e].X_BF = {Rotation<double>(), {0.05, 0.02, 0.0}};
    if (model::is_curve(type, e)) joint.ends[e].curve = model::touched_curve(test::oval("K"));
  }
  return joint;
}

class EveryContact : public testing::TestWithParam<JointType> {};

// derivative: central differences of the place, whose error is h²/6 times its third rate, here below 100, and roundoff over h.
TEST_P(EveryContact, ItsPlaceHasTheRatesThatDifferencesShow) {
  const model::Joint joint = make_joint(GetParam());
  const double h = 1e-5;
  for (const double time : {0.1, 0.45, 0.8}) {
    const CoordinateValue now = joint_coordinate(joint, 0, bodies_at(time));
    const CoordinateValue ahead = joint_coordinate(joint, 0, bodies_at(time + h));
    const CoordinateValue back = joint_coordinate(joint, 0, bodies_at(time - h));
    EXPECT_NEAR(now.velocity, (ahead.position - back.position) / (2.0 * h), 1e-7);
    EXPECT_NEAR(now.acceleration, (ahead.velocity - back.velocity) / (2.0 * h), 1e-6);
    EXPECT_GT(std::abs(now.velocity), 1e-3);
    const core::SplineCurve& curve = joint.ends[GetParam() == JointType::kCurveOnLine ? 1 : 0].curve->spline;
    EXPECT_TRUE(now.position >= 0.0 && now.position < curve.length());
    const CoordinateValue turn = joint_coordinate(joint, 1, bodies_at(time));
    EXPECT_NEAR(turn.position, 0.9 - 1.2 * time, 1e-14);
    EXPECT_NEAR(turn.velocity, -1.2, 1e-14);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, EveryContact,
                         testing::Values(JointType::kPointOnCurve, JointType::kCurveOnLine,
                                         JointType::kCurveOnCurve),
                         [](const auto& type) { return std::string(model::facts(type.param).name); });

// analytic: two ovals that stand apart are nearest where both have one normal, and the gap is their distance.
TEST(PairOfCurves, HasOneNormalWhereItIsNarrowest) {
  const model::Joint joint = make_joint(JointType::kCurveOnCurve);
  for (const double time : {0.0, 0.3, 0.6, 0.9}) {
    const MechanismMotion bodies = bodies_at(time);
    std::array<Vector3<double>, 4> x;
    for (std::size_t e = 0; e < 2; ++e) {
      x[e] = bodies[e + 1].direction(Eigen::Vector3d(joint.ends[e].X_BF.R_AB.matrix().col(0)));
      x[e + 2] = bodies[e + 1].point_position(joint.ends[e].X_BF.p_AB_A);
    }
    const FeaturesOf<double> f{&x[0], &x[1], &x[2], &x[3]};
    const RowConstant curves(0.0, joint.ends[0].curve.get(), joint.ends[1].curve.get());
    double nearest = 1e9;
    constexpr int kPlaces = 800;
    const core::SplineCurve &first = joint.ends[0].curve->spline, &second = joint.ends[1].curve->spline;
    for (int i = 0; i < kPlaces; ++i)
      for (int k = 0; k < kPlaces; ++k) {
        const auto at = [&](std::size_t e, const core::SplineCurve& curve, int n) -> Eigen::Vector3d {
          const Eigen::Vector3d p = curve.at(curve.length() * n / kPlaces).p;
          return x[e + 2] + p.x() * x[e] + p.y() * turned_left<double>(x[e]);
        };
        nearest = std::min(nearest, (at(0, first, i) - at(1, second, k)).norm());
      }
    ASSERT_GT(nearest, 0.05) << "the ovals are apart";
    const double step = first.length() / kPlaces;
    const double gap = contact_residual<double>(RowForm::kPairGap, f, curves, 0.0);
    EXPECT_LE(gap, nearest + 1e-14);
    EXPECT_GE(gap, nearest - 20.0 * step * step / nearest);
    const PairBeside<double> beside = pair_beside<double>(f, curves);
    EXPECT_NEAR(beside.at.t.dot(beside.off), 0.0, 1e-14);
    EXPECT_NEAR(beside.at.n.dot(beside.Q1), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace eslabon::coordinates
