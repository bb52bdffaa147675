// Groups in space that have a closed form, against Newton on constraint rows, against the joints themselves, and both against
// central differences: for any motion of the links that a group hangs on.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/mechanism_sketch.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/rng.hpp"
#include "eslabon/io/mechanism_reader.hpp"
#include "eslabon/io/mechanism_writer.hpp"
#include "eslabon/kinematics/general_group.hpp"
#include "eslabon/kinematics/group_kinematics.hpp"

namespace eslabon::kinematics {
namespace {

using coordinates::CoordinateValue;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::JointType;
using test::sketch::Pair;
using test::sketch::Sketch;

/// Configurations of one case: what a test of every day can afford, or as many as the requirement asks for.
int num_configurations() { return std::getenv("ESLABON_FULL_SWEEPS") == nullptr ? 20'000 : 100'000; }

// ---- The groups ------------------------------------------------------------------------------------------------------

model::Mechanism with_motors(const Sketch& sketch, const std::vector<std::string>& joints) {
  const model::Mechanism mechanism = sketch.build();
  std::string drivers;
  for (const std::string& joint : joints)
    drivers += (drivers.empty() ? "" : ", ") + ("motor_" + joint) + ": {joint: " + joint + ", speed: 0.3}";
  return io::read_mechanism(io::write_mechanism(mechanism) + "\ndrivers: {" + drivers + "}\n",
                            mechanism.name());
}

/// A group behind links that a test moves as it likes.
struct GroupCase {
  std::string name;
  std::string type;  ///< StructuralGroup::type, or StructuralGroup::assur
  model::Mechanism mechanism;
  std::vector<std::string> outer;  ///< the links before the group
  std::vector<Vector3d> held;      ///< of each, the point whose motion is given, where it is at the start
  bool is_concurrent = false;      ///< that point is the same of all
};

void PrintTo(const GroupCase& c, std::ostream* out) { *out << c.name; }

Pair drawn(char letter, const Vector3d& p) {
  const Vector3d hinge = Vector3d(0.5, -0.4, 0.8).normalized(), u = Vector3d(1.0, 0.2, -0.3).normalized();
  switch (letter) {
    case 'R':
      return {JointType::kRevolute, p, hinge};
    case 'P':
      return {JointType::kPrismatic, p, hinge};
    case 'C':
      return {JointType::kUniversal, p, u, u.cross(Vector3d(0.3, 1.0, 0.4)).normalized()};
    default:
      return {JointType::kSpherical, p};
  }
}

/// Two driven links, and a dyad between them: its joints by their letters, from the left. `order`: of each joint, whether its
/// bodies are written the other way round.
GroupCase dyad(const std::string& type, const std::string& letters, const std::string& order) {
  Sketch sketch("dyad", model::Space::kSpatial);
  const std::array<Vector3d, 3> at{Vector3d(0.4, 0.2, 0.1), Vector3d(1.1, 0.9, 0.6),
                                   Vector3d(1.8, 0.1, -0.1)};
  sketch.join("A", "ground", "left",
              {JointType::kRevolute, {0.0, 0.0, 0.0}, Vector3d(0.2, 0.1, 1.0).normalized()});
  sketch.join("B", "ground", "right",
              {JointType::kRevolute, {2.2, -0.2, 0.3}, Vector3d(0.1, 1.0, 0.3).normalized()});
  const std::array<std::string, 4> bodies{"left", "one", "two", "right"};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_swapped = order[i] == 's';
    sketch.join("J" + std::to_string(i + 1), bodies[i + (is_swapped ? 1 : 0)],
                bodies[i + (is_swapped ? 0 : 1)], drawn(letters[i], at[i]));
  }
  return {letters + "_" + order, type, with_motors(sketch, {"A", "B"}), {"left", "right"}, {at[0], at[2]}};
}

std::vector<GroupCase> hinged_dyads() {
  std::vector<GroupCase> cases;
  for (const std::string h : {"R", "P"}) {
    const std::string one = "1C1E1" + h, two = "2E1" + h;
    // The hinge outside, C and then E inside; on the other side; the hinge inside.
    for (const std::string& letters : {h + "CE", h + "EC", "EC" + h, "CE" + h, "C" + h + "E", "E" + h + "C"})
      for (const char* order : {"fff", "sss"}) cases.push_back(dyad(one, letters, order));
    cases.push_back(dyad(one, h + "CE", "fsf"));
    cases.push_back(dyad(one, h + "EC", "ffs"));
    cases.push_back(dyad(one, "C" + h + "E", "sff"));
    for (const std::string& letters : {h + "EE", "E" + h + "E"})
      for (const char* order : {"fff", "sss"}) cases.push_back(dyad(two, letters, order));
    cases.push_back(dyad(two, "EE" + h, "fsf"));
  }
  return cases;
}

/// Five axes through one point.
GroupCase spherical_dyad(const std::string& order) {
  const Vector3d centre(0.1, 0.2, 0.3);
  const auto hinge = [&](double x, double y, double z, double away) {
    const Vector3d u = Vector3d(x, y, z).normalized();
    return Pair{JointType::kRevolute, Vector3d(centre + away * u), u};
  };
  Sketch sketch("spherical dyad", model::Space::kSpatial);
  sketch.join("A", "ground", "left", hinge(0.1, -0.2, 1.0, 0.6));
  sketch.join("B", "ground", "right", hinge(1.0, 0.1, 0.2, 0.7));
  const std::array<std::string, 4> bodies{"left", "one", "two", "right"};
  const std::array<Pair, 3> joints{hinge(0.2, 0.5, 1.0, 0.5), hinge(0.4, 1.0, 0.5, 0.8),
                                   hinge(1.0, 0.6, 0.3, 0.4)};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_swapped = order[i] == 's';
    sketch.join("J" + std::to_string(i + 1), bodies[i + (is_swapped ? 1 : 0)],
                bodies[i + (is_swapped ? 0 : 1)], joints[i]);
  }
  return {"RRR_" + order, "3R", with_motors(sketch, {"A", "B"}), {"left", "right"}, {centre, centre}, true};
}

