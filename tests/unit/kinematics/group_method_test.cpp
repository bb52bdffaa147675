// The methods by groups on whole mechanisms: the same motion as with all coordinates at once, who is asked when, and what is said.
#include "eslabon/kinematics/groups/group_method.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/driven_run.hpp"
#include "tests/mechanism_sketch.hpp"
#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/groups/group_kinematics.hpp"
#include "eslabon/kinematics/method_choice.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::CoordinateValue;
using test::DrivenRun;
using test::sketch::Pair;
using test::sketch::Sketch;
using testing::ElementsAre;
using testing::HasSubstr;
using V = Eigen::Vector3d;

model::Mechanism load(const std::string& name) {
  return io::load_model(
      name.starts_with("family:") ? name : std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
}

model::Mechanism truck(int axles) { return load("family:truck-suspension,axles=" + std::to_string(axles)); }

/// A driven mechanism, not yet solved.
struct Driven {
  explicit Driven(model::Mechanism mechanism_)
      : mechanism(std::move(mechanism_)),
        structure(structure::analyse_structure(mechanism)),
        assembly(assemble(mechanism, structure)),
        driven(mechanism, structure, assembly) {}
  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport assembly;
  DrivenMechanism driven;
};

// ---- The same motion -------------------------------------------------------------------------------------------------

/// All bodies move as they should, to 1e-10 of the largest position, speed and acceleration of any of them.
void expect_same(const coordinates::MechanismMotion& bodies, const coordinates::MechanismMotion& expected,
                 double length) {
  double speed = 0.0, acceleration = 0.0;
  for (const coordinates::BodyMotion& body : expected) {
    speed = std::max({speed, body.w_WB_W.norm(), body.v_WB_W.norm() / length});
    acceleration = std::max({acceleration, body.alpha_WB_W.norm(), body.a_WB_W.norm() / length});
  }
  acceleration = std::max(acceleration, speed * speed);
  const double tolerance = test::tolerance_scale() * 1e-10;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const coordinates::BodyMotion &is = bodies[b], &should = expected[b];
    ASSERT_LE((is.X_WB.p_AB_A - should.X_WB.p_AB_A).norm(), tolerance * length) << b;
    ASSERT_LE((is.X_WB.R_AB.matrix() - should.X_WB.R_AB.matrix()).norm(), tolerance) << b;
    ASSERT_LE((is.w_WB_W - should.w_WB_W).norm(), tolerance * speed) << b;
    ASSERT_LE((is.v_WB_W - should.v_WB_W).norm(), tolerance * speed * length) << b;
    ASSERT_LE((is.alpha_WB_W - should.alpha_WB_W).norm(), tolerance * acceleration) << b;
    ASSERT_LE((is.a_WB_W - should.a_WB_W).norm(), tolerance * acceleration * length) << b;
  }
}

/// Both methods by groups beside a run with all coordinates at once.
void expect_same_run(const model::Mechanism& mechanism, double until, double step, const std::string& kind) {
  DrivenRun sparse(mechanism, until, "sparse", kind), groups(mechanism, until, "groups", ""),
      tensor(mechanism, until, "groups-tensor", "");
  const double length = coordinates::length_scale(mechanism);
  const int steps = static_cast<int>(std::lround(until / step));
  for (int k = 0; k <= steps; ++k) {
    SCOPED_TRACE(k);
    const double t = until * k / steps;
    if (k > 0) {
      for (DrivenRun* run : {&sparse, &groups, &tensor}) ASSERT_TRUE(run->advance_to(t));
    }
    expect_same(groups.bodies, sparse.bodies, length);
    expect_same(tensor.bodies, sparse.bodies, length);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (DrivenRun* run : {&groups, &tensor})
    EXPECT_EQ(run->motion.events().size(), sparse.motion.events().size());
}

std::vector<std::string> models_with_drivers() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(std::string(ESLABON_SOURCE_DIR) + "/models"))
    if (file.path().extension() == ".yaml" && !load(file.path().stem()).drivers().empty())
      names.push_back(file.path().stem());
  std::ranges::sort(names);
  return names;
}

class ModelByGroups : public testing::TestWithParam<std::string> {};

TEST_P(ModelByGroups, MovesAsWithAllCoordinatesAtOnce) {
  expect_same_run(load(GetParam()), 2.0, 0.01, "natural");
}

INSTANTIATE_TEST_SUITE_P(Models, ModelByGroups, testing::ValuesIn(models_with_drivers()),
                         [](const auto& name) { return test::test_name(name.param); });

TEST(ModelsByGroups, AreTheOnesThatHaveDrivers) {
  EXPECT_THAT(models_with_drivers(),
              ElementsAre("disc-cam", "double-wishbone", "five-bar", "fourbar-testbed", "planetary-gearbox",
                          "rssr", "scara-with-belt", "slider-crank", "stephenson-sixbar", "watt-sixbar"));
}

