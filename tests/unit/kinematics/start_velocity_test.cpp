// Velocities at the start: what joints, drivers and start rates leave, against closed forms.
#include "eslabon/kinematics/assembly/start_velocity.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/four_bar_closed_form.hpp"
#include "tests/sentence_of.hpp"
#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/kinematics/drivers/driver_motion.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {
namespace {

/// An assembled mechanism, its rows and its start velocities.
struct Started {
  explicit Started(const model::Mechanism& mechanism_)
      : mechanism(mechanism_),
        structure(structure::analyse_structure(mechanism)),
        assembly(assemble(mechanism, structure)),
        system("reference-point", mechanism, structure, prescribed_of(mechanism)),
        q(static_cast<std::size_t>(system.num_coordinates())) {
    EXPECT_TRUE(assembly.usable()) << assembly.brief();
    std::vector<double> v(q.size()), a(q.size()), near;
    for (std::size_t i = 0; i < mechanism.drivers().size(); ++i) {
      values.push_back(DriverMotion(mechanism.drivers()[i], assembly.driver_starts[i]).value_at(0.0));
      near.push_back(values.back().position);
    }
    system.read_bodies(assembly.bodies, {q, v, a}, near);
    report = find_start_velocities(system, q, values, mechanism.start_rates());
  }

  static std::vector<coordinates::Prescribed> prescribed_of(const model::Mechanism& mechanism) {
    std::vector<coordinates::Prescribed> result;
    for (const model::Driver& driver : mechanism.drivers())
      result.push_back({driver.target, "driver '" + driver.name + "'"});
    return result;
  }

  double value(const std::string& name) const {
    return value_of(mechanism, model::find_variable(mechanism, name), report.bodies);
  }

