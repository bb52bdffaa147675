#include "eslabon/model/families/family.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/model/model_axle.hpp"
#include "tests/unit/model/seed_axle.hpp"
#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::is_turned;
using test::kAxleY;
using test::ModelAxle;
using test::point_of;
using test::SeedAxle;
using test::Solution;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

const Body& body_named(const Mechanism& mechanism, const std::string& name) {
  return mechanism.body(std::get<BodyIndex>(mechanism.find(name).value()));
}

const Joint& joint_named(const Mechanism& mechanism, const std::string& name) {
  return mechanism.joint(std::get<JointIndex>(mechanism.find(name).value()));
}

int gruebler(const Mechanism& mechanism) {
  int mobility = mechanism.body_freedoms() * (static_cast<int>(mechanism.bodies().size()) - 1);
  for (const Joint& joint : mechanism.joints())
    mobility -= constraint_rows(joint.type, mechanism.is_planar());
  return mobility;
}

std::vector<std::string> output_names(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Variable& output : mechanism.outputs()) names.push_back(name(mechanism, output));
  return names;
}

// ---------------------------------------------------------------------------------------------- the registry

std::string message_of(std::string_view specification) {
  try {
    make_family(specification);
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Family, Registry_ListsNamesKeysDefaultsAndBounds) {
  ASSERT_EQ(families().size(), 3u);
  const Family& fourbar = families()[0];
  EXPECT_EQ(fourbar.name, "scalable-fourbar");
  ASSERT_EQ(fourbar.keys.size(), 8u);
  EXPECT_EQ(fourbar.keys[0].name, "dyads");
  EXPECT_EQ(fourbar.keys[0].kind, FamilyKeyKind::kInteger);
  EXPECT_EQ(fourbar.keys[0].minimum, 1.0);
  EXPECT_EQ(fourbar.keys[0].maximum, 100000.0);
  const Family& truck = families()[1];
  EXPECT_EQ(truck.name, "truck-suspension");
  ASSERT_EQ(truck.keys.size(), 9u + 2u * 5u);
  EXPECT_EQ(truck.keys[0].name, "axles");
  EXPECT_EQ(truck.keys[0].maximum, 5.0);
}

TEST(Family, EveryDefault_IsWithinItsBoundsAndBuilds) {
  for (const Family& family : families()) {
    for (const FamilyKey& key : family.keys) {
      EXPECT_LE(key.minimum, key.default_value) << key.name;
      EXPECT_LE(key.default_value, key.maximum) << key.name;
    }
    EXPECT_EQ(make_family(family.name).name(), family.name);
  }
}

TEST(NFourbars, IsARowOfParallelogramsThatStartsAtASpeed) {
  const Mechanism row = make_family("n-fourbars,n=3,speed=-2");
  EXPECT_EQ(row.bodies().size(), 1u + 4u + 3u);
  EXPECT_EQ(row.joints().size(), 4u + 2u * 3u);
  EXPECT_TRUE(row.drivers().empty());
  const std::vector<StartRate> expected{{find_variable(row, "vertical_0.B.vx"), -2.0}};
  EXPECT_EQ(row.start_rates(), expected);
  double mass = 0.0;
  for (const Body& body : row.bodies()) mass += body.mass_properties.mass;
  EXPECT_EQ(mass, 7.0);
}

TEST(NFourbars, BarsHaveTheLengthAndMassThatAreGiven) {
  const Mechanism row = make_family("n-fourbars,n=2,length=0.5,mass=3");
  EXPECT_EQ(point_of(row.body(kGround), "A_2"), Vector3d(1.0, 0.0, 0.0));
  for (const char* bar : {"vertical_0", "vertical_2", "horizontal_1"})
    EXPECT_EQ(body_named(row, bar).mass_properties.mass, 3.0) << bar;
  EXPECT_EQ(point_of(body_named(row, "vertical_1"), "B"), Vector3d(0.0, 0.5, 0.0));
  EXPECT_EQ(point_of(body_named(row, "horizontal_2"), "C"), Vector3d(0.5, 0.0, 0.0));
  // a uniform bar about its middle
  EXPECT_DOUBLE_EQ(body_named(row, "vertical_1").mass_properties.I_BC_B(2, 2), 3.0 * 0.5 * 0.5 / 12.0);
}

TEST(Family, Specification_MeansTheSameAsNameAndValues) {
  const Mechanism from_text = make_family("scalable-fourbar,dyads=3,speed=-2.5,start=0.25,density=7.8");
  const Mechanism from_map = make_family(
      "scalable-fourbar", {{"dyads", "3"}, {"speed", "-2.5"}, {"start", "0.25"}, {"density", "7.8"}});
  EXPECT_EQ(from_text, from_map);
  EXPECT_NE(from_text, make_family("scalable-fourbar,dyads=3"));
}

TEST(Family, WholeNumber_MayBeWrittenWithAnExponent) {
  EXPECT_EQ(make_family("scalable-fourbar,dyads=1e1"), make_family("scalable-fourbar,dyads=10"));
}

TEST(Family, WrongSpecification_IsAnErrorThatSaysWhatToWrite) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"scalable-fourbr,dyads=3",
       "the family does not exist [family 'scalable-fourbr']: expected 'scalable-fourbar', "
       "'truck-suspension' or 'n-fourbars', got 'scalable-fourbr'. Did you mean 'scalable-fourbar'?"},
      {"",
       "the family does not exist [family '']: expected 'scalable-fourbar', 'truck-suspension' or "
       "'n-fourbars', got ''. "
       "Use one of these names."},
      {"scalable-fourbar,diads=3",
       "the family has no such key [family 'scalable-fourbar', key 'diads']: expected 'dyads', 'speed', "
       "'start', 'density', 'crank', 'coupler', 'rocker' or 'pitch', got 'diads'. Did you mean 'dyads'?"},
      {"n-fourbars,dyads=3",
       "the family has no such key [family 'n-fourbars', key 'dyads']: expected 'n', 'speed', 'length' or "
       "'mass', got 'dyads'. "
       "Remove it, or use one of these keys."},
      {"scalable-fourbar,dyads=2,crank=12",
       "the bars do not meet at the start [family 'scalable-fourbar', dyad 1]: expected a distance of its "
       "two ends between 0 m "
       "and 12 m, got 13.416407864998739 m. Change 'coupler', 'rocker', 'pitch', 'crank' or 'start'."},
      {"scalable-fourbar,rocker=0",
       "the value is out of range [family 'scalable-fourbar', key 'rocker']: expected a number from 1e-06 to "
       "1e+06, got '0'. "
       "Write, for example, rocker=6."},
      {"truck-suspension,axles=2,rise_left_3=0.1",
       "the key is that of an axle that is not there [family 'truck-suspension', key 'rise_left_3']: "
       "expected an axle from 1 to 2, "
       "got axle 3. Remove the key, or write axles=3."},
      {"scalable-fourbar,dyads=3,dyads=4",
       "the key is given twice [family 'scalable-fourbar', key 'dyads']: expected each key once, got '3' and "
       "'4'. Remove one of the two."},
      {"scalable-fourbar,dyads",
       "the key has no value [family 'scalable-fourbar', key 'dyads']: expected dyads=NUMBER, got ''. "
       "Write, for example, dyads=5."},
      {"scalable-fourbar,dyads=",
       "the key has no value [family 'scalable-fourbar', key 'dyads']: expected dyads=NUMBER, got ''. "
       "Write, for example, dyads=5."},
      {"scalable-fourbar,",
       "a key is missing [family 'scalable-fourbar']: expected key=value after each comma, got ''. "
       "Remove the comma, or name the key."},
      {"scalable-fourbar,=3",
       "a key is missing [family 'scalable-fourbar']: expected key=value after each comma, got '=3'. "
       "Remove the comma, or name the key."},
      {"scalable-fourbar,dyads=many",
       "the value is not a number [family 'scalable-fourbar', key 'dyads']: expected a whole number from 1 "
       "to "
       "100000, got 'many'. Write, for example, dyads=5."},
      {"scalable-fourbar,dyads=3x",
       "the value is not a number [family 'scalable-fourbar', key 'dyads']: expected a whole number from 1 "
       "to "
       "100000, got '3x'. Write, for example, dyads=5."},
      {"scalable-fourbar,speed=nan",
       "the value is not a number [family 'scalable-fourbar', key 'speed']: expected a number from -1000 to "
       "1000, got 'nan'. Write, for example, speed=1."},
      {"scalable-fourbar,dyads=2.5",
       "the value is not a whole number [family 'scalable-fourbar', key 'dyads']: expected a whole number "
       "from "
       "1 to 100000, got '2.5'. Write, for example, dyads=5."},
      {"scalable-fourbar,dyads=0",
       "the value is out of range [family 'scalable-fourbar', key 'dyads']: expected a whole number from 1 "
       "to "
       "100000, got '0'. Write, for example, dyads=5."},
      {"scalable-fourbar,dyads=100001",
       "the value is out of range [family 'scalable-fourbar', key 'dyads']: expected a whole number from 1 "
       "to "
       "100000, got '100001'. Write, for example, dyads=5."},
      {"truck-suspension,axles=6",
       "the value is out of range [family 'truck-suspension', key 'axles']: expected a whole number from 1 "
       "to "
       "5, got '6'. Write, for example, axles=5."},
      {"scalable-fourbar,density=-1",
       "the value is out of range [family 'scalable-fourbar', key 'density']: expected a number from 0.001 "
       "to "
       "1000, got '-1'. Write, for example, density=1."},
  };
  for (const auto& [specification, sentence] : cases) EXPECT_EQ(message_of(specification), sentence);
}