class TruckByGroups : public testing::TestWithParam<int> {};

TEST_P(TruckByGroups, MovesAsWithReferencePointCoordinates_OverTwentySeconds) {
  expect_same_run(truck(GetParam()), 20.0, 0.05, "reference-point");
}

INSTANTIATE_TEST_SUITE_P(Axles, TruckByGroups, testing::Range(1, 6));

// ---- The choice ------------------------------------------------------------------------------------------------------

model::Mechanism with_motor(const model::Mechanism& mechanism, const std::string& joint) {
  return io::read_mechanism(
      io::write_mechanism(mechanism) + "\ndrivers: {motor: {joint: " + joint + ", speed: 0.1 rad/s}}\n",
      mechanism.name());
}

/// A row of bars hinged to each other, on legs: two under the first and the last, one under each between; the foot of
/// the first leg is on a crank. Bars and legs are one Assur group of 2 (bars) + 2 links: of k bars at an end, k + 1 legs
/// leave one freedom.
model::Mechanism bars_on_legs(int bars) {
  Sketch sketch("bars on legs", model::Space::kPlanar);
  const auto pin = [](double x, double y) { return Pair{model::JointType::kRevolute, V(x, y, 0.0)}; };
  sketch.join("axle", "ground", "crank", pin(-0.3, 0.1));
  int legs = 0;
  const auto add_leg = [&](int bar, double x, double foot) {
    const std::string n = std::to_string(++legs), leg = "leg" + n;
    sketch.join("foot" + n, legs == 1 ? "crank" : "ground", leg, pin(foot, 0.05 * legs));
    sketch.join("head" + n, leg, "bar" + std::to_string(bar), pin(x, 1.0 + 0.03 * legs * legs));
  };
  for (int i = 1; i <= bars; ++i) {
    if (i > 1)
      sketch.join("pin" + std::to_string(i), "bar" + std::to_string(i - 1), "bar" + std::to_string(i),
                  pin(i, 1.1 + 0.1 * (i % 2)));
    if (i == 1) add_leg(i, 0.2, 0.1);
    add_leg(i, i + 0.4, i + (i % 2 == 0 ? 0.7 : 0.2));
    if (i == bars) add_leg(i, i + 0.9, i + 1.2);
  }
  return with_motor(sketch.build(), "axle");
}

std::vector<std::size_t> group_sizes(const structure::Structure& structure) {
  std::vector<std::size_t> sizes;
  for (const structure::StructuralGroup& group : structure.groups) sizes.push_back(group.links.size());
  return sizes;
}

TEST(MethodChoice, IsGroups_WhereEachHasASolver) {
  for (const model::Mechanism& mechanism :
       {load("fourbar-testbed"), truck(1), truck(5), load("double-wishbone")}) {
    const Driven it(mechanism);
    const MethodChoice choice = choose_method(it.driven);
    EXPECT_EQ(choice.method, "groups") << mechanism.name();
    EXPECT_EQ(choice.reason, "every structural group has a solver of its own") << mechanism.name();
  }
}

TEST(MethodChoice, IsSparse_ForAGroupOfTwelveLinksButNotOfTen) {
  const Driven ten(bars_on_legs(4)), twelve(bars_on_legs(5));
  ASSERT_THAT(group_sizes(ten.structure), ElementsAre(1u, 10u));
  ASSERT_THAT(group_sizes(twelve.structure), ElementsAre(1u, 12u));
  EXPECT_EQ(choose_method(ten.driven).method, "groups");
  EXPECT_EQ(choose_method(twelve.driven).method, "sparse");
  EXPECT_EQ(choose_method(twelve.driven).reason,
            "a structural group of 12 links is too large to be solved on its own");
}

// Too large to be worth it, but who asks for groups gets them.
TEST(GroupMethod, SolvesALargeGroupToo_WhenAsked) { expect_same_run(bars_on_legs(5), 1.0, 0.05, "natural"); }

/// A body that rods alone hold, one of them on a crank: a rod has to carry it in the tree of its group.
model::Mechanism body_on_rods(model::Space space) {
  Sketch sketch("body on rods", space);
  const bool is_planar = space == model::Space::kPlanar;
  sketch.join("axle", "ground", "crank", {model::JointType::kRevolute, V(0.0, 0.0, 0.0), V::UnitZ()});
  for (int i = 0; i < (is_planar ? 3 : 6); ++i) {
    const double angle = 1.1 * i, z = is_planar ? 0.0 : 0.1 * std::sin(2.0 * i);
    const V foot = i == 0 ? V(0.2, 0.1, z) : V(std::cos(angle + 0.3), std::sin(angle), z);
    const V head(0.4 * std::cos(1.3 * angle), 0.1 + 0.3 * std::sin(1.3 * angle), is_planar ? 0.0 : 0.8 + z);
    sketch.rod("rod" + std::to_string(i + 1), i == 0 ? "crank" : "ground", "body", foot, head);
  }
  return with_motor(sketch.build(), "axle");
}

