#include "eslabon/dynamics/statics/equilibrium.hpp"

#include <cmath>
#include <numbers>

#include "tests/dynamic_case.hpp"
#include "tests/test_name.hpp"
#include "tests/tolerances.hpp"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/mass/energy.hpp"
#include "eslabon/dynamics/statics/equilibrium_search.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/kinematics/variable_value.hpp"

// Equilibria against closed forms, against potentials of one angle that are scanned here, against accelerations of the formulations, and
// against the laws that hold at any equilibrium: forces vanish, energy is stationary, the stiffness is its second derivative.
namespace eslabon::dynamics {
namespace {

using Drivers = FreedomChart::Drivers;
constexpr double kPi = std::numbers::pi;

/// A mechanism at rest and where it is at time t.
struct RestCase : test::DynamicCase {
  explicit RestCase(const std::string& text, double t = 0.0, std::string_view kind = "relative")
      : RestCase(io::read_mechanism(text, "test.yaml"), t, kind) {}
  explicit RestCase(const model::Mechanism& mechanism_, double t = 0.0, std::string_view kind = "relative")
      : DynamicCase(mechanism_), chart(model, Drivers::kHeld, kind) {
    EXPECT_EQ(chart.start(t, start), ChartStatus::kGood);
  }

  double value(const Equilibrium& at, const std::string& name) const {
    return kinematics::value_of(mechanism, model::find_variable(mechanism, name), at.bodies);
  }

