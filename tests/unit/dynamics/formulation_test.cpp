// Every formulation in every kind of coordinates on the same states: they agree with each other on accelerations, reactions and
// efforts, with the multipliers, and with the law of energy.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/dynamic_case.hpp"
#include "tests/formula_mechanisms.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/formulations/augmented_matrix.hpp"
#include "eslabon/dynamics/mass/mass_model.hpp"
#include "eslabon/dynamics/reactions/reactions.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using Eigen::Vector3d;

const std::vector<std::string>& models() {
  static const std::vector<std::string> names{"fourbar-testbed",
                                              "fourbar-crank-rocker",
                                              "slider-crank",
                                              "watt-sixbar",
                                              "stephenson-sixbar",
                                              "five-bar",
                                              "andrews-squeezer",
                                              "double-wishbone",
                                              "quarter-vehicle",
                                              "rssr",
                                              "family:scalable-fourbar,dyads=5",
                                              "family:truck-suspension,axles=1",
                                              "chain of 6 revolutes",
                                              "chain of 40 revolutes",
                                              "chain of all joints",
                                              "loaded chain",
                                              "bar on rods",
                                              "formula chain",
                                              "formula four-bar",
                                              "four-bar in space",
                                              "pairs/scotch-yoke",
                                              "pairs/whitworth",
                                              "pairs/geneva",
                                              "pairs/arc-four-bar",
                                              "pairs/cycloid",
                                              "pairs/disc-on-incline",
                                              "pairs/swash-plate",
                                              "pairs/ball-in-groove",
                                              "pairs/cam-roller",
                                              "pairs/cam-flat",
                                              "pairs/cam-rocker",
                                              "pairs/tautochrone",
                                              "pairs/involute-teeth",
                                              "pairs/bead-on-helix",
                                              "pairs/barrel-cam",
                                              "pairs/cardan-circles",
                                              "pairs/tipper",
                                              "planetary-gearbox",
                                              "screw-press-helical",
                                              "disc-cam",
                                              "scara-with-belt",
                                              "parts/excavator",
                                              "point masses"};
  return names;
}

/// n bars in space on each other, with joints of these types in turn.
std::string chain(int n, const std::vector<std::string>& joints) {
  std::string bodies, text, before = "ground.O";
  for (int i = 1; i <= n; ++i) {
    const std::string name = "bar" + std::to_string(i);
    bodies +=
        "  " + name + ": {mass: " + std::to_string(1.0 + 0.1 * i) +
        ", center_of_mass: [0.25, 0.02, -0.01], inertia: [0.02, 0.05, 0.06], points: {A: [0, 0, 0], B: [0.5, "
        "0.05, 0.02]}}\n";
    const std::string& joint = joints[static_cast<std::size_t>(i - 1) % joints.size()];
    text += "  J" + std::to_string(i) + ": {" + joint.substr(0, joint.find(' ')) + ": [" + before + ", " +
            name + ".A]" +
            (joint.find(' ') == std::string::npos ? "" : ", axis: " + joint.substr(joint.find(' ') + 1)) +
            "}\n";
    before = name + ".B";
  }
  return "mechanism: chain\ngravity: [0, 0, -9.81]\nground: {points: {O: [0, 0, 0], G: [1, 1, "
         "0.5]}}\nbodies:\n" +
         bodies + "joints:\n" + text;
}

