#include "eslabon/kinematics/groups/group_kinematics.hpp"

#include <cmath>
#include <numbers>

#include "tests/driven_run.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include "tests/traced_group.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/groups/general_group.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::CoordinateValue;

/// A driven mechanism with its groups.
struct GroupRun {
  explicit GroupRun(const model::Mechanism& mechanism_)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        assembly(assemble(mechanism, structure)),
        driven(mechanism, structure, assembly),
        groups(driven),
        at(groups.start()),
        workspace(groups.make_workspace()),
        inputs(driven.prescribed().size()),
        bodies(mechanism.bodies().size()) {}

  std::optional<GroupKinematics<PlanarLink>::Failure> solve(double t) {
    driven.evaluate_or_throw(t, inputs);
    const auto failure = groups.solve(inputs, at, workspace);
    if (!failure) groups.write_bodies(at.links, bodies);
    return failure;
  }
  double value(const std::string& name) const {
    return value_of(mechanism, model::find_variable(mechanism, name), bodies);
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport assembly;
  DrivenMechanism driven;
  GroupKinematics<PlanarLink> groups;
  GroupKinematics<PlanarLink>::Solution at;
  GroupKinematics<PlanarLink>::Workspace workspace;
  std::vector<CoordinateValue> inputs;
  coordinates::MechanismMotion bodies;
};

model::Mechanism load(const std::string& name) {
  return io::load_model(
      name.starts_with("family:") ? name : std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
}

using D2 = core::Dual<core::Dual<double>>;

/// C_k of the scalable four-bar by intersecting circles, with two derivatives by the crank's angle.
std::vector<std::array<D2, 2>> circle_intersections(int dyads, const D2& angle) {
  std::vector<std::array<D2, 2>> points;
  D2 x = 2.0 * cos(angle), y = 2.0 * sin(angle);
  for (int i = 1; i <= dyads; ++i) {
    const D2 dx = 6.0 * i - x, dy = -y, square = dx * dx + dy * dy;
    const D2 across = sqrt(36.0 / square - 0.25);
    x = x + 0.5 * dx - across * dy;
    y = y + 0.5 * dy + across * dx;
    points.push_back({x, y});
  }
  return points;
}

// Position, velocity and acceleration to 1e-12 relative, as promised; the lengths are of 6 m, the speeds of 2 m/s.
TEST(GroupKinematics, ScalableFourBarEqualsCircleIntersectionAndItsDerivatives_OverTwoTurns) {
  GroupRun run(load("family:scalable-fourbar,dyads=5"));
  for (int k = 0; k <= 400; ++k) {
    const double t = 4.0 * std::numbers::pi * k / 400.0;
    ASSERT_FALSE(run.solve(t));
    const D2 angle(core::Dual<double>(0.5 * std::numbers::pi + t, 1.0), core::Dual<double>(1.0, 0.0));
    const auto expected = circle_intersections(5, angle);
    for (int i = 1; i <= 5; ++i) {
      const auto& [x, y] = expected[static_cast<std::size_t>(i - 1)];
      const std::string C = "coupler_" + std::to_string(i) + ".C.";
      const double tolerance = test::tolerance_scale() * 6e-12;
      ASSERT_NEAR(run.value(C + "x"), x.value.value, tolerance) << i << " " << t;
      ASSERT_NEAR(run.value(C + "y"), y.value.value, tolerance);
      ASSERT_NEAR(run.value(C + "vx"), x.value.derivative, tolerance);
      ASSERT_NEAR(run.value(C + "vy"), y.value.derivative, tolerance);
      ASSERT_NEAR(run.value(C + "ax"), x.derivative.derivative, tolerance);
      ASSERT_NEAR(run.value(C + "ay"), y.derivative.derivative, tolerance);
    }
  }
}

class PlanarModel : public testing::TestWithParam<std::string> {};

TEST_P(PlanarModel, GroupsMoveAsTheGlobalMethodDoes) {
  GroupRun run(load(GetParam()));
  test::DrivenRun global(run.mechanism, 2.0, "sparse", "natural");
  for (int k = 0; k <= 200; ++k) {
    const double t = 0.01 * k;
    if (k > 0) {
      ASSERT_TRUE(global.advance_to(t));
    }
    ASSERT_FALSE(run.solve(t)) << t;
    for (std::size_t b = 1; b < run.bodies.size(); ++b) {
      const coordinates::BodyMotion &is = run.bodies[b], &should = global.bodies[b];
      // Speeds go up to 60 rad/s, accelerations with their square; the global rates are good to some 1e-13 of the largest.
      ASSERT_LE((is.X_WB.p_AB_A - should.X_WB.p_AB_A).norm(), 1e-12);
      ASSERT_LE((is.X_WB.R_AB.matrix() - should.X_WB.R_AB.matrix()).norm(), 1e-12);
      ASSERT_LE((is.w_WB_W - should.w_WB_W).norm(), 1e-11 * (1.0 + should.w_WB_W.norm()));
      ASSERT_LE((is.v_WB_W - should.v_WB_W).norm(), 1e-11 * (1.0 + should.v_WB_W.norm()));
      ASSERT_LE((is.alpha_WB_W - should.alpha_WB_W).norm(), 1e-10 * (1.0 + should.alpha_WB_W.norm()));
      ASSERT_LE((is.a_WB_W - should.a_WB_W).norm(), 1e-10 * (1.0 + should.a_WB_W.norm()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PlanarModel,
                         testing::Values("fourbar-testbed", "slider-crank", "pairs/scotch-yoke",
                                         "pairs/whitworth", "pairs/arc-four-bar", "pairs/cycloid",
                                         "pairs/cam-roller", "pairs/cam-flat", "pairs/cam-rocker",
                                         "pairs/involute-teeth", "watt-sixbar", "stephenson-sixbar",
                                         "five-bar", "family:scalable-fourbar,dyads=17"),
                         [](const auto& model) { return test::test_name(model.param); });

/// Two driven cranks and a dyad between them; `sign` of the start chooses the branch.
std::string dyad_file(const std::string& outer_one, const std::string& inner, const std::string& outer_two,
                      const std::string& start) {
  return R"(mechanism: dyad
plane: xy
ground: {points: {A: [0, 0], B: [2, 0.1]}}
bodies:
  left:  {points: {O: [0, 0], P: [0.5, 0.2]}}
  right: {points: {O: [0, 0], P: [0.6, -0.1]}}
  one:   {points: {P: [0.1, 0.2], C: [1.4, 0.3]}}
  two:   {points: {P: [-0.2, 0.1], C: [1.3, -0.2]}}
joints:
  A: {revolute: [ground.A, left.O]}
  B: {revolute: [ground.B, right.O]}
  J1: )" +
         outer_one + "\n  J: " + inner + "\n  J2: " + outer_two + R"(
drivers: {left_motor: {joint: A, speed: 1 rad/s, start: 1.2}, right_motor: {joint: B, speed: 0.7 rad/s, start: 1.9}}
assembly: {)" +
         start + "}\n";
}

struct DyadCase {
  std::string name;
  std::string file;
};

void PrintTo(const DyadCase& c, std::ostream* out) { *out << c.name; }

std::vector<DyadCase> dyad_cases() {
  const std::string pin_one = "{revolute: [left.P, one.P]}", pin_two = "{revolute: [right.P, two.P]}";
  const std::string pin = "{revolute: [one.C, two.C]}";
  const std::string slide = "{prismatic: [one.C, two.C], axis: {first: [1, 0.3], second: [1, -0.2]}}";
  const std::string guide = "{prismatic: [right.P, two.P], axis: {first: [0.2, 1], second: [1, 0.4]}}";
  const std::string left_guide = "{prismatic: [left.P, one.P], axis: {first: [1, 0.1], second: [0.3, 1]}}";
  return {{"RRR_left", dyad_file(pin_one, pin, pin_two, "one.angle: 0.9, two.angle: 2.2")},
          {"RRR_right", dyad_file(pin_one, pin, pin_two, "one.angle: -0.6, two.angle: -2.4")},
          {"RPR_out", dyad_file(pin_one, slide, pin_two, "one.angle: -0.3, two.angle: 0.2")},
          {"RPR_in", dyad_file(pin_one, slide, pin_two, "one.angle: 2.8, two.angle: 3.3")},
          {"PRP", dyad_file(left_guide, pin, guide, "left.angle: 1.2")},
          {"RPP", dyad_file(pin_one, slide, guide, "left.angle: 1.2")},
          {"RRP_ahead", dyad_file(pin_one, pin, guide, "one.angle: 0.9")},
          {"RRP_behind", dyad_file(pin_one, pin, guide, "one.angle: -0.9")}};
}

/// Near a toggle rates grow without bound: unit speeds of the outer links become these.
bool is_near_toggle(const std::vector<PlanarLink>& links, const structure::StructuralGroup& group) {
  return std::ranges::any_of(group.links, [&](const structure::LinkIndex link) {
    const PlanarLink& l = links[link.slot()];
    return std::abs(l.w) > 20.0 || std::abs(l.alpha) > 400.0 || std::hypot(l.v.x, l.v.y) > 1e4;
  });
}

class EveryDyad : public testing::TestWithParam<DyadCase> {};

// The two sides share no formula: circles and lines on the one, Newton on constraint rows on the other.
TEST_P(EveryDyad, ClosedFormEqualsTheGeneralSolver_ForRandomMotionsOfTheOuterLinks) {
  GroupRun run(io::read_mechanism(GetParam().file, "dyad.yaml"));
  ASSERT_EQ(run.groups.num_groups(), 3u);
  ASSERT_TRUE(run.groups.is_closed_form(2));
  const coordinates::KinematicTree tree(run.mechanism, run.structure);
  const coordinates::CoupledCoordinates coupled(run.mechanism);  // none
  const PlanarGroupContext context{
      run.mechanism, run.structure, tree, run.driven.prescribed(), run.groups.start().links,
      run.inputs,    coupled,       {}};
  const auto general = make_general_group(context, run.structure.groups[2]);
  ASSERT_NE(general, nullptr);
  GroupScratch scratch;
  core::Rng rng(7);
  const auto number = [&](double size) { return size * (2.0 * rng.uniform() - 1.0); };
  int solved = 0;
  for (int k = 0; k < 100'000; ++k) {
    std::vector<PlanarLink> links = run.groups.start().links;
    GroupBranch branch = run.groups.start().branches[2], general_branch = kNearestBranch;
    for (const char* name : {"left", "right"}) {
      const auto body = std::get<model::BodyIndex>(*run.mechanism.find(name));
      PlanarLink& link = links[static_cast<std::size_t>(tree.link_of(body))];
      const double angle = number(3.0);
      link.u = {std::cos(angle), std::sin(angle)};
      link.p = link.p + PlanarVector{number(0.3), number(0.3)};
      link.v = {number(1.0), number(1.0)};
      link.a = {number(1.0), number(1.0)};
      link.w = number(2.0);
      link.alpha = number(2.0);
    }
    const PlanarGroupSolver& closed = run.groups.solver(2);
    const std::vector<PlanarLink> begin = links;
    if (closed.solve(run.inputs, branch, links, scratch) != GroupStatus::kSolved) continue;
    if (is_near_toggle(links, run.structure.groups[2])) continue;
    if (k % 64 == 0) {
      ASSERT_LT(test::difference_when_written(closed, run.inputs, branch, begin, links), 1e-11) << k;
    }
    std::vector<PlanarLink> other = links;
    for (const structure::LinkIndex link : run.structure.groups[2].links) {
      PlanarLink& l = other[link.slot()];
      l.p = l.p + PlanarVector{number(1e-3), number(1e-3)};
      l.u = product(l.u, {std::cos(1e-3), std::sin(1e-3)});
      l.v = l.a = {};
      l.w = l.alpha = 0.0;
    }
    ASSERT_EQ(general->solve(run.inputs, general_branch, other, scratch), GroupStatus::kSolved) << k;
    ++solved;
    for (const structure::LinkIndex link : run.structure.groups[2].links) {
      const PlanarLink &is = links[link.slot()], &should = other[link.slot()];
      // Sliding joints of nearly parallel lines go far and fast; what counts is the error beside that.
      const double far = 1.0 + std::abs(should.p.x) + std::abs(should.p.y);
      const double fast = far + should.w * should.w + std::abs(should.v.x) + std::abs(should.v.y);
      const double size = fast + std::abs(should.alpha) + std::abs(should.a.x) + std::abs(should.a.y);
      ASSERT_NEAR(is.p.x, should.p.x, 1e-11 * far);
      ASSERT_NEAR(is.p.y, should.p.y, 1e-11 * far);
      ASSERT_NEAR(is.u.x, should.u.x, 1e-11);
      ASSERT_NEAR(is.w, should.w, 1e-10 * fast);
      ASSERT_NEAR(is.v.x, should.v.x, 1e-10 * fast);
      ASSERT_NEAR(is.alpha, should.alpha, 1e-9 * size);
      ASSERT_NEAR(is.a.x, should.a.x, 1e-9 * size);
      ASSERT_NEAR(is.a.y, should.a.y, 1e-9 * size);
    }
  }
  EXPECT_GT(solved, 10'000);
}

INSTANTIATE_TEST_SUITE_P(Dyads, EveryDyad, testing::ValuesIn(dyad_cases()),
                         [](const auto& dyad) { return dyad.param.name; });

TEST(GroupKinematics, OutOfReachNamesTheGroup) {
  GroupRun run(load("family:scalable-fourbar,dyads=3"));
  ASSERT_FALSE(run.solve(0.0));
  // The first dyad cannot close when the crank's pin is carried 20 m away.
  run.at.links[run.structure.groups[0].links[0].slot()].p.x = 20.0;
  EXPECT_EQ(run.groups.solver(1).solve(run.inputs, run.at.branches[1], run.at.links, run.workspace[1]),
            GroupStatus::kOutOfReach);
}

}  // namespace
}  // namespace eslabon::kinematics
