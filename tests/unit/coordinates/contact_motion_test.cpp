// Where bodies touch that curves hold, and how fast the place goes along: against trying all places, and against differences in time.
#include <cmath>
#include <numbers>

#include "tests/every_joint.hpp"
#include "tests/motion_of_time.hpp"
#include <gtest/gtest.h>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/row_kernel.hpp"

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

// ---- In space -----------------------------------------------------------------------------------

/// Closed, and in no plane.
model::NamedCurve saddle() {
  model::NamedCurve curve = test::oval("K");
  for (std::size_t k = 0; k < curve.points.size(); ++k)
    curve.points[k].z() = 0.2 * std::sin(4.0 * std::numbers::pi * static_cast<double>(k) / 12.0);
  return curve;
}
/// Its tangents go in very different directions.
model::NamedCurve trefoil() {
  model::NamedCurve curve{.name = "K", .points = {}, .is_closed = true};
  for (int k = 0; k < 48; ++k) {
    const double x = 2.0 * std::numbers::pi * k / 48.0, r = 2.0 + std::cos(3.0 * x);
    curve.points.push_back({r * std::cos(2.0 * x), r * std::sin(2.0 * x), std::sin(3.0 * x)});
  }
  return curve;
}

model::Joint make_space_joint(const model::NamedCurve& curve) {
  model::Joint joint;
  joint.type = JointType::kPointOnSpaceCurve;
  joint.ends[0].body = model::BodyIndex(1);
  joint.ends[0].X_BF = {Rotation<double>(), {0.05, 0.02, -0.03}};
  joint.ends[0].curve = model::touched_curve(curve);
  joint.ends[1].body = model::BodyIndex(2);
  joint.ends[1].X_BF = {Rotation<double>(), {0.1, 0.2, 0.05}};
  return joint;
}

/// Two bodies that tumble, apart from each other.
MechanismMotion bodies_in_space(double time) {
  const D2 t = test::seeded_time(time);
  const Pose<D2> second = {Rotation<D2>::from_rotation_vector({0.3 - 0.4 * t, 0.2 * t, 0.5 + 0.3 * t}),
                           {1.6 + 0.2 * sin(t), 0.3 - 0.5 * t, 0.4 + 0.3 * t * t}};
  const Pose<D2> first = {Rotation<D2>::from_rotation_vector({0.1 + 0.2 * t, -0.3 * t, 0.4 * t}),
                          {0.1 + 0.2 * t, -0.3 * t * t, D2(0.2)}};
  return {BodyMotion(), test::motion_of(first), test::motion_of(second)};
}

/// The features of the rows of such a joint.
struct SpaceFeatures {
  SpaceFeatures(const model::Joint& joint, const MechanismMotion& bodies) {
    for (int k = 0; k < 3; ++k)
      x[static_cast<std::size_t>(k)] = bodies[1].direction(Eigen::Vector3d::Unit(k));
    x[3] = bodies[1].point_position(joint.ends[0].X_BF.p_AB_A);
    x[4] = bodies[2].point_position(joint.ends[1].X_BF.p_AB_A);
  }
  FeaturesOf<double> pointers() const { return {&x[0], &x[1], &x[2], &x[3], &x[4]}; }
  double residual(RowForm form, const RowConstant& constant) const {
    return row_residual<double>(form, pointers(), constant, 0.0);
  }
  std::array<Vector3<double>, 5> x;
};

// derivative: as in the plane.
TEST(CurveInSpace, ItsPlaceHasTheRatesThatDifferencesShow) {
  const model::Joint joint = make_space_joint(saddle());
  const double h = 1e-5;
  for (const double time : {0.1, 0.45, 0.8}) {
    const CoordinateValue now = joint_coordinate(joint, 0, bodies_in_space(time));
    const CoordinateValue ahead = joint_coordinate(joint, 0, bodies_in_space(time + h));
    const CoordinateValue back = joint_coordinate(joint, 0, bodies_in_space(time - h));
    EXPECT_NEAR(now.velocity, (ahead.position - back.position) / (2.0 * h), 1e-7);
    EXPECT_NEAR(now.acceleration, (ahead.velocity - back.velocity) / (2.0 * h), 1e-6);
    EXPECT_GT(std::abs(now.velocity), 1e-3);
    EXPECT_TRUE(now.position >= 0.0 && now.position < joint.ends[0].curve->spline.length());
  }
}

