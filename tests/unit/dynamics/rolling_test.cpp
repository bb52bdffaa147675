// Discs that roll without slipping on planes: their rows on velocities against the motion of the contact written out here, against
// differences and dual numbers; formulations against each other; contact forces and power against closed forms; what is refused.
#include <cmath>
#include <string>
#include <vector>

#include "tests/dynamic_case.hpp"
#include "tests/sentence_of.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "eslabon/coordinates/joint_rows.hpp"
#include "eslabon/coordinates/row_kernel.hpp"
#include "eslabon/coordinates/velocity_rows.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/freedoms/rolling_rank.hpp"
#include "eslabon/kinematics/freedoms/row_rank.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Index;
using Eigen::Vector3d;

/// A disc on a table that swings and is not level.
constexpr const char* kDiscOnTable = R"(
mechanism: disc on a swinging table
gravity: [0.2, 0.1, -9.81]
ground: {points: {O: [0, 0, 1]}}
bodies:
  table:
    mass: 5
    center_of_mass: [0.1, 0, -0.3]
    inertia: [0.4, 0.5, 0.6]
    points: {O: [0, 0, 0]}
    frames: {top: {origin: [0.1, 0.05, -0.4], x: [0.1, 0.2, 1], z: [1, 0.3, -0.1]}}
  disc:
    mass: 2
    center_of_mass: [0.02, 0.01, -0.03]
    inertia: [0.05, 0.08, 0.045]
    frames: {hub: {origin: [0.01, 0, 0.02], x: [1, 0.1, 0], z: [0, 0.1, 1]}}
joints:
  O: {revolute: [ground.O, table.O], axis: [0.1, 1, 0]}
  contact: {rolling_disc: [table.top, disc.hub], radius: 0.25}
assembly: {O: 10 deg, disc.rotation: [15 deg, 5 deg, 20 deg], disc.position: [0.3, 0.1, 1]}
)";

/// Two wheels on one axis: that neither slips along it is one condition, written twice.
constexpr const char* kCart = R"(
mechanism: cart on two wheels
gravity: [0, 0.3, -9.81]
ground: {points: {O: [0, 0, 0]}, frames: {floor: {origin: [0, 0, 0], x: [1, 0, 0], z: [0, 0, 1]}}}
bodies:
  cart:
    mass: 12
    center_of_mass: [0.1, 0.02, 0.3]
    inertia: [0.5, 0.6, 0.7]
    points: {left: [0, 0.3, 0.2], right: [0, -0.3, 0.2], nose: [0.5, 0, 0]}
    frames: {nose_frame: {origin: [0.5, 0, 0], x: [1, 0, 0], z: [0, 0, 1]}}
  left:  {mass: 1, center_of_mass: C, inertia: [0.01, 0.02, 0.01], points: {C: [0, 0, 0]}, drawn: {at: [0, 0.3, 0.2]}}
  right: {mass: 1, center_of_mass: C, inertia: [0.01, 0.02, 0.01], points: {C: [0, 0, 0]}, drawn: {at: [0, -0.3, 0.2]}}
joints:
  left_hub:  {revolute: [cart.left, left.C], axis: y}
  right_hub: {revolute: [cart.right, right.C], axis: y}
  nose:  {point_on_plane: [ground.floor, cart.nose_frame]}
  left_contact:  {rolling_disc: [ground.O, left.C], axis: {first: z, second: y}, radius: 0.2}
  right_contact: {rolling_disc: [ground.O, right.C], axis: {first: z, second: y}, radius: 0.2}
)";

/// A disc with a driver in its hub: its spin against the arm is prescribed.
constexpr const char* kDrivenWheel = R"(
mechanism: driven wheel on a boom
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0.2]}, frames: {floor: {origin: [0, 0, 0], x: [0, 0, 1], z: [1, 0, 0]}}}
bodies:
  boom:  {mass: 2, center_of_mass: [0, 0.4, 0.02], inertia: [0.1, 0.01, 0.1], points: {O: [0, 0, 0], hub: [0, 0.9, 0]}}
  wheel: {mass: 1, center_of_mass: C, inertia: [0.01, 0.02, 0.01], points: {C: [0, 0, 0]}, frames: {hub: {origin: [0, 0, 0], x: [1, 0, 0], z: [0, 0, 1]}}}