/// Mechanisms that no file has: open chains, rods with mass, over-constrained loops, springs and loads of every kind.
std::string text_of(const std::string& name) {
  const std::string z = "[0, 0.2, 1]", x = "[1, 0.1, 0]";
  if (name == "chain of 6 revolutes") return chain(6, {"revolute " + z, "revolute " + x});
  if (name == "chain of 40 revolutes") return chain(40, {"revolute " + z, "revolute " + x});
  if (name == "chain of all joints")
    return chain(7, {"spherical", "universal {first: [1, 0, 0], second: [0, 1, 0]}", "cylindrical " + z,
                     "prismatic " + x, "revolute " + x, "planar " + z, "free"});
  if (name == "loaded chain")
    return chain(5, {"revolute " + z, "universal {first: [1, 0, 0], second: [0, 1, 0]}"}) + R"(springs:
  s: {between: [ground.G, bar4.B], stiffness: 50 N/m, free_length: 0.3 m, damping: 2}
  coil: {joint: J1, stiffness: 3 N*m/rad, free_angle: 0.2 rad, damping: 0.1}
dampers: {d: {between: [bar1.B, bar5.B], damping: 4}}
forces:
  push: {point: bar5.B, force: [1, 2, 3]}
  twist: {body: bar3, torque: [0.5, 0.1, -0.3]}
  motor: {joint: J3, torque: 0.7 N*m}
)";
  if (name == "point masses")
    return R"(mechanism: a bob slides on a turning bar and draws another one by a rod
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies:
  bar: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.01, 0.2, 0.2], points: {O: [0, 0, 0], S: [0.1, 0.05, 0]}}
  bob: {mass: 0.7, point_mass: P, points: {P: [0, 0, 0]}}
  load: {mass: 0.4, point_mass: P, points: {P: [0, 0, 0]}}
joints:
  O: {universal: [ground.O, bar.O], axis: {first: [0, 0, 1], second: [0, 1, 0]}}
  S: {prismatic: [bar.S, bob.P], axis: [1, 0, 0]}
  L: {translation: [ground.O, load.P]}
  rod: {rod: [bob.P, load.P], length: 0.6}
springs: {s: {point: load.P.z, stiffness: 30 N/m, free_length: 0.1 m, damping: 2}}
assembly: {S.q: 0.4, load.position: [0.4, 0.3, -0.4]}
)";
  if (name == "formula chain") return test::kFormulaChain;
  if (name == "formula four-bar") return test::kFormulaFourBar;
  if (name == "bar on rods")
    return R"(mechanism: bar on rods
gravity: [0, 0, -9.81]
ground: {points: {A: [0, 0, 1], B: [1, 0, 1], C: [0, 1, 1]}}
bodies: {plate: {mass: 2, center_of_mass: [0.4, 0.3, 0], inertia: [0.2, 0.3, 0.4], points: {A: [0, 0, 0], B: [1, 0, 0], C: [0, 1, 0]}},
  bob: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.02, 0.03, 0.03], points: {P: [0, 0, 0], Q: [0.3, 0, 0]}}}
joints:
  a: {rod: [ground.A, plate.A], length: 1, mass: 0.3}
  b: {rod: [ground.B, plate.B], length: 1, mass: 0.4}
  c: {rod: [ground.C, plate.C], length: 1.1}
  d: {rod: [plate.B, bob.P], length: 0.7, mass: 0.2}
assembly: {plate.position: [0, 0, 0], bob.position: [1, 0, -0.7]}
)";
  return R"(mechanism: planar four-bar in space
gravity: [0, -9.81, 1]
ground: {points: {A: [0, 0, 0], B: [0.8, 0, 0]}}
bodies:
  crank: {mass: 1, center_of_mass: [0.06, 0, 0], inertia: [0.001, 0.002, 0.002], points: {A: [0, 0, 0], P: [0.12, 0, 0]}}
  coupler: {mass: 2, center_of_mass: [0.2, 0.1, 0], inertia: [0.01, 0.02, 0.03], points: {P: [0, 0, 0], C: [0.54, 0, 0]}}
  rocker: {mass: 1.5, center_of_mass: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], points: {B: [0, 0, 0], C: [0.455, 0, 0]}}
joints:
  A: {revolute: [ground.A, crank.A], axis: [0, 0, 1]}
  P: {revolute: [crank.P, coupler.P], axis: [0, 0, 1]}
  C: {revolute: [coupler.C, rocker.C], axis: [0, 0, 1]}
  B: {revolute: [ground.B, rocker.B], axis: [0, 0, 1]}