// analytic: both rows together are the distance to the curve, which is found by trying all its places.
TEST(CurveInSpace, ItsRowsAreWhatThePointIsOff) {
  for (const model::NamedCurve& curve : {saddle(), test::wire("K", 1)}) {
    const model::Joint joint = make_space_joint(curve);
    const core::SplineCurve& spline = joint.ends[0].curve->spline;
    for (const double time : {0.0, 0.3, 0.6, 0.9}) {
      const MechanismMotion bodies = bodies_in_space(time);
      const SpaceFeatures features(joint, bodies);
      const RowConstant constant(0.0, joint.ends[0].curve.get());
      const double first = features.residual(RowForm::kSpaceCurveFirst, constant);
      const double second = features.residual(RowForm::kSpaceCurveSecond, constant);
      double nearest = 1e9;
      constexpr int kPlaces = 60000;
      const double step = 3.0 * spline.length() / kPlaces;  // an open one goes on straight
      for (int i = 0; i <= kPlaces; ++i) {
        const Eigen::Vector3d at = bodies[1].point_position(
            Eigen::Vector3d(joint.ends[0].X_BF.p_AB_A + spline.at(step * i - spline.length()).p));
        nearest = std::min(nearest, (features.x[4] - at).norm());
      }
      ASSERT_GT(nearest, 0.05) << "the point is off the curve";
      EXPECT_LE(std::hypot(first, second), nearest + 1e-14);
      EXPECT_GE(std::hypot(first, second), nearest - step * step / nearest);
    }
  }
}

// derivative: of rows at points off the curve, along a motion of all features; differences err by h²/6 times the third rate, here below 1e3.
TEST(CurveInSpace, ItsRowsHaveTheGradientsThatDifferencesShow) {
  const double h = 1e-5;
  for (const model::NamedCurve& curve : {saddle(), trefoil()}) {
    const model::Joint joint = make_space_joint(curve);
    const RowConstant constant(0.0, joint.ends[0].curve.get());
    for (const double time : {0.2, 0.5, 0.8}) {
      const SpaceFeatures now(joint, bodies_in_space(time)), ahead(joint, bodies_in_space(time + h)),
          back(joint, bodies_in_space(time - h));
      for (const RowForm form : {RowForm::kSpaceCurveFirst, RowForm::kSpaceCurveSecond}) {
        const RowGradient<double> gradient = row_gradient<double>(form, now.pointers(), constant, 0.0);
        double rate = 0.0;
        for (std::size_t k = 0; k < 5; ++k)
          rate += gradient.by_feature[k].dot(ahead.x[k] - back.x[k]) / (2.0 * h);
        const double difference =
            (ahead.residual(form, constant) - back.residual(form, constant)) / (2.0 * h);
        EXPECT_NEAR(rate, difference, 1e-7) << curve.points.size() << " points at " << time;
      }
    }
  }
}

// analytic: a direction that no tangent comes near makes the two directions across smooth.
TEST(CurveInSpace, HasADirectionAcrossItEverywhere) {
  const auto most_along = [](const model::NamedCurve& curve) {
    const auto touched = model::touched_curve(curve);
    EXPECT_NEAR(touched->across.norm(), 1.0, 1e-15);
    double most = 0.0;
    for (int k = 0; k < 1000; ++k)
      most = std::max(most, std::abs(touched->across.dot(
                                touched->spline.at(touched->spline.length() * k / 1000.0).d1.normalized())));
    return most;
  };
  EXPECT_EQ(most_along(test::oval("K")), 0.0) << "of a curve in a plane the normal";
  EXPECT_LT(most_along(saddle()), 0.8);
  EXPECT_LT(most_along(trefoil()), 0.9);
  EXPECT_LT(most_along(test::wire("K", 0)), 0.5);
}

}  // namespace
}  // namespace eslabon::coordinates
