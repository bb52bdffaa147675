#include "eslabon/sensing/instrument.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "tests/allocation_counter.hpp"
#include "tests/sensed_mechanisms.hpp"
#include "tests/sentence_of.hpp"
#include "tests/testbed_closed_form.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/statics/extrapolated_difference.hpp"

namespace eslabon::sensing {
namespace {

using core::Rotation;
using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kDegree = std::numbers::pi / 180.0;

/// A mechanism and the instruments of its file.
struct SensedCase {
  explicit SensedCase(const model::Mechanism& mechanism) : c(mechanism) {}

  std::unique_ptr<Instrument> instrument(const std::string& name) const {
    return make_instrument(c.mechanism, sensor(name), c.model.forces());
  }
  const model::Sensor& sensor(const std::string& name) const {
    for (const model::Sensor& one : c.mechanism.sensors())
      if (one.name == name) return one;
    throw std::runtime_error("no sensor " + name);
  }
  VectorXd read(const std::string& name, const coordinates::MechanismMotion& bodies) const {
    const auto of = instrument(name);
    VectorXd y(static_cast<Index>(of->channels().size()));
    const dynamics::ForceMemory memory = c.model.forces().empty_memory();
    of->read(Scene<double>{0.0, bodies, memory}, {y.data(), of->channels().size()});
    return y;
  }