assembly: {A: 90 deg, P: -70 deg, B: 132 deg}
)";
}

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  static model::Mechanism mechanism() {
    const bool is_text = GetParam().find(' ') != std::string::npos;
    return is_text ? io::read_mechanism(text_of(GetParam()), GetParam()) : test::load_released(GetParam());
  }
};

/// dT/dt of these accelerations: Σ m v_C·a_C + ω·(I α + ω × I ω), and rods.
double kinetic_power(const model::Mechanism& mechanism, const MechanismMotion& motion) {
  double power = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const model::MassProperties& mass = mechanism.bodies()[b].mass_properties;
    if (mass.is_massless()) continue;
    const Eigen::Matrix3d& R = motion[b].X_WB.R_AB.matrix();
    const Eigen::Matrix3d I = R * mass.I_BC_B * R.transpose();
    power +=
        mass.mass * motion[b].point_velocity(mass.p_BC_B).dot(motion[b].point_acceleration(mass.p_BC_B)) +
        motion[b].w_WB_W.dot(I * motion[b].alpha_WB_W);
  }
  for (const model::Joint& joint : mechanism.joints()) {
    const BodyMotion &first = motion[joint.first().slot()], &second = motion[joint.second().slot()];
    const Vector3d &p1 = joint.ends[0].X_BF.p_AB_A, &p2 = joint.ends[1].X_BF.p_AB_A;
    const Vector3d v1 = first.point_velocity(p1), v2 = second.point_velocity(p2),
                   a1 = first.point_acceleration(p1), a2 = second.point_acceleration(p2);
    power += joint.rod_mass / 6.0 * (2.0 * v1.dot(a1) + v1.dot(a2) + v2.dot(a1) + 2.0 * v2.dot(a2));
  }
  return power;
}

// Joints do no work: what the applied forces do is what the motion gains.
TEST_P(EveryModel, PowerOfTheForcesIsTheGrowthOfKineticEnergy) {
  test::DynamicCase c(mechanism());
  const MechanismMotion moving = test::random_motion(c.model, 3);
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
  const MechanismMotion motion = test::accelerated(*formulation, moving);
  std::vector<Wrench> wrenches(motion.size());
  const dynamics::ForceMemory memory = c.model.forces().empty_memory();
  ASSERT_TRUE(c.model.forces().evaluate(0.0, motion, memory, wrenches));
  double power = 0.0, size = 0.0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    const double part = wrenches[b].force.dot(motion[b].v_WB_W) + wrenches[b].torque.dot(motion[b].w_WB_W);
    power += part;
    size += std::abs(part);
  }
  const double growth = kinetic_power(c.mechanism, motion);
  EXPECT_NEAR(growth, power, 1e-9 * (size + 1.0));
}

// Composite inertias along the tree, and features of bodies: two ways to the same masses, which share nothing.
TEST_P(EveryModel, MassesAlongTheTreeEqualThoseByFeatures) {
  test::DynamicCase c(mechanism());
  const coordinates::ConstraintSystem system("relative", c.mechanism, c.structure, {});
  const auto features = make_feature_masses(system), tree = make_tree_masses(system);
  const auto n = static_cast<std::size_t>(system.num_coordinates());
  std::vector<double> q(n), v(n), a(n), x(n), by_features(n), by_tree(n);
  system.read_bodies(test::random_motion(c.model, 4), {q, v, a});
  MassValues one, two;
  features->evaluate(q, v, c.mechanism.gravity_W(), one);
  tree->evaluate(q, v, c.mechanism.gravity_W(), two);
  core::Rng rng(1);
  std::vector<Wrench> wrenches(c.mechanism.bodies().size());
  for (Wrench& wrench : wrenches)
    for (int k = 0; k < 3; ++k) {
      wrench.force[k] = rng.normal();
      wrench.torque[k] = rng.normal();
    }
  features->project(wrenches, one);
  tree->project(wrenches, two);
  EXPECT_LE((one.h - two.h).norm(), 1e-12 * (1.0 + one.h.norm()));
  // Planar wrenches have no other part.
  if (!c.mechanism.is_planar()) {
    EXPECT_LE((one.Q - two.Q).norm(), 1e-12 * (1.0 + one.Q.norm()));
  }
  for (int k = 0; k < 5; ++k) {
    for (double& number : x) number = rng.normal();
    features->multiply(one, x, by_features);
    tree->multiply(two, x, by_tree);
    double size = 1.0;
    for (const double number : by_features) size = std::max(size, std::abs(number));
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(by_features[i], by_tree[i], 1e-12 * size);
  }
}

