#include "eslabon/dynamics/reduced_motion.hpp"

#include "tests/dynamic_case.hpp"
#include "tests/simulated_case.hpp"
#include "tests/sprung_rssr.hpp"
#include <gmock/gmock.h>

#include "eslabon/dynamics/extrapolated_difference.hpp"

namespace eslabon::dynamics {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// A chain on a ball with springs and friction, so that Euler parameters are among the coordinates.
constexpr const char* kBallChain = R"(
mechanism: two bars on a ball
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0], S: [0.3, 0.4, 0.9]}}
bodies:
  first:  {mass: 2, center_of_mass: [0.2, 0, 0.05], inertia: [0.02, 0.05, 0.06], points: {O: [0, 0, 0], H: [0.5, 0, 0]}}
  second: {mass: 1, center_of_mass: [0.1, 0.1, 0], inertia: [0.01, 0.02, 0.025], points: {H: [0, 0, 0], T: [0.4, 0.1, 0]}}
joints:
  O: {spherical: [ground.O, first.O]}
  H: {revolute: [first.H, second.H], axis: [0, 1, 0.3], friction: {viscous: 0.1 N*m*s/rad}}
springs:
  pull: {between: [ground.S, second.T], stiffness: 30 N/m, free_length: 0.2 m, damping: 2 N*s/m}
assembly: {first.position: [0, 0, 0], first.rotation: [0.2, -0.1, 0.3], second.rotation: [0.1, 0.4, 0.2], second.position: [0.48, 0.1, 0.1]}
)";

/// A four-bar with everything that pushes: a spring, a damper, a soft stop, friction, a load.
constexpr const char* kPushedFourBar = R"(
mechanism: pushed four-bar
plane: xy
gravity: [0.3, -9.81]
ground: {points: {A: [0, 0], B: [0.8, 0], S: [0.2, 0.7]}}
bodies:
  crank:   {mass: 3, shape: {bar: [A, P1]}, points: {A: [0, 0], P1: [0.2, 0]}}
  coupler: {mass: 0.4, shape: {bar: [P1, P2]}, points: {P1: [0, 0], P2: [0.54, 0], P3: [0.3, 0.12]}}
  rocker:  {mass: 1.2, shape: {bar: [B, P2]}, points: {B: [0, 0], P2: [0.455, 0]}}
joints:
  A:  {revolute: [ground.A, crank.A], friction: {coulomb: 0.3 N*m, stiction: 0.4 N*m, viscous: 0.02 N*m*s/rad, stribeck_speed: 0.5 rad/s}}
  P1: {revolute: [crank.P1, coupler.P1]}
  P2: {revolute: [coupler.P2, rocker.P2]}
  B:  {revolute: [ground.B, rocker.B]}
springs: {s: {between: [ground.S, coupler.P3], stiffness: 200 N/m, free_length: 0.1 m}}
dampers: {d: {between: [ground.S, rocker.P2], damping: 12 N*s/m}}
stops: {buffer: {joint: B, lower: 2 rad, stiffness: 60 N*m/rad, damping: 1 N*m*s/rad}}
forces: {push: {point: coupler.P3, force: [1 N, -2 N], axes: body}}
assembly: {crank.angle: 70 deg, coupler.angle: 20 deg, rocker.angle: 125 deg}
)";

struct NamedCase {
  std::string name;
  model::Mechanism mechanism;
};
std::vector<NamedCase> cases() {
  std::vector<NamedCase> list;
  for (const char* name : {"fourbar-testbed", "five-bar", "slider-crank", "rssr", "double-wishbone",
                           "quarter-vehicle", "andrews-squeezer", "family:scalable-fourbar,dyads=4"})
    list.push_back({name, test::load_released(name)});
  // A driver that goes on: its speed and acceleration are in all rates.
  const model::Mechanism driven =
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/five-bar.yaml", {});
  list.push_back({"five-bar with a driver", model::without_drivers(driven, {driven.drivers()[0].name})});
  list.push_back({"ball chain", test::mechanism_of_text(kBallChain)});
  list.push_back({"pushed four-bar", test::mechanism_of_text(kPushedFourBar)});
  return list;
}