  test::DynamicCase c;
};

std::string channels_text(const std::vector<Channel>& channels) {
  std::string text;
  for (const Channel& channel : channels)
    text += (text.empty() ? "" : ", ") + channel.name + " " + core::si_unit(channel.dimension) +
            (channel.is_angle ? " angle" : "");
  return text;
}

double turn_between(double a, double b) { return std::abs(std::remainder(a - b, 2.0 * std::numbers::pi)); }

// analytic: the testbed by trigonometry, all round the crank.
TEST(Instrument, ReadsWhatTrigonometrySays_OfEverySensorInThePlane) {
  const SensedCase s(test::sensed_testbed());
  constexpr double kRate = 1.8190;
  for (int k = 0; k < 24; ++k) {
    const test::TestbedMotion testbed(15.0 * k * kDegree, kRate);
    const test::FourBarMotion& m = testbed.motion();
    const auto bodies = testbed.bodies();
    const test::CouplerPoint P3 = test::coupler_point(m, test::TestbedMotion::a, testbed.x3(), testbed.y3());
    const double box = m.phi + 35.0 * kDegree;
    EXPECT_NEAR(s.read("imu2_gyroscope", bodies)[0], m.psi_dot, 1e-14);
    EXPECT_NEAR(s.read("coupler_gyroscope", bodies)[0], m.phi_dot, 1e-14);
    // [Seed003, eq. (10)] solved for a_IMU, without the rotation matrices of the library.
    const Vector2d proper = P3.acceleration + Vector2d(0.0, 9.81);
    const Vector2d seen(std::cos(box) * proper.x() + std::sin(box) * proper.y(),
                        -std::sin(box) * proper.x() + std::cos(box) * proper.y());
    const VectorXd a = s.read("accelerometer", bodies), imu = s.read("imu", bodies);
    EXPECT_LE((a - seen).norm(), 1e-13);
    ASSERT_EQ(imu.size(), 3);
    EXPECT_NEAR(imu[0], m.phi_dot, 1e-14);
    EXPECT_LE((imu.tail(2) - seen).norm(), 1e-13);
    EXPECT_LE(turn_between(s.read("encoder", bodies)[0], m.psi - m.phi), 1e-14);
    EXPECT_LE(turn_between(s.read("crank_encoder", bodies)[0], m.theta), 1e-14);
    EXPECT_NEAR(s.read("tachometer", bodies)[0], m.phi_dot - m.theta_dot, 1e-14);
    EXPECT_LE(turn_between(s.read("inclinometer", bodies)[0], box), 1e-14);
    EXPECT_LE(turn_between(s.read("magnetometer", bodies)[0], m.psi), 1e-14);
    EXPECT_LE((s.read("tracker", bodies) - P3.position).norm(), 1e-14);
    EXPECT_NEAR(s.read("distance", bodies)[0], P3.position.norm(), 1e-14);
    EXPECT_LE(turn_between(s.read("angle", bodies)[0], m.psi), 1e-14);
    EXPECT_NEAR(s.read("height", bodies)[0], P3.position.y(), 1e-14);
    // Positive forces pull the ends together.
    const Vector2d d = P3.position - Vector2d(test::TestbedMotion::g, 0.0);
    EXPECT_NEAR(s.read("pull", bodies)[0], 70.0 * (d.norm() - 0.1) + 4.0 * d.dot(P3.velocity) / d.norm(),
                1e-12);
    const Vector2d P2 = Vector2d(test::TestbedMotion::g, 0.0) +
                        test::TestbedMotion::b * Vector2d(std::cos(m.psi), std::sin(m.psi));
    const Vector2d v2 = test::TestbedMotion::b * m.psi_dot * Vector2d(-std::sin(m.psi), std::cos(m.psi));
    EXPECT_NEAR(s.read("drag", bodies)[0], 3.0 * P2.dot(v2) / P2.norm(), 1e-13);
    EXPECT_NEAR(s.read("friction", bodies)[0], -0.2 * kRate, 1e-14);
  }
}

// crosscheck: the table of kinds against the instruments that are made.
TEST(Instrument, HasTheReadingsOfItsKind) {
  for (const model::Mechanism& mechanism : {test::sensed_testbed(), test::sensed_quarter_vehicle()}) {
    const SensedCase s(mechanism);
    for (const model::Sensor& sensor : mechanism.sensors()) {
      const auto instrument = s.instrument(sensor.name);
      const model::SensorReadings& readings = model::readings(sensor.kind, mechanism.is_planar());
      EXPECT_EQ(static_cast<int>(instrument->channels().size()), readings.num_channels) << sensor.name;
      EXPECT_EQ(instrument->channels()[0].dimension, model::reading_dimension(mechanism, sensor))
          << sensor.name;
    }
  }
}

TEST(Instrument, NamesItsChannels_WithUnits) {
  const SensedCase s(test::sensed_testbed()), v(test::sensed_quarter_vehicle());
  const auto text = [](const SensedCase& of, const char* name) {
    return channels_text(of.instrument(name)->channels());
  };
  EXPECT_EQ(text(s, "coupler_gyroscope"), "coupler_gyroscope rad/s");
  EXPECT_EQ(text(s, "accelerometer"), "accelerometer.ax m/s^2, accelerometer.ay m/s^2");
  EXPECT_EQ(text(s, "imu"), "imu.wz rad/s, imu.ax m/s^2, imu.ay m/s^2");
  EXPECT_EQ(text(s, "encoder"), "encoder rad angle");
  EXPECT_EQ(text(s, "tachometer"), "tachometer rad/s");
  EXPECT_EQ(text(s, "inclinometer"), "inclinometer rad angle");
  EXPECT_EQ(text(s, "magnetometer"), "magnetometer rad angle");
  EXPECT_EQ(text(s, "tracker"), "tracker.x m, tracker.y m");
  EXPECT_EQ(text(s, "distance"), "distance m");
  EXPECT_EQ(text(s, "angle"), "angle rad angle");
  EXPECT_EQ(text(s, "pull"), "pull N");
  EXPECT_EQ(text(v, "gyroscope"), "gyroscope.wx rad/s, gyroscope.wy rad/s, gyroscope.wz rad/s");
  EXPECT_EQ(text(v, "imu"),
            "imu.wx rad/s, imu.wy rad/s, imu.wz rad/s, imu.ax m/s^2, imu.ay m/s^2, imu.az m/s^2");
  EXPECT_EQ(text(v, "inclinometer"), "inclinometer.roll rad angle, inclinometer.pitch rad angle");
  EXPECT_EQ(text(v, "magnetometer"), "magnetometer.x 1, magnetometer.y 1, magnetometer.z 1");
  EXPECT_EQ(text(v, "tracker"), "tracker.x m, tracker.y m, tracker.z m");
  const auto variable = make_instrument(s.c.mechanism, model::find_variable(s.c.mechanism, "coupler.P3.vx"),
                                        s.c.model.forces());
  EXPECT_EQ(channels_text(variable->channels()), "coupler.P3.vx m/s");
}

TEST(Instrument, TellsTheErrorsOfEachHalfOfAnImu) {
  const SensedCase s(test::sensed_testbed());
  const SensorFacts imu = sensor_facts(s.sensor("imu"), *s.instrument("imu"));
  EXPECT_EQ(imu.name, "imu");
  EXPECT_EQ(imu.period.nanoseconds(), 8'000'000);
  ASSERT_EQ(imu.channels.size(), 3u);
  EXPECT_EQ(imu.channels[0].noise, 0.03);
  EXPECT_EQ(imu.channels[0].range, 5.0);
  EXPECT_EQ(imu.channels[0].resolution, 0.0);
  for (const std::size_t k : {1u, 2u}) {
    EXPECT_EQ(imu.channels[k].noise, 0.04);
    EXPECT_EQ(imu.channels[k].resolution, 0.01);
    EXPECT_TRUE(std::isinf(imu.channels[k].range));
  }
  EXPECT_EQ(sensor_facts(s.sensor("accelerometer"), *s.instrument("accelerometer")).period, core::Duration());
}

/// A body in space whose motion the tests write by hand; its box is turned as kBox says.
SensedCase body_in_space(const std::string& gravity = "gravity: [0, 0, -9.81]\n",
                         const std::string& more = "") {
  return SensedCase(test::released(
      io::read_mechanism("mechanism: body\n" + gravity +
                             "ground: {points: {G: [0.1, -0.2, 0.3]}}\nbodies:\n  body:\n    mass: 1\n    " +
                             "center_of_mass: [0, 0, 0]\n    inertia: [1, 1, 1]\n    points: {G: [0, 0, 0], "
                             "P: [0.3, -0.2, 0.5]}\n    " +
                             test::kBox + "\njoints: {G: {spherical: [ground.G, body.G]}}\n" +
                             "assembly: {body.position: [0.1, -0.2, 0.3], body.rotation: [0, 0, 0]}\n" +
                             "sensors:\n" + test::sensors_in_space("body", "G") + more,
                         "body.yaml")));
}
/// R_BS of kBox: its columns are x, z × x, z.
Matrix3d box_axes() {
  const Vector3d x(0.6, 0.64, 0.48), z(-0.8, 0.48, 0.36);
  Matrix3d R;
  R << x, z.cross(x), z;
  return R;
}
Matrix3d about(int axis, double angle) {
  Matrix3d R = Matrix3d::Identity();
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  R(i, i) = R(j, j) = std::cos(angle);
  R(i, j) = -std::sin(angle);
  R(j, i) = std::sin(angle);
  return R;
}
coordinates::MechanismMotion at_rest(const Matrix3d& R) {
  coordinates::MechanismMotion bodies(2);
  bodies[1].X_WB = {Rotation<double>::from_matrix(R), {1.0, 2.0, 3.0}};
  return bodies;
}

/// A body that turns by φ(t) about z and θ(t) about its own x, and flies on a curve.
struct WrittenMotion {
  static double phi(double t) { return 0.4 + 1.1 * t + 0.3 * t * t; }
  static double theta(double t) { return -0.7 + 0.9 * t - 0.5 * t * t; }
  static Matrix3d R(double t) { return about(2, phi(t)) * about(0, theta(t)); }
  static Vector3d origin(double t) { return {std::sin(2.0 * t), t * t * t, 1.0 - 0.5 * t * t}; }