  FreedomChart chart;
  State start;
};

std::string pendulum(const std::string& angle, const std::string& more = "") {
  return "mechanism: pendulum\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0], W: [3, 0]}}\n"
         "bodies: {bob: {mass: 2, inertia: 0.3, center_of_mass: P, points: {O: [0, 0], P: [0.7, 0]}}}\n"
         "joints: {O: {revolute: [ground.O, bob.O]}}\nassembly: {bob.angle: " +
         angle + "}\n" + more;
}

// --- one pendulum -------------------------------------------------------------------------------------------------------

TEST(Pendulum, FallsToItsLowestPosition) {
  for (const char* angle : {"0", "170 deg", "80 deg", "-100 deg"}) {
    RestCase c(pendulum(angle));
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_TRUE(report.usable()) << angle;
    const Equilibrium& at = *report.equilibrium;
    EXPECT_NEAR(c.value(at, "bob.angle"), -kPi / 2, test::roundoff(20, 1.0)) << angle;
    EXPECT_EQ(at.stability, Stability::kStable);
    const double square = 2 * 9.81 * 0.7 / (0.3 + 2 * 0.7 * 0.7);
    EXPECT_NEAR(*at.softest_square, square, 1e-10 * test::tolerance_scale() * square);
    EXPECT_NEAR(at.potential_energy, -2 * 9.81 * 0.7, test::roundoff(20, 14.0));
    EXPECT_LT(at.residual, 1e-15);
  }
}

TEST(Pendulum, StartedUprightItStaysThereAndIsUnstable) {
  RestCase c(pendulum("90 deg"));
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable());
  EXPECT_EQ(report.equilibrium->stability, Stability::kUnstable);
  EXPECT_LT(*report.equilibrium->softest_square, 0.0);
}

TEST(Pendulum, AllItsEquilibriaAreTwo) {
  RestCase c(pendulum("20 deg"));
  const EquilibriumSearch search = search_equilibria(c.chart, c.start, {});
  ASSERT_EQ(search.found.size(), 2u);
  EXPECT_TRUE(search.is_exhaustive);
  EXPECT_NEAR(c.value(search.found[0], "bob.angle"), -kPi / 2, 1e-14);
  EXPECT_NEAR(c.value(search.found[1], "bob.angle"), kPi / 2, 1e-14);
  EXPECT_EQ(search.found[1].stability, Stability::kUnstable);
}

TEST(Pendulum, TorqueHoldsItAtTheAngleOfStatics) {
  RestCase c(pendulum("-60 deg", "forces: {push: {body: bob, torque: 5 N*m}}\n"));
  const EquilibriumSearch search = search_equilibria(c.chart, c.start, {});
  const double angle = std::acos(5.0 / (2 * 9.81 * 0.7));  // torque = m g l cos(angle)
  ASSERT_EQ(search.found.size(), 2u);
  EXPECT_NEAR(c.value(search.found[0], "bob.angle"), -angle, 1e-14);
  EXPECT_EQ(search.found[0].stability, Stability::kStable);
  EXPECT_NEAR(c.value(search.found[1], "bob.angle"), angle, 1e-14);
  EXPECT_EQ(search.found[1].stability, Stability::kUnstable);
}

TEST(Pendulum, TorqueThatIsTooLargeLeavesNoEquilibrium) {
  RestCase c(pendulum("-60 deg", "forces: {push: {body: bob, torque: 15 N*m}}\n"));
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_FALSE(report.usable());
  // What is left is least where the weight helps most: at angle 0.
  EXPECT_EQ(report.pushed, "O.q");
  EXPECT_NEAR(report.force, 15 - 2 * 9.81 * 0.7, 1e-6);
  EXPECT_EQ(report.unit, "N m");
  EXPECT_THAT(core::to_sentence(report.error_text(c.mechanism)),
              testing::ContainsRegex(
                  "no equilibrium was found.*O.q = .*the unbalanced effort is still 1.266 N m, after"));
  EXPECT_TRUE(search_equilibria(c.chart, c.start, {}).found.empty());
}

TEST(Pendulum, ItIsLostWhereTheTorqueGrowsPastTheWeight) {
  // The fold, m g l = 13.734 N m: just below it there are two positions at ±√(2 δ), just above none.
  for (const double delta : {1e-3, 1e-6, -1e-6, -1e-3}) {
    const double torque = 2 * 9.81 * 0.7 * (1 - delta);
    RestCase c(pendulum("-60 deg", "forces: {push: {body: bob, torque: " + std::to_string(torque) + "}}\n"));
    const double cosine = std::stod(std::to_string(torque)) / (2 * 9.81 * 0.7);
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_EQ(report.usable(), cosine < 1.0) << delta;
    if (!report.usable()) continue;
    EXPECT_NEAR(c.value(*report.equilibrium, "bob.angle"), -std::acos(cosine), 1e-10 / std::sqrt(delta));
  }
}

TEST(Pendulum, CoilSpringWindsUpBeyondATurn) {
  // f = −k (q − q₀) − m g l cos q: roots by a scan of this function. Wound up by two turns; soft, with roots on both sides of the start.
  const double weight = 2 * 9.81 * 0.7;
  for (const auto& [k, q0] : {std::pair{3.0, 13.5}, std::pair{0.5, 0.4}}) {
    RestCase c(pendulum("20 deg", "springs: {coil: {joint: O, stiffness: " + core::number_text(k) +
                                      ", free_angle: " + core::number_text(q0) + " rad}}\n"));
    const auto f = [&](double q) { return -k * (q - q0) - weight * std::cos(q); };
    std::vector<double> roots;
    for (double q = -39.0; q < 39.0; q += 1e-3)
      if (f(q) * f(q + 1e-3) <= 0.0) {
        double left = q, right = q + 1e-3;
        for (int i = 0; i < 60; ++i) {
          const double middle = 0.5 * (left + right);
          (f(middle) * f(left) > 0.0 ? left : right) = middle;
        }
        roots.push_back(left);
      }
    const EquilibriumSearch search = search_equilibria(c.chart, c.start, {});
    EXPECT_FALSE(search.is_exhaustive);
    std::vector<double> found;
    for (const Equilibrium& at : search.found) found.push_back(at.state.memory.angles.at(0));
    std::ranges::sort(found);
    ASSERT_EQ(found.size(), roots.size()) << k;
    ASSERT_GE(roots.size(), 3u);
    for (std::size_t i = 0; i < roots.size(); ++i) EXPECT_NEAR(found[i], roots[i], 1e-12);
  }
}

// --- sliders, wheels, nothing -------------------------------------------------------------------------------------------

const char* const kSlider = R"(
mechanism: slider
plane: xy
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}
bodies: {mass: {mass: 3, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, 0]}}}
joints: {J: {prismatic: [ground.O, mass.P], axis: [ground.u, mass.u]}}
)";

TEST(Slider, ConstantForceWithoutASpringHasNoEquilibrium) {
  RestCase c(std::string(kSlider) + "forces: {push: {joint: J, force: 7 N}}\n");
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_FALSE(report.usable());
  EXPECT_EQ(report.pushed, "J.q");
  EXPECT_NEAR(report.force, 7.0, 1e-12);
  EXPECT_EQ(report.unit, "N");
}

