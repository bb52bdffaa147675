// Spatial four-bars, with freedoms that move nothing else, against closed forms.
#include <cmath>
#include <numbers>
#include <string>

#include "tests/driven_run.hpp"
#include "tests/four_bar_closed_form.hpp"
#include "tests/four_bar_runs.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/motion.hpp"
#include "eslabon/model/mechanism_builder.hpp"

namespace eslabon::kinematics {
namespace {

using Eigen::Vector3d;
using model::DriverLevel;
using model::JointType;
using test::DrivenRun;
using test::follow;
using test::Lengths;
using test::motor;
using test::turn_difference;

constexpr double kPi = std::numbers::pi;

class EventInEveryWay : public test::EveryWay {};

// ---- In space, with freedoms that move nothing else ----------------------------------------------------------------

/// The angle ψ with  a cos ψ + b sin ψ = c, nearest to `near`.
double angle_of(double a, double b, double c, double near) {
  const double center = std::atan2(b, a), half = std::acos(c / std::hypot(a, b));
  const double one = center + half, other = center - half;
  return std::abs(turn_difference(one, near)) < std::abs(turn_difference(other, near)) ? one : other;
}

TEST_P(EventInEveryWay, RssrRockerEqualsClosedForm_OverThreeTurns) {
  const double c = 0.1, l = 0.4, r = 0.25, speed = 2.0 * kPi;
  const Vector3d G(0.2, 0.25, 0.1);
  DrivenRun run(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/rssr.yaml", {}), 3.0, method(),
                kind());
  ASSERT_EQ(run.driven.held().size(), 1u);
  EXPECT_EQ(run.mechanism.body(run.driven.held()[0].body).name, "coupler");
  double psi = run.value("G.q");
  follow(run, 0.01, 3.0, [&](double t) {
    const double theta = kPi / 3.0 + speed * t;
    const Vector3d A(c * std::cos(theta), c * std::sin(theta), 0.0), d = G - A;
    psi = angle_of(d.y(), d.z(), (l * l - r * r - d.squaredNorm()) / (2.0 * r), psi);
    const Vector3d B = G + Vector3d(0.0, r * std::cos(psi), r * std::sin(psi));
    const Vector3d A_dot = speed * Vector3d(-A.y(), A.x(), 0.0),
                   B_psi(0.0, -r * std::sin(psi), r * std::cos(psi));
    ASSERT_NEAR(turn_difference(run.value("G.q"), psi), 0.0, test::tolerance_scale() * 1e-13) << t;
    ASSERT_NEAR(run.value("G.v"), (A - B).dot(A_dot) / (A - B).dot(B_psi), test::tolerance_scale() * 1e-11)
        << t;
  });
  EXPECT_EQ(run.motion.state().t, 3.0);
  EXPECT_TRUE(run.motion.events().empty());
}

// All axes meet in one point; arcs of 70°, 20°, 55° and 60°. Three rows of its six-dimensional loop are redundant.
TEST_P(EventInEveryWay, SphericalFourBarEqualsClosedForm_OverTwoTurns) {
  const double deg = kPi / 180.0, ground = 70 * deg, crank = 20 * deg, coupler = 55 * deg, rocker = 60 * deg;
  const Vector3d z1 = Vector3d::UnitZ(), z4(std::sin(ground), 0.0, std::cos(ground));
  const Vector3d e = Vector3d::UnitY(), f = z4.cross(e);
  const auto crank_pin = [&](double theta) -> Vector3d {
    return {std::sin(crank) * std::cos(theta), std::sin(crank) * std::sin(theta), std::cos(crank)};
  };
  const auto rocker_angle = [&](double theta, double near) {
    const Vector3d u2 = crank_pin(theta);
    return angle_of(u2.dot(e), u2.dot(f),
                    (std::cos(coupler) - std::cos(rocker) * u2.dot(z4)) / std::sin(rocker), near);
  };
  const auto rocker_pin = [&](double psi) -> Vector3d {
    return std::cos(rocker) * z4 + std::sin(rocker) * (std::cos(psi) * e + std::sin(psi) * f);
  };
  const double theta0 = 0.7, psi0 = rocker_angle(theta0, 1.0);
  const Vector3d u2 = crank_pin(theta0), u3 = rocker_pin(psi0);
  model::MechanismBuilder builder("spherical four-bar", model::Space::kSpatial);
  builder.add_ground_point("A", 0.5 * z1);
  builder.add_ground_point("D", 0.5 * z4);
  builder.add_body({.name = "crank", .points = {{"A", 0.5 * z1}, {"B", 0.4 * u2}}});
  builder.add_body({.name = "coupler", .points = {{"B", 0.4 * u2}, {"C", 0.3 * u3}}});
  builder.add_body({.name = "rocker", .points = {{"C", 0.3 * u3}, {"D", 0.5 * z4}}});
  const auto hinge = [&](const char* name, const char* first, const char* second, const Vector3d& u) {
    builder.add_joint({name, JointType::kRevolute, first, second, model::AxisPair{u, u}});
  };
  hinge("A", "ground.A", "crank.A", z1);
  hinge("B", "crank.B", "coupler.B", u2);
  hinge("C", "coupler.C", "rocker.C", u3);
  hinge("D", "ground.D", "rocker.D", z4);
  builder.add_driver({"motor", "A.q", DriverLevel::kSpeed, 1.0});
  for (const char* body : {"crank", "coupler", "rocker"}) {
    builder.add_start_position(body, Vector3d::Zero());
    builder.add_start_rotation(body, Vector3d::Zero());
  }
  DrivenRun run(builder.build(), 4.0 * kPi, method(), kind());
  EXPECT_TRUE(run.driven.held().empty());
  double psi = psi0;
  follow(run, 0.05, 4.0 * kPi, [&](double t) {
    psi = rocker_angle(theta0 + t, psi);
    const Vector3d pin = rocker_pin(psi);
    for (int k = 0; k < 3; ++k) {
      const std::string x(1, "xyz"[k]);
      ASSERT_NEAR(run.value("rocker.C." + x), 0.3 * pin[k], test::tolerance_scale() * 1e-13) << t;
      ASSERT_NEAR(run.value("coupler.B." + x), 0.4 * crank_pin(theta0 + t)[k],
                  test::tolerance_scale() * 1e-13)
          << t;
    }
  });
  EXPECT_EQ(run.motion.state().t, 4.0 * kPi);
  EXPECT_TRUE(run.motion.events().empty());
}

// A drag link in space: parallel axes, a bar between two balls as its coupler, which turns all the way round. What holds
// the bar's spin must hold it in every direction.
TEST_P(EventInEveryWay, BarBetweenBallsTurnsAllTheWayRound) {
  const Lengths l{0.2, 0.5, 0.45, 0.4};  // the ground is the shortest: all turn
  for (const Vector3d& axis : {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(0.3, -0.5, 0.8)}) {
    const Vector3d z = axis.normalized(), x = z.unitOrthogonal(), y = z.cross(x);
    const auto in_plane = [&](double angle, double length) -> Vector3d {
      return length * (std::cos(angle) * x + std::sin(angle) * y);
    };
    const auto start = test::four_bar_motion(l.g, l.a, l.h, l.b, 0.8, 0.0, true);
    const Vector3d A = in_plane(0.8, l.a), B = l.g * x + in_plane(start.psi, l.b);
    model::MechanismBuilder builder("drag link", model::Space::kSpatial);
    builder.add_ground_point("O", Vector3d::Zero());
    builder.add_ground_point("G", l.g * x);
    builder.add_body({.name = "crank", .points = {{"O", Vector3d::Zero()}, {"A", A}}});
    builder.add_body({.name = "bar", .points = {{"A", A}, {"B", B}}});
    builder.add_body({.name = "rocker", .points = {{"G", l.g * x}, {"B", B}}});
    builder.add_joint({"O", JointType::kRevolute, "ground.O", "crank.O", model::AxisPair{z, z}});
    builder.add_joint({"A", JointType::kSpherical, "crank.A", "bar.A"});
    builder.add_joint({"B", JointType::kSpherical, "bar.B", "rocker.B"});
    builder.add_joint({"G", JointType::kRevolute, "ground.G", "rocker.G", model::AxisPair{z, z}});
    builder.add_driver({"motor", "O.q", DriverLevel::kSpeed, 1.0});
    for (const char* body : {"crank", "bar", "rocker"}) {
      builder.add_start_position(body, Vector3d::Zero());
      builder.add_start_rotation(body, Vector3d::Zero());
    }
    DrivenRun run(builder.build(), 4.0 * kPi, method(), kind());
    follow(run, 0.05, 4.0 * kPi, [&](double t) {
      const auto m = test::four_bar_motion(l.g, l.a, l.h, l.b, 0.8 + t, 1.0, true);
      const Vector3d expected = l.g * x + in_plane(m.psi, l.b);
      for (int k = 0; k < 3; ++k)
        ASSERT_NEAR(run.value("bar.B." + std::string(1, "xyz"[k])), expected[k],
                    test::tolerance_scale() * 1e-12)
            << t;
    });
    EXPECT_EQ(run.motion.state().t, 4.0 * kPi);
    for (const MotionEvent& event : run.motion.events()) ADD_FAILURE() << event.brief(run.mechanism);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, EventInEveryWay, test::every_way(), test::way_name);

}  // namespace
}  // namespace eslabon::kinematics