GroupCase planar_dyad() {
  Sketch sketch("planar dyad", model::Space::kPlanar);
  const auto pin = [](double x, double y) { return Pair{JointType::kRevolute, {x, y, 0.0}}; };
  sketch.join("A", "ground", "left", pin(0.0, 0.0));
  sketch.join("B", "ground", "right", pin(2.2, -0.2));
  sketch.join("J1", "left", "one", pin(0.4, 0.2));
  sketch.join("J2", "one", "two", pin(1.1, 0.9));
  sketch.join("J3", "two", "right", pin(1.8, 0.1));
  return {"planar_RRR",
          "dyad RRR",
          with_motors(sketch, {"A", "B"}),
          {"left", "right"},
          {{0.4, 0.2, 0.0}, {1.8, 0.1, 0.0}}};
}

/// A driven link on a link that moves.
GroupCase driven_link(char letter, bool is_swapped) {
  Sketch sketch("driven link", model::Space::kSpatial);
  sketch.join("A", "ground", "left", drawn('R', {0.0, 0.0, 0.0}));
  const Vector3d at(0.4, 0.2, 0.1);
  Pair pair = drawn(letter, at);
  pair.u = Vector3d(0.3, 0.9, -0.2).normalized();
  sketch.join("J", is_swapped ? "one" : "left", is_swapped ? "left" : "one", pair);
  return {std::string(1, letter) + (is_swapped ? "_s" : "_f"),
          std::string("1") + letter,
          with_motors(sketch, {"A", "J"}),
          {"left"},
          {at}};
}

// ---- Running them ----------------------------------------------------------------------------------------------------

