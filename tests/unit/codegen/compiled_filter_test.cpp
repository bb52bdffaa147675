// Points of filters, what sensors read there and whole filters by machine code against the same by dynamics::ReducedMotion and
// sensing::Instrument, whose derivatives are dual numbers.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/allocation_counter.hpp"
#include "tests/dynamic_case.hpp"
#include <gtest/gtest.h>

#include "eslabon/codegen/compile/compiled_formulation.hpp"
#include "eslabon/dynamics/reduced/reduced_motion.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"

namespace eslabon::codegen {
namespace {

using dynamics::ReducedMotion;
using dynamics::ReducedPoint;
using dynamics::ReducedStatus;

double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff());
}
Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& list) {
  return {list.data(), static_cast<Eigen::Index>(list.size())};
}
/// Numbers of all bodies.
template <class T, class Part>
Eigen::VectorXd numbers(const coordinates::MechanismMotionOf<T>& bodies, const Part& part) {
  std::vector<double> list;
  for (const coordinates::BodyMotionOf<T>& body : bodies) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) list.push_back(part(body.X_WB.R_AB.matrix()(r, c)));
    for (const core::Vector3<T>& v :
         {body.X_WB.p_AB_A, body.w_WB_W, body.v_WB_W, body.alpha_WB_W, body.a_WB_W})
      for (int r = 0; r < 3; ++r) list.push_back(part(v(r)));
  }
  return vector(list);
}

/// Keeps its code with the files of the test.
std::shared_ptr<NativeCompiler> make_programs() {
  return std::make_shared<NativeCompiler>(compile_settings([](const char* name) -> const char* {
    static const std::string cache = testing::TempDir();
    return std::string_view(name) == "XDG_CACHE_HOME" ? cache.c_str() : std::getenv(name);
  }));
}

constexpr int kPointPrograms = 4;  // solved from nearby and from farther away; all derivatives, and those of accelerations

class CompiledFilter : public testing::TestWithParam<const char*> {};

