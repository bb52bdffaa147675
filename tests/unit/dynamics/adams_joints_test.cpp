// One body on one joint, falling for 5 s, against time histories of MSC ADAMS (tests/data/adams-joints).
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/dynamic_case.hpp"
#include "tests/local_integrator.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/dynamics/reactions/reactions.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::dynamics {
namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

// Files of ADAMS have six digits; an independent integration agrees with their positions to 1e-5, in the cases called loose to
// 8e-4. These are, like revolute case 1, one and the same pendulum in a plane: ADAMS differs there from its own revolute joint by
// 8.3e-4 m and 2.6e-3 m/s, and we agree with the revolute joint.
constexpr double kUsual = 1e-4;
constexpr double kLoose = 2e-3;
constexpr double kLooseVelocity = 3e-3;
/// Half a unit of the last digit written, of the value.
constexpr double kWritten = 5e-6;
/// Of reactions, relative to their size at that instant, m g (times 1 m) at least. Most differ by 1e-4, loose cases by 7e-4, and
/// cylindrical case 3, whose body slides 87 m from where its torque is counted, by 2.8e-3.
constexpr double kReaction = 4e-3;
constexpr double kWeight = 9.80665;

/// The columns of a stored history by name.
class History {
 public:
  explicit History(const std::string& name) {
    std::ifstream file(std::string(ESLABON_SOURCE_DIR) + "/tests/data/adams-joints/" + name + ".csv");
    std::string line, cell;
    std::vector<std::string> names;
    std::getline(file, line);
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
    while (std::getline(file, line)) {
      std::size_t c = 0;
      for (std::istringstream cells(line); std::getline(cells, cell, ',');)
        columns_[names.at(c++)].push_back(std::stod(cell));
    }
  }
  std::size_t size() const { return columns_.at("t").size(); }
  double time(std::size_t row) const { return columns_.at("t")[row]; }
  Vector3d vector(std::size_t row, const std::string& x, const std::string& y, const std::string& z) const {
    return {columns_.at(x)[row], columns_.at(y)[row], columns_.at(z)[row]};
  }

 private:
  std::map<std::string, std::vector<double>> columns_;
};

const char* const kUsualRod = "center_of_mass: [2, 0, 0], inertia: [0.04, 0.1, 0.1]";

