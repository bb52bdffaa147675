#include "eslabon/estimation/mechanism/position_prior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "tests/allocation_counter.hpp"
#include "tests/dynamic_case.hpp"
#include "tests/four_bar_closed_form.hpp"
#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/assembly/branch.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kPi = std::numbers::pi;
constexpr int kDraws = 20000;
// Kolmogorov's distribution: √N D is larger once in 10⁵.
constexpr double kLargestKolmogorov = 2.47;
// Counts are this many deviations off once in 10⁵.
constexpr double kLargestDeviations = 4.42;

struct PriorCase {
  explicit PriorCase(const std::string& name, const std::vector<std::string>& freedoms = {},
                     const PositionPriorOptions& options = {})
      : c(test::load_released(name)), prior(c.model, freedoms, options) {}
  std::vector<DrawnPosition> draws(int count, std::uint64_t seed) {
    std::vector<DrawnPosition> list(static_cast<std::size_t>(count), prior.make_position());
    core::Rng rng(seed);
    for (DrawnPosition& position : list) EXPECT_TRUE(prior.draw(rng, position));
    return list;
  }
  Index column(const std::string& name) const {
    const auto& all = prior.motion().system().coordinates();
    return std::ranges::find(all, name, &coordinates::Coordinate::name) - all.begin();
  }

  test::DynamicCase c;
  PositionPrior prior;
};

/// √N times the largest distance of the distribution of these numbers from the uniform one on [lower, upper].
double kolmogorov(std::vector<double> values, double lower, double upper) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double part = (values[i] - lower) / (upper - lower);
    distance = std::max({distance, std::abs(part - static_cast<double>(i) / n),
                         std::abs(static_cast<double>(i + 1) / n - part)});
  }
  return std::sqrt(n) * distance;
}

/// How many deviations `count` of `total` fair coins is off.
double unfairness(long count, long total) {
  return std::abs(2.0 * static_cast<double>(count) - static_cast<double>(total)) /
         std::sqrt(static_cast<double>(total));
}

// analytic: where the other bars are, by trigonometry.
TEST(PositionPrior, IsUniformOverTheTurnOfACrank_WithBothBranchesAlike) {
  PriorCase s("fourbar-double-crank");
  std::vector<double> angles;
  long open = 0;
  for (const DrawnPosition& drawn : s.draws(kDraws, 1)) {
    angles.push_back(drawn.q[s.column("A.q")]);
    const double output = drawn.q[s.column("B.q")];
    double nearest = 1.0;
    for (const bool is_open : {false, true}) {
      const test::FourBarMotion m = test::four_bar_motion(2.0, 4.0, 3.0, 4.0, angles.back(), 1.0, is_open);
      const double miss = std::abs(std::remainder(m.psi - output, 2.0 * kPi));
      if (miss < 1e-10) {
        open += is_open ? 1 : 0;
        EXPECT_NEAR(drawn.R(s.column("B.q"), 0), m.psi_dot, 1e-9);
      }
      nearest = std::min(nearest, miss);
    }
    EXPECT_LE(nearest, 1e-10);
  }
  EXPECT_LE(kolmogorov(angles, -kPi, kPi), kLargestKolmogorov);
  EXPECT_LE(unfairness(open, kDraws), kLargestDeviations);
  EXPECT_EQ(s.prior.num_branches_seen(), 2);
  EXPECT_EQ(s.prior.reached_part(), 1.0);
}

// analytic: the swing of a rocker by the law of cosines, where crank and coupler are in line.
void expect_uniform_swing(const PositionPriorOptions& options) {
  PriorCase s("fourbar-crank-rocker", {"B.q"}, options);  // ground 4, crank 2, coupler 3, rocker 4
  const auto swing = [](double diagonal) { return std::acos((32.0 - diagonal * diagonal) / 32.0); };
  const double least = swing(3.0 - 2.0), most = swing(3.0 + 2.0);
  std::vector<double> angles, ends;
  long above = 0, side = 0, ends_side = 0;
  for (const DrawnPosition& drawn : s.draws(kDraws, 2)) {
    const double rocker = drawn.q[s.column("B.q")];  // the other pivot is at −x
    const double from_ground = kPi - std::abs(rocker);
    ASSERT_GE(from_ground, least - 1e-12);
    ASSERT_LE(from_ground, most + 1e-12);
    angles.push_back(from_ground);
    const bool is_above = rocker > 0.0, is_one_side = std::sin(drawn.q[s.column("P1.q")]) > 0.0;
    above += is_above ? 1 : 0;
    side += is_above == is_one_side ? 1 : 0;
    if (std::min(from_ground - least, most - from_ground) > 0.02) continue;
    ends.push_back(std::min(from_ground - least, most - from_ground));
    ends_side += is_above == is_one_side ? 1 : 0;
  }
  EXPECT_LE(kolmogorov(angles, least, most), kLargestKolmogorov);
  EXPECT_LE(unfairness(above, kDraws), kLargestDeviations);
  EXPECT_LE(unfairness(side, kDraws), kLargestDeviations);
  // The ends themselves, some cells wide.
  const auto number = static_cast<double>(ends.size());
  EXPECT_NEAR(number, kDraws * 0.04 / (most - least), kLargestDeviations * std::sqrt(number));
  EXPECT_LE(kolmogorov(ends, 0.0, 0.02), kLargestKolmogorov);
  EXPECT_LE(unfairness(ends_side, static_cast<long>(ends.size())), kLargestDeviations);
}