joints:
  O: {spherical: [ground.O, boom.O]}
  hub: {revolute: [boom.hub, wheel.C], axis: y}
  contact: {rolling_disc: [ground.floor, wheel.hub], radius: 0.2}
assembly: {boom.position: [0, 0, 0.2], wheel.position: [0, 0.9, 0.2]}
drivers: {motor: {joint: hub, position: = 3*t + 0.2*sin(2*t)}}
)";

const std::vector<std::string>& cases() {
  static const std::vector<std::string> names{"rolling/disc", "rolling/bicycle", "disc on table", "cart",
                                              "driven wheel"};
  return names;
}

model::Mechanism load(const std::string& name) {
  if (name == "disc on table") return io::read_mechanism(kDiscOnTable, "test.yaml");
  if (name == "cart") return io::read_mechanism(kCart, "test.yaml");
  if (name == "driven wheel") return io::read_mechanism(kDrivenWheel, "test.yaml");
  return test::load_released(name);
}

struct WayToWrite {
  std::string formulation, kind;
};
std::vector<WayToWrite> ways() {
  std::vector<WayToWrite> list;
  for (const std::string& formulation : formulation_names())
    if (test::rolls(formulation))
      for (const std::string& kind : coordinate_kinds(formulation)) list.push_back({formulation, kind});
  return list;
}

/// The contact of a disc: its lowest point, seen from the plane.
struct Contact {
  Contact(const model::Joint& joint, const MechanismMotion& bodies) {
    const BodyMotion &plane = bodies[joint.first().slot()], &disc = bodies[joint.second().slot()];
    R_WF = plane.X_WB.R_AB.matrix() * joint.ends[0].X_BF.R_AB.matrix();
    n = R_WF.col(0);
    const Vector3d axis = disc.X_WB.R_AB.matrix() * joint.ends[1].X_BF.R_AB.matrix().col(1);
    up = (n - n.dot(axis) * axis).normalized();
    p = disc.point_position(joint.ends[1].X_BF.p_AB_A) - joint.length * up;
    height = n.dot(p - plane.point_position(joint.ends[0].X_BF.p_AB_A));
    slip = disc.v_WB_W + disc.w_WB_W.cross(p - disc.X_WB.p_AB_A) -
           (plane.v_WB_W + plane.w_WB_W.cross(p - plane.X_WB.p_AB_A));
  }
  Eigen::Matrix3d R_WF;
  Vector3d n, up, p, slip;
  double height;
};

std::vector<std::size_t> discs(const model::Mechanism& mechanism) {
  std::vector<std::size_t> list;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    if (model::is_nonholonomic(mechanism.joints()[j].type)) list.push_back(j);
  return list;
}

double largest_acceleration(const MechanismMotion& bodies, double length) {
  double largest = 0.0;
  for (const BodyMotion& body : bodies)
    largest = std::max({largest, body.a_WB_W.norm(), length * body.alpha_WB_W.norm()});
  return largest;
}

class RollingCase : public testing::TestWithParam<std::string> {
 protected:
  RollingCase() : c(load(GetParam())), length(coordinates::length_scale(c.mechanism)) {}
  test::DynamicCase c;
  double length;
};

TEST_P(RollingCase, NoDiscSlipsOrLeavesItsPlane_InRandomMotions) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const MechanismMotion bodies = test::random_motion(c.model, seed);
    for (const std::size_t j : discs(c.mechanism)) {
      const Contact contact(c.mechanism.joints()[j], bodies);
      EXPECT_LE(std::abs(contact.height), 1e-10 * length);
      EXPECT_LE(contact.slip.norm(), 1e-10 * length) << contact.slip.transpose();
    }
  }
}