TEST(GroupMethod, SolvesABodyOnRodsAlone) {
  for (const model::Space space : {model::Space::kPlanar, model::Space::kSpatial}) {
    const Driven it(body_on_rods(space));
    ASSERT_EQ(it.structure.groups.size(), 2u);
    EXPECT_EQ(it.structure.groups[1].type, space == model::Space::kPlanar ? "3D" : "6D");
    expect_same_run(it.mechanism, 1.0, 0.05, "natural");
  }
}

// ---- Groups without a solver -----------------------------------------------------------------------------------------

/// A planar four-bar in space with a dyad behind it, driven there: the four-bar is counted as a part without freedom.
model::Mechanism six_bar_in_space() {
  Sketch sketch("six-bar in space", model::Space::kSpatial);
  const auto pin = [](double x, double y) { return Pair{model::JointType::kRevolute, V(x, y, 0.0)}; };
  sketch.join("A", "ground", "crank", pin(0.0, 0.0));
  sketch.join("B", "crank", "coupler", pin(0.2, 0.3));
  sketch.join("C", "coupler", "rocker", pin(0.9, 0.6));
  sketch.join("D", "rocker", "ground", pin(1.0, 0.0));
  sketch.join("E", "rocker", "link", pin(1.1, 0.7));
  sketch.join("F", "link", "output", pin(1.8, 0.5));
  sketch.join("G", "output", "ground", pin(1.7, -0.1));
  return with_motor(sketch.build(), "G");
}

/// A bar on a ball of the crank and on two rods whose ends lie on one line with the ball: it spins about that line, which only
/// geometry tells.
model::Mechanism bar_on_two_rods() {
  Sketch sketch("bar on two rods", model::Space::kSpatial);
  const V A(0.3, 0.1, 0.0), along(0.6, 0.7, 0.2);
  sketch.join("O", "ground", "crank", {model::JointType::kRevolute, V(0.0, 0.0, 0.0), V::UnitZ()});
  sketch.join("A", "crank", "bar", {model::JointType::kSpherical, A});
  sketch.rod("rod1", "ground", "bar", V(0.2, 0.9, -0.7), A + along);
  sketch.rod("rod2", "ground", "bar", V(1.4, -0.3, 0.4), A + 0.5 * along);
  return with_motor(sketch.build(), "O");
}

