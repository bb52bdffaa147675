#include "eslabon/estimation/estimation_run.hpp"

#include <cmath>
#include <limits>

#include "tests/allocation_counter.hpp"
#include "tests/estimated_case.hpp"
#include "tests/pendulum_system.hpp"
#include "tests/sensed_mechanisms.hpp"
#include "tests/sentence_of.hpp"
#include "tests/test_name.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/estimation/chi_square.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using sensing::Outcome;
using sensing::Reading;

constexpr auto kNoWindow = core::Duration();

core::Instant at(std::int64_t microseconds) {
  return core::Instant::at(core::Duration::from_nanoseconds(1000 * microseconds));
}
Reading reading(std::int64_t microseconds, double value) {
  Reading one{.t = at(microseconds)};
  one.values[0] = value;
  return one;
}

/// A pendulum whose second state is a rate, and which can be made to have no states.
class Pendulum final : public test::LinearSystem {
 public:
  Pendulum()
      : LinearSystem(
            MatrixXd::Identity(2, 2), 1e-6 * MatrixXd::Identity(2, 2),
            {{.H = Eigen::RowVector2d(1.0, 0.0), .R_n = MatrixXd::Constant(1, 1, 1e-4), .period = 0.01}}) {
    states_[1].is_rate = true;
  }
  bool step(double, double h, StateRef x) override {
    const double angle = x[0];
    x[0] += h * x[1];
    x[1] -= h * 9.81 * std::sin(angle);
    return can_step && !refuses(x);
  }
  bool step(double t, double h, StateRef x, MatrixRef F) override {
    F << 1.0, h, -h * 9.81 * std::cos(x[0]), 1.0;
    return step(t, h, x);
  }
  void simple_transition(double h, MatrixRef F) override { F << 1.0, h, 0.0, 1.0; }

  bool can_step = true;
};

struct RunCase {
  explicit RunCase(const RunOptions& options = {}, const std::string& filter = "dekf")
      : estimator(make_estimator(filter, system)),
        front_end({{.name = "angle",
                    .channels = {{.name = "angle", .dimension = core::kAngle, .noise = 0.01}},
                    .period = core::Duration::from_nanoseconds(10'000'000)}},
                  {.window = kNoWindow, .patience = core::Duration::from_nanoseconds(100'000'000)}) {
    EXPECT_TRUE(estimator->start(0.0, Eigen::Vector2d(0.5, 1.0), 0.01 * MatrixXd::Identity(2, 2)));
    run = std::make_unique<EstimationRun>(system, *estimator, front_end, options);
  }
  std::int64_t count(Outcome outcome) const {
    return front_end.log().counts(0).by_outcome[static_cast<std::size_t>(outcome)];
  }

  Pendulum system;
  std::unique_ptr<Estimator> estimator;
  sensing::FrontEnd front_end;
  std::unique_ptr<EstimationRun> run;
};

// crosscheck: the same filter led by hand.
TEST(EstimationRun, TakesEachReadingAtItsOwnTime) {
  RunCase led;
  Pendulum system;
  const auto by_hand = make_estimator("dekf", system);
  ASSERT_TRUE(by_hand->start(0.0, Eigen::Vector2d(0.5, 1.0), 0.01 * MatrixXd::Identity(2, 2)));
  const auto go_to = [&](std::int64_t microseconds) {
    ASSERT_TRUE(by_hand->predict(at(microseconds).seconds() - by_hand->t()));
  };
  double nis = 0.0;
  const auto take = [&](double value) {
    const UpdateReport report = by_hand->update(0, VectorXd::Constant(1, value), 100.0);
    EXPECT_EQ(report.status, UpdateReport::Status::kAccepted);
    nis += report.nis;
  };
  led.front_end.receive(reading(2300, 0.51));
  led.front_end.receive(reading(11000, 0.53));  // at the end of a step
  led.front_end.receive(reading(20400, 0.54));
  for (int k = 0; k < 22; ++k) led.run->step();
  go_to(1000), go_to(2000), go_to(2300), take(0.51);
  for (std::int64_t k = 3; k <= 11; ++k) go_to(1000 * k);
  take(0.53);
  for (std::int64_t k = 12; k <= 20; ++k) go_to(1000 * k);
  go_to(20400), take(0.54), go_to(21000), go_to(22000);
  EXPECT_EQ(led.run->now(), at(22000));
  EXPECT_EQ((led.estimator->mean() - by_hand->mean()).norm(), 0.0);
  EXPECT_EQ((led.estimator->covariance() - by_hand->covariance()).norm(), 0.0);
  EXPECT_EQ(led.estimator->t(), by_hand->t());
  EXPECT_EQ(led.count(Outcome::kAccepted), 3);
  EXPECT_NEAR(led.run->nis(0).mean(), nis / 3.0, 1e-12);
  EXPECT_EQ(led.run->num_restarts() + led.run->num_reopenings(), 0);
}

