#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "tests/estimated_case.hpp"

// reference: the table "three simulations" of the authors' later comparison of filters, run with their public code.
namespace eslabon::estimation {
namespace {

using std::numbers::pi;

constexpr double kStep = 5e-3, kEnd = 10.0, kDegree = pi / 180.0;
constexpr int kSteps = 2000;

struct Errors {
  double position = 0.0, velocity = 0.0, acceleration = 0.0, late_position = 0.0;
};

/// One line of the table.
struct Line {
  std::string name, filter;
  bool exact_jacobian;
  bool estimates_force;
  StepRule rule;
  Errors published;
};

model::Mechanism load(const std::vector<std::string>& set) {
  return io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/benchmarks/three-simulations.yaml", set);
}

MechanismSystemOptions options_of(const Line& line) {
  MechanismSystemOptions options{.rule = line.rule, .noise = {.velocity = std::sqrt(0.0916)}};
  if (line.estimates_force) {
    options.noise.velocity = 0.0;
    options.unknowns.push_back({.what = {dynamics::Unknown::Kind::kFreedomForce, 0},
                                .name = "force",
                                .unit = "N m",
                                .deviation = 5.0 * kDegree,
                                .walk = std::sqrt(0.0916)});
  }
  return options;
}

Errors run(const Line& line, const std::string& sensor, const std::vector<coordinates::MechanismMotion>& truth,
           std::uint64_t seed) {
  test::FilterCase filter(load({"g=8.81", "start=" + std::to_string(60.0 + 180.0 / 16.0) + " deg"}), {sensor}, line.filter,
                          options_of(line), {.exact_jacobian = line.exact_jacobian});
  filter.start(5.0 * kDegree, 5.0 * kDegree);
  core::Rng rng(seed);
  test::RootMeanSquare position, velocity, acceleration, late;
  for (int k = 1; k <= kSteps; ++k) {
    EXPECT_TRUE(filter.estimator->predict(kStep));
    const auto& bodies = truth[static_cast<std::size_t>(k)];
    EXPECT_EQ(filter.read(0, bodies, rng).status, UpdateReport::Status::kAccepted);
    const model::Mechanism& mechanism = filter.c.mechanism;
    const auto error = [&](const char* name) {
      return filter.value(name) - kinematics::value_of(mechanism, model::find_variable(mechanism, name), bodies);
    };
    position.add(test::turned_to_half(error("crank.angle")));
    velocity.add(error("crank.rate"));
    acceleration.add(error("crank.angular_acceleration"));
    if (2 * k > kSteps) late.add(test::turned_to_half(error("crank.angle")));
    EXPECT_LE(filter.system.constraint_error(), 1e-8);
  }
  return {position.value(), velocity.value(), acceleration.value(), late.value()};
}

TEST(ThreeSimulations, X) {
  std::vector<Line> lines;
  for (const StepRule rule : {StepRule::kHeun, StepRule::kRk4}) {
    lines.push_back({"DEKF", "dekf", false, false, rule, {0.049, 0.064, 0.51, 0.0069}});
    lines.push_back({"DEKF exact", "dekf", true, false, rule, {0.049, 0.064, 0.51, 0.0069}});
    lines.push_back({"CEKF", "cekf", true, false, rule, {0.056, 0.058, 0.52, 0.0026}});
    lines.push_back({"error-EKF", "error-ekf", false, false, rule, {0.049, 0.028, 0.48, 0.00040}});
    lines.push_back({"error-EKF exact", "error-ekf", true, false, rule, {0.028, 0.019, 0.39, 0.00039}});
    lines.push_back({"error-EKF force", "error-ekf", true, true, rule, {0.0070, 0.0065, 0.098, 0.00030}});
    lines.push_back({"UKF", "ukf", true, false, rule, {0.028, 0.025, 0.39, 0.0023}});
  }
  const auto truth = test::true_motion(load({}), kStep, kSteps);
  for (const std::string sensor : {"gyroscope", "encoder"})
    for (const Line& line : lines) {
      const auto before = std::chrono::steady_clock::now();
      const Errors e = run(line, sensor, truth, 1);
      std::printf("%.1f us ", std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count() / kSteps * 1e6);
      std::printf("%-10s %-24s %.5f %.5f %.4f late %.5f   (%.5f %.5f %.4f %.5f)\n", sensor.c_str(), line.name.c_str(), e.position,
                  e.velocity, e.acceleration, e.late_position, line.published.position, line.published.velocity,
                  line.published.acceleration, line.published.late_position);
    }
}

}  // namespace
}  // namespace eslabon::estimation