  /// Largest |Phi_q v + Phi_t|.
  double violation() const {
    coordinates::PositionLevel level;
    system.evaluate_positions(q, values, level);
    const Eigen::VectorXd v =
        Eigen::Map<const Eigen::VectorXd>(report.v.data(), static_cast<Eigen::Index>(report.v.size()));
    return (system.dense(level.Phi_q) * v + level.Phi_t).cwiseAbs().maxCoeff();
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  AssemblyReport assembly;
  coordinates::ConstraintSystem system;
  std::vector<double> q;
  std::vector<coordinates::CoordinateValue> values;
  StartVelocityReport report;
};

/// The four-bar of the benchmarks, crank at 60 degrees on the open branch.
Started four_bar(const std::string& rates, const std::string& more = "") {
  return Started(io::read_mechanism(
      "mechanism: m\nplane: xy\nground: {points: {A: [0, 0], B: [0.1, 0]}}\nbodies:\n"
      "  crank: {points: {A: [0, 0], P: [0.04, 0]}}\n"
      "  coupler: {points: {P: [0, 0], Q: [0.12, 0], K: [0.05, 0.03]}}\n"
      "  rocker: {points: {B: [0, 0], Q: [0.08, 0]}}\n"
      "joints:\n  A: {revolute: [ground.A, crank.A]}\n  P: {revolute: [crank.P, coupler.P]}\n"
      "  Q: {revolute: [coupler.Q, rocker.Q]}\n  B: {revolute: [ground.B, rocker.B]}\n" +
          more + "assembly: {crank.angle: 60 deg, coupler.angle: 18 deg, rocker.angle: 65 deg" +
          (rates.empty() ? "" : ", ") + rates + "}\n",
      "m.yaml"));
}

// Rates are compared with the closed form at the angle that was found.
test::FourBarMotion expected_motion(const Started& s, double crank_rate) {
  return test::four_bar_motion(0.1, 0.04, 0.12, 0.08, s.value("crank.angle"), crank_rate, true);
}

TEST(StartVelocity, WithoutRatesAndDrivers_IsRest) {
  const Started s = four_bar("");
  ASSERT_TRUE(s.report.usable());
  for (const double v : s.report.v) EXPECT_EQ(v, 0.0);
  EXPECT_EQ(s.value("coupler.rate"), 0.0);
}

// analytic: Freudenstein's equation and its derivative.
TEST(StartVelocity, OneRateDeterminesAFourBar_WhereverItIsGiven) {
  const test::FourBarMotion expected = expected_motion(four_bar(""), 3.0);
  const test::CouplerPoint K = test::coupler_point(expected, 0.04, 0.05, 0.03);
  const auto text = [](const std::string& name, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%s: %.17g", name.c_str(), value);
    return std::string(buffer);
  };
  for (const std::string& rate :
       {text("crank.rate", 3.0), text("A.v", 3.0), text("coupler.rate", expected.phi_dot),
        text("rocker.rate", expected.psi_dot), text("coupler.K.vx", K.velocity.x()),
        text("P.v", expected.phi_dot - 3.0)}) {
    SCOPED_TRACE(rate);
    const Started s = four_bar(rate);
    ASSERT_TRUE(s.report.usable()) << s.report.brief();
    // The rates of this position are of the order of 1 and well conditioned.
    const double tolerance = test::roundoff(1000.0, 3.0);
    EXPECT_NEAR(s.value("crank.rate"), 3.0, tolerance);
    EXPECT_NEAR(s.value("coupler.rate"), expected.phi_dot, tolerance);
    EXPECT_NEAR(s.value("rocker.rate"), expected.psi_dot, tolerance);
    EXPECT_NEAR(s.value("coupler.K.vy"), K.velocity.y(), tolerance);
    EXPECT_LE(s.violation(), tolerance);
  }
}

TEST(StartVelocity, RateOfASpringIsOneToo) {
  const std::string spring = "springs: {coil: {between: [ground.B, coupler.K], stiffness: 10}}\n";
  const Started by_crank = four_bar("crank.rate: 2", spring);
  const double rate = by_crank.value("coil.rate");
  EXPECT_GT(std::abs(rate), 1e-3);
  const Started s = four_bar("coil.rate: " + std::to_string(rate), spring);
  ASSERT_TRUE(s.report.usable());
  EXPECT_NEAR(s.value("crank.rate"), 2.0, 1e-6 / std::abs(rate));  // six decimals were written
}

TEST(StartVelocity, RatesThatAgree_AreTaken_AndOnesThatDoNot_AreNamed) {
  const double coupler = expected_motion(four_bar(""), 3.0).phi_dot;
  EXPECT_TRUE(four_bar("A.v: 3, crank.rate: 3").report.usable());
  const Started s = four_bar("crank.rate: 3, A.v: 3, coupler.rate: 1.5");
  EXPECT_EQ(s.report.status, StartVelocityReport::Status::kContradiction);
  EXPECT_EQ(s.report.element, "start rate 'coupler.rate'");
  char required[64];
  std::snprintf(required, sizeof required, "%.10g rad/s", coupler);
  EXPECT_EQ(s.report.required, required);
  EXPECT_EQ(s.report.brief(),
            std::string("coupler.rate = 1.5 rad/s, but the joints allow ") + required + " with the others");
  EXPECT_EQ(core::ModelError(s.report.error_text()).what(),
            std::string("a start rate contradicts the joints [start rate 'coupler.rate']: expected ") +
                required +
                ", which the joints, the drivers and the start rates before it leave, got 1.5 rad/s. Correct "
                "it, or remove it: one rate for each degree of freedom is enough.");
  EXPECT_NEAR(s.value("crank.rate"), 3.0, 1e-12);  // the velocities without the one that is wrong
}

TEST(StartVelocity, SmallContradictionsAreSeen) {
  EXPECT_FALSE(four_bar("A.v: 3, crank.rate: 3.0000001").report.usable());
  EXPECT_TRUE(four_bar("A.v: 3, crank.rate: 3.0000000000001").report.usable());
}

TEST(StartVelocity, DriversGoAtTheirSpeeds) {
  const Started s = four_bar("", "drivers: {motor: {joint: A, speed: -4 rad/s, start: 60 deg}}\n");
  ASSERT_TRUE(s.report.usable());
  const test::FourBarMotion expected = expected_motion(s, -4.0);
  EXPECT_NEAR(s.value("crank.rate"), -4.0, 1e-12);
  EXPECT_NEAR(s.value("rocker.rate"), expected.psi_dot, 1e-12);
  EXPECT_LE(s.violation(), 1e-12);
  const Started wrong =
      four_bar("rocker.rate: 9 rad/s", "drivers: {motor: {joint: A, speed: -4 rad/s, start: 60 deg}}\n");
  EXPECT_EQ(wrong.report.element, "start rate 'rocker.rate'");
}

TEST(StartVelocity, DriverThatTheJointsHold_IsNamed) {
  const Started s(
      io::read_mechanism("mechanism: m\nplane: xy\nground: {points: {O: [0, 0]}}\nbodies: {bob: {points: {O: "
                         "[0, 0], P: [1, 0]}}}\n"
                         "joints: {O: {revolute: [ground.O, bob.O]}}\n"
                         "drivers: {pull: {point: bob.P.x, speed: 1 m/s}}\nassembly: {bob.angle: 0}\n",
                         "m.yaml"));
  EXPECT_EQ(s.report.status, StartVelocityReport::Status::kDriverCannotMove);
  EXPECT_FALSE(s.report.usable());
}

TEST(StartVelocity, FreedomsOfWhichNothingIsSaid_StayStill) {
  const Started s(io::read_mechanism(
      "mechanism: m\nground: {points: {O: [0, 0, 0]}}\nbodies: {a: {points: {O: [0, 0, 0], P: [1, 0, 0]}}, "
      "b: {points: {O: [0, 0, 0]}}}\n"
      "joints: {A: {free: [ground.O, a.O]}, B: {free: [ground.O, b.O]}}\n"
      "assembly: {a.wx: 0.01 rad/s, a.wy: 5 rad/s, a.wz: 0.01 rad/s, a.position: [3, 2, 1], a.rotation: "
      "[0.3, 0.2, "
      "0.1]}\n",
      "m.yaml"));
  ASSERT_TRUE(s.report.usable());
  EXPECT_LE((s.report.bodies[1].w_WB_W - Eigen::Vector3d(0.01, 5.0, 0.01)).norm(),
            test::roundoff(100.0, 5.0));
  EXPECT_LE(s.report.bodies[1].v_WB_W.norm(), test::roundoff(100.0, 5.0));
  EXPECT_LE(s.report.bodies[2].w_WB_W.norm() + s.report.bodies[2].v_WB_W.norm(), test::roundoff(100.0, 5.0));
}

/// A cart on a rail, and on it a slider that a driver starts at 0.2 m/s; between them carriages without mass.
Started cart(const std::string& cart_mass, const std::string& slider_mass, bool has_carriage) {
  const std::string carriage = has_carriage ? "carriage" : "cart";
  return Started(io::read_mechanism(
      "mechanism: m\nplane: xy\nground: {points: {O: [0, 0]}}\nbodies:\n"
      "  cart: {" +
          cart_mass + "points: {O: [0, 0]}}\n  slider: {" + slider_mass + "points: {O: [0, 0]}}\n" +
          (has_carriage ? "  carriage: {points: {O: [0, 0]}}\n" : "") +
          "joints:\n  rail: {prismatic: [ground.O, cart.O], axis: [1, 0]}\n"
          "  slide: {prismatic: [" +
          carriage + ".O, slider.O], axis: [1, 0]}\n" +
          (has_carriage ? "  bridge: {prismatic: [cart.O, carriage.O], axis: [1, 0]}\n" : "") +
          "drivers: {push: {joint: slide, position: '= 0.1*sin(2*t)'}}\n",
      "m.yaml"));
}

// analytic: what was at rest keeps its momentum, m v + M (v + 0.2 m/s) = 0.
TEST(StartVelocity, MomentumIsKept_WhereNothingHolds) {
  const Started s = cart("mass: 1000, shape: {box: [2, 1]}, ", "mass: 1, shape: {box: [0.1, 0.1]}, ", false);
  ASSERT_TRUE(s.report.usable());
  EXPECT_NEAR(s.value("cart.O.vx"), -0.2 / 1001.0, 1e-15);
  EXPECT_NEAR(s.value("slider.O.vx"), 0.2 - 0.2 / 1001.0, 1e-15);
}

// analytic: the driver moves the body without mass, whatever it costs in velocity; what has mass stays.
TEST(StartVelocity, BodiesWithoutMassCountForNothing) {
  const Started s = cart("mass: 1000, shape: {box: [2, 1]}, ", "mass: 1, shape: {box: [0.1, 0.1]}, ", true);
  ASSERT_TRUE(s.report.usable());
  EXPECT_NEAR(s.value("cart.O.vx"), 0.0, 1e-15);
  EXPECT_NEAR(s.value("slider.O.vx"), 0.0, 1e-15);
  EXPECT_NEAR(s.value("carriage.O.vx"), -0.2, 1e-15);
}

TEST(StartVelocity, WhereNothingHasMass_VelocitiesAreSmallest) {
  const Started s = cart("", "", false);
  ASSERT_TRUE(s.report.usable());
  EXPECT_NEAR(s.value("cart.O.vx"), -0.1, 1e-15);
  EXPECT_NEAR(s.value("slider.O.vx"), 0.1, 1e-15);
}

TEST(StartVelocity, SpringWithoutLengthHasNoRate) {
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([] {
        four_bar("coil.rate: 1",
                 "springs: {coil: {between: [crank.P, coupler.P], stiffness: 10, free_length: 1}}\n");
      }),
      "a start rate without a direction [start rate 'coil.rate']: expected two points that are apart at "
      "the start, got points that coincide. Give the velocity of a point instead.");
}

// invariant: redundant rows, spatial joints and rods; the rows hold and the rate is met.
TEST(StartVelocity, HoldsInSpace_WithRedundantRows) {
  for (const char* name : {"rssr", "double-wishbone", "quarter-vehicle", "slider-crank"}) {
    SCOPED_TRACE(name);
    const model::Mechanism driven =
        io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/" + name + ".yaml", {});
    const Started s(driven);
    ASSERT_TRUE(s.report.usable()) << s.report.brief();
    EXPECT_LE(s.violation(),
              1e-12 * (1.0 + Eigen::Map<const Eigen::VectorXd>(s.report.v.data(),
                                                               static_cast<Eigen::Index>(s.report.v.size()))
                                 .cwiseAbs()
                                 .maxCoeff()));
  }
}

}  // namespace
}  // namespace eslabon::kinematics