// -------------------------------------------------------------------------------------- the scalable
// four-bar

TEST(ScalableFourbar, HasTwoBodiesThreeJointsAndOneLoopPerDyad_AndMobilityOne) {
  for (const int k : {1, 2, 17, 10'000}) {
    const Mechanism fourbar = make_family("scalable-fourbar,dyads=" + std::to_string(k));
    const auto count = static_cast<std::size_t>(k);
    EXPECT_TRUE(fourbar.is_planar());
    EXPECT_EQ(fourbar.gravity_W(), Vector3d(0.0, -9.81, 0.0));
    EXPECT_EQ(fourbar.bodies().size(), 1 + 1 + 2 * count);
    EXPECT_EQ(fourbar.joints().size(), 1 + 3 * count);
    EXPECT_EQ(fourbar.drivers().size(), 1u);
    EXPECT_EQ(fourbar.start_values().size(), 1 + 2 * count);
    EXPECT_EQ(gruebler(fourbar), 1);
  }
}

TEST(ScalableFourbar, HasTheLengthsOfTheSource) {
  const Mechanism fourbar = make_family("scalable-fourbar,dyads=3,density=7.8");
  const Body& crank = body_named(fourbar, "crank");
  EXPECT_EQ((point_of(crank, "B") - point_of(crank, "A")).norm(), 2.0);
  EXPECT_DOUBLE_EQ(crank.mass_properties.mass, 2.0 * 7.8);
  for (int i = 1; i <= 3; ++i) {
    const Body& coupler = body_named(fourbar, "coupler_" + std::to_string(i));
    const Body& rocker = body_named(fourbar, "rocker_" + std::to_string(i));
    EXPECT_EQ((point_of(coupler, "C") - point_of(coupler, "P")).norm(), 6.0);
    EXPECT_EQ((point_of(rocker, "C") - point_of(rocker, "D")).norm(), 6.0);
    EXPECT_DOUBLE_EQ(coupler.mass_properties.mass, 6.0 * 7.8);
    EXPECT_EQ(point_of(fourbar.body(kGround), "D_" + std::to_string(i)), Vector3d(6.0 * i, 0.0, 0.0));
  }
  EXPECT_EQ(point_of(fourbar.body(kGround), "A"), Vector3d::Zero());
}

// Couplers that are not as long as the pitch: every dyad closes on its own, found here by walking along both bars.
TEST(ScalableFourbar, LengthsThatAreGiven_CloseEveryDyad) {
  const Mechanism fourbar =
      make_family("scalable-fourbar,dyads=6,crank=0.3,coupler=1.1,rocker=0.9,pitch=1,start=0.4");
  std::map<std::string, double> angle;
  for (const StartValue& value : fourbar.start_values()) angle[name(fourbar, value.variable)] = value.value;
  const auto along = [&](const std::string& body, const char* from, const char* to) {
    const double a = angle.at(body + ".angle");
    const double length =
        (point_of(body_named(fourbar, body), to) - point_of(body_named(fourbar, body), from)).norm();
    return Vector3d(length * std::cos(a), length * std::sin(a), 0.0);
  };
  Vector3d p_WP_W = along("crank", "A", "B");
  EXPECT_NEAR(p_WP_W.norm(), 0.3, kEpsilon);
  for (int i = 1; i <= 6; ++i) {
    const std::string number = std::to_string(i);
    const Vector3d p_WC_W = p_WP_W + along("coupler_" + number, "P", "C");
    const Vector3d p_WD_W = point_of(fourbar.body(kGround), "D_" + number);
    EXPECT_EQ(p_WD_W, Vector3d(i, 0.0, 0.0));
    EXPECT_LE((p_WC_W - p_WD_W - along("rocker_" + number, "D", "C")).norm(), 64.0 * kEpsilon);
    EXPECT_NEAR((p_WC_W - p_WP_W).norm(), 1.1, 8.0 * kEpsilon);
    EXPECT_NEAR((p_WC_W - p_WD_W).norm(), 0.9, 64.0 * kEpsilon);
    EXPECT_GT(p_WC_W.y(), 0.0);
    p_WP_W = p_WC_W;
  }
}

TEST(ScalableFourbar, EachCouplerStartsAtTheRockerBeforeIt) {
  const Mechanism fourbar = make_family("scalable-fourbar,dyads=3");
  const auto ends = [&](const std::string& name) {
    const Joint& joint = joint_named(fourbar, name);
    return fourbar.body(joint.first()).name + "." + joint.ends[0].marker + " " +
           fourbar.body(joint.second()).name + "." + joint.ends[1].marker;
  };
  EXPECT_EQ(ends("A"), "ground.A crank.A");
  EXPECT_EQ(ends("B_1"), "crank.B coupler_1.P");
  EXPECT_EQ(ends("B_2"), "rocker_1.C coupler_2.P");
  EXPECT_EQ(ends("B_3"), "rocker_2.C coupler_3.P");
  EXPECT_EQ(ends("C_3"), "coupler_3.C rocker_3.C");
  EXPECT_EQ(ends("D_3"), "ground.D_3 rocker_3.D");
}

TEST(ScalableFourbar, Motor_TurnsTheCrankAsTheKeysSay) {
  const Mechanism by_default = make_family("scalable-fourbar");
  EXPECT_EQ(by_default.drivers()[0].name, "motor");
  EXPECT_EQ(name(by_default, by_default.drivers()[0].target), "A.q");
  EXPECT_EQ(by_default.drivers()[0].level, DriverLevel::kSpeed);
  EXPECT_EQ(by_default.drivers()[0].function, TimeFunction::constant(1.0));
  EXPECT_EQ(by_default.drivers()[0].start, 0.5 * std::numbers::pi);
  const Mechanism other = make_family("scalable-fourbar,speed=-3,start=0.7");
  EXPECT_EQ(other.drivers()[0].function, TimeFunction::constant(-3.0));
  EXPECT_EQ(other.drivers()[0].start, 0.7);
}

TEST(ScalableFourbar, Outputs_AreTheCrankAndTheFirstAndLastDyad) {
  EXPECT_THAT(output_names(make_family("scalable-fourbar,dyads=1")),
              testing::ElementsAre("crank.angle", "coupler_1.C.x", "coupler_1.C.y"));
  EXPECT_THAT(output_names(make_family("scalable-fourbar,dyads=7")),
              testing::ElementsAre("crank.angle", "coupler_1.C.x", "coupler_1.C.y", "coupler_7.C.x",
                                   "coupler_7.C.y"));
}

// Walks along the row: the coupler's end must lie on the rocker's, and above the line of the pivots.
TEST(ScalableFourbar, StartValues_CloseEveryDyadInTheOpenPosition) {
  constexpr int kDyads = 40;
  // The first rocker turns back where crank and coupler are in line, C_1 at 6 − 2 = 4 from A: x = 4/3.
  const double kLowest = std::sqrt(16.0 - 16.0 / 9.0);
  for (const double start : {0.5 * std::numbers::pi, 0.0, 1.0, 3.1, -2.2, 17.0}) {
    const Mechanism fourbar = make_family(
        "scalable-fourbar", {{"dyads", std::to_string(kDyads)}, {"start", std::to_string(start)}});
    std::map<std::string, double> angle;
    for (const StartValue& value : fourbar.start_values()) angle[name(fourbar, value.variable)] = value.value;
    const auto along = [&](const std::string& body, double length) {
      const double a = angle.at(body + ".angle");
      return Vector3d(length * std::cos(a), length * std::sin(a), 0.0);
    };
    Vector3d p_WP_W = along("crank", 2.0);
    for (int i = 1; i <= kDyads; ++i) {
      const Vector3d by_coupler = p_WP_W + along("coupler_" + std::to_string(i), 6.0);
      const Vector3d by_rocker = Vector3d(6.0 * i, 0.0, 0.0) + along("rocker_" + std::to_string(i), 6.0);
      // two roundings of lengths up to 6 (kDyads + 1), and what the dyads before have gathered
      EXPECT_LE((by_coupler - by_rocker).norm(), 8.0 * i * kEpsilon * 6.0 * (kDyads + 1));
      EXPECT_GT(by_rocker.y(), kLowest - 8.0 * i * kEpsilon * 6.0 * (kDyads + 1));
      p_WP_W = by_coupler;
    }
  }
}

// ----------------------------------------------------------------------------------- the truck: counts and
// data

TEST(TruckSuspension, HasTwelveBodiesEighteenJointsAndMobilityTwoPerAxle) {
  for (int m = 1; m <= 5; ++m) {
    const Mechanism truck = make_family("truck-suspension,axles=" + std::to_string(m));
    const auto count = static_cast<std::size_t>(m);
    EXPECT_FALSE(truck.is_planar());
    EXPECT_EQ(truck.gravity_W(), Vector3d(0.0, 0.0, -9.81));
    EXPECT_EQ(truck.bodies().size(), 1 + 12 * count);
    EXPECT_EQ(truck.joints().size(), 18 * count);
    EXPECT_EQ(truck.drivers().size(), 2 * count);
    EXPECT_EQ(truck.start_poses().size(), 12 * count);
    EXPECT_EQ(gruebler(truck), 2 * m);
  }
}

TEST(TruckSuspension, SpeedsSpringsAndLengths_AreThoseOfTheKeys) {
  EXPECT_TRUE(make_family("truck-suspension").springs().empty());
  const Mechanism truck = make_family(
      "truck-suspension,axles=2,rise_left_1=0.03,rise_right_2=-0.02,spring=2e5,damping=8000,free_length=0.5,"
      "upper_arm=0.9,"
      "lower_arm=0.81,drop=0.42,half_track=1.1,axle_mass=650");
  EXPECT_EQ(truck.drivers()[0].function, TimeFunction::constant(0.03));
  EXPECT_EQ(truck.drivers()[1].function, TimeFunction::constant(0.01));  // the listing's
  EXPECT_EQ(truck.drivers()[2].function, TimeFunction::constant(0.0));   // the listing's
  EXPECT_EQ(truck.drivers()[3].function, TimeFunction::constant(-0.02));
  ASSERT_EQ(truck.springs().size(), 4u);
  const Spring& spring = truck.springs()[3];
  EXPECT_EQ(spring.name, "spring_right_2");
  EXPECT_EQ(truck.joint(std::get<JointCoordinate>(spring.connection).joint).name, "strut_slide_right_2");
  EXPECT_EQ(spring.stiffness, 2e5);
  EXPECT_EQ(spring.damping, 8000.0);
  EXPECT_EQ(spring.free_length, 0.5);
  EXPECT_EQ(point_of(body_named(truck, "upper_arm_1"), "axle"), Vector3d(0.0, -0.9, 0.0));
  EXPECT_EQ(point_of(body_named(truck, "lower_arm_left_2"), "axle"), Vector3d(0.0, -0.81, 0.0));
  EXPECT_EQ(point_of(body_named(truck, "drop_right_1"), "bar"), Vector3d(0.0, 0.0, -0.42));
  EXPECT_EQ(point_of(body_named(truck, "axle_1"), "wheel_right"), Vector3d(-1.1, 0.0, -0.265));
  EXPECT_EQ(body_named(truck, "axle_2").mass_properties.mass, 650.0);
}

const std::map<std::string, int> kSeedNumbers{{"ground", 1},
                                              {"axle_1", 2},
                                              {"upper_arm_1", 3},
                                              {"lower_arm_left_1", 4},
                                              {"lower_arm_right_1", 5},
                                              {"bar_left_1", 6},
                                              {"bar_right_1", 7},
                                              {"drop_left_1", 8},
                                              {"drop_right_1", 9},
                                              {"strut_rod_left_1", 10},
                                              {"strut_tube_left_1", 11},
                                              {"strut_rod_right_1", 12},
                                              {"strut_tube_right_1", 13}};

TEST(TruckSuspension, JoinsTheBodiesAsTheSourceDoes) {
  using enum JointType;
  const std::set<std::tuple<int, int, JointType>> expected{
      {1, 3, kRevolute},   {1, 4, kSpherical},  {1, 5, kSpherical},   {2, 3, kSpherical},
      {2, 4, kUniversal},  {2, 5, kUniversal},  {2, 7, kRevolute},    {2, 6, kRevolute},
      {7, 9, kUniversal},  {6, 8, kUniversal},  {1, 9, kSpherical},   {1, 8, kSpherical},
      {1, 11, kSpherical}, {1, 13, kSpherical}, {10, 11, kPrismatic}, {12, 13, kPrismatic},
      {2, 10, kUniversal}, {2, 12, kUniversal}};
  const Mechanism truck = make_family("truck-suspension,axles=1");
  std::set<std::tuple<int, int, JointType>> actual;
  for (const Joint& joint : truck.joints()) {
    const int first = kSeedNumbers.at(truck.body(joint.first()).name);
    const int second = kSeedNumbers.at(truck.body(joint.second()).name);
    actual.insert({std::min(first, second), std::max(first, second), joint.type});
  }
  EXPECT_EQ(actual, expected);
}

// The listing's fixed points, worked out by hand from its global columns: turned axles have −x and y with the
// listing's cte; P4 and P5 do not turn exactly (−0.003 would be the half turn of 0.003, the listing gives
// 0.0038).
TEST(TruckSuspension, ChassisPoints_AreTheListings) {
  const Mechanism truck = make_family("truck-suspension,axles=5");
  for (int i = 1; i <= 5; ++i) {
    const bool turned = is_turned(i);
    const double mult = turned ? -1.0 : 1.0;
    const Vector3d p_WA_W(0.0, kAxleY[static_cast<std::size_t>(i - 1)], 0.0);
    const auto expect_at = [&](const std::string& word, const Vector3d& expected) {
      const Vector3d actual = point_of(truck.body(kGround), word + "_" + std::to_string(i)) - p_WA_W;
      EXPECT_LE((actual - expected).norm(), 16.0 * 16.0 * kEpsilon) << word << " of axle " << i;
    };
    expect_at("upper_arm", {0.0, mult * 0.889, 0.265});
    expect_at("lower_arm_left", {mult * 0.76, mult * 0.917, 0.0});
    expect_at("lower_arm_right", {-mult * 0.76, mult * 0.917, 0.0});
    expect_at("strut_left", {mult * 0.7343, turned ? 0.0038 : 0.003, 0.5539});
    expect_at("strut_right", {-mult * 0.7373, turned ? 0.0011 : 0.0003, 0.5539});
    expect_at("drop_left", {mult * 0.819, -mult * 0.833, 0.261});
    expect_at("drop_right", {-mult * 0.819, -mult * 0.833, 0.261});
  }
}

TEST(TruckSuspension, BodyPointsAndLinkLengths_AreTheListings) {
  const Mechanism truck = make_family("truck-suspension,axles=3");
  for (const std::string n : {"1", "2", "3"}) {
    const Body& axle = body_named(truck, "axle_" + n);
    EXPECT_EQ(point_of(axle, "upper_arm"), Vector3d::Zero());
    for (const std::string side : {"left", "right"}) {
      const double s = side == "left" ? 1.0 : -1.0;
      EXPECT_EQ(point_of(axle, "lower_arm_" + side), Vector3d(s * 0.758, 0.131, -0.265));
      EXPECT_EQ(point_of(axle, "strut_" + side), Vector3d(s * 0.7373, -0.0004, -0.134));
      EXPECT_EQ(point_of(axle, "bar_" + side), Vector3d(s * 0.6246, -0.4727, -0.4133));
      EXPECT_EQ(point_of(axle, "wheel_" + side), Vector3d(s * 1.202, 0.0, -0.265));
      const std::string end = "_" + side + "_" + n;
      const Body& bar = body_named(truck, "bar" + end);
      EXPECT_EQ(point_of(bar, "axle") - point_of(bar, "drop"), Vector3d(-s * 0.199, 0.3606, 0.00003));
      const auto length = [&](const std::string& body, const std::string& to) {
        return (point_of(body_named(truck, body), to) - point_of(body_named(truck, body), "chassis")).norm();
      };
      EXPECT_EQ(length("upper_arm_" + n, "axle"), 0.889);
      EXPECT_EQ(length("lower_arm" + end, "axle"), 0.8);
      EXPECT_EQ(length("drop" + end, "bar"), 0.419);
    }
  }
}

TEST(TruckSuspension, WheelsRiseFromZero_WithTheSpeedsOfTable41) {
  constexpr std::array<double, 5> kLeft{0.0, 0.0, 0.008, 0.0, 0.01};
  constexpr std::array<double, 5> kRight{0.01, 0.006, 0.0, 0.009, 0.005};
  const Mechanism truck = make_family("truck-suspension,axles=5");
  for (std::size_t i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i + 1);
    const Driver& left = truck.drivers()[2 * i];
    const Driver& right = truck.drivers()[2 * i + 1];
    EXPECT_EQ(left.name, "wheel_left_" + n);
    EXPECT_EQ(name(truck, left.target), "axle_" + n + ".wheel_left.z");
    EXPECT_EQ(name(truck, right.target), "axle_" + n + ".wheel_right.z");
    EXPECT_EQ(left.function, TimeFunction::constant(kLeft[i]));
    EXPECT_EQ(right.function, TimeFunction::constant(kRight[i]));
    EXPECT_EQ(left.start, 0.0);
    EXPECT_EQ(right.start, 0.0);
  }
}