// Whoever brings velocities that slip gets the nearest that do not, those of minimum kinetic energy of the change: the same by all formulations.
TEST_P(RollingCase, VelocitiesThatSlipAreProjected) {
  MechanismMotion slipping = c.model.start();
  {
    const coordinates::ConstraintSystem system("relative", c.mechanism, c.structure, c.model.prescribed());
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n), zero(n, 0.0);
    system.read_bodies(c.model.start(), {q, v, a});
    coordinates::PositionLevel level;
    std::vector<coordinates::CoordinateValue> values(c.model.prescribed().size());
    c.model.evaluate_drivers_or_throw(0.0, values);
    system.evaluate_positions(q, values, level);
    const Eigen::MatrixXd N = kinematics::rank_rows_in_order(system, level.Phi_q).null_space;
    core::Rng rng(9);
    for (Index k = 0; k < N.cols(); ++k) {
      const double rate = rng.normal();
      for (std::size_t i = 0; i < n; ++i)
        v[i] += rate * N(static_cast<Index>(i), k) *
                (system.coordinates()[i].dimension == core::kLength ? length : 1.0);
    }
    coordinates::BodiesWorkspace workspace;
    system.evaluate_bodies(q, v, zero, workspace, slipping);
  }
  double slip = 0.0;
  for (const std::size_t j : discs(c.mechanism))
    slip = std::max(slip, Contact(c.mechanism.joints()[j], slipping).slip.norm());
  EXPECT_GT(slip, 0.01 * length);
  MechanismMotion reference;
  for (const WayToWrite& way : ways()) {
    SCOPED_TRACE(way.formulation + " " + way.kind);
    const auto formulation = make_formulation(way.formulation, c.model, {.kind = way.kind});
    const State state = formulation->state_of(slipping, 0.0);
    MechanismMotion motion(slipping.size());
    const std::vector<double> zero(state.q.size(), 0.0);
    formulation->evaluate_bodies(state, zero, motion);
    for (const std::size_t j : discs(c.mechanism))
      EXPECT_LE(Contact(c.mechanism.joints()[j], motion).slip.norm(), 1e-10 * length);
    if (reference.empty()) reference = motion;
    for (std::size_t b = 1; b < motion.size(); ++b) {
      EXPECT_LE((motion[b].v_WB_W - reference[b].v_WB_W).norm(), 1e-9 * length);
      EXPECT_LE((motion[b].w_WB_W - reference[b].w_WB_W).norm(), 1e-9);
    }
  }
}

// A v of any velocities, whether the discs slip or not, is the slip in the axes of the plane; and the row of the contact has the rest of it
// as its derivative.
TEST_P(RollingCase, RowsAreTheSlipOfTheContact_InAllCoordinates) {
  for (const std::string& kind : coordinates::layout_names()) {
    SCOPED_TRACE(kind);
    const coordinates::ConstraintSystem system(kind, c.mechanism, c.structure, {});
    const coordinates::VelocityRows rows(system);
    ASSERT_EQ(rows.size(), 2 * static_cast<int>(discs(c.mechanism).size()));
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n), zero(n, 0.0);
    system.read_bodies(c.model.start(), {q, v, a});
    // Velocities of bodies that are rigid, but slip: those of a body that turns and floats, read back.
    MechanismMotion bodies = c.model.start();
    core::Rng rng(3);
    for (std::size_t b = 1; b < bodies.size(); ++b)
      for (int k = 0; k < 3; ++k) {
        bodies[b].w_WB_W[k] = rng.normal();
        bodies[b].v_WB_W[k] = rng.normal();
      }
    if (kind == "relative") {  // which has velocities that the tree allows only
      for (double& one : v) one = rng.normal();
      coordinates::BodiesWorkspace workspace;
      system.evaluate_bodies(q, v, zero, workspace, bodies);
    }
    system.read_bodies(bodies, {q, v, a});
    coordinates::VelocityLevel level;
    rows.evaluate(q, level);
    if (kind == "natural") continue;  // directions of two bodies may be one: their rates must agree
    const Eigen::VectorXd Av = level.A * Eigen::Map<const Eigen::VectorXd>(v.data(), level.A.cols());
    Index row = 0;
    for (const std::size_t j : discs(c.mechanism)) {
      const Contact contact(c.mechanism.joints()[j], bodies);
      for (const int k : {1, 2})
        EXPECT_NEAR(Av[row++], contact.R_WF.col(k).dot(contact.slip), test::roundoff(1e4, 1.0 + length));
    }
  }
}