/// The last group of a mechanism with its closed form, if it has one, and its general solver.
template <class Link>
struct GroupBench {
  explicit GroupBench(const GroupCase& group_case)
      : mechanism(group_case.mechanism),
        structure(structure::analyse_structure(mechanism)),
        assembly(assemble(mechanism, structure)),
        driven(mechanism, structure, assembly, 1.0),
        groups(driven),
        tree(mechanism, structure),
        inputs(driven.prescribed().size()),
        start(groups.start().links) {
    driven.evaluate(0.0, inputs);
    general = make_general_group({mechanism, structure, tree, driven.prescribed(), start, inputs}, group());
    for (std::size_t i = 0; i < group_case.outer.size(); ++i) {
      const auto body = std::get<model::BodyIndex>(*mechanism.find(group_case.outer[i]));
      outer.push_back(static_cast<std::size_t>(tree.link_of(body)));
      const SpatialLink link = start[outer.back()].to_spatial();
      held.push_back(link.R.transpose() * (group_case.held[i] - link.p));
    }
  }
  const structure::StructuralGroup& group() const { return structure.groups.back(); }
  const GroupSolver<Link>& closed() const { return groups.solver(groups.num_groups() - 1); }

  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport assembly;
  DrivenMechanism driven;
  GroupKinematics<Link> groups;
  coordinates::KinematicTree tree;
  std::vector<CoordinateValue> inputs;
  std::vector<Link> start;
  std::unique_ptr<GroupSolver<Link>> general;
  std::vector<std::size_t> outer;  ///< links before the group
  std::vector<Vector3d> held;      ///< of each, in its frame: the point that is moved
  GroupScratch scratch;
};

/// Random numbers as the tests need them.
struct Dice {
  core::Rng rng;
  double number(double size) { return size * (2.0 * rng.uniform() - 1.0); }
  Vector3d vector(double size) { return {number(size), number(size), number(size)}; }
  Matrix3d turn(double size) {
    Vector3d axis = vector(1.0);
    while (axis.norm() < 0.1) axis = vector(1.0);
    return Eigen::AngleAxisd(number(size), axis.normalized()).toRotationMatrix();
  }
};

/// Any orientation and any rates; the held points near their start.
void move_outer_links(const GroupBench<SpatialLink>& bench, bool is_concurrent, Dice& dice,
                      std::vector<SpatialLink>& links) {
  SpatialPoint at;
  for (std::size_t i = 0; i < bench.outer.size(); ++i) {
    SpatialLink& link = links[bench.outer[i]];
    if (i == 0 || !is_concurrent)
      at = {link.position(bench.held[i]) + dice.vector(0.3), dice.vector(1.0), dice.vector(1.0)};
    link.R = dice.turn(3.0) * link.R;
    link.w = dice.vector(2.0);
    link.alpha = dice.vector(2.0);
    link.put_point(bench.held[i], at);
  }
}

/// The group's own links near where they are, at rest.
std::vector<SpatialLink> disturbed(const GroupBench<SpatialLink>& bench, Dice& dice,
                                   std::vector<SpatialLink> links) {
  for (const structure::LinkIndex own : bench.group().links) {
    SpatialLink& link = links[own.slot()];
    link.R = dice.turn(1e-3) * link.R;
    link.p += dice.vector(1e-3);
    link.w = link.v = link.alpha = link.a = Vector3d::Zero();
  }
  return links;
}

/// Near a toggle rates grow without bound: unit speeds of the outer links become these.
bool is_near_toggle(const GroupBench<SpatialLink>& bench, const std::vector<SpatialLink>& links) {
  return std::ranges::any_of(bench.group().links, [&](const structure::LinkIndex own) {
    const SpatialLink& link = links[own.slot()];
    return link.w.norm() > 20.0 || link.alpha.norm() > 400.0 || link.v.norm() > 20.0 || link.a.norm() > 400.0;
  });
}