TEST(TruckSuspension, Outputs_AreThoseOfTheLastAxleAndOfTheFourth) {
  EXPECT_THAT(output_names(make_family("truck-suspension,axles=2")),
              testing::ElementsAre("strut_slide_right_2.q", "strut_slide_right_2.v", "bar_pivot_left_2.q",
                                   "bar_pivot_right_2.q"));
  EXPECT_EQ(make_family("truck-suspension,axles=4").outputs().size(), 4u);
  EXPECT_EQ(make_family("truck-suspension,axles=5").outputs().size(), 8u);
}

TEST(TruckSuspension, EveryBody_HasMassAndThreePositiveMomentsOfInertia) {
  const Mechanism truck = make_family("truck-suspension,axles=1");
  for (std::size_t b = 1; b < truck.bodies().size(); ++b) {
    const MassProperties& mass = truck.bodies()[b].mass_properties;
    EXPECT_GT(mass.mass, 0.0);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix3d>(mass.I_BC_B).eigenvalues().minCoeff(), 0.0);
  }
}

// A coordinate that starts at ±π would jump by 2π at the first small motion.
TEST(TruckSuspension, NoJointStartsNearHalfATurn) {
  const Mechanism truck = make_family("truck-suspension,axles=5");
  std::map<int, Matrix3d> R_WB{{kGround.value(), Matrix3d::Identity()}};
  for (const StartPose& start : truck.start_poses()) {
    R_WB[start.body.value()] = core::Rotation<double>::from_rotation_vector(*start.rotation_vector).matrix();
  }
  for (const Joint& joint : truck.joints()) {
    const Matrix3d R_WF1 = R_WB.at(joint.first().value()) * joint.ends[0].X_BF.R_AB.matrix();
    const Matrix3d R_WF2 = R_WB.at(joint.second().value()) * joint.ends[1].X_BF.R_AB.matrix();
    const Matrix3d R = R_WF1.transpose() * R_WF2;
    constexpr double kQuarterTurn = 0.5 * std::numbers::pi + 1e-9;
    if (joint.type == JointType::kRevolute) {
      EXPECT_LE(std::abs(std::atan2(R(1, 0), R(0, 0))), 1e-9) << joint.name;
    } else if (joint.type == JointType::kUniversal) {  // R = Rx(q1) Ry(q2)
      EXPECT_LE(std::abs(std::atan2(R(2, 1), R(1, 1))), kQuarterTurn) << joint.name;
      EXPECT_LE(std::abs(std::atan2(R(0, 2), R(0, 0))), kQuarterTurn) << joint.name;
    }
  }
}