/// Forces in all joints and of all drivers at one instant.
struct Forces {
  std::vector<JointReaction> joints;
  std::vector<double> efforts;
};

/// Compares forces, relative to the largest.
class ForceComparison {
 public:
  ForceComparison(const model::Mechanism& mechanism, const Forces& expected)
      : mechanism_(mechanism), length_(coordinates::length_scale(mechanism)), expected_(expected) {
    for (const JointReaction& joint : expected.joints)
      size_ = std::max({size_, joint.force.norm(), joint.moment.norm() / length_});
  }

  /// `shares_too`: also those that are not unique, which are the least on both sides.
  void expect_same(const Forces& actual, const std::string& of, bool shares_too) {
    for (std::size_t j = 0; j < actual.joints.size(); ++j) {
      const JointReaction &one = expected_.joints[j], &two = actual.joints[j];
      EXPECT_EQ(one.is_unique, two.is_unique) << of << " " << mechanism_.joints()[j].name;
      if (!one.is_unique && !shares_too) continue;
      check((one.force - two.force).norm(), of + " " + mechanism_.joints()[j].name);
      check((one.moment - two.moment).norm() / length_, of + " " + mechanism_.joints()[j].name);
    }
    for (std::size_t d = 0; d < actual.efforts.size(); ++d)
      check(std::abs(expected_.efforts[d] - actual.efforts[d]) / std::max(1.0, length_),
            of + " " + mechanism_.drivers()[d].name);
  }
  double worst() const { return worst_; }

 private:
  void check(double error, const std::string& of) {
    EXPECT_LE(error, test::tolerance_scale() * 1e-8 * size_) << of;
    worst_ = std::max(worst_, error / size_);
  }

  const model::Mechanism& mechanism_;
  double length_;
  Forces expected_;
  double size_ = 1e-300, worst_ = 0.0;
};

Forces forces_of(Reactions& reactions, const DynamicModel& model, double t, const MechanismMotion& motion) {
  const dynamics::ForceMemory memory = model.forces().empty_memory();
  reactions.solve_or_throw(t, motion, memory);
  EXPECT_LE(reactions.residual(), 1e-8);
  return {reactions.joints(), reactions.efforts()};
}

/// What the multipliers say, by virtual power alone: the generalised force −Phi_qᵀ λ of the rows of a joint is what the joint does;
/// its power in a motion of the second body's link alone, of unit velocity or unit angular velocity, is the component of the
/// force or torque on that link. A driver gives −λ of its own row. Neither directions nor lever arms are computed.
class MultiplierForces {
 public:
  MultiplierForces(const DynamicModel& model, const State& state, const MechanismMotion& bodies)
      : motion_("reference-point", model), bodies_(bodies) {
    AugmentedMatrix matrix(motion_);
    motion_.evaluate_or_throw(state);
    EXPECT_TRUE(matrix.factor(motion_));
    const Eigen::VectorXd b = motion_.masses().Q - motion_.masses().h, &c = motion_.gamma();
    std::vector<double> a(state.q.size());
    lambda_.resize(motion_.rows().size());
    matrix.solve({b.data(), a.size()}, {c.data(), static_cast<std::size_t>(c.size())}, a, lambda_);
    Phi_q_ = motion_.system().dense(motion_.level().Phi_q);
  }