/// How far open a joint is, from its own frames: 0 when it is closed [m] or [1].
double gap_of(const GroupBench<SpatialLink>& bench, model::JointIndex index,
              const std::vector<SpatialLink>& links) {
  const model::Joint& joint = bench.mechanism.joint(index);
  Vector3d p[2];
  Matrix3d R[2];
  for (std::size_t end = 0; end < 2; ++end) {
    const model::JointEnd& e = joint.ends[end];
    const SpatialLink& link = links[static_cast<std::size_t>(bench.tree.link_of(e.body))];
    p[end] = link.p + link.R * e.X_BF.p_AB_A;  // every link is one body
    R[end] = link.R * e.X_BF.R_AB.matrix();
  }
  const Vector3d across = p[1] - p[0];
  switch (joint.type) {
    case JointType::kRevolute:
      return std::max(across.norm(), (R[0].col(2) - R[1].col(2)).norm());
    case JointType::kPrismatic:
      return std::max(R[0].col(0).cross(across).norm(), (R[0] - R[1]).norm());
    case JointType::kUniversal:
      return std::max(across.norm(), std::abs(R[0].col(0).dot(R[1].col(1))));
    default:
      return across.norm();
  }
}

/// All joints of the group are closed, and its links are rotated, not deformed.
void expect_closed(const GroupBench<SpatialLink>& bench, const std::vector<SpatialLink>& links) {
  for (const model::JointIndex joint : bench.group().joints)
    ASSERT_LE(gap_of(bench, joint, links), test::tolerance_scale() * 1e-12)
        << bench.mechanism.joint(joint).name;
  for (const structure::LinkIndex own : bench.group().links) {
    const Matrix3d& R = links[own.slot()].R;
    ASSERT_LE((R.transpose() * R - Matrix3d::Identity()).norm(), test::tolerance_scale() * 1e-13);
    ASSERT_GT(R.determinant(), 0.0);
  }
}

void expect_same(const GroupBench<SpatialLink>& bench, const std::vector<SpatialLink>& actual,
                 const std::vector<SpatialLink>& expected) {
  const double scale = test::tolerance_scale();
  for (const structure::LinkIndex own : bench.group().links) {
    const SpatialLink &is = actual[own.slot()], &should = expected[own.slot()];
    // Beside speeds up to 20 and accelerations up to 400: the error is measured by them.
    const double fast = 1.0 + should.w.squaredNorm() + should.v.norm();
    const double size = fast + should.alpha.norm() + should.a.norm();
    ASSERT_LE((is.p - should.p).norm(), scale * 1e-11);
    ASSERT_LE((is.R - should.R).norm(), scale * 1e-11);
    ASSERT_LE((is.w - should.w).norm(), scale * 1e-10 * fast);
    ASSERT_LE((is.v - should.v).norm(), scale * 1e-10 * fast);
    ASSERT_LE((is.alpha - should.alpha).norm(), scale * 1e-9 * size);
    ASSERT_LE((is.a - should.a).norm(), scale * 1e-9 * size);
  }
}

/// Largest difference of the poses of the group's links.
double distance(const GroupBench<SpatialLink>& bench, const std::vector<SpatialLink>& a,
                const std::vector<SpatialLink>& b) {
  double largest = 0.0;
  for (const structure::LinkIndex own : bench.group().links) {
    const SpatialLink &one = a[own.slot()], &other = b[own.slot()];
    largest = std::max({largest, (one.p - other.p).norm(), (one.R - other.R).norm()});
  }
  return largest;
}

bool is_same_to_the_bit(const SpatialLink& a, const SpatialLink& b) {
  return a.R == b.R && a.p == b.p && a.w == b.w && a.v == b.v && a.alpha == b.alpha && a.a == b.a;
}