// --------------------------------------------------------------------- the truck: does it close, and where?

struct SeedPoint {
  std::size_t number;
  const char* body;
  const char* point;
};
constexpr std::array<SeedPoint, 18> kSeedPoints{{{1, "upper_arm", "chassis"},
                                                 {2, "lower_arm_left", "chassis"},
                                                 {3, "lower_arm_right", "chassis"},
                                                 {4, "strut_tube_left", "chassis"},
                                                 {5, "strut_tube_right", "chassis"},
                                                 {6, "drop_left", "chassis"},
                                                 {7, "drop_right", "chassis"},
                                                 {8, "lower_arm_left", "axle"},
                                                 {9, "lower_arm_right", "axle"},
                                                 {10, "strut_rod_left", "axle"},
                                                 {11, "strut_rod_right", "axle"},
                                                 {12, "bar_left", "axle"},
                                                 {13, "bar_right", "axle"},
                                                 {14, "upper_arm", "axle"},
                                                 {15, "axle", "wheel_left"},
                                                 {16, "axle", "wheel_right"},
                                                 {17, "drop_left", "bar"},
                                                 {18, "drop_right", "bar"}}};

/// The vectors that the cardans and the angles of the source speak of.
struct SeedVector {
  std::size_t number;
  const char* body;
  int axis;  ///< 0 x, 1 y, 2 z of the body
};
constexpr std::array<SeedVector, 11> kSeedVectors{{{4, "lower_arm_left", 2},
                                                   {6, "lower_arm_right", 2},
                                                   {7, "axle", 2},
                                                   {8, "axle", 1},
                                                   {9, "axle", 0},
                                                   {13, "strut_rod_left", 0},
                                                   {18, "strut_rod_right", 0},
                                                   {20, "drop_left", 1},
                                                   {22, "bar_left", 2},
                                                   {23, "drop_right", 1},
                                                   {25, "bar_right", 2}}};