  Forces all() const {
    const model::Mechanism& mechanism = motion_.model().mechanism();
    Forces forces{std::vector<JointReaction>(mechanism.joints().size()),
                  std::vector<double>(mechanism.drivers().size())};
    for (std::size_t j = 0; j < forces.joints.size(); ++j)
      forces.joints[j] = of_joint(mechanism.joints()[j], generalised_force(static_cast<int>(j)));
    for (std::size_t i = 0; i < lambda_.size(); ++i)
      if (const auto* driver =
              std::get_if<coordinates::PrescribedIndex>(&motion_.system().label(motion_.rows()[i]).source))
        forces.efforts[driver->slot()] = -lambda_[i];
    return forces;
  }

 private:
  Eigen::VectorXd generalised_force(int joint) const {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(Phi_q_.cols());
    for (std::size_t i = 0; i < lambda_.size(); ++i) {
      const int row = motion_.rows()[i];
      const auto* label = std::get_if<model::JointIndex>(&motion_.system().label(row).source);
      // Rows after those of the mechanism tie drivers to the bodies.
      if (label != nullptr && label->value() == joint && row < motion_.system().num_mechanism_rows())
        force -= lambda_[i] * Phi_q_.row(row).transpose();
    }
    return force;
  }

  JointReaction of_joint(const model::Joint& joint, const Eigen::VectorXd& force) const {
    EXPECT_NE(joint.second(), model::kGround) << joint.name;
    // On a curve of the second body the reaction counts where they touch.
    const Vector3d origin = model::is_curve(joint.type, 1)
                                ? coordinates::contact_point(joint, bodies_)
                                : bodies_[joint.second().slot()].point_position(joint.ends[1].X_BF.p_AB_A);
    JointReaction reaction;
    for (int k = 0; k < 3; ++k) {
      reaction.force[k] = power(joint.second(), force, Vector3d::Unit(k), Vector3d::Zero(), origin);
      reaction.moment[k] = power(joint.second(), force, Vector3d::Zero(), Vector3d::Unit(k), origin);
    }
    // Multipliers know nothing of a rod's own mass: of its weight one half acts here, and m ∫ s a(s) ds is what it needs.
    const Vector3d a1 = bodies_[joint.first().slot()].point_acceleration(joint.ends[0].X_BF.p_AB_A),
                   a2 = bodies_[joint.second().slot()].point_acceleration(joint.ends[1].X_BF.p_AB_A);
    reaction.force += joint.rod_mass * (0.5 * motion_.model().mechanism().gravity_W() - a1 / 6.0 - a2 / 3.0);
    return reaction;
  }