TEST(PositionPrior, IsUniformOverTheSwingOfARocker_UpToItsEnds) {
  expect_uniform_swing({});
  expect_uniform_swing({.cells = 24, .tries = 5});  // ends in the middle of cells
}

TEST(PositionPrior, IsUniformOverTheWayOfASlider_OnBothSidesOfTheCrank) {
  PriorCase s("slider-crank", {"guide.q"});  // crank 50 mm, rod 175 mm
  std::vector<double> places;
  long right = 0, up = 0;
  for (const DrawnPosition& drawn : s.draws(kDraws, 3)) {
    const double place = drawn.q[s.column("guide.q")];
    places.push_back(std::abs(place));
    right += place > 0.0 ? 1 : 0;
    up += std::sin(drawn.q[s.column("O.q")]) > 0.0 ? 1 : 0;
  }
  EXPECT_LE(kolmogorov(places, 0.125, 0.225), kLargestKolmogorov);
  EXPECT_LE(unfairness(right, kDraws), kLargestDeviations);
  EXPECT_LE(unfairness(up, kDraws), kLargestDeviations);
}

TEST(PositionPrior, IsUniformOverBothFreedomsOfAFiveBar) {
  PriorCase s("fivebar");
  constexpr int kBins = 8;
  std::vector<double> left, right;
  std::vector<long> bins(kBins * kBins, 0);
  long above = 0;
  for (const DrawnPosition& drawn : s.draws(kDraws, 4)) {
    left.push_back(drawn.q[s.column("A.q")]);
    right.push_back(drawn.q[s.column("E.q")]);
    const auto bin = [](double angle) {
      return std::min(kBins - 1, static_cast<int>((angle + kPi) / (2.0 * kPi) * kBins));
    };
    ++bins[static_cast<std::size_t>(bin(left.back()) * kBins + bin(right.back()))];
    // The couplers of 0.5 m meet: C above or below the line of the pins.
    const double to_left = left.back() + drawn.q[s.column("B.q")],
                 to_right = right.back() + drawn.q[s.column("D.q")];
    const Eigen::Vector2d B(0.2 * std::cos(left.back()), 0.2 * std::sin(left.back()));
    const Eigen::Vector2d D(0.5 + 0.2 * std::cos(right.back()), 0.2 * std::sin(right.back()));
    const Eigen::Vector2d C = B + 0.5 * Eigen::Vector2d(std::cos(to_left), std::sin(to_left));
    EXPECT_LE((C - D - 0.5 * Eigen::Vector2d(std::cos(to_right), std::sin(to_right))).norm(), 1e-12);
    above += (D - B).x() * (C - B).y() - (D - B).y() * (C - B).x() > 0.0 ? 1 : 0;
  }
  EXPECT_LE(kolmogorov(left, -kPi, kPi), kLargestKolmogorov);
  EXPECT_LE(kolmogorov(right, -kPi, kPi), kLargestKolmogorov);
  EXPECT_LE(unfairness(above, kDraws), kLargestDeviations);
  double chi_square = 0.0;
  const double expected = static_cast<double>(kDraws) / (kBins * kBins);
  for (const long count : bins) chi_square += std::pow(static_cast<double>(count) - expected, 2) / expected;
  EXPECT_LE(chi_square,
            63.0 + kLargestDeviations * std::sqrt(126.0) + 10.0);  // 63 degrees; the tail is heavier
  EXPECT_EQ(s.prior.num_branches_seen(), 2);
}