TEST_P(CompiledFilter, SolvesAndDifferentiatesAsTheInterpreterDoes) {
  const test::DynamicCase one(test::load_released(GetParam()));
  const std::vector<dynamics::Unknown> unknowns{{dynamics::Unknown::Kind::kMass, 1},
                                                {dynamics::Unknown::Kind::kFreedomForce, 0}};
  ReducedMotion plain(one.model, unknowns), fast(one.model, unknowns);
  const auto programs = make_programs();
  const auto compiler = std::make_shared<MotionCompiler>(programs);
  fast.set_compiler(compiler);
  ASSERT_EQ(compiler->notes(), std::vector<std::string>());
  ASSERT_EQ(programs->report().programs, kPointPrograms);
  ASSERT_TRUE(programs->report().evaluation);
  EXPECT_GT(programs->report().evaluation->compiled, 0.0);
  EXPECT_GT(programs->report().evaluation->interpreted, 0.0);
  core::Rng rng(5);
  ReducedPoint near = plain.start();
  dynamics::ReducedTangent expected = plain.make_tangent(), found = fast.make_tangent();
  int compared = 0;
  for (int k = 0; k < 100; ++k) {
    ReducedPoint point = near;
    for (Eigen::Index i = 0; i < point.z.size(); ++i) {
      point.z[i] += 0.02 * plain.length() * rng.normal();
      point.z_dot[i] = 2.0 * rng.normal();
    }
    point.theta << 1.3, 0.4;
    ReducedPoint by_code = point;
    if (plain.solve(0.1, near, point) != ReducedStatus::kSolved) continue;
    ASSERT_EQ(fast.solve(0.1, near, by_code), ReducedStatus::kSolved);
    EXPECT_LT(difference(vector(by_code.q), vector(point.q)), 1e-12);
    EXPECT_LT(difference(vector(by_code.v), vector(point.v)), 1e-11);
    EXPECT_LT(difference(vector(by_code.a), vector(point.a)), 1e-10);
    EXPECT_LT(difference(by_code.R, point.R), 1e-11);
    EXPECT_LT(difference(by_code.mass, point.mass), 1e-11);
    EXPECT_LT(difference(by_code.z_ddot, point.z_ddot), 1e-10);
    const auto value = [](double x) { return x; };
    EXPECT_LT(difference(numbers(by_code.bodies, value), numbers(point.bodies, value)), 1e-10);
    ASSERT_TRUE(plain.differentiate(point, expected));
    ASSERT_TRUE(fast.differentiate(point, found));
    EXPECT_LT(difference(found.q_x, expected.q_x), 1e-11);
    EXPECT_LT(difference(found.v_x, expected.v_x), 1e-10);
    EXPECT_LT(difference(found.z_ddot_x, expected.z_ddot_x), 1e-9);
    Eigen::MatrixXd alone = Eigen::MatrixXd::Zero(found.z_ddot_x.rows(), found.z_ddot_x.cols());
    ASSERT_TRUE(fast.differentiate_accelerations_by_code(point, alone));
    EXPECT_LT(difference(alone, expected.z_ddot_x), 1e-9);
    for (std::size_t d = 0; d < expected.bodies.size(); ++d) {
      const auto derivative = [](const core::Dual<double>& x) { return x.derivative; };
      EXPECT_LT(difference(numbers(found.bodies[d], derivative), numbers(expected.bodies[d], derivative)),
                1e-9)
          << d;
    }
    near = point;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

INSTANTIATE_TEST_SUITE_P(Models, CompiledFilter,
                         testing::Values("fourbar-testbed", "slider-crank", "five-bar", "quarter-vehicle",
                                         "rssr"));

/// A mechanism with its sensors and filters of it, interpreted and compiled.
struct ReadCase {
  explicit ReadCase(const model::Mechanism& mechanism) : one(mechanism) {
    for (const model::Sensor& sensor : one.mechanism.sensors())
      add(sensing::make_instrument(one.mechanism, sensor, one.model.forces()), &sensor);
  }
  void add(std::shared_ptr<const sensing::Instrument> instrument, const model::Sensor* sensor) {
    sensing::SensorFacts facts{.name = "tilt", .channels = instrument->channels(), .period = {}};
    if (sensor != nullptr) facts = sensing::sensor_facts(*sensor, *instrument);
    for (sensing::Channel& channel : facts.channels) channel.noise = 0.01;
    sensors.push_back({std::move(instrument), std::move(facts)});
  }
  estimation::MechanismSystem system(std::shared_ptr<dynamics::ReducedCompiler> with) const {
    estimation::MechanismSystemOptions options{.noise = {.velocity = 0.5},
                                               .motion_compiler = std::move(with)};
    options.unknowns.push_back({.what = {dynamics::Unknown::Kind::kFreedomForce, 0}, .walk = 0.1});
    options.biases.push_back({.sensor = 0, .channel = 0, .deviation = 0.1});
    return {one.model, sensors, std::move(options)};
  }

  test::DynamicCase one;
  std::vector<estimation::FilterSensor> sensors;
  std::shared_ptr<NativeCompiler> programs = make_programs();
  std::shared_ptr<MotionCompiler> compiler = std::make_shared<MotionCompiler>(programs);
};

/// The spatial four-bar with a sensor of every kind.
model::Mechanism read_rssr() {
  std::ifstream file(std::string(ESLABON_SOURCE_DIR) + "/models/rssr.yaml");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return test::released(io::read_mechanism(text + R"(
sensors:
  box: {imu: rocker.B, gyroscope: {noise: 0.5 deg/s}, accelerometer: {noise: 0.02 m/s^2}}
  gyro: {gyroscope: crank, noise: 0.5 deg/s}
  acc: {accelerometer: crank.A, noise: 0.02 m/s^2}
  encoder: {encoder: G, noise: 1 mrad}
  tachometer: {tachometer: O, noise: 1 mrad/s}
  level: {inclinometer: rocker, noise: 1 mrad}
  compass: {magnetometer: rocker, field: [1, 0.3, 0.2], noise: 0.01}
  tracker: {tracker: coupler.B, noise: 1 mm}
  distance: {distance: [ground.O, rocker.B], noise: 1 mm}
  rate: {reads: coupler.B.vz, noise: 1 mm/s}
)",
                                           "rssr.yaml"));
}

void expect_same_readings(const ReadCase& one, int num_programs) {
  estimation::MechanismSystem plain = one.system(nullptr), fast = one.system(one.compiler);
  ASSERT_EQ(one.programs->report().programs, num_programs);
  Eigen::VectorXd x = plain.start_state();
  ASSERT_EQ(fast.start_state(), x);
  core::Rng rng(3);
  for (int k = 1; k <= 20; ++k) {
    for (Eigen::Index i = 0; i < 2 * plain.num_freedoms(); ++i) x[i] += 0.02 * rng.normal();
    x[2 * plain.num_freedoms()] = 0.1 * rng.normal();
    ASSERT_TRUE(plain.accept(0.1 * k, x));
    ASSERT_TRUE(fast.accept(0.1 * k, x));
    for (int s = 0; s < plain.num_sensors(); ++s) {
      const Eigen::Index m = plain.num_channels(s), n = plain.num_states();
      Eigen::VectorXd y(m), expected_y(m);
      // What stands there before is overwritten, all of it.
      Eigen::MatrixXd H = Eigen::MatrixXd::Constant(m, n, 7.0), expected = -H;
      ASSERT_TRUE(plain.measure(0.1 * k, x, s, expected_y, expected));
      ASSERT_TRUE(fast.measure(0.1 * k, x, s, y, H));
      EXPECT_LT(difference(y, expected_y), 1e-11) << one.sensors[static_cast<std::size_t>(s)].facts.name;
      EXPECT_LT(difference(H, expected), 1e-10) << one.sensors[static_cast<std::size_t>(s)].facts.name;
    }
  }
}

/// The same filter with the same readings; compiled it takes nothing from the heap.
void expect_same_filter(const ReadCase& one) {
  estimation::MechanismSystem truth = one.system(nullptr), plain = one.system(nullptr),
                              fast = one.system(one.compiler);
  const auto interpreted = estimation::make_estimator("dekf", plain, {}),
             compiled = estimation::make_estimator("dekf", fast, {});
  Eigen::VectorXd x = truth.start_state();
  ASSERT_TRUE(interpreted->start(0.0, plain.start_state(), plain.start_covariance(0.05, 0.05)));
  ASSERT_TRUE(compiled->start(0.0, fast.start_state(), fast.start_covariance(0.05, 0.05)));
  core::Rng rng(4);
  for (int k = 1; k <= 200; ++k) {
    const double h = 1e-3;
    ASSERT_TRUE(truth.step((k - 1) * h, h, x) && truth.accept(k * h, x));
    ASSERT_TRUE(interpreted->predict(h));
    bool is_predicted = false;
    long allocations = test::count_allocations([&] { is_predicted = compiled->predict(h); });
    ASSERT_TRUE(is_predicted);
    for (int s = 0; s < truth.num_sensors(); ++s) {
      Eigen::VectorXd y(truth.num_channels(s));
      ASSERT_TRUE(truth.measure(k * h, x, s, y));
      for (double& number : y) number += 0.01 * rng.normal();
      const double gate = std::numeric_limits<double>::infinity();
      ASSERT_EQ(interpreted->update(s, y, gate).status, estimation::UpdateReport::Status::kAccepted);
      estimation::UpdateReport report;
      allocations += test::count_allocations([&] { report = compiled->update(s, y, gate); });
      ASSERT_EQ(report.status, estimation::UpdateReport::Status::kAccepted);
    }
    ASSERT_EQ(allocations, 0) << k;
    ASSERT_LT(difference(compiled->mean(), interpreted->mean()), 1e-12) << k;
    ASSERT_LT(difference(compiled->covariance(), interpreted->covariance()), 1e-12) << k;
  }
}

TEST(CompiledReadings, OfTheTestbedAreThoseOfTheInterpreter) {
  const ReadCase one(test::load_released("fourbar-testbed"));
  ASSERT_EQ(one.sensors.size(), 5u);
  expect_same_readings(one, kPointPrograms + 5);
  expect_same_filter(one);
  EXPECT_EQ(one.compiler->notes(), std::vector<std::string>());
}

TEST(CompiledReadings, OfASpatialMechanismWithAllKindsOfSensorsAreThoseOfTheInterpreter) {
  const ReadCase one(read_rssr());
  ASSERT_EQ(one.sensors.size(), 10u);
  expect_same_readings(one, kPointPrograms + 10);
  expect_same_filter(one);
  EXPECT_EQ(one.compiler->notes(), std::vector<std::string>());
}

TEST(CompiledReadings, ThatCannotBeWrittenDownAreInterpretedAndANoteSaysSo) {
  ReadCase one(test::load_released("fourbar-testbed"));
  one.add(sensing::make_instrument({{.name = "tilt", .dimension = core::kNumber}},
                                   []<class T>(const sensing::Scene<T>& scene, std::span<T> out) {
                                     if constexpr (std::is_same_v<T, core::Traced>)
                                       throw core::ModelError({.what = "it has no equation",
                                                               .where = "tilt",
                                                               .expected = "an equation",
                                                               .actual = "none",
                                                               .next = ""});
                                     out[0] = scene.bodies[1].w_WB_W.z() * scene.bodies[2].X_WB.p_AB_A.x();
                                   }),
          nullptr);
  one.add(sensing::make_instrument(
              {{.name = "clock", .dimension = core::kNumber}},
              [](const auto& scene, auto out) { out[0] = scene.bodies[1].w_WB_W.z() * (1.0 + scene.t); }),
          nullptr);
  one.sensors.back().facts.name = "clock";
  expect_same_readings(one, kPointPrograms + 5);
  EXPECT_EQ(one.compiler->notes(),
            std::vector<std::string>(
                {"What sensor 'tilt' reads is interpreted: tilt: expected an equation, got none.",
                 "What sensor 'clock' reads is interpreted: its instrument: expected a function of the "
                 "motion, got one of time besides."}));
  EXPECT_EQ(one.programs->report().notes, one.compiler->notes());  // which is what the user sees
}

}  // namespace
}  // namespace eslabon::codegen