TEST(Slider, SpringHoldsIt) {
  RestCase c(
      std::string(kSlider) +
      "forces: {push: {joint: J, force: 7 N}}\nsprings: {s: {joint: J, stiffness: 20, free_length: 0.1}}\n");
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable());
  EXPECT_NEAR(c.value(*report.equilibrium, "J.q"), 0.1 + 7.0 / 20.0, 1e-14);
  EXPECT_NEAR(*report.equilibrium->softest_square, 20.0 / 3.0, 1e-9);
}

TEST(Slider, LeftAloneItIsNeutralWhereItStands) {
  RestCase c(std::string(kSlider) + "assembly: {J.q: 0.4}\n");
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable());
  EXPECT_EQ(report.equilibrium->stability, Stability::kNeutral);
  EXPECT_NEAR(c.value(*report.equilibrium, "J.q"), 0.4, 1e-14);
  EXPECT_EQ(search_equilibria(c.chart, c.start, {}).found.size(), 1u);
}

TEST(QuarterVehicle, WheelSpinsFreelyAndTheArmRests) {
  RestCase c(test::load_released("quarter-vehicle"));
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable());
  const Equilibrium& at = *report.equilibrium;
  EXPECT_EQ(at.stability, Stability::kNeutral);  // the spin of the wheel
  EXPECT_NEAR(*at.softest_square, 0.0, 1e-9);
  EXPECT_LT(at.residual, 1e-14);
  // The file computes its free length so that it starts at rest.
  EXPECT_NEAR(c.value(at, "A.q"), 0.0, 1e-14);
  EXPECT_NEAR(c.value(at, "hub.q"), 0.0, 1e-14);
}

TEST(Freedoms, NoneIsAnError) {
  RestCase c(io::read_mechanism(pendulum("0", "drivers: {motor: {joint: O, position: 0.3}}\n"), "test.yaml"));
  try {
    static_cast<void>(find_equilibrium(c.chart, c.start));
    FAIL();
  } catch (const core::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("nothing can move"));
    EXPECT_THAT(error.what(), testing::HasSubstr("--release"));
  }
}

// --- freedoms of very different size ------------------------------------------------------------------------------------

/// A load of this mass on an arm of 10 m, and beside it a flap of this mass on an arm of 5 cm.
std::string load_and_flap(const std::string& load, const std::string& flap) {
  return "mechanism: flap\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0], P: [1, "
         "0]}}\nbodies:\n"
         "  load: {mass: " +
         load +
         ", inertia: 1, center_of_mass: [10, 0], points: {O: [0, 0]}}\n"
         "  flap: {mass: " +
         flap +
         ", inertia: 0, center_of_mass: [0.05, 0], points: {P: [0, 0]}}\n"
         "joints:\n  A: {revolute: [ground.O, load.O]}\n  F: {revolute: [ground.P, flap.P]}\n"
         "assembly: {A.q: -80 deg, F.q: -30 deg}\n";
}

TEST(LoadAndFlap, EachHangsWhateverTheOtherWeighs) {
  for (const auto& [load, flap] : {std::pair{"100000", "0.001"}, std::pair{"100000", "0.0002"},
                                   std::pair{"1000", "0.00001"}, std::pair{"0.00001", "1000"}}) {
    RestCase c(load_and_flap(load, flap));
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_TRUE(report.usable()) << flap;
    const Equilibrium& at = *report.equilibrium;
    EXPECT_NEAR(c.value(at, "A.q"), -kPi / 2, 1e-14) << flap;
    EXPECT_NEAR(c.value(at, "F.q"), -kPi / 2, 1e-14) << flap;
    EXPECT_EQ(at.stability, Stability::kStable) << flap;
    EXPECT_EQ(at.neutral.cols(), 0) << flap;
    const double m = std::stod(load), square = m * 9.81 * 10 / (1 + m * 100);
    ASSERT_TRUE(at.softest_square) << flap;
    EXPECT_NEAR(*at.softest_square, square, 1e-10 * test::tolerance_scale() * square) << flap;
  }
}