class SpatialDyad : public testing::TestWithParam<GroupCase> {
 protected:
  SpatialDyad() : bench(GetParam()) {}
  std::vector<GroupBranch> branches() const {
    return GetParam().is_concurrent ? std::vector<GroupBranch>{1, -1}
                                    : std::vector<GroupBranch>{1, -1, 2, -2};
  }
  /// The wanted branch alone, from links that tell nothing about it.
  bool solve_closed(GroupBranch wanted, std::vector<SpatialLink>& links) {
    GroupBranch branch = wanted;
    if (bench.closed().solve(bench.inputs, branch, links, bench.scratch) != GroupStatus::kSolved)
      return false;
    EXPECT_EQ(branch, wanted);
    return !is_near_toggle(bench, links);
  }
  GroupBench<SpatialLink> bench;
  Dice dice{core::Rng(11)};
};

TEST_P(SpatialDyad, HasAClosedFormAndAGeneralSolver) {
  EXPECT_EQ(bench.group().type, GetParam().type);
  EXPECT_EQ(bench.group().links.size(), 2u);
  EXPECT_TRUE(bench.groups.is_closed_form(bench.groups.num_groups() - 1));
  EXPECT_NE(bench.general, nullptr);
}

// The two sides share no formula: circles and lines on the one, Newton on constraint rows on the other.
TEST_P(SpatialDyad, ClosedFormEqualsTheGeneralSolver_OnEveryBranchForRandomMotionsOfTheOuterLinks) {
  std::vector<int> solved(branches().size(), 0);
  for (int k = 0; k < num_configurations(); ++k) {
    SCOPED_TRACE(k);
    std::vector<SpatialLink> links = bench.start;
    move_outer_links(bench, GetParam().is_concurrent, dice, links);
    const std::size_t which = dice.rng.uniform_index(solved.size());
    if (!solve_closed(branches()[which], links)) continue;
    ++solved[which];
    ASSERT_EQ(bench.closed().branch_at(bench.inputs, links, bench.scratch), branches()[which]);
    const std::vector<SpatialLink> begin = disturbed(bench, dice, links);

    std::vector<SpatialLink> newton = begin;
    GroupBranch general_branch = kNearestBranch;
    ASSERT_EQ(bench.general->solve(bench.inputs, general_branch, newton, bench.scratch),
              GroupStatus::kSolved);
    expect_same(bench, links, newton);
    ASSERT_EQ(bench.general->branch_at(bench.inputs, newton, bench.scratch), general_branch);
    if (general_branch != 0 && k % 16 == 0) {
      GroupBranch other = static_cast<GroupBranch>(-general_branch);
      newton = begin;
      ASSERT_NE(bench.general->solve(bench.inputs, other, newton, bench.scratch), GroupStatus::kSolved);
    }

    std::vector<SpatialLink> nearest = begin;
    GroupBranch branch = kNearestBranch;
    ASSERT_EQ(bench.closed().solve(bench.inputs, branch, nearest, bench.scratch), GroupStatus::kSolved);
    ASSERT_EQ(branch, branches()[which]);
    for (const structure::LinkIndex own : bench.group().links)
      ASSERT_TRUE(is_same_to_the_bit(nearest[own.slot()], links[own.slot()]));
    if (HasFatalFailure()) return;
  }
  for (std::size_t i = 0; i < solved.size(); ++i)
    EXPECT_GT(solved[i], num_configurations() / (20 * static_cast<int>(solved.size()))) << int{branches()[i]};
}