  /// ω = φ̇ z + θ̇ x',  α = φ̈ z + θ̈ x' + φ̇ θ̇ z × x',  x' = R_z(φ) x.
  static coordinates::MechanismMotion bodies(double t) {
    coordinates::MechanismMotion out = at_rest(R(t));
    const Vector3d z = Vector3d::UnitZ(), x = about(2, phi(t)).col(0);
    const double phi_dot = 1.1 + 0.6 * t, theta_dot = 0.9 - t;
    out[1].X_WB.p_AB_A = origin(t);
    out[1].w_WB_W = phi_dot * z + theta_dot * x;
    out[1].alpha_WB_W = 0.6 * z - 1.0 * x + phi_dot * theta_dot * z.cross(x);
    out[1].v_WB_W = {2.0 * std::cos(2.0 * t), 3.0 * t * t, -t};
    out[1].a_WB_W = {-4.0 * std::sin(2.0 * t), 6.0 * t, -1.0};
    return out;
  }
};

// analytic: velocities and accelerations are differences of positions and rotations that are written down.
TEST(Instrument, ReadsTheDifferencesOfAWrittenMotion_OfEverySensorInSpace) {
  const SensedCase s = body_in_space();
  const Vector3d P(0.3, -0.2, 0.5), G(0.1, -0.2, 0.3), g(0.0, 0.0, -9.81);
  const auto place = [&](double t) -> Vector3d { return WrittenMotion::origin(t) + WrittenMotion::R(t) * P; };
  for (const double t : {-0.4, 0.0, 0.55}) {
    const auto bodies = WrittenMotion::bodies(t);
    const Matrix3d R_SW = (WrittenMotion::R(t) * box_axes()).transpose();
    // [ω]× = Ṙ Rᵀ
    const auto R_dot = dynamics::extrapolated_difference(
        [&](double h) -> std::optional<VectorXd> {
          const Matrix3d R = WrittenMotion::R(t + h);
          return VectorXd(Eigen::Map<const VectorXd>(R.data(), 9));
        },
        1e-2);
    const Matrix3d W = Eigen::Map<const Matrix3d>(R_dot->value.data()) * WrittenMotion::R(t).transpose();
    const Vector3d w(W(2, 1), W(0, 2), W(1, 0));
    EXPECT_LE((s.read("gyroscope", bodies) - R_SW * w).norm(), 1e-10);
    // a = (p(t + h) − 2 p(t) + p(t − h)) / h² − h² p⁗/12 …, twice extrapolated
    const auto second = [&](double h) -> Vector3d {
      return (place(t + h) - 2.0 * place(t) + place(t - h)) / (h * h);
    };
    const Vector3d a1 = (4.0 * second(0.01) - second(0.02)) / 3.0,
                   a2 = (4.0 * second(0.005) - second(0.01)) / 3.0;
    const Vector3d proper = R_SW * ((16.0 * a2 - a1) / 15.0 - g);
    EXPECT_LE((s.read("accelerometer", bodies) - proper).norm(), 1e-9);
    const VectorXd imu = s.read("imu", bodies);
    ASSERT_EQ(imu.size(), 6);
    EXPECT_LE((imu.head(3) - R_SW * w).norm(), 1e-10);
    EXPECT_LE((imu.tail(3) - proper).norm(), 1e-9);
    EXPECT_LE((s.read("tracker", bodies) - place(t)).norm(), 1e-14);
    EXPECT_NEAR(s.read("distance", bodies)[0], (place(t) - G).norm(), 1e-14);
    const Vector3d n = Vector3d(0.5, 0.2, -1.1) / std::sqrt(0.25 + 0.04 + 1.21);
    EXPECT_LE((s.read("magnetometer", bodies) - R_SW * n).norm(), 1e-14);
  }
}

TEST(Instrument, InclinometersReadRollAndPitch_WhateverTheHeading) {
  const SensedCase s = body_in_space();
  for (const double yaw : {0.0, 1.0, -2.5})
    for (const double pitch : {-1.4, -0.3, 0.0, 0.8})
      for (const double roll : {-3.0, -0.2, 0.0, 1.0, 2.9}) {
        const Matrix3d R_WS = about(2, yaw) * about(1, pitch) * about(0, roll);
        const VectorXd y = s.read("inclinometer", at_rest(R_WS * box_axes().transpose()));
        EXPECT_LE(turn_between(y[0], roll), 1e-13);
        EXPECT_NEAR(y[1], pitch, 1e-13);
      }
}

TEST(Instrument, AccelerometersReadGUpwardsAtRest_AndNothingInFreeFall) {
  const SensedCase s = body_in_space();
  const Matrix3d R = about(0, 0.3) * about(1, -0.8);
  coordinates::MechanismMotion bodies = at_rest(R);
  EXPECT_LE((R * box_axes() * s.read("accelerometer", bodies) - Vector3d(0.0, 0.0, 9.81)).norm(), 1e-14);
  bodies[1].v_WB_W = {3.0, 1.0, -2.0};
  bodies[1].a_WB_W = {0.0, 0.0, -9.81};
  EXPECT_LE(s.read("accelerometer", bodies).norm(), 1e-14);
}

/// Readings of all instruments at a point, one after the other.
VectorXd all_readings(const std::vector<std::unique_ptr<Instrument>>& instruments,
                      const dynamics::ReducedPoint& point) {
  std::vector<double> all;
  for (const auto& instrument : instruments) {
    std::vector<double> y(instrument->channels().size());
    instrument->read(Scene<double>{point.t, point.bodies, point.memory}, y);
    all.insert(all.end(), y.begin(), y.end());
  }
  return Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
}

/// A user's own: the bearing of the last body's origin seen from the world's, and the square of its speed.
std::unique_ptr<Instrument> users_own() {
  return make_instrument(
      {{"bearing", core::kAngle, true}, {"speed squared", core::power(core::kVelocity, 2)}},
      [](const auto& scene, auto out) {
        using std::atan2;
        const auto& p = scene.bodies.back().X_WB.p_AB_A;
        const auto& v = scene.bodies.back().v_WB_W;
        out[0] = atan2(p.y(), p.x() + 0.1);
        out[1] = v.dot(v) + 0.0 * scene.t;
      });
}

void expect_derivative(const std::optional<dynamics::Derivative>& difference, const VectorXd& exact,
                       const std::vector<std::string>& names, const std::string& where) {
  ASSERT_TRUE(difference.has_value()) << where;
  for (Index k = 0; k < exact.size(); ++k) {
    const double scale = std::max(1.0, std::abs(exact[k]));
    EXPECT_LE(std::abs(exact[k] - difference->value[k]) / scale,
              std::max(1e-8, 20.0 * difference->errors[k] / scale))
        << where << ", " << names[static_cast<std::size_t>(k)];
    EXPECT_LE(difference->errors[k] / scale, 1e-6) << where << ", " << names[static_cast<std::size_t>(k)];
  }
}

// derivative: differences of readings of solved motions, along z, ż, unknowns, and z̈.
TEST(Instrument, DerivativesAreThoseOfDifferences_OfEverySensor) {
  for (const model::Mechanism& mechanism :
       {test::sensed_testbed(), test::sensed_quarter_vehicle(), test::sensed_rssr()}) {
    const SensedCase s(mechanism);
    std::vector<std::unique_ptr<Instrument>> instruments;
    std::vector<std::string> names;
    for (const model::Sensor& sensor : s.c.mechanism.sensors())
      instruments.push_back(s.instrument(sensor.name));
    instruments.push_back(users_own());
    for (const auto& instrument : instruments)
      for (const Channel& channel : instrument->channels()) names.push_back(channel.name);
    dynamics::ReducedMotion motion(
        s.c.model, {{dynamics::Unknown::Kind::kMass, 2}, {dynamics::Unknown::Kind::kFreedomForce, 0}});
    const dynamics::ReducedPoint point = motion.point_of(test::random_motion(s.c.model, 5, 0.7), 0.0);
    dynamics::ReducedTangent tangent = motion.make_tangent();
    ASSERT_TRUE(motion.differentiate(point, tangent));
    const Index f = motion.num_freedoms(), m = static_cast<Index>(names.size());
    MatrixXd H = MatrixXd::Zero(m, motion.num_directions()), H_a = MatrixXd::Zero(m, f);
    for (Index row = 0; const auto& instrument : instruments) {
      const auto count = static_cast<Index>(instrument->channels().size());
      evaluate_jacobian(*instrument, point, tangent, H.middleRows(row, count));
      evaluate_acceleration_jacobian(*instrument, motion, point, H_a.middleRows(row, count));
      row += count;
    }
    const auto where = [&](Index d) { return mechanism.name() + ", direction " + std::to_string(d); };
    for (Index d = 0; d < motion.num_directions(); ++d)
      expect_derivative(
          dynamics::extrapolated_difference(
              [&](double h) -> std::optional<VectorXd> {
                dynamics::ReducedPoint moved = point;
                (d < f ? moved.z[d] : d < 2 * f ? moved.z_dot[d - f] : moved.theta[d - 2 * f]) += h;
                if (motion.solve(0.0, point, moved) != dynamics::ReducedStatus::kSolved) return std::nullopt;
                return all_readings(instruments, moved);
              },
              d < f ? 4e-3 * motion.length() : 1e-2),
          H.col(d), names, where(d));
    for (Index k = 0; k < f; ++k)
      expect_derivative(dynamics::extrapolated_difference(
                            [&](double h) -> std::optional<VectorXd> {
                              dynamics::ReducedPoint moved = point;
                              moved.z_ddot[k] += h;
                              if (motion.follow(0.0, point, moved) != dynamics::ReducedStatus::kSolved)
                                return std::nullopt;
                              return all_readings(instruments, moved);
                            },
                            1.0),
                        H_a.col(k), names, where(k) + " of accelerations");
    EXPECT_GT(H_a.cwiseAbs().maxCoeff(), 0.01) << mechanism.name();
  }
}

TEST(Instrument, TakesNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  for (const model::Mechanism& mechanism : {test::sensed_testbed(), test::sensed_quarter_vehicle()}) {
    const SensedCase s(mechanism);
    dynamics::ReducedMotion motion(s.c.model, {});
    const dynamics::ReducedPoint point = motion.start();
    dynamics::ReducedTangent tangent = motion.make_tangent();
    ASSERT_TRUE(motion.differentiate(point, tangent));
    for (const model::Sensor& sensor : s.c.mechanism.sensors()) {
      const auto instrument = s.instrument(sensor.name);
      std::vector<double> y(instrument->channels().size());
      MatrixXd H(static_cast<Index>(y.size()), motion.num_directions());
      EXPECT_EQ(test::count_allocations([&] {
                  instrument->read(Scene<double>{0.0, point.bodies, point.memory}, y);
                  evaluate_jacobian(*instrument, point, tangent, H);
                }),
                0)
          << sensor.name;
    }
  }
}

TEST(Instrument, RefusesWhatAMotionDoesNotTell) {
  const SensedCase s(test::sensed_testbed("")),
      with_reaction = body_in_space("gravity: [0, 0, -9.81]\n", "  push: {reads: G.fz, noise: 1}\n");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] { (void)with_reaction.instrument("push"); }),
            "no instrument reads this ['push']: expected a variable of the motion, an auxiliary state, a "
            "force of a "
            "spring, damper, stop or friction, or a formula of these, got 'G.fz'. Reactions and efforts of "
            "drivers can be outputs of 'simulate'.");
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] {
              (void)make_instrument(s.c.mechanism, model::find_variable(s.c.mechanism, "A.fx"),
                                    s.c.model.forces());
            }),
            "no instrument reads this ['A.fx']: expected a variable of the motion, an auxiliary state, a "
            "force of a "
            "spring, damper, stop or friction, or a formula of these, got 'A.fx'. Reactions and efforts of "
            "drivers can be outputs of 'simulate'.");
  const SensedCase weightless = body_in_space("");
  EXPECT_EQ(
      test::sentence_of<core::ModelError>([&] { (void)weightless.instrument("inclinometer"); }),
      "an inclinometer has nothing to hold on to [sensor 'inclinometer']: expected gravity, got none in this "
      "mechanism. Give the mechanism 'gravity', or take a magnetometer.");
  EXPECT_NO_THROW((void)weightless.instrument("magnetometer"));
}

}  // namespace
}  // namespace eslabon::sensing