TEST(LoadAndFlap, HaveFourEquilibria) {
  RestCase c(load_and_flap("100000", "0.001"));
  const EquilibriumSearch search = search_equilibria(c.chart, c.start, {});
  ASSERT_EQ(search.found.size(), 4u);
  int stable = 0;
  for (const Equilibrium& at : search.found) {
    for (const char* name : {"A.q", "F.q"}) EXPECT_NEAR(std::abs(c.value(at, name)), kPi / 2, 1e-13);
    const bool hangs = c.value(at, "A.q") < 0 && c.value(at, "F.q") < 0;
    EXPECT_EQ(at.stability, hangs ? Stability::kStable : Stability::kUnstable);
    stable += hangs ? 1 : 0;
  }
  EXPECT_EQ(stable, 1);
}

TEST(LoadAndFlap, WithoutMassTheFlapIsNeutralWhereItStands) {
  std::string text = load_and_flap("100000", "0");
  const std::string mass = "mass: 0, inertia: 0, center_of_mass: [0.05, 0], ";
  RestCase c(text.erase(text.find(mass), mass.size()));
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable());
  EXPECT_NEAR(c.value(*report.equilibrium, "A.q"), -kPi / 2, 1e-14);
  EXPECT_NEAR(c.value(*report.equilibrium, "F.q"), -kPi / 6, 1e-14);
  EXPECT_EQ(report.equilibrium->stability, Stability::kNeutral);
  EXPECT_FALSE(report.equilibrium->softest_square);
}

// --- dampers that drive, kinks, rigid stops -----------------------------------------------------------------------------

TEST(NegativeDamping, IsUnstable) {
  for (const auto& [force, stability] :
       {std::pair{2, Stability::kUnstable}, std::pair{-2, Stability::kStable}}) {
    RestCase c(std::string(kSlider) +
               "springs: {s: {joint: J, stiffness: 100}}\ndampers: {d: {joint: J, table: "
               "[[-1 m/s, " +
               std::to_string(force) + " N], [1 m/s, " + std::to_string(-force) +
               " N]]}}\nassembly: {J.q: 0}\n");
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_TRUE(report.usable());
    EXPECT_EQ(report.equilibrium->stability, stability) << force;
  }
}

TEST(Kink, IsStableOnlyWhenBothSidesAre) {
  // Upright against a soft stop: held on one side, 100 − m g l, falls on the other, −m g l.
  RestCase c(pendulum("90 deg", "stops: {s: {joint: O, upper: 90 deg, stiffness: 100}}\n"));
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable());
  EXPECT_TRUE(report.equilibrium->has_kink);
  EXPECT_EQ(report.equilibrium->stability, Stability::kUnstable);
  EXPECT_NEAR(*report.equilibrium->softest_square, -2 * 9.81 * 0.7 / (0.3 + 0.98), 1e-5);
  // Hanging against one: stable on both sides.
  RestCase hanging(pendulum("-90 deg", "stops: {s: {joint: O, upper: -90 deg, stiffness: 100}}\n"));
  const EquilibriumReport both = find_equilibrium(hanging.chart, hanging.start);
  ASSERT_TRUE(both.usable());
  EXPECT_TRUE(both.equilibrium->has_kink);
  EXPECT_EQ(both.equilibrium->stability, Stability::kStable);
  EXPECT_NEAR(*both.equilibrium->softest_square, 2 * 9.81 * 0.7 / (0.3 + 0.98), 1e-5);
}

TEST(Kink, OfTwoFreedomsIsThatOfOneStop) {
  // A double pendulum, upright, whose upper bar's angle in the world is limited by a soft stop through both joints' coordinates.
  const std::string text =
      "mechanism: double pendulum\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\nbodies:\n"
      "  a: {mass: 2, inertia: 0.1, center_of_mass: [0.4, 0], points: {O: [0, 0], E: [1, 0]}}\n"
      "  b: {mass: 1, inertia: 0.05, center_of_mass: [0.5, 0], points: {O: [0, 0], E: [1, 0]}}\n"
      "joints:\n  A: {revolute: [ground.O, a.O]}\n  B: {revolute: [a.E, b.O]}\n"
      "springs: {s: {joint: A, stiffness: 100, free_angle: 90 deg}, u: {joint: B, stiffness: 100}}\n"
      "stops: {limit: {point: b.E.x, upper: 0, stiffness: 500}}\nassembly: {a.angle: 90 deg, b.angle: 90 "
      "deg}\n";
  RestCase c(text);
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable());
  EXPECT_TRUE(report.equilibrium->has_kink);
  EXPECT_EQ(report.equilibrium->stability, Stability::kStable);
  // Without the stop, K in absolute angles is [200 − 9.81·1.8, −100; −100, 100 − 9.81·0.5]: the softer side.
  Eigen::Matrix2d M, K;
  M << 0.1 + 2 * 0.16 + 1.0, 0.5, 0.5, 0.3;
  K << 200 - 9.81 * 1.8, -100, -100, 100 - 9.81 * 0.5;
  const double square = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(K, M).eigenvalues()[0];
  EXPECT_NEAR(*report.equilibrium->softest_square, square, 1e-4 * square);
}