  /// When the link of a body alone moves, its point at `origin` with velocity v.
  double power(model::BodyIndex body, const Eigen::VectorXd& force, const Vector3d& v, const Vector3d& w,
               const Vector3d& origin) const {
    MechanismMotion motion = bodies_;
    const structure::Topology& topology = motion_.model().structure().topology;
    for (std::size_t b = 0; b < motion.size(); ++b) {
      motion[b] = {bodies_[b].X_WB, Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
      if (topology.link_of(model::BodyIndex(static_cast<int>(b))) != topology.link_of(body)) continue;
      motion[b].w_WB_W = w;
      motion[b].v_WB_W = v + w.cross(motion[b].X_WB.p_AB_A - origin);
    }
    std::vector<double> q(static_cast<std::size_t>(force.size())), q_dot(q.size()), q_ddot(q.size());
    motion_.system().read_bodies(motion, {q, q_dot, q_ddot});
    return force.dot(Eigen::Map<const Eigen::VectorXd>(q_dot.data(), force.size()));
  }

  ConstrainedMotion motion_;
  MechanismMotion bodies_;
  std::vector<double> lambda_;
  Eigen::MatrixXd Phi_q_;
};

/// Compares what the multipliers say with the reactions from accelerations.
void expect_forces_of_multipliers(const DynamicModel& model, const MechanismMotion& moving, double t) {
  const auto formulation = make_formulation("multipliers", model, {.kind = "reference-point"});
  const MechanismMotion motion = test::accelerated(*formulation, moving, t);
  Reactions reactions(model);
  const Forces ours = forces_of(reactions, model, t, motion);
  Forces theirs = MultiplierForces(model, formulation->state_of(moving, t), motion).all();
  for (std::size_t j = 0; j < ours.joints.size(); ++j) {
    const model::Joint& joint = model.mechanism().joints()[j];
    const structure::Topology& topology = model.structure().topology;
    theirs.joints[j].is_unique = ours.joints[j].is_unique;
    // Inside a link there are no rows.
    if (topology.link_of(joint.first()) == topology.link_of(joint.second()))
      theirs.joints[j] = ours.joints[j];
  }
  ForceComparison comparison(model.mechanism(), ours);
  comparison.expect_same(theirs, "multipliers", false);
  testing::Test::RecordProperty("largest_relative_difference_of_forces",
                                core::number_text(comparison.worst()));
}

TEST_P(EveryModel, ReactionsAreThoseOfTheMultipliers) {
  test::DynamicCase c(mechanism());
  expect_forces_of_multipliers(c.model, test::random_motion(c.model, 5), 0.0);
}

/// The motion with every body out of its place by some `size` [m, rad].
MechanismMotion displaced(MechanismMotion motion, double size) {
  core::Rng rng(3);
  const auto any = [&]() -> Vector3d { return Vector3d(rng.normal(), rng.normal(), rng.normal()); };
  for (std::size_t b = 1; b < motion.size(); ++b) {
    core::Pose<double>& X = motion[b].X_WB;
    const Vector3d turn = size * any();
    X.p_AB_A += size * any();
    X.R_AB = core::Rotation<double>::from_matrix(
        Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() * X.R_AB.matrix(), 1e-12);
  }
  return motion;
}

// A simulation closes loops to 1e-10 or so: what is redundant when they are closed must not become a stiff lever.
TEST_P(EveryModel, ReactionsStay_WhenLoopsAreNotQuiteClosed) {
  test::DynamicCase c(mechanism());
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
  const MechanismMotion motion = test::accelerated(*formulation, test::random_motion(c.model, 6));
  const dynamics::ForceMemory memory = c.model.forces().empty_memory();
  Reactions closed(c.model), open(c.model);
  closed.solve_or_throw(0.0, motion, memory);
  for (const double size : {1e-13, 1e-11, 1e-10}) {
    open.solve_or_throw(0.0, displaced(motion, size), memory);
    double largest = 0.0;
    for (const JointReaction& joint : closed.joints()) largest = std::max(largest, joint.force.norm());
    for (std::size_t j = 0; j < closed.joints().size(); ++j) {
      const JointReaction &one = closed.joints()[j], &two = open.joints()[j];
      EXPECT_EQ(one.is_unique, two.is_unique) << c.mechanism.joints()[j].name;
      EXPECT_LE((one.force - two.force).norm(), 1e-6 * largest)
          << c.mechanism.joints()[j].name << " " << size;
    }
  }
}

/// Idle spins and inputs that are no variables: the formulation by groups does not have them yet.
bool is_refused_by_groups(const std::string& model) {
  return model == "rssr" || model.starts_with("family:truck") || model == "chain of all joints" ||
         model == "bar on rods" || model == "four-bar in space";
}

/// Accelerations, reactions and efforts of all formulations in all coordinates for the same motion.
void expect_agreement(const DynamicModel& model, const std::string& name_of_model,
                      const MechanismMotion& moving, double t) {
  const model::Mechanism& mechanism = model.mechanism();
  Reactions reactions(model);
  MechanismMotion expected;
  std::optional<ForceComparison> forces;
  double size = 1.0;
  for (const std::string& name : formulation_names()) {
    std::vector<std::string> kinds = coordinate_kinds(name);
    if (kinds.empty()) kinds.emplace_back();
    for (const std::string& kind : kinds) {
      // In natural coordinates a point of a chain depends on all links before it: dense, and slow to make.
      if (name_of_model == "chain of 40 revolutes" && kind == "natural") continue;
      if (name == "groups" && is_refused_by_groups(name_of_model)) {
        EXPECT_THROW(make_formulation(name, model, {.kind = kind}), core::ModelError);
        continue;
      }
      const auto formulation = make_formulation(name, model, {.kind = kind});
      const MechanismMotion motion = test::accelerated(*formulation, moving, t);
      const Forces found = forces_of(reactions, model, t, motion);
      if (expected.empty()) {
        expected = motion;
        forces.emplace(mechanism, found);
        for (const BodyMotion& body : motion)
          size = std::max({size, body.a_WB_W.norm(), body.alpha_WB_W.norm()});
      }
      forces->expect_same(found, name + " " + kind, true);
      for (std::size_t b = 1; b < motion.size(); ++b) {
        EXPECT_LE((motion[b].X_WB.p_AB_A - expected[b].X_WB.p_AB_A).norm(), 1e-10) << name << " " << kind;
        EXPECT_LE((motion[b].w_WB_W - expected[b].w_WB_W).norm(), 1e-9 * (1.0 + expected[b].w_WB_W.norm()));
        EXPECT_LE((motion[b].a_WB_W - expected[b].a_WB_W).norm(), 1e-9 * size)
            << name << " " << kind << " " << mechanism.bodies()[b].name;
        EXPECT_LE((motion[b].alpha_WB_W - expected[b].alpha_WB_W).norm(), 1e-9 * size)
            << name << " " << kind << " " << mechanism.bodies()[b].name;
      }
    }
  }
  testing::Test::RecordProperty("largest_relative_difference_of_forces", core::number_text(forces->worst()));
}

TEST_P(EveryModel, AllFormulationsInAllCoordinatesAgree) {
  test::DynamicCase c(mechanism());
  for (const std::uint64_t seed : {1u, 2u})
    expect_agreement(c.model, GetParam(), test::random_motion(c.model, seed), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models()),
                         [](const auto& model) { return test::test_name(model.param); });

/// With their drivers, somewhere on the way.
class EveryDrivenModel : public testing::TestWithParam<std::string> {
 protected:
  static constexpr double kTime = 0.13;