std::string refusal(const model::Mechanism& mechanism, const std::string& method) {
  const Driven it(mechanism);
  try {
    make_kinematic_method(method, "", it.driven);
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "solved";
}

TEST(GroupMethod, NamesTheGroupThatHasNoSolver) {
  for (const char* method : {"groups", "groups-tensor"}) {
    EXPECT_EQ(refusal(six_bar_in_space(), method),
              "the structural groups cannot be solved one after the other [group 1 (4R: crank, coupler, "
              "rocker)]: expected a "
              "group with a solver, got a group whose joints do not determine it one by one. The methods "
              "'sparse' and 'global' work for "
              "this mechanism.");
    EXPECT_EQ(refusal(bar_on_two_rods(), method), "solved");  // its spin about its own line is idle
  }
}

TEST(MethodChoice, IsSparseAndSaysWhy_WhereAGroupHasNoSolver) {
  const Driven counted(six_bar_in_space()), spinning(bar_on_two_rods());
  EXPECT_EQ(choose_method(counted.driven).method, "sparse");
  EXPECT_EQ(choose_method(counted.driven).reason,
            "group 1 (4R: crank, coupler, rocker) is a group whose joints do not determine it one by one");
  EXPECT_EQ(choose_method(spinning.driven).method, "groups");
}

// crosscheck: an idle spin is held the same way by all methods.
TEST(GroupMethod, MovesABarThatSpinsIdlyAsSparseDoes) {
  const model::Mechanism mechanism = bar_on_two_rods();
  DrivenRun groups(mechanism, 1.0, "groups", "natural"), sparse(mechanism, 1.0, "sparse", "natural");
  ASSERT_TRUE(groups.advance_to(0.5));
  ASSERT_TRUE(sparse.advance_to(0.5));
  expect_same(groups.bodies, sparse.bodies, coordinates::length_scale(mechanism));
}

// What the message promises.
TEST(GroupMethod, WhatItRefusesMovesBySparseAndGlobal) {
  for (const model::Mechanism& mechanism : {six_bar_in_space(), bar_on_two_rods()}) {
    DrivenRun sparse(mechanism, 1.0, "sparse", "natural"), global(mechanism, 1.0, "global", "relative");
    ASSERT_TRUE(sparse.advance_to(0.5)) << sparse.motion.events().back().brief(mechanism);
    ASSERT_TRUE(global.advance_to(0.5)) << mechanism.name();
    expect_same(global.bodies, sparse.bodies, coordinates::length_scale(mechanism));
  }
}

// ---- What it says ----------------------------------------------------------------------------------------------------

std::string description(const model::Mechanism& mechanism) {
  const Driven it(mechanism);
  return make_kinematic_method("groups", "", it.driven)->description();
}

TEST(GroupMethod, DescribesItsGroups) {
  EXPECT_EQ(description(load("fourbar-testbed")), "2 groups, in closed form 1 × driven link, 1 × dyad RRR");
  EXPECT_EQ(description(truck(1)),
            "5 groups, in closed form 2 × 1C1E1P, 2 × 1C1E1R, by iteration 1 × 2C3E1R");
  EXPECT_EQ(description(truck(2)),
            "10 groups, in closed form 4 × 1C1E1P, 4 × 1C1E1R, by iteration 2 × 2C3E1R");
  EXPECT_EQ(description(load("rssr")), "2 groups, in closed form 1 × 1R, 1 × 2E1R");
  EXPECT_EQ(description(load("double-wishbone")), "2 groups, in closed form 1 × 1R, by iteration 1 × 1D2E2R");
  EXPECT_EQ(description(bars_on_legs(4)),
            "2 groups, in closed form 1 × driven link, by iteration 1 × Assur group of 10 links");
}

// ---- The same bits ---------------------------------------------------------------------------------------------------

template <class Link>
std::vector<double> numbers_of(const std::vector<Link>& links) {
  std::vector<double> numbers;
  for (const Link& link : links) {
    std::vector<double> q(3 * Link::kNumbers);
    link.write_position(q.data());
    link.write_velocity(q.data() + Link::kNumbers);
    link.write_acceleration(q.data() + 2 * Link::kNumbers);
    numbers.insert(numbers.end(), q.begin(), q.end());
  }
  return numbers;
}

/// Solves for one time at once, and after half a turn with another workspace.
template <class Link>
void expect_same_bits(const std::string& name) {
  const Driven it(load(name));
  const GroupKinematics<Link> groups(it.driven);
  for (std::size_t g = 0; g < groups.num_groups(); ++g) ASSERT_TRUE(groups.is_closed_form(g)) << name << g;
  std::vector<CoordinateValue> inputs(it.driven.prescribed().size());
  auto moved = groups.start();
  auto moved_workspace = groups.make_workspace();
  for (int k = 0; k <= 100; ++k) {
    it.driven.evaluate_or_throw(0.005 * k, inputs);
    ASSERT_FALSE(groups.solve(inputs, moved, moved_workspace));
    auto fresh = groups.start();
    auto fresh_workspace = groups.make_workspace();
    ASSERT_FALSE(groups.solve(inputs, fresh, fresh_workspace));
    ASSERT_EQ(moved.branches, fresh.branches) << name << " " << k;
    ASSERT_EQ(numbers_of(moved.links), numbers_of(fresh.links)) << name << " " << k;
  }
}

TEST(GroupKinematics, ClosedFormsGiveTheSameBitsForTheSameInputsAndBranches_WhateverCameBefore) {
  for (const char* name :
       {"fourbar-testbed", "slider-crank", "watt-sixbar", "family:scalable-fourbar,dyads=7"})
    expect_same_bits<PlanarLink>(name);
  expect_same_bits<SpatialLink>("rssr");
}

// A group that iterates begins where its links are; a workspace that was used before changes nothing.
TEST(GroupKinematics, GroupsThatIterateGiveTheSameBitsFromTheSameStart_WhateverTheWorkspaceHolds) {
  const Driven it(truck(2));
  const GroupKinematics<SpatialLink> groups(it.driven);
  std::vector<CoordinateValue> inputs(it.driven.prescribed().size());
  auto used = groups.make_workspace();
  for (int k = 0; k <= 50; ++k) {
    it.driven.evaluate_or_throw(0.2 * k, inputs);
    auto one = groups.start(), other = groups.start();
    auto fresh = groups.make_workspace();
    ASSERT_FALSE(groups.solve(inputs, one, used));
    ASSERT_FALSE(groups.solve(inputs, other, fresh));
    ASSERT_EQ(one.branches, other.branches) << k;
    ASSERT_EQ(numbers_of(one.links), numbers_of(other.links)) << k;
  }
}

}  // namespace
}  // namespace eslabon::kinematics