TEST(EstimationRun, StepsToMultiplesOfItsStep_WhereverItBegins) {
  RunCase c;
  // Far from zero, where doubles cannot tell instants apart, and below it.
  for (const std::int64_t origin :
       {std::int64_t{30'400}, std::int64_t{1'700'000'000'000'400}, std::int64_t{-29'600}}) {
    ASSERT_TRUE(c.estimator->start(0.0, Eigen::Vector2d(0.5, 1.0), 0.01 * MatrixXd::Identity(2, 2)));
    EstimationRun run(c.system, *c.estimator, c.front_end, {}, at(origin));
    EXPECT_EQ(run.now(), at(origin));
    run.step();
    EXPECT_EQ(run.now(), at(origin + 600));
    EXPECT_EQ(c.estimator->t(), 0.0006) << "its own time begins with the run";
    EXPECT_NEAR(c.estimator->mean()[0], 0.5006, 1e-12) << "0.6 ms";
    run.step();
    EXPECT_EQ(run.now(), at(origin + 1600));
  }
}

TEST(EstimationRun, BelievesReadingsUpToTheQuantileOfItsFalseAlarms) {
  for (const double false_alarms : {1e-6, 1e-2, 0.0}) {
    RunCase c({.false_alarms = false_alarms});
    for (int k = 0; k < 10; ++k) c.run->step();
    // Square of a deviation that is just inside, then just outside; the deviation is √S, S = H P Hᵀ + R_n.
    const double deviation = std::sqrt(c.estimator->covariance()(0, 0) + 1e-4);
    const double limit = false_alarms > 0.0
                             ? std::sqrt(chi_square_quantile(1.0 - false_alarms, 1)) * deviation
                             : 1e3 * deviation;
    const VectorXd before = c.estimator->mean();
    if (false_alarms > 0.0) {
      c.front_end.receive(reading(10000, before[0] + 1.001 * limit));
      c.run->step();
      EXPECT_EQ(c.count(Outcome::kOutlier), 1) << false_alarms;
    }
    RunCase inside({.false_alarms = false_alarms});
    for (int k = 0; k < 10; ++k) inside.run->step();
    inside.front_end.receive(reading(10000, before[0] + 0.999 * limit));
    inside.run->step();
    EXPECT_EQ(inside.count(Outcome::kAccepted), 1) << false_alarms;
  }
  // Known to every table: of one degree of freedom, 5 % lie beyond 1.96 deviations.
  EXPECT_NEAR(std::sqrt(chi_square_quantile(0.95, 1)), 1.959964, 1e-6);
}

TEST(EstimationRun, BeginsAnewAtRest_WhereNoStateFollows) {
  RunCase c;
  for (int k = 0; k < 10; ++k) c.run->step();
  const VectorXd x = c.estimator->mean();
  const MatrixXd P = c.estimator->covariance();
  c.system.can_step = false;
  c.run->step();
  EXPECT_EQ(c.run->num_restarts(), 1);
  EXPECT_EQ(c.run->now(), at(11000));
  EXPECT_EQ(c.estimator->t(), 0.011) << "time goes on";
  EXPECT_EQ(c.estimator->mean()[0], x[0]);
  EXPECT_EQ(c.estimator->mean()[1], 0.0) << "a rate";
  EXPECT_NEAR(c.estimator->covariance()(0, 0), 9.0 * P(0, 0), 1e-12) << "three times the deviation";
  const double unknown = c.system.states()[1].unknown_scale;
  EXPECT_NEAR(c.estimator->covariance()(1, 1), unknown * unknown, 1e-9) << "a rate that nobody knows";
  EXPECT_EQ(c.estimator->covariance()(0, 1), 0.0);
  for (int k = 0; k < 200; ++k) c.run->step();
  EXPECT_EQ(c.run->num_restarts(), 201);
  EXPECT_LE(c.estimator->covariance()(0, 0), 100.0 + 1e-9) << "not beyond what nothing known means";
  c.system.can_step = true;
  c.front_end.receive(reading(212000, 0.4));
  for (int k = 0; k < 2; ++k) c.run->step();
  EXPECT_EQ(c.run->num_restarts(), 201);
  EXPECT_EQ(c.count(Outcome::kAccepted), 1);
  EXPECT_NEAR(c.estimator->mean()[0], 0.4, 0.01);
}

TEST(EstimationRun, CountsReadingsThatCannotBeTaken) {
  RunCase c;
  for (int k = 0; k < 10; ++k) c.run->step();
  c.system.largest_state = 0.1;  // no state at all
  c.front_end.receive(reading(10000, 0.5));
  c.run->step();
  EXPECT_EQ(c.count(Outcome::kFailed), 1);
  EXPECT_TRUE(c.estimator->mean().allFinite());
}

TEST(EstimationRun, OpensItsGate_WhenEveryReadingIsRefusedForLong) {
  RunCase c;
  std::int64_t next = 10;
  const auto lead = [&](int steps, double value) {
    for (int k = 0; k < steps; ++k) {
      const std::int64_t now = c.run->now().nanoseconds() / 1'000'000;
      // Not twice the same: a stuck sensor would be another fault.
      if (now + 1 >= next)
        c.front_end.receive(reading(1000 * next, value + 1e-4 * static_cast<double>(next % 7))), next += 10;
      c.run->step();
    }
  };
  lead(90, 9.0);
  EXPECT_EQ(c.run->num_reopenings(), 0) << "patience";
  EXPECT_EQ(c.count(Outcome::kAccepted), 0);
  lead(910, 9.0);
  EXPECT_GE(c.run->num_reopenings(), 1);
  EXPECT_GE(c.count(Outcome::kAccepted), 1);
  EXPECT_EQ(c.run->num_restarts(), 0);
}

TEST(EstimationRun, RefusesARunThatCannotBeMade) {
  RunCase c;
  sensing::FrontEnd none({}, {});
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { EstimationRun(c.system, *c.estimator, none, {}); }),
            "a run that cannot be made [EstimationRun]: expected a positive step, and a front end with the "
            "sensors of the "
            "system, got 1000000 ns and 0 sensors. Make both from the same list.");
  EXPECT_EQ(test::sentence_of<core::ContractError>(
                [&] { EstimationRun(c.system, *c.estimator, c.front_end, {.step = core::Duration()}); }),
            "a run that cannot be made [EstimationRun]: expected a positive step, and a front end with the "
            "sensors of the "
            "system, got 0 ns and 1 sensors. Make both from the same list.");
}