TEST(RigidStop, ThatIsTouchedOrPassedIsTold) {
  for (const auto& [limit, stop, is_beyond] :
       {std::tuple{"-120 deg", "", false}, std::tuple{"-90 deg", "stop 's'", false},
        std::tuple{"-80 deg", "stop 's'", true}}) {
    RestCase c(
        pendulum("-60 deg", "stops: {s: {joint: O, lower: " + std::string(limit) + ", restitution: 0.5}}\n"));
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_TRUE(report.usable());
    EXPECT_EQ(report.equilibrium->stop, stop) << limit;
    EXPECT_EQ(report.equilibrium->is_beyond_stop, is_beyond) << limit;
  }
}

// --- loads that follow, drivers, time -----------------------------------------------------------------------------------

/// A column of two bars with coil springs and a load that follows the upper one: Ziegler's.
std::string ziegler(double load) {
  return "mechanism: column\nplane: xy\nground: {points: {O: [0, 0]}}\n"
         "bodies:\n  a: {mass: 2, inertia: 0, center_of_mass: E, points: {O: [0, 0], E: [1, 0]}}\n"
         "  b: {mass: 1, inertia: 0, center_of_mass: E, points: {O: [0, 0], E: [1, 0]}}\n"
         "joints:\n  A: {revolute: [ground.O, a.O]}\n  B: {revolute: [a.E, b.O]}\n"
         "springs:\n  s: {joint: A, stiffness: 1}\n  u: {joint: B, stiffness: 1}\n"
         "forces: {push: {point: b.E, force: [" +
         std::to_string(-load) + ", 0], axes: body}}\nassembly: {a.angle: 0, b.angle: 0}\n";
}

TEST(FollowerLoad, ColumnFluttersBeyondZieglersLoad) {
  // Masses 2 m, m; springs c; lengths l: flutter at P = (7/2 − √2) c/l = 2.0858 without damping [Ziegler1952].
  for (const auto& [load, stability] :
       {std::pair{2.05, Stability::kStable}, std::pair{2.12, Stability::kUnstable}}) {
    RestCase c(ziegler(load));
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_TRUE(report.usable());
    EXPECT_FALSE(report.equilibrium->is_conservative);
    EXPECT_EQ(report.equilibrium->stability, stability) << load;
  }
}

TEST(Drivers, AreHeldWhereTheyAreAtTheTime) {
  // The pivot goes up a slope of time; a bar hangs from it, blown by a wind that grows.
  const std::string text =
      "mechanism: hanging\nplane: xy\ngravity: [0, -10]\nground: {points: {O: [0, 0]}, axes: {u: [1, 0]}}\n"
      "bodies:\n  cart: {mass: 1, inertia: 1, center_of_mass: [0, 0], points: {P: [0, 0]}, axes: {u: [1, "
      "0]}}\n"
      "  bar: {mass: 2, inertia: 0.1, center_of_mass: G, points: {P: [0, 0], G: [0.5, 0]}}\n"
      "joints:\n  J: {prismatic: [ground.O, cart.P], axis: [ground.u, cart.u]}\n  H: {revolute: [cart.P, "
      "bar.P]}\n"
      "drivers: {motor: {joint: J, speed: = 2 m/s*cos(3*t/1 s)}}\n"
      "forces: {wind: {point: bar.G, force: [= 4 N*t/1 s, 0]}}\nassembly: {bar.angle: -80 deg}\n";
  for (const double t : {0.0, 0.7, 5.0}) {
    RestCase c(text, t);
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_TRUE(report.usable());
    EXPECT_NEAR(c.value(*report.equilibrium, "J.q"), 2.0 / 3.0 * std::sin(3 * t), 1e-12);
    EXPECT_NEAR(c.value(*report.equilibrium, "bar.angle"), -std::atan2(20.0, 4 * t), 1e-13);
    for (const double v : report.equilibrium->state.v) EXPECT_EQ(v, 0.0);
  }
}