// crosscheck: constraints in other coordinates, and the directions of another solver.
TEST(PositionPrior, DrawsPositionsThatClose_InOtherCoordinatesToo) {
  for (const char* name : {"fourbar-double-crank", "slider-crank", "fivebar", "watt-sixbar",
                           "double-wishbone", "quarter-vehicle", "rssr"}) {
    PriorCase s(name);
    const coordinates::ConstraintSystem other("reference-point", s.c.mechanism, s.c.structure, {});
    const auto n = static_cast<std::size_t>(other.num_coordinates());
    std::vector<double> q(n), v(n), a(n), rest(static_cast<std::size_t>(s.prior.num_coordinates()), 0.0);
    coordinates::MechanismMotion bodies(s.c.mechanism.bodies().size());
    coordinates::BodiesWorkspace workspace;
    coordinates::PositionLevel level;
    std::vector<std::string> freedoms;
    for (const FreedomRange& range : s.prior.ranges()) freedoms.push_back(range.name);
    dynamics::ReducedMotion motion(s.c.model, {}, dynamics::ReducedMotion::Use::kKinematics, freedoms);
    dynamics::ReducedPoint point = motion.start();
    for (const DrawnPosition& drawn : s.draws(200, 5)) {
      const std::span<const double> drawn_q(drawn.q.data(), rest.size());
      s.prior.motion().system().evaluate_bodies(drawn_q, rest, rest, workspace, bodies);
      other.read_bodies(bodies, {q, v, a});
      other.evaluate_positions(q, {}, level);
      EXPECT_LE(level.Phi.cwiseAbs().maxCoeff(), 1e-12) << name;
      point.q.assign(drawn_q.begin(), drawn_q.end());
      motion.read_freedoms(point);
      ASSERT_EQ(motion.follow(0.0, point, point), dynamics::ReducedStatus::kSolved) << name;
      EXPECT_LE((point.R - drawn.R).norm(), 1e-9 * (1.0 + drawn.R.squaredNorm())) << name;
      EXPECT_EQ(drawn.s.norm(), 0.0);
    }
  }
}

// crosscheck: branches found with a driver, by another solver in other coordinates.
TEST(PositionPrior, KnowsAsManyPositionsAsThereAreBranches) {
  for (const char* name : {"slider-crank", "watt-sixbar", "stephenson-sixbar", "fourbar-testbed"}) {
    const model::Mechanism driven =
        io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
    ASSERT_EQ(driven.drivers().size(), 1u) << name;
    const structure::Structure structure = structure::analyse_structure(driven);
    const kinematics::AssemblyReport assembly = kinematics::assemble(driven, structure);
    const std::size_t expected = kinematics::find_branches(driven, structure, assembly, 400).size();
    const std::string freedom =
        driven.joint(std::get<model::JointIndex>(driven.drivers()[0].target.element)).name + ".q";
    PriorCase s(name, {freedom});
    const VectorXd z = VectorXd::Constant(
        1,
        std::remainder(kinematics::value_of(driven, driven.drivers()[0].target, assembly.bodies), 2.0 * kPi));
    EXPECT_EQ(s.prior.positions_at(z).cols(), static_cast<Index>(expected)) << name;
  }
}

TEST(PositionPrior, IsTheSameForTheSameSeed_InAnyOrder) {
  PriorCase one("fourbar-crank-rocker", {"B.q"}), other("fourbar-crank-rocker", {"B.q"});
  DrawnPosition a = one.prior.make_position(), b = a;
  for (std::uint64_t i = 0; i < 200; ++i) {
    core::Rng forward(9, i), backward(9, 199 - i);
    ASSERT_TRUE(one.prior.draw(forward, a));
    ASSERT_TRUE(other.prior.draw(backward, b));
    core::Rng again(9, i);
    ASSERT_TRUE(other.prior.draw(again, b));
    EXPECT_TRUE(a.q == b.q && a.R == b.R);
    EXPECT_EQ(forward.position(), again.position());
  }
}