class AllocationOfRun : public testing::TestWithParam<std::string> {};

/// Sensors of a mechanism, read along its start with noise.
struct MechanismRun {
  MechanismRun(const model::Mechanism& mechanism, const std::vector<std::string>& sensors,
               const std::string& filter_name, MechanismSystemOptions options)
      : filter(mechanism, sensors, filter_name, std::move(options)) {
    std::vector<sensing::SensorFacts> facts;
    for (const FilterSensor& sensor : filter.system.sensors()) facts.push_back(sensor.facts);
    front_end = std::make_unique<sensing::FrontEnd>(facts, sensing::FrontEndOptions{.window = kNoWindow});
    filter.start(0.01, 0.1);
    run = std::make_unique<EstimationRun>(filter.system, *filter.estimator, *front_end, RunOptions{});
    const auto truth = test::true_motion(mechanism, 0.0097, 30);
    core::Rng rng(5);
    const dynamics::ForceMemory memory = filter.c.model.forces().empty_memory();
    for (int k = 1; k <= 30; ++k)
      for (std::size_t s = 0; s < facts.size(); ++s) {
        Reading one{.t = at(9700 * k), .sensor = static_cast<int>(s)};
        const std::size_t m = facts[s].channels.size();
        filter.system.sensors()[s].instrument->read(
            sensing::Scene<double>{0.0097 * k, truth[static_cast<std::size_t>(k)], memory},
            std::span(one.values).first(m));
        for (std::size_t c = 0; c < m; ++c)
          one.values[c] +=
              (facts[s].channels[c].noise + 0.25 * facts[s].channels[c].resolution) * rng.normal();
        if (k == 7) one.values[0] += 1e4;          // an outlier
        if (k == 9) one.values[0] = std::nan("");  // a fault of the stream
        readings.push_back(one);
      }
  }
  void step() {
    while (next < readings.size() && readings[next].t <= run->now() + run->step_size())
      front_end->receive(readings[next++]);
    run->step();
  }