  static model::Mechanism mechanism() {
    return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + GetParam() + ".yaml", {});
  }
  static MechanismMotion driven(const DynamicModel& model) {
    const auto formulation = make_formulation("multipliers", model, {.kind = "reference-point"});
    State state = formulation->start();
    for (state.t = 0.01; state.t <= kTime; state.t += 0.01)
      EXPECT_EQ(formulation->project(state), DynamicsStatus::kSolved);
    state.t = kTime;
    EXPECT_EQ(formulation->project(state), DynamicsStatus::kSolved);
    MechanismMotion bodies(model.mechanism().bodies().size());
    const std::vector<double> zero(state.q.size(), 0.0);
    formulation->evaluate_bodies(state, zero, bodies);
    return bodies;
  }
};

TEST_P(EveryDrivenModel, ReactionsAndEffortsAreThoseOfTheMultipliers) {
  test::DynamicCase c(mechanism());
  expect_forces_of_multipliers(c.model, driven(c.model), kTime);
}

TEST_P(EveryDrivenModel, AllFormulationsInAllCoordinatesAgree) {
  test::DynamicCase c(mechanism());
  expect_agreement(c.model, GetParam(), driven(c.model), kTime);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryDrivenModel,
                         testing::Values("fourbar-testbed", "slider-crank", "watt-sixbar", "five-bar", "rssr",
                                         "double-wishbone", "pairs/scotch-yoke", "pairs/whitworth",
                                         "pairs/arc-four-bar", "pairs/cycloid", "pairs/swash-plate",
                                         "pairs/ball-in-groove", "pairs/cam-roller", "pairs/cam-flat",
                                         "pairs/cam-rocker", "pairs/involute-teeth", "pairs/barrel-cam",
                                         "pairs/cardan-circles", "pairs/tipper", "planetary-gearbox",
                                         "differential", "screw-press-helical", "disc-cam", "scara-with-belt",
                                         "parts/excavator"),
                         [](const auto& model) { return test::test_name(model.param); });

}  // namespace
}  // namespace eslabon::dynamics