TEST_P(SpatialDyad, AllBranchesCloseAndDiffer_ForRandomPositionsOfTheOuterLinks) {
  int compared = 0;
  for (int k = 0; k < num_configurations(); ++k) {
    SCOPED_TRACE(k);
    std::vector<SpatialLink> begin = bench.start;
    move_outer_links(bench, GetParam().is_concurrent, dice, begin);
    std::vector<std::vector<SpatialLink>> found;
    for (const GroupBranch wanted : branches()) {
      std::vector<SpatialLink> links = begin;
      if (!solve_closed(wanted, links)) continue;
      expect_closed(bench, links);
      ASSERT_EQ(bench.closed().branch_at(bench.inputs, links, bench.scratch), wanted);
      for (const auto& other : found) {
        ASSERT_GT(distance(bench, links, other), 1e-3);
        ++compared;
      }
      found.push_back(std::move(links));
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, num_configurations() / 10);
}

std::vector<GroupCase> spatial_dyads() {
  std::vector<GroupCase> cases = hinged_dyads();
  for (const char* order : {"fff", "sss", "fsf", "sff"}) cases.push_back(spherical_dyad(order));
  return cases;
}

std::string name_of(const testing::TestParamInfo<GroupCase>& info) { return info.param.name; }

// Axes that no longer meet leave no position: three rows that repeated others do not any more.
TEST(SphericalDyad, IsOutOfReachWhenTheOuterAxesNoLongerMeet) {
  GroupBench<SpatialLink> bench(spherical_dyad("fff"));
  std::vector<SpatialLink> links = bench.start;
  links[bench.outer[1]].p += Vector3d(1e-3, 2e-3, -1e-3);
  GroupBranch branch = kNearestBranch;
  EXPECT_EQ(bench.closed().solve(bench.inputs, branch, links, bench.scratch), GroupStatus::kOutOfReach);
  links = bench.start;
  links[bench.outer[1]].p += Vector3d(1e-3, 2e-3, -1e-3);
  branch = kNearestBranch;
  EXPECT_EQ(bench.general->solve(bench.inputs, branch, links, bench.scratch), GroupStatus::kOutOfReach);
}

INSTANTIATE_TEST_SUITE_P(Types, SpatialDyad, testing::ValuesIn(spatial_dyads()), name_of);

// ---- Driven links ----------------------------------------------------------------------------------------------------

class SpatialDrivenLink : public testing::TestWithParam<GroupCase> {};

TEST_P(SpatialDrivenLink, ClosedFormEqualsTheGeneralSolver_ForRandomMotionsOfItsBaseAndInput) {
  GroupBench<SpatialLink> bench(GetParam());
  ASSERT_EQ(bench.group().type, GetParam().type);
  ASSERT_TRUE(bench.groups.is_closed_form(1));
  ASSERT_NE(bench.general, nullptr);
  Dice dice{core::Rng(12)};
  const int input = bench.group().inputs[0];
  const std::size_t own = bench.group().links[0].slot();
  for (int k = 0; k < num_configurations(); ++k) {
    SCOPED_TRACE(k);
    std::vector<SpatialLink> links = bench.start;
    move_outer_links(bench, false, dice, links);
    bench.inputs[static_cast<std::size_t>(input)] = {dice.number(3.0), dice.number(2.0), dice.number(2.0)};
    GroupBranch branch = kNearestBranch;
    ASSERT_EQ(bench.closed().solve(bench.inputs, branch, links, bench.scratch), GroupStatus::kSolved);
    ASSERT_EQ(branch, 0);
    expect_closed(bench, links);
    std::vector<SpatialLink> newton = disturbed(bench, dice, links);
    ASSERT_EQ(bench.general->solve(bench.inputs, branch, newton, bench.scratch), GroupStatus::kSolved);
    expect_same(bench, links, newton);
    // The pose of the second frame in the first, by what the coordinate is.
    const model::Joint& joint = bench.mechanism.joint(bench.group().joints[0]);
    const std::size_t first = static_cast<std::size_t>(bench.tree.link_of(joint.first())),
                      second = first == own ? bench.outer[0] : own;
    const Matrix3d R_WF1 = links[first].R * joint.ends[0].X_BF.R_AB.matrix(),
                   R_WF2 = links[second].R * joint.ends[1].X_BF.R_AB.matrix();
    const Vector3d across =
        links[second].position(joint.ends[1].X_BF.p_AB_A) - links[first].position(joint.ends[0].X_BF.p_AB_A);
    const double q = bench.inputs[static_cast<std::size_t>(input)].position;
    if (joint.type == JointType::kRevolute) {
      ASSERT_NEAR(R_WF1.col(0).dot(R_WF2.col(0)), std::cos(q), test::tolerance_scale() * 1e-13);
      ASSERT_NEAR(R_WF1.col(1).dot(R_WF2.col(0)), std::sin(q), test::tolerance_scale() * 1e-13);
    } else {
      ASSERT_NEAR(R_WF1.col(0).dot(across), q, test::tolerance_scale() * 1e-13);
    }
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SpatialDrivenLink,
                         testing::Values(driven_link('R', false), driven_link('R', true),
                                         driven_link('P', false), driven_link('P', true)),
                         name_of);

// ---- Rates are derivatives -------------------------------------------------------------------------------------------

/// A smooth motion of a link:  R = exp(f a) exp(g b) R₀  with a fixed and b carried by the first turn, so that
///   ω = ḟ a + ġ b',   α = f̈ a + g̈ b' + ḟ a × ġ b',   b' = exp(f a) b                                         (1)
struct SmoothMotion {
  struct Wave {
    double size, rate, phase;
    CoordinateValue at(double t) const {
      const double s = std::sin(rate * t + phase), c = std::cos(rate * t + phase);
      return {size * s, size * rate * c, -size * rate * rate * s};
    }
  };
  Vector3d a, b;
  std::array<Wave, 2> turns;
  std::array<Wave, 3> shifts;

  SmoothMotion(Dice& dice, bool is_planar) {
    const auto wave = [&](double size) {
      return Wave{dice.number(size), 1.0 + dice.number(0.5), dice.number(3.0)};
    };
    a = is_planar ? Vector3d(Vector3d::UnitZ()) : dice.turn(3.0).col(0);
    b = is_planar ? Vector3d(Vector3d::UnitZ()) : dice.turn(3.0).col(0);
    for (Wave& turn : turns) turn = wave(1.5);
    for (Wave& shift : shifts) shift = wave(0.2);
    if (is_planar) shifts[2].size = 0.0;
  }

  SpatialPoint shifted(const Vector3d& from, double t) const {
    SpatialPoint at{from, Vector3d::Zero(), Vector3d::Zero()};
    for (int i = 0; i < 3; ++i) {
      const CoordinateValue shift = shifts[static_cast<std::size_t>(i)].at(t);
      at.p[i] += shift.position;
      at.v[i] = shift.velocity;
      at.a[i] = shift.acceleration;
    }
    return at;
  }
  SpatialLink turned(const SpatialLink& from, double t) const {
    const CoordinateValue f = turns[0].at(t), g = turns[1].at(t);
    const Matrix3d first = Eigen::AngleAxisd(f.position, a).toRotationMatrix();
    const Vector3d carried = first * b;
    SpatialLink link;
    link.R = first * Eigen::AngleAxisd(g.position, b).toRotationMatrix() * from.R;
    link.w = f.velocity * a + g.velocity * carried;
    link.alpha =
        f.acceleration * a + g.acceleration * carried + (f.velocity * g.velocity) * a.cross(carried);  // (1)
    return link;
  }
};

/// Follows the group along a smooth motion of its outer links, by one of its solvers.
template <class Link>
void expect_derivatives(const GroupCase& group_case, bool is_general, std::uint64_t seed) {
  GroupBench<Link> bench(group_case);
  ASSERT_NE(bench.general, nullptr);
  const std::string& name = bench.group().assur.empty() ? bench.group().type : bench.group().assur;
  ASSERT_EQ(name, group_case.type);
  const GroupSolver<Link>& solver = is_general ? *bench.general : bench.closed();
  Dice dice{core::Rng(seed)};
  const double h = test::central_step(1.0);
  constexpr double kRough =
      100.0;  // lengths of 2 m, speeds of 2 rad/s; third derivatives bring factors of their own
  int compared = 0;
  for (int k = 0; k < 2000; ++k) {
    std::vector<SmoothMotion> motions;
    for (std::size_t i = 0; i < bench.outer.size(); ++i)
      motions.emplace_back(dice, bench.mechanism.is_planar());
    const double t = dice.number(1.0);
    GroupBranch branch = kNearestBranch;
    const auto solve = [&](double time, std::vector<Link>& links) {
      for (std::size_t i = 0; i < bench.outer.size(); ++i) {
        const SpatialLink from = bench.start[bench.outer[i]].to_spatial();
        SpatialLink link = motions[i].turned(from, time);
        link.put_point(bench.held[i],
                       motions[group_case.is_concurrent ? 0 : i].shifted(group_case.held[i], time));
        links[bench.outer[i]] = Link::from_spatial(link);
      }
      return solver.solve(bench.inputs, branch, links, bench.scratch) == GroupStatus::kSolved;
    };
    std::vector<Link> at = bench.start;
    if (!solve(t, at)) continue;
    double fastest = 1.0;
    for (const structure::LinkIndex own : bench.group().links) {
      const SpatialLink link = at[own.slot()].to_spatial();
      fastest = std::max(
          {fastest, link.w.norm(), link.v.norm(), std::cbrt(link.alpha.norm()), std::cbrt(link.a.norm())});
    }
    if (fastest > 3.0) continue;
    std::vector<Link> behind = at, ahead = at;
    ASSERT_TRUE(solve(t - h, behind));
    ASSERT_TRUE(solve(t + h, ahead));
    ++compared;
    // At ε before a toggle positions go as ε, ε² being the time left, and their derivatives as ε⁻¹, ε⁻³, ε⁻⁵, ε⁻⁷.
    const double slow = test::central_tolerance(h, kRough * std::pow(fastest, 5.0));
    const double fast = test::central_tolerance(h, kRough * std::pow(fastest, 7.0));
    for (const structure::LinkIndex own : bench.group().links) {
      const SpatialLink is = at[own.slot()].to_spatial(), a = behind[own.slot()].to_spatial(),
                        b = ahead[own.slot()].to_spatial();
      for (int i = 0; i < 3; ++i)
        ASSERT_LE(((b.R.col(i) - a.R.col(i)) / (2.0 * h) - is.w.cross(is.R.col(i))).norm(), slow) << k;
      ASSERT_LE(((b.p - a.p) / (2.0 * h) - is.v).norm(), slow) << k;
      ASSERT_LE(((b.w - a.w) / (2.0 * h) - is.alpha).norm(), fast) << k;
      ASSERT_LE(((b.v - a.v) / (2.0 * h) - is.a).norm(), fast) << k;
    }
  }
  EXPECT_GT(compared, 100);
}

struct DerivativeCase {
  GroupCase group;
  bool is_general;
};

void PrintTo(const DerivativeCase& c, std::ostream* out) { *out << c.group.name; }

class GroupRates : public testing::TestWithParam<DerivativeCase> {};

TEST_P(GroupRates, EqualCentralDifferencesOfPositionsAndSpeeds_AlongSmoothMotionsOfTheOuterLinks) {
  const DerivativeCase& c = GetParam();
  if (c.group.mechanism.is_planar())
    expect_derivatives<PlanarLink>(c.group, c.is_general, 13);
  else
    expect_derivatives<SpatialLink>(c.group, c.is_general, 13);
}

std::vector<DerivativeCase> derivative_cases() {
  std::vector<DerivativeCase> cases;
  for (const bool is_general : {true, false})
    for (const GroupCase& group :
         {dyad("1C1E1R", "CRE", "fff"), dyad("1C1E1R", "REC", "sff"), dyad("1C1E1P", "CPE", "sff"),
          dyad("1C1E1P", "PCE", "fff"), dyad("2E1R", "REE", "fff"), dyad("2E1R", "ERE", "fff"),
          dyad("2E1P", "EPE", "fff"), spherical_dyad("fff"), planar_dyad()})
      cases.push_back({group, is_general});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Types, GroupRates, testing::ValuesIn(derivative_cases()), [](const auto& c) {
  return c.param.group.name + (c.param.is_general ? "_general" : "_closed");
});

}  // namespace
}  // namespace eslabon::kinematics