  test::FilterCase filter;
  std::unique_ptr<sensing::FrontEnd> front_end;
  std::unique_ptr<EstimationRun> run;
  std::vector<Reading> readings;
  std::size_t next = 0;
};

void expect_no_allocation(MechanismRun& c, const std::string& where) {
  for (int k = 0; k < 20; ++k) c.step();
  double sum = 0.0;
  const long count = test::count_allocations([&] {
    for (int k = 0; k < 280; ++k) {
      c.step();
      sum += c.filter.estimator->covariance()(0, 0) + c.filter.estimator->mean()[0];
    }
  });
  EXPECT_EQ(count, 0) << where;
  EXPECT_TRUE(std::isfinite(sum));
  const sensing::StreamCounts counts = c.front_end->log().total();
  EXPECT_GE(counts.by_outcome[static_cast<std::size_t>(Outcome::kAccepted)],
            26 * c.filter.system.num_sensors())
      << where;
  // The testbed's gyroscope cannot even give that.
  EXPECT_EQ(counts.by_outcome[static_cast<std::size_t>(Outcome::kOutlier)] +
                counts.by_outcome[static_cast<std::size_t>(Outcome::kSaturated)],
            c.filter.system.num_sensors())
      << where;
  EXPECT_EQ(counts.by_outcome[static_cast<std::size_t>(Outcome::kNotFinite)], c.filter.system.num_sensors())
      << where;
  EXPECT_LE(c.run->worst_constraint_error(), 1e-10);
}

TEST_P(AllocationOfRun, StepsOfMechanismsTakeNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  const UnknownState effort{.what = {dynamics::Unknown::Kind::kFreedomForce, 0},
                            .name = "effort",
                            .dimension = core::kTorque,
                            .walk = 1.0};
  for (const StepRule rule : {StepRule::kHeun, StepRule::kRk4}) {
    MechanismRun testbed(
        test::sensed_testbed(), {"imu", "encoder", "pull", "inclinometer"}, GetParam(),
        {.rule = rule, .noise = {.velocity = 0.3}, .unknowns = {effort}, .biases = {{.deviation = 0.1}}});
    expect_no_allocation(testbed, "testbed");
    MechanismRun vehicle(test::sensed_quarter_vehicle(), {"imu", "encoder", "wheel_encoder", "tyre_force"},
                         GetParam(), {.rule = rule, .noise = {.velocity = 0.3}, .unknowns = {effort}});
    expect_no_allocation(vehicle, "vehicle");
  }
}

TEST_P(AllocationOfRun, RestartsAndReopeningsTakeNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  RunCase c({}, GetParam());
  c.run->step();
  c.system.can_step = false;
  EXPECT_EQ(test::count_allocations([&] { c.run->step(); }), 0);
  EXPECT_EQ(c.run->num_restarts(), 1);
}

INSTANTIATE_TEST_SUITE_P(Filters, AllocationOfRun, testing::Values("dekf", "ukf", "cekf", "error-ekf"),
                         [](const auto& name) { return test::test_name(name.param); });

}  // namespace
}  // namespace eslabon::estimation