double distance(const coordinates::MechanismMotion& a, const coordinates::MechanismMotion& b) {
  double largest = 0.0;
  for (std::size_t i = 1; i < a.size(); ++i)
    largest =
        std::max({largest, (a[i].alpha_WB_W - b[i].alpha_WB_W).norm(), (a[i].a_WB_W - b[i].a_WB_W).norm()});
  return largest;
}
double size(const coordinates::MechanismMotion& a) {
  return distance(a, coordinates::MechanismMotion(a.size()));
}

// crosscheck: the multipliers in natural or reference-point coordinates share neither coordinates nor masses with it.
TEST(ReducedMotion, AcceleratesAsMultipliersDo) {
  for (const NamedCase& named : cases()) {
    const test::DynamicCase c(named.mechanism);
    const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto expected = test::accelerated(*formulation, test::random_motion(c.model, seed));
      ReducedMotion reduced(c.model, {});
      const ReducedPoint point = reduced.point_of(expected, 0.0);
      EXPECT_LE(distance(point.bodies, expected), 1e-9 * size(expected)) << named.name;
      EXPECT_LE(reduced.constraint_error(point), 1e-12) << named.name;
    }
  }
}

/// Unknowns of every kind that the mechanism has.
std::vector<Unknown> all_unknowns(const model::Mechanism& mechanism) {
  std::vector<Unknown> list{{Unknown::Kind::kFreedomForce, 0}, {Unknown::Kind::kMass, 1}};
  const int last = static_cast<int>(mechanism.bodies().size()) - 1;
  list.push_back({Unknown::Kind::kMass, last});
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (model::coordinate_count(mechanism.joints()[j].type) > 0) {
      list.push_back(
          {Unknown::Kind::kForce, 0,
           model::Variable{model::VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), 0}});
      break;
    }
  for (int b = last; b > 0; --b)
    if (!mechanism.bodies()[static_cast<std::size_t>(b)].points.empty()) {
      list.push_back({Unknown::Kind::kForce, 0,
                      model::Variable{model::VariableKind::kPointPosition,
                                      model::PointRef{model::BodyIndex(b), model::PointIndex(0)}, 1}});
      break;
    }
  if (!mechanism.springs().empty()) list.push_back({Unknown::Kind::kSpring, 0});
  if (!mechanism.dampers().empty()) list.push_back({Unknown::Kind::kDamper, 0});
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (!mechanism.joints()[j].friction.is_none())
      list.push_back({Unknown::Kind::kFriction, static_cast<int>(j)});
  return list;
}

/// All numbers of a motion in one list.
VectorXd flat(const ReducedPoint& point) {
  std::vector<double> all(point.z_ddot.data(), point.z_ddot.data() + point.z_ddot.size());
  for (const coordinates::BodyMotion& body : point.bodies)
    for (const Eigen::Vector3d& x : {body.X_WB.p_AB_A, Eigen::Vector3d(body.X_WB.R_AB.matrix().col(0)),
                                     Eigen::Vector3d(body.X_WB.R_AB.matrix().col(1)), body.w_WB_W,
                                     body.v_WB_W, body.alpha_WB_W, body.a_WB_W})
      all.insert(all.end(), x.data(), x.data() + 3);
  return Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
}
VectorXd flat_tangent(const ReducedTangent& tangent, Index d) {
  std::vector<double> all(tangent.z_ddot_x.col(d).data(),
                          tangent.z_ddot_x.col(d).data() + tangent.z_ddot_x.rows());
  for (const auto& body : tangent.bodies[static_cast<std::size_t>(d)])
    for (const core::Vector3<core::Dual<double>>& x :
         {body.X_WB.p_AB_A, core::Vector3<core::Dual<double>>(body.X_WB.R_AB.matrix().col(0)),
          core::Vector3<core::Dual<double>>(body.X_WB.R_AB.matrix().col(1)), body.w_WB_W, body.v_WB_W,
          body.alpha_WB_W, body.a_WB_W})
      for (int r = 0; r < 3; ++r) all.push_back(x(r).derivative);
  return Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
}