// −(d/dt A) v, along a motion in which nothing slips.
TEST_P(RollingCase, GammaIsTheDerivativeOfTheRows) {
  const MechanismMotion bodies = test::random_motion(c.model, 4);
  for (const std::string& kind : coordinates::layout_names()) {
    SCOPED_TRACE(kind);
    const coordinates::ConstraintSystem system(kind, c.mechanism, c.structure, {});
    const coordinates::VelocityRows rows(system);
    const auto n = static_cast<std::size_t>(system.num_coordinates());
    std::vector<double> q(n), v(n), a(n);
    system.read_bodies(bodies, {q, v, a});
    coordinates::VelocityLevel level, ahead, behind;
    rows.evaluate(q, level);
    rows.evaluate_gamma(q, v, level);
    const double h = test::central_step(1.0);
    std::vector<double> q_ahead(q), q_behind(q);
    for (std::size_t k = 0; k < n; ++k) {
      q_ahead[k] += h * v[k];
      q_behind[k] -= h * v[k];
    }
    rows.evaluate(q_ahead, ahead);
    rows.evaluate(q_behind, behind);
    const Eigen::Map<const Eigen::VectorXd> rates(v.data(), level.A.cols());
    const Eigen::VectorXd expected = -(ahead.A - behind.A) * rates / (2.0 * h);
    const double size = 100.0 * (1.0 + std::pow(rates.cwiseAbs().maxCoeff(), 3));
    EXPECT_LE((level.gamma - expected).cwiseAbs().maxCoeff(), test::central_tolerance(h, size))
        << level.gamma.transpose() << " for " << expected.transpose();

    // The same by dual numbers, to roundoff.
    using core::Dual;
    std::vector<Dual<double>> dual_q(n);
    for (std::size_t k = 0; k < n; ++k) dual_q[k] = {q[k], v[k]};
    Index r = 0;
    for (const std::size_t j : discs(c.mechanism))
      for (const coordinates::Row& row :
           coordinates::velocity_rows(c.mechanism, model::JointIndex(static_cast<int>(j)))) {
        const std::vector<coordinates::Feature> features(row.features.begin(), row.features.end());
        const auto map = system.layout().make_map(features);
        coordinates::FeatureValues<Dual<double>> values;
        map->evaluate(std::span<const Dual<double>>(dual_q), values);
        coordinates::FeaturesOf<Dual<double>> f;
        for (std::size_t k = 0; k < f.size(); ++k) f[k] = &values.x[k];
        const auto g = coordinates::row_gradient<Dual<double>>(row.form, f, row.constant, Dual<double>(0.0));
        Dual<double> speed(0.0);
        for (std::size_t k = 0; k < f.size(); ++k) {
          std::size_t slot = static_cast<std::size_t>(map->first_column(static_cast<int>(k)));
          for (const int column : map->columns(static_cast<int>(k)))
            speed = speed + g.by_feature[k].dot(values.J[slot++]) * v[static_cast<std::size_t>(column)];
        }
        EXPECT_LE(std::abs(speed.value), 1e-9 * (1.0 + rates.cwiseAbs().maxCoeff()));
        EXPECT_NEAR(level.gamma[r], -speed.derivative, test::roundoff(1e4, size));
        ++r;
      }
  }
}

TEST_P(RollingCase, FormulationsAgreeOnAccelerationsAndContactForces) {
  for (const std::uint64_t seed : {5U, 6U}) {
    const MechanismMotion bodies = test::random_motion(c.model, seed);
    const auto reference = make_formulation("multipliers", c.model, {.kind = "reference-point"});
    const MechanismMotion expected = test::accelerated(*reference, bodies);
    Reactions expected_forces(c.model);
    expected_forces.solve_or_throw(0.0, expected, c.model.start_memory());
    EXPECT_LE(expected_forces.residual(), 1e-9);
    const double size = largest_acceleration(expected, length);
    for (const WayToWrite& way : ways()) {
      SCOPED_TRACE(way.formulation + " " + way.kind);
      const auto formulation = make_formulation(way.formulation, c.model, {.kind = way.kind});
      const MechanismMotion found = test::accelerated(*formulation, bodies);
      for (std::size_t b = 1; b < found.size(); ++b) {
        EXPECT_LE((found[b].a_WB_W - expected[b].a_WB_W).norm(), 1e-9 * size);
        EXPECT_LE(length * (found[b].alpha_WB_W - expected[b].alpha_WB_W).norm(), 1e-9 * size);
      }
      Reactions forces(c.model);
      forces.solve_or_throw(0.0, found, c.model.start_memory());
      EXPECT_LE(forces.residual(), 1e-9);
      const double largest = largest_force(expected_forces.joints());
      for (std::size_t j = 0; j < forces.joints().size(); ++j)
        EXPECT_LE((forces.joints()[j].force - expected_forces.joints()[j].force).norm(), 1e-9 * largest);
    }
  }
}