// --- loops --------------------------------------------------------------------------------------------------------------

/// A four-bar with springs, whose potential as a function of the crank's angle is written here with nothing of the library.
struct SprungFourBar {
  double base = 0.8, crank = 0.25, coupler = 0.7, rocker = 0.6;
  double stiffness = 400.0, free_length = 0.45, coil = 6.0, coil_free = 1.2;

  std::string text() const {
    return "mechanism: sprung four-bar\nplane: xy\ngravity: [0, -9.81]\n"
           "ground: {points: {A: [0, 0], B: [0.8, 0], S: [0.3, 0.9]}}\nbodies:\n"
           "  crank: {mass: 2, inertia: 0.02, center_of_mass: [0.1, 0.02], points: {A: [0, 0], P: [0.25, "
           "0]}}\n"
           "  coupler: {mass: 1.5, inertia: 0.06, center_of_mass: [0.3, 0.05], points: {P: [0, 0], Q: [0.7, "
           "0], T: [0.4, 0.2]}}\n"
           "  rocker: {mass: 1, inertia: 0.03, center_of_mass: [0.3, 0], points: {B: [0, 0], Q: [0.6, 0]}}\n"
           "joints:\n  A: {revolute: [ground.A, crank.A]}\n  P: {revolute: [crank.P, coupler.P]}\n"
           "  Q: {revolute: [coupler.Q, rocker.Q]}\n  B: {revolute: [ground.B, rocker.B]}\n"
           "springs:\n  s: {between: [ground.S, coupler.T], stiffness: 400, free_length: 0.45}\n"
           "  coil: {joint: B, stiffness: 6, free_angle: 1.2}\n"
           "assembly: {crank.angle: 60 deg, coupler.angle: 20 deg, rocker.angle: 110 deg}\n";
  }

  /// Heights of weights and lengths of springs; side: +1 with the rocker's end left of the line from the crank's end to B.
  double potential(double q, double side) const {
    const double px = crank * std::cos(q), py = crank * std::sin(q);
    const double dx = base - px, dy = -py, d = std::hypot(dx, dy);
    const double along = (coupler * coupler - rocker * rocker + d * d) / (2 * d);
    const double across = side * std::sqrt(coupler * coupler - along * along);
    const double ux = dx / d, uy = dy / d;
    const double qx = px + along * ux - across * uy, qy = py + along * uy + across * ux;
    const double cx = (qx - px) / coupler, cy = (qy - py) / coupler;  // coupler's x axis
    const double rx = (qx - base) / rocker, ry = qy / rocker;
    double V = 9.81 * 2.0 * (0.1 * std::sin(q) + 0.02 * std::cos(q));
    V += 9.81 * 1.5 * (py + 0.3 * cy + 0.05 * cx) + 9.81 * 1.0 * 0.3 * ry;
    const double tx = px + 0.4 * cx - 0.2 * cy, ty = py + 0.4 * cy + 0.2 * cx;
    const double length = std::hypot(tx - 0.3, ty - 0.9);
    V += 0.5 * stiffness * (length - free_length) * (length - free_length);
    const double angle = std::atan2(ry, rx);
    return V + 0.5 * coil * (angle - coil_free) * (angle - coil_free);
  }

  struct Rest {
    double angle, curvature;
  };
  /// Zeros of V' by central differences on a fine grid, one side.
  std::vector<Rest> rests(double side) const {
    const auto slope = [&](double q) {
      const double h = 1e-4;
      return (8 * (potential(q + h, side) - potential(q - h, side)) -
              (potential(q + 2 * h, side) - potential(q - 2 * h, side))) /
             (12 * h);
    };
    std::vector<Rest> found;
    const double step = 2 * kPi / 20000;
    for (double q = -kPi; q < kPi - step / 2; q += step) {
      if (slope(q) * slope(q + step) > 0.0) continue;
      double left = q, right = q + step;
      for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (left + right);
        (slope(middle) * slope(left) > 0.0 ? left : right) = middle;
      }
      found.push_back({left, (slope(left + 1e-4) - slope(left - 1e-4)) / 2e-4});
    }
    return found;
  }
};