struct Case {
  std::string name;             ///< of the history
  std::string place;            ///< of the joint, world
  std::string turn;             ///< of the body and the joint at the start, axis times angle
  std::string joint;            ///< from ground.J to rod.J
  std::string rod = kUsualRod;  ///< J is its origin
  double tolerance = kUsual;
  std::string slide =
      "";  ///< of the joint in the world, along z of the rod: both ends are frames F with the rod's x
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::string text_of(const Case& c) {
  const auto frame = [&](const std::string& origin, const std::string& x) {
    return c.slide.empty() ? "" : ", frames: {F: {origin: " + origin + ", x: " + x + ", z: [1, 0, 0]}}";
  };
  return "mechanism: " + c.name + "\ngravity: [0, 0, -9.80665]\nground: {points: {J: " + c.place + "}" +
         frame(c.place, c.slide) + "}\nbodies:\n  rod: {mass: 1, " + c.rod + ", points: {J: [0, 0, 0]}" +
         frame("[0, 0, 0]", "[0, 0, 1]") + "}\njoints: {" + c.joint +
         "}\nassembly: {rod.position: " + c.place + ", rod.rotation: " + c.turn + "}\n";
}

/// What one body gets from a joint: a force through a point and a moment about it, world axes.
struct Action {
  Vector3d force, moment;
};

/// What the ground gets from joint j, about the joint's point on the ground: the opposite of what the second body gets, whose
/// force acts at its own point of the joint, p₂ (a body on a slide has left the ground's point p₁).
///   M₁ = −M₂ − (p₂ − p₁) × F₂                                                                            (1)
Action on_ground(const Reactions& reactions, const model::Mechanism& mechanism, const MechanismMotion& bodies,
                 std::size_t j) {
  const model::Joint& joint = mechanism.joints()[j];
  const Vector3d p1 = bodies[joint.first().slot()].point_position(joint.ends[0].X_BF.p_AB_A),
                 p2 = bodies[joint.second().slot()].point_position(joint.ends[1].X_BF.p_AB_A);
  const JointReaction& on_second = reactions.joints()[j];
  return {-on_second.force, -on_second.moment - (p2 - p1).cross(on_second.force)};
}

double relative_error(const Vector3d& ours, const Vector3d& theirs) {
  return (ours - theirs).norm() / std::max(kWeight, theirs.norm());
}

/// Reactions as ADAMS writes them: what the ground gets from the joint, about the joint's marker on the ground, world axes. At
/// t = 0 statics says so without us: case 2 of the prismatic joint, axis (0, 1, 1)/√2, mass centre at (2, 0, 0) from it, has
///   f = (0, 4.9, −4.9) = m g across the axis,   m = (0, 9.8, 9.8) = (2, 0, 0) × f,
/// the opposite of what holds the body; and as the body slides, m_x grows by that lever arm. The revolute-spherical joint has two
/// markers: 1 is on the ground, 2 the ball on the body, where the force is what the body gets.
double reaction_error(const History& history, std::size_t row, const Reactions& reactions,
                      const model::Mechanism& mechanism, const MechanismMotion& bodies) {
  const Action ground = on_ground(reactions, mechanism, bodies, 0);
  const bool has_two_markers = mechanism.joints().size() == 2;
  const std::string end = has_two_markers ? "1" : "";
  const auto theirs = [&](const std::string& name) {
    return history.vector(row, name + "x", name + "y", name + "z");
  };
  double error = std::max(relative_error(ground.force, theirs("f" + end)),
                          relative_error(ground.moment, theirs("m" + end)));
  if (has_two_markers)
    error = std::max({error, relative_error(reactions.joints()[1].force, theirs("f2")),
                      relative_error(reactions.joints()[1].moment, theirs("m2"))});
  return error;
}

/// Integrates and compares centre of mass and velocity of body `rod`, and the reactions.
void expect_history(const std::string& name, const std::string& text, double tolerance) {
  const History history(name);
  ASSERT_EQ(history.size(), 51u);
  test::DynamicCase c(io::read_mechanism(text, name));
  const auto rod = std::get<model::BodyIndex>(c.mechanism.find("rod").value());
  const Vector3d& p_BC_B = c.mechanism.body(rod).mass_properties.p_BC_B;
  const auto formulation = make_formulation("multipliers", c.model, {.kind = "reference-point"});
  State state = formulation->start();
  MechanismMotion bodies(c.mechanism.bodies().size());
  std::vector<double> a(state.q.size()), z_ddot(state.q.size());
  Reactions reactions(c.model);
  double position = 0.0, velocity = 0.0, reaction = 0.0;
  for (std::size_t row = 0; row < history.size(); ++row) {
    if (row > 0) {
      ASSERT_TRUE(test::run_dopri5(*formulation, state, history.time(row), 1e-10)) << history.time(row);
    }
    ASSERT_EQ(formulation->accelerate(state, a, z_ddot), DynamicsStatus::kSolved);
    formulation->evaluate_bodies(state, a, bodies);
    reactions.solve_or_throw(state.t, bodies, state.memory);
    reaction = std::max(reaction, reaction_error(history, row, reactions, c.mechanism, bodies));
    const auto& body = bodies[rod.slot()];
    const Vector3d p = history.vector(row, "x", "y", "z"), v = history.vector(row, "vx", "vy", "vz");
    position = std::max(position, (body.point_position(p_BC_B) - p).norm() - kWritten * p.norm());
    velocity = std::max(velocity, (body.point_velocity(p_BC_B) - v).norm() - kWritten * v.norm());
  }
  EXPECT_LE(position, test::tolerance_scale() * tolerance);
  EXPECT_LE(velocity, test::tolerance_scale() * (tolerance == kLoose ? kLooseVelocity : tolerance));
  EXPECT_LE(reaction, test::tolerance_scale() * kReaction);
}

class AdamsJoint : public testing::TestWithParam<Case> {};

TEST_P(AdamsJoint, MovesTheBodyAsAdamsSays) {
  expect_history(GetParam().name, text_of(GetParam()), GetParam().tolerance);
}

const char* const kAt0 = "[0, 0, 0]";
const char* const kAt123 = "[1, 2, 3]";
const char* const kNoTurn = "[0, 0, 0]";
const char* const kMinus90X = "[-90 deg, 0, 0]";
const char* const kMinus45X = "[-45 deg, 0, 0]";
// z of the joint in the world after these turns.
const std::string kMinus90Z = "axis: {first: [0, 1, 0], second: z}";
const std::string kMinus45Z = "axis: {first: [0, 1, 1], second: z}";
const std::string kUnturnedZ = "axis: z";
const char* const kSlide = "J: {prismatic: [ground.F, rod.F]}";
const std::string kUniversalRod = "center_of_mass: [0, 0, -2], inertia: [0.1, 0.1, 0.04]";

std::vector<Case> cases() {
  const auto joint = [](const std::string& type, const std::string& axis = "") {
    return "J: {" + type + ": [ground.J, rod.J]" + (axis.empty() ? "" : ", " + axis) + "}";
  };
  return {
      {"Revolute_Case01", kAt0, kMinus90X, joint("revolute", kMinus90Z)},
      {"Revolute_Case02", kAt123, kMinus45X, joint("revolute", kMinus45Z)},
      {"Spherical_Case01", kAt0, kNoTurn, joint("spherical"),
       "center_of_mass: [2, 0, 0], inertia: [0.04, 0.1, 0.1]", kLoose},
      {"Spherical_Case02", kAt123, kMinus45X, joint("spherical")},
      {"Prismatic_Case01", kAt0, kNoTurn, joint("prismatic", kUnturnedZ)},
      {"Prismatic_Case02", kAt123, kMinus45X, kSlide, kUsualRod, kUsual, "[0, 1, 1]"},
      {"Prismatic_Case03", kAt123, kMinus90X, kSlide, kUsualRod, kUsual, "[0, 1, 0]"},
      {"Cylindrical_Case01", kAt0, kNoTurn, joint("cylindrical", kUnturnedZ)},
      {"Cylindrical_Case02", kAt0, kMinus90X, joint("cylindrical", kMinus90Z)},
      {"Cylindrical_Case03", kAt123, kMinus45X, joint("cylindrical", kMinus45Z)},
      {"Universal_Case01", kAt0, "[90 deg, 0, 0]",
       joint("universal", "axis: {first: [1, 0, 0], second: [0, 1, 0]}"), kUniversalRod, kLoose},
      {"Universal_Case02", kAt0, "[0, 90 deg, 0]",
       joint("universal", "axis: {first: [0, 0, -1], second: [0, 1, 0]}"), kUniversalRod, kLoose},
      // Turned by 90 degrees about (1, -1, 0), as its history begins.
      {"Universal_Case03", kAt0, "[= 90 deg/sqrt(2), = -90 deg/sqrt(2), 0]",
       joint("universal", "axis: {first: [= 0.5, = -0.5, = sqrt(0.5)], second: [0, 1, 0]}"), kUniversalRod,
       kLoose},
  };
}

INSTANTIATE_TEST_SUITE_P(Cases, AdamsJoint, testing::ValuesIn(cases()),
                         [](const auto& c) { return test::test_name(c.param.name); });

// The same joint, the same pendulum in the plane y = const, at another place: where ADAMS leaves its own answer, so may we.
TEST(AdamsSpherical, Case01LeavesCase02OfThePendulumThatItIs) {
  const History loose("Spherical_Case01"), tight("Spherical_Case02"), revolute("Revolute_Case01");
  double from_tight = 0.0, force_from_tight = 0.0, tight_from_revolute = 0.0;
  for (std::size_t row = 0; row < loose.size(); ++row) {
    const Vector3d p = tight.vector(row, "x", "y", "z") - Vector3d(1.0, 2.0, 3.0);
    const Vector3d f = tight.vector(row, "fx", "fy", "fz");
    from_tight = std::max(from_tight, (loose.vector(row, "x", "y", "z") - p).norm());
    tight_from_revolute = std::max(tight_from_revolute, (revolute.vector(row, "x", "y", "z") - p).norm());
    force_from_tight = std::max(force_from_tight, (loose.vector(row, "fx", "fy", "fz") - f).norm());
  }
  EXPECT_GE(from_tight, 8e-4);
  EXPECT_GE(force_from_tight, 1e-2);
  EXPECT_LE(tight_from_revolute, 5e-5);
}

/// A rod without mass between a point of the ground and P of the body; the body's origin is its centre of mass.
void expect_distance_history(const std::string& name, const std::string& ground, const std::string& center,
                             const std::string& turn, const std::string& P) {
  expect_history(
      name,
      "mechanism: m\ngravity: [0, 0, -9.80665]\nground: {points: {O: " + ground +
          "}}\nbodies: {rod: {mass: 1, center_of_mass: [0, 0, 0], inertia: [0.04, 0.1, 0.1], points: {P: " +
          P + "}}}\njoints: {D: {rod: [ground.O, rod.P], length: 2}}\nassembly: {rod.position: " + center +
          ", rod.rotation: " + turn + "}\n",
      kUsual);
}

TEST(AdamsDistance, Case01) {
  expect_distance_history("Distance_Case01", "[0, 0, 0]", "[0, 2, 0]", kNoTurn, "[0, 0, 0]");
}
TEST(AdamsDistance, Case02) {
  expect_distance_history("Distance_Case02", "[1, 2, 3]", "[-1, 4, 3]", kNoTurn, "[2, 0, 0]");
}
TEST(AdamsDistance, Case03) {
  expect_distance_history("Distance_Case03", "[0, 0, 0]", "[0, 4, 0]", "[0, 0, -90 deg]", "[2, 0, 0]");
}

/// A revolute on the ground and a ball on the body: a bar without mass between them.
void expect_revolute_spherical_history(const std::string& name, const std::string& place,
                                       const std::string& axis, const std::string& center) {
  expect_history(
      name,
      "mechanism: m\ngravity: [0, 0, -9.80665]\nground: {points: {O: " + place +
          "}}\nbodies:\n  bar: {points: {O: [0, 0, 0], P: [2, 0, 0]}}\n"
          "  rod: {mass: 1, center_of_mass: [0, 0, 0], inertia: [0.1, 0.04, 0.1], points: {P: [0, -2, 0]}}\n"
          "joints:\n  R: {revolute: [ground.O, bar.O], axis: " +
          axis + "}\n  S: {spherical: [bar.P, rod.P]}\nassembly: {bar.position: " + place +
          ", bar.rotation: [0, 0, 0], rod.position: " + center + ", rod.rotation: [0, 0, 0]}\n",
      kUsual);
}

TEST(AdamsRevoluteSpherical, Case01) {
  expect_revolute_spherical_history("RevSpherical_Case01", "[0, 0, 0]", "[0, 0, 1]", "[2, 2, 0]");
}
TEST(AdamsRevoluteSpherical, Case02) {
  expect_revolute_spherical_history("RevSpherical_Case02", "[1, 2, 3]", "[0, 1, 1]", "[3, 4, 3]");
}

}  // namespace
}  // namespace eslabon::dynamics