// Without drivers joints do no work: what bodies need is perpendicular to how they move.
TEST_P(RollingCase, RollingDoesNoWork) {
  if (!c.mechanism.drivers().empty()) return;
  const MechanismMotion bodies = test::random_motion(c.model, 7);
  const auto formulation = make_formulation("semi-recursive", c.model, {});
  const MechanismMotion motion = test::accelerated(*formulation, bodies);
  BodyNeeds needs(c.model);
  ASSERT_TRUE(needs.evaluate(0.0, motion, c.model.start_memory()));
  double power = 0.0, size = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const Wrench& need = needs.needed()[b];
    power += need.force.dot(motion[b].v_WB_W) + need.torque.dot(motion[b].w_WB_W);
    size += need.force.norm() * motion[b].v_WB_W.norm() + need.torque.norm() * motion[b].w_WB_W.norm();
  }
  EXPECT_LE(std::abs(power), 1e-9 * size);
}

// On a contact whose joint stands at the centre, the moment is that of the force at the rim: nothing twists.
TEST_P(RollingCase, TheContactForceActsAtTheRim) {
  const MechanismMotion bodies = test::random_motion(c.model, 8);
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "natural"});
  const MechanismMotion motion = test::accelerated(*formulation, bodies);
  Reactions forces(c.model);
  forces.solve_or_throw(0.0, motion, c.model.start_memory());
  for (const std::size_t j : discs(c.mechanism)) {
    const model::Joint& joint = c.mechanism.joints()[j];
    const JointReaction& reaction = forces.joints()[j];
    const Vector3d arm = -joint.length * Contact(joint, motion).up;
    EXPECT_LE((reaction.moment - arm.cross(reaction.force)).norm(),
              1e-10 * (joint.length * reaction.force.norm() + 1e-300));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RollingCase, testing::ValuesIn(cases()),
                         [](const auto& name) { return test::test_name(name.param); });

// Degrees of freedom in position by rank and count, and how many fewer in velocity.
TEST(RollingMobility, CountsPositionsAndVelocitiesApart) {
  struct Known {
    const char* name;
    int position, velocity;
  };
  for (const auto& [name, position, velocity] : {Known{"rolling/disc", 5, 3}, Known{"rolling/bicycle", 7, 3},
                                                 Known{"disc on table", 6, 4}, Known{"cart", 5, 2}}) {
    SCOPED_TRACE(name);
    const test::DynamicCase c(load(name));
    EXPECT_EQ(structure::count_mobility(c.mechanism), position);
    const coordinates::ConstraintSystem system("reference-point", c.mechanism, c.structure, {});
    const coordinates::VelocityRows rows(system);
    std::vector<double> q(static_cast<std::size_t>(system.num_coordinates())), v(q), a(q);
    system.read_bodies(c.model.start(), {q, v, a});
    coordinates::PositionLevel positions;
    system.evaluate_positions(q, {}, positions);
    coordinates::VelocityLevel level;
    rows.evaluate(q, level);
    EXPECT_EQ(
        position - static_cast<int>(
                       kinematics::independent_rolling_rows(system, positions.Phi_q, rows, level).size()),
        velocity);
    EXPECT_EQ(make_formulation("null-space", c.model, {.kind = "natural"})->num_integrated(), position);
  }
}