TEST(SprungFourBarTest, AllEquilibriaOfBothBranchesAreThoseOfItsPotential) {
  const SprungFourBar bars;
  RestCase c(bars.text());
  const EquilibriumSearch search = search_equilibria(c.chart, c.start, {});
  EXPECT_TRUE(search.is_exhaustive) << search.thoroughness;
  EXPECT_EQ(search.curves, 2);
  std::size_t expected = 0;
  for (const double side : {1.0, -1.0})
    for (const SprungFourBar::Rest& rest : bars.rests(side)) {
      ++expected;
      int matches = 0;
      for (const Equilibrium& at : search.found) {
        const double rocker = c.value(at, "rocker.angle");
        if (std::abs(c.value(at, "crank.angle") - rest.angle) > 1e-8 || rocker * side < 0.0) continue;
        ++matches;
        EXPECT_EQ(at.stability, rest.curvature > 0 ? Stability::kStable : Stability::kUnstable) << rest.angle;
        EXPECT_NEAR(at.potential_energy, bars.potential(rest.angle, side), 1e-10);
        EXPECT_LT(c.chart.constraint_error(at.state), 1e-14);
        EXPECT_LT(at.residual, 1e-13);
        // V'' = K (dy/dq)²: the curvature by the crank's angle.
        const double unit = at.directions(0, 0);  // of A.q for y
        EXPECT_NEAR(at.stiffness(0, 0) / (unit * unit), rest.curvature, 1e-5 * std::abs(rest.curvature));
      }
      EXPECT_EQ(matches, 1) << "crank at " << rest.angle << ", side " << side;
    }
  EXPECT_EQ(search.found.size(), expected);
  EXPECT_GE(expected, 6u);
}

TEST(SprungFourBarTest, LoopsAreClosedToRoundoffFarFromTheCentre) {
  RestCase c(SprungFourBar().text());
  ASSERT_EQ(c.chart.centre_at(c.start), ChartStatus::kGood);
  for (const double y : {-0.5, -0.2, 0.1, 0.3, 0.6}) {
    State state;
    const Eigen::VectorXd rate = Eigen::VectorXd::Constant(1, 2.0);
    ASSERT_EQ(c.chart.move(Eigen::VectorXd::Constant(1, y), rate, state), ChartStatus::kGood);
    EXPECT_LT(c.chart.constraint_error(state), 1e-14) << y;
    // y is what it was asked to be, and so is its rate.
    Eigen::VectorXd dq(c.chart.n());
    for (int k = 0; k < c.chart.n(); ++k)
      dq[k] = state.q[static_cast<std::size_t>(k)] - c.chart.centre().q[static_cast<std::size_t>(k)];
    EXPECT_NEAR(c.chart.y_of(dq)[0], y, 1e-14);
    EXPECT_NEAR(c.chart.y_of(Eigen::Map<const Eigen::VectorXd>(state.v.data(), c.chart.n()))[0], 2.0, 1e-13);
  }
}

TEST(SprungFourBarTest, CoordinatesDoNotMatter) {
  const SprungFourBar bars;
  std::vector<double> angles, squares;
  for (const char* kind : {"relative", "natural", "reference-point"}) {
    RestCase c(io::read_mechanism(bars.text(), "test.yaml"), 0.0, kind);
    const EquilibriumReport report = find_equilibrium(c.chart, c.start);
    ASSERT_TRUE(report.usable()) << kind;
    angles.push_back(c.value(*report.equilibrium, "crank.angle"));
    squares.push_back(*report.equilibrium->softest_square);
    EXPECT_NEAR(angles.back(), angles.front(), 1e-12) << kind;
    EXPECT_NEAR(squares.back(), squares.front(), 1e-8 * std::abs(squares.front())) << kind;
  }
}

class AtRest : public testing::TestWithParam<const char*> {};