// derivative: differences of solutions share with dual numbers only the equations themselves.
TEST(ReducedMotion, DerivativesAreThoseOfDifferences_AlongStatesAndUnknowns) {
  for (const NamedCase& named : cases()) {
    const test::DynamicCase c(named.mechanism);
    ReducedMotion reduced(c.model, all_unknowns(c.mechanism));
    ReducedPoint point = reduced.point_of(test::random_motion(c.model, 7, 0.7), 0.0);
    for (Index i = 0; i < point.theta.size(); ++i) point.theta[i] += 0.3 + 0.1 * static_cast<double>(i);
    ASSERT_EQ(reduced.solve(0.0, point, point), ReducedStatus::kSolved);
    ReducedTangent tangent = reduced.make_tangent();
    ASSERT_TRUE(reduced.differentiate(point, tangent));
    const Index f = reduced.num_freedoms();
    for (Index d = 0; d < reduced.num_directions(); ++d) {
      const auto difference = extrapolated_difference(
          [&](double h) -> std::optional<VectorXd> {
            ReducedPoint moved = point;
            (d < f ? moved.z[d] : d < 2 * f ? moved.z_dot[d - f] : moved.theta[d - 2 * f]) += h;
            if (reduced.solve(0.0, point, moved) != ReducedStatus::kSolved) return std::nullopt;
            return flat(moved);
          },
          d < f ? 4e-3 * reduced.length() : 1e-2);
      ASSERT_TRUE(difference.has_value()) << named.name;
      const VectorXd exact = flat_tangent(tangent, d);
      const double scale = std::max(1.0, exact.cwiseAbs().maxCoeff());
      EXPECT_LE((exact - difference->value).cwiseAbs().maxCoeff() / scale,
                std::max(1e-8, 20.0 * difference->error / scale))
          << named.name << ", direction " << d << " of " << f << " freedoms";
      EXPECT_LE(difference->error / scale, 1e-6) << named.name << ", direction " << d;
    }
  }
}

TEST(ReducedMotion, OtherCoordinatesTellTheSameMotion_AndTheirDerivativesFollow) {
  // The crank is 6 degrees behind the dead centre of the rocker, which is the input.
  std::string text = kPushedFourBar;
  text.replace(text.find("70 deg"), 6, "40 deg");
  text.replace(text.find("20 deg"), 6, "30 deg");
  text.replace(text.find("125 deg"), 7, "114 deg");
  const std::string inputs = "inputs: [B.q]\n";
  const test::DynamicCase c(test::mechanism_of_text(kPushedFourBar + inputs)),
      near_dead_centre(test::mechanism_of_text(text + inputs));
  ReducedMotion reduced(c.model, {});
  ASSERT_EQ(reduced.coordinate(0).name, "B.q");
  ReducedPoint point = reduced.point_of(test::random_motion(near_dead_centre.model, 3, 0.1), 0.0);
  ReducedTangent tangent = reduced.make_tangent();
  ASSERT_TRUE(reduced.differentiate(point, tangent));
  const ReducedPoint before = point;
  Eigen::MatrixXd T(2, 2);
  const double lever = reduced.leverage(point);
  ASSERT_TRUE(reduced.choose(point, tangent, T));
  EXPECT_LT(reduced.leverage(point), 0.5 * lever);
  EXPECT_LE(distance(point.bodies, before.bodies), 1e-10 * size(before.bodies));
  // A small change of the old coordinates is T times that of the new ones.
  ReducedTangent changed = reduced.make_tangent();
  ASSERT_TRUE(reduced.differentiate(point, changed));
  const Eigen::MatrixXd product = changed.q_x * T;
  EXPECT_LE((product - tangent.q_x).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((changed.v_x * T - tangent.v_x).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace eslabon::dynamics