class TruckAxle : public testing::TestWithParam<int> {
 protected:
  Mechanism truck_ = make_family("truck-suspension,axles=5");
  ModelAxle axle_{truck_, GetParam()};
};

TEST_P(TruckAxle, Closes_NearTheListingsStart) {
  ASSERT_EQ(axle_.num_bodies(), 12);
  const Solution closed = axle_.close(0.0, 0.0);
  EXPECT_LE(closed.residual, 1e-10);
  RecordProperty("largest_distance_mm", std::to_string(1000.0 * axle_.largest_distance_from_start()));
  // The listing's links do not fit its start: the axle pitches by 3°, which moves its 0.47 m long ends of the
  // bar.
  EXPECT_LE(axle_.largest_distance_from_start(), 0.043);
  // Not mirrored: the axle stays above the wheels' line and its links on the side where they started.
  EXPECT_NEAR(axle_.point("axle", "upper_arm").z(), 0.265, 0.01);
}

TEST_P(TruckAxle, PointsAndAxesAreWhereTheSourcesOwnEquationsPutThem) {
  for (const auto& [left, right] : {std::pair{0.0, 0.0}, {0.03, -0.02}, {0.0, 0.18}}) {
    ASSERT_LE(axle_.close(left, right).residual, 1e-10);
    const SeedAxle seed(GetParam(), left, right);
    ASSERT_LE(seed.residual, 1e-10);
    for (const SeedPoint& p : kSeedPoints) {
      // both residuals ≤ 1e-10, times the leverage of a mechanism of size 2 with links of 0.4
      EXPECT_LE((axle_.point(p.body, p.point) - seed.P[p.number]).norm(), 1e-8) << "P" << p.number;
    }
    for (const SeedVector& v : kSeedVectors) {
      const Vector3d u_B = Vector3d::Unit(v.axis);
      EXPECT_LE((axle_.direction(v.body, u_B) - seed.V[v.number]).norm(), 1e-8) << "V" << v.number;
    }
  }
}

TEST_P(TruckAxle, StrutCoordinate_IsTheDistanceFromItsTopToItsFoot) {
  ASSERT_LE(axle_.close(0.03, -0.02).residual, 1e-10);
  for (const std::string side : {"left", "right"}) {
    const Joint& slide = joint_named(truck_, "strut_slide_" + side + "_" + std::to_string(GetParam()));
    const Vector3d top_to_foot =
        axle_.point("strut_rod_" + side, "axle") - axle_.point("strut_tube_" + side, "chassis");
    EXPECT_TRUE(truck_.body(slide.first()).name.starts_with("strut_tube"));
    EXPECT_NEAR(axle_.direction("strut_tube_" + side, *slide.ends[0].axis_B).dot(top_to_foot),
                top_to_foot.norm(), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryAxle, TruckAxle, testing::Range(1, 6));

}  // namespace
}  // namespace eslabon::model