TEST_P(AtRest, FormulationsFindNoAccelerationAndEnergyIsStationary) {
  RestCase c(test::load_released(GetParam()));
  const EquilibriumReport report = find_equilibrium(c.chart, c.start);
  ASSERT_TRUE(report.usable()) << core::to_sentence(report.error_text(c.mechanism));
  const Equilibrium& at = *report.equilibrium;
  EXPECT_LT(c.chart.constraint_error(at.state), 1e-13);
  for (const char* name : {"multipliers", "null-space", "semi-recursive"}) {
    const auto formulation = make_formulation(name, c.model);
    const coordinates::MechanismMotion moving = test::accelerated(*formulation, at.bodies);
    for (std::size_t b = 1; b < moving.size(); ++b) {
      EXPECT_LT(moving[b].a_WB_W.norm(), 1e-9) << name << " " << c.mechanism.bodies()[b].name;
      EXPECT_LT(moving[b].alpha_WB_W.norm(), 1e-8) << name << " " << c.mechanism.bodies()[b].name;
    }
  }
  // V along each freedom: no slope, and half of the stiffness as its bend.
  if (!c.mechanism.loads().empty()) return;
  ASSERT_EQ(c.chart.centre_at(at.state), ChartStatus::kGood);
  const double h = 1e-3, scale = at.stiffness.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < at.stiffness.rows(); ++k) {
    const auto V = [&](double y) {
      State state;
      const Eigen::VectorXd zero = Eigen::VectorXd::Zero(at.stiffness.rows());
      EXPECT_EQ(c.chart.move(y * Eigen::VectorXd::Unit(zero.size(), k), zero, state), ChartStatus::kGood);
      coordinates::MechanismMotion bodies(c.mechanism.bodies().size());
      c.chart.evaluate_bodies(state, std::vector<double>(state.q.size(), 0.0), bodies);
      return potential_energy(c.model, state, bodies);
    };
    EXPECT_NEAR((V(h) - V(-h)) / (2 * h), 0.0, 1e-5 * scale);
    EXPECT_NEAR((V(h) - 2 * V(0) + V(-h)) / (h * h), at.stiffness(k, k), 1e-4 * scale);
  }
  EXPECT_LT((at.stiffness - at.stiffness.transpose()).cwiseAbs().maxCoeff(), 1e-9 * scale);
}

INSTANTIATE_TEST_SUITE_P(Models, AtRest,
                         testing::Values("fourbar-testbed", "fourbar-crank-rocker", "stephenson-sixbar",
                                         "rssr", "quarter-vehicle", "andrews-squeezer", "five-bar"),
                         [](const auto& sample) { return test::test_name(sample.param); });

// --- several freedoms ---------------------------------------------------------------------------------------------------

TEST(DoublePendulum, HasFourEquilibriaOneOfThemStable) {
  RestCase c(
      "mechanism: double pendulum\nplane: xy\ngravity: [0, -9.81]\nground: {points: {O: [0, 0]}}\nbodies:\n"
      "  a: {mass: 2, inertia: 0.1, center_of_mass: [0.4, 0], points: {O: [0, 0], E: [1, 0]}}\n"
      "  b: {mass: 1, inertia: 0.05, center_of_mass: [0.5, 0], points: {O: [0, 0]}}\n"
      "joints:\n  A: {revolute: [ground.O, a.O]}\n  B: {revolute: [a.E, b.O]}\nassembly: {a.angle: 20 deg, "
      "b.angle: 50 deg}\n");
  const EquilibriumSearch search = search_equilibria(c.chart, c.start, {});
  ASSERT_EQ(search.found.size(), 4u);
  EXPECT_FALSE(search.is_exhaustive);
  EXPECT_THAT(search.thoroughness, testing::ContainsRegex("found from [0-9]+ starts; there may be others"));
  int stable = 0;
  for (const Equilibrium& at : search.found) {
    for (const char* name : {"a.angle", "b.angle"}) EXPECT_NEAR(std::abs(c.value(at, name)), kPi / 2, 1e-13);
    if (at.stability != Stability::kStable) continue;
    ++stable;
    EXPECT_NEAR(c.value(at, "a.angle"), -kPi / 2, 1e-13);
    EXPECT_NEAR(c.value(at, "b.angle"), -kPi / 2, 1e-13);
  }
  EXPECT_EQ(stable, 1);
  EXPECT_EQ(search.found.front().stability, Stability::kStable);
}

TEST(Search, EndsAfterAsManyAsAskedFor) {
  RestCase c(pendulum("20 deg"));
  EXPECT_EQ(search_equilibria(c.chart, c.start, {.most = 1}).found.size(), 1u);
}

}  // namespace
}  // namespace eslabon::dynamics