TEST(PositionPrior, KeepsDriversWhereTheyAre_AtTheTimeThatIsAsked) {
  const model::Mechanism mechanism = model::without_drivers(
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/five-bar.yaml", {}), {"knee"});
  test::DynamicCase c(mechanism);
  PositionPrior prior(c.model, {"E.q"});
  DrawnPosition drawn = prior.make_position();
  core::Rng rng(1);
  for (const double t : {0.0, 0.7}) {
    prior.at(t);
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(prior.draw(rng, drawn));
      const auto& all = prior.motion().system().coordinates();
      const Index A = std::ranges::find(all, "A.q", &coordinates::Coordinate::name) - all.begin();
      EXPECT_NEAR(drawn.q[A], 0.5 * kPi + 2.0 * kPi * t, 1e-12);  // 60 rpm from 90°
      EXPECT_NEAR(drawn.s[A], 2.0 * kPi, 1e-12);
      EXPECT_EQ(drawn.R(A, 0), 0.0);
    }
  }
}

constexpr const char* kSlider = R"(
mechanism: slider
plane: xy
ground: {points: {O: [0, 0], Q: [2, 0]}}
bodies: {block: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}}}
joints: {J: {prismatic: [ground.O, block.P], axis: [1, 0]}}
stops: {buffer: {joint: J, lower: -0.2 m, upper: 0.6 m, stiffness: 1000 N/m}}
)";

TEST(PositionPrior, EndsAtStops_AndALittleBeyondSoftOnes) {
  test::DynamicCase c(io::read_mechanism(kSlider, "slider.yaml"));
  for (const double depth : {0.0, 0.05}) {
    PositionPrior prior(c.model, {}, {.stop_depth = depth});
    DrawnPosition drawn = prior.make_position();
    core::Rng rng(1);
    std::vector<double> places;
    for (int i = 0; i < 5000; ++i) {
      ASSERT_TRUE(prior.draw(rng, drawn));
      places.push_back(drawn.q[0]);
    }
    const double more = depth * prior.motion().length();
    EXPECT_LE(kolmogorov(places, -0.2 - more, 0.6 + more), kLargestKolmogorov);
  }
}

constexpr const char* kBar = R"(
mechanism: bar
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {bar: {mass: 1, shape: {bar: [O, P]}, points: {O: [0, 0], P: [1, 0]}}}
joints: {J: {revolute: [ground.O, bar.O]}}
stops: {ends: {joint: J, lower: 200 deg, upper: 250 deg, stiffness: 1000 N*m/rad}}
assembly: {J.q: 225 deg}
)";

// Limits of angles lie beyond half a turn, where the angle of a joint does not.
TEST(PositionPrior, KnowsStopsBeyondHalfATurn) {
  test::DynamicCase c(io::read_mechanism(kBar, "bar.yaml"));
  PositionPrior prior(c.model, {}, {.stop_depth = 0.0});
  DrawnPosition drawn = prior.make_position();
  core::Rng rng(1);
  std::vector<double> angles;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(prior.draw(rng, drawn));
    angles.push_back(drawn.q[0] < 0.0 ? drawn.q[0] + 2.0 * kPi : drawn.q[0]);
  }
  EXPECT_LE(kolmogorov(angles, 200.0 / 180.0 * kPi, 250.0 / 180.0 * kPi), kLargestKolmogorov);
}

TEST(PositionPrior, DoesNotAllocate_WhileItDraws) {
  if (!test::kCanCountAllocations) GTEST_SKIP();
  for (const char* name : {"fourbar-crank-rocker", "fivebar", "quarter-vehicle"}) {
    PriorCase s(name, std::string(name) == "fourbar-crank-rocker" ? std::vector<std::string>{"B.q"}
                                                                  : std::vector<std::string>{});
    DrawnPosition drawn = s.prior.make_position();
    core::Rng rng(1);
    ASSERT_TRUE(s.prior.draw(rng, drawn));
    EXPECT_EQ(test::count_allocations([&] {
                for (int i = 0; i < 1000; ++i) ASSERT_TRUE(s.prior.draw(rng, drawn));
              }),
              0)
        << name;
  }
}

TEST(PositionPrior, SaysWhatIsWrongWithItsFreedoms) {
  test::DynamicCase c(test::load_released("fourbar-double-crank"));
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { PositionPrior(c.model, {"Z.q"}); }),
            "a degree of freedom that is not a coordinate [mechanism 'four-bar double crank']: expected one "
            "of 'A.q', "
            "'B.q' or 'P1.q', got 'Z.q'. Take one of those.");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] {
              PositionPrior(c.model, {"A.q", "B.q"});
            }),
            "the wrong number of degrees of freedom [mechanism 'four-bar double crank']: expected 1 "
            "coordinates, got 2. Name as many coordinates as the mechanism has degrees of freedom.");
}

}  // namespace
}  // namespace eslabon::estimation