// Newton's law of the centre, with the angular velocities of models/rolling/disc.yaml: F = m (v̇ + Ω × v) + m g.
TEST(RollingDisc, ContactForceIsThatOfTheClosedForm) {
  const test::DynamicCase c(test::load_released("rolling/disc"));
  const double tilt = 20.0 * M_PI / 180.0, r = 0.3, m = 2.0, g = 9.81;
  const double A = m * r * r / 4.0, C = m * r * r / 2.0, w1 = 0.7, w2 = 1.1, w3 = 9.0;
  const double cos_theta = std::sin(tilt), sin_theta = std::cos(tilt), W3 = w2 * cos_theta / sin_theta;
  const double w1_dot = (A * w2 * W3 - (C + m * r * r) * w2 * w3 - m * g * r * cos_theta) / (A + m * r * r);
  const double w3_dot = m * r * r * w1 * w2 / (C + m * r * r);
  const Vector3d e1(-1.0, 0.0, 0.0), e2(0.0, -cos_theta, sin_theta), e3(0.0, sin_theta, cos_theta);
  const Vector3d expected = m * (-r * w3_dot + w2 * r * w1) * e1 +
                            m * (-r * w3 * W3 - r * w1 * w1 + g * sin_theta) * e2 +
                            m * (r * w1_dot + w2 * r * w3 + g * cos_theta) * e3;
  const auto formulation = make_formulation("semi-recursive", c.model, {});
  const MechanismMotion motion = test::accelerated(*formulation, c.model.start());
  Reactions forces(c.model);
  forces.solve_or_throw(0.0, motion, c.model.start_memory());
  EXPECT_LE((forces.joints()[0].force - expected).norm(), 1e-10 * expected.norm())
      << forces.joints()[0].force.transpose() << " for " << expected.transpose();
  EXPECT_TRUE(forces.joints()[0].is_unique);
  // Along the way, across it in the plane, and perpendicular to the plane.
  const Vector3d in_contact = forces.joints()[0].force_M;
  EXPECT_NEAR(in_contact.x(), expected.z(), 1e-10 * expected.norm());
  EXPECT_NEAR(std::abs(in_contact.y()), std::abs(expected.x()), 1e-10 * expected.norm());
  EXPECT_NEAR(std::abs(in_contact.z()), std::abs(expected.y()), 1e-10 * expected.norm());
}

// A coin whose axis of spin has no inertia: rolling alone decides its spin.
TEST(RollingDisc, MayHaveNoMassWhereRollingDecides) {
  const model::Mechanism mechanism = io::read_mechanism(R"(
mechanism: carriage on a massless wheel
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}, frames: {rail: {origin: [0, 0, 0.2], x: [1, 0, 0], z: [0, 0, 1]}}}
bodies:
  carriage: {mass: 3, center_of_mass: P, inertia: [1, 1, 1], points: {P: [0, 0, 0]}, frames: {P_frame: {origin: [0, 0, 0], x: [1, 0, 0], z: [0, 0, 1]}}}
  wheel: {points: {C: [0, 0, 0]}}
joints:
  rail: {prismatic: [ground.rail, carriage.P_frame]}
  hub: {revolute: [carriage.P, wheel.C], axis: y}
  contact: {rolling_disc: [ground.O, wheel.C], axis: {first: z, second: y}, radius: 0.2}
forces: {pull: {body: wheel, torque: [0, 0.6, 0]}}
assembly: {wheel.position: [0, 0, 0.2]}
)",
                                                        "test.yaml");
  const test::DynamicCase c(mechanism);
  for (const WayToWrite& way : ways()) {
    SCOPED_TRACE(way.formulation + " " + way.kind);
    const auto formulation = make_formulation(way.formulation, c.model, {.kind = way.kind});
    const MechanismMotion motion = test::accelerated(*formulation, c.model.start());
    EXPECT_NEAR(motion[1].a_WB_W.x(), 0.6 / 0.2 / 3.0, 1e-12);
    EXPECT_NEAR(motion[2].alpha_WB_W.y(), 5.0, 1e-11);
  }
}

TEST(RollingDisc, FormulationsWithoutRowsOnVelocitiesSayWhichHaveThem) {
  const test::DynamicCase c(test::load_released("rolling/disc"));
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { (void)make_formulation("groups", c.model); }),
      "the formulation 'groups' has no rows on velocities [joint 'contact']: expected one of "
      "'multipliers', 'null-space' or 'semi-recursive', got a disc that rolls without slipping. Take one "
      "of these.");
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { (void)make_formulation("augmented-lagrangian", c.model); }),
      "the formulation 'augmented-lagrangian' has no rows on velocities [joint 'contact']: expected one of "
      "'multipliers', 'null-space' or 'semi-recursive', got a disc that rolls without slipping. Take one of "
      "these.");
}

TEST(RollingDisc, ThatLiesFlatIsNamed) {
  const std::string sentence = test::sentence_of<core::ModelError>([] {
    const test::DynamicCase c(io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/rolling/disc.yaml",
                                             std::vector<std::string>{"tilt=90 deg"}));
  });
  EXPECT_EQ(
      sentence,
      "a rolling disc lies flat on its plane [joint 'contact']: expected a disc that stands on one point "
      "of its rim, got one that touches the plane with all of it. End the run before, or let it start "
      "upright or with a lean.");
}

}  // namespace
}  // namespace eslabon::dynamics
