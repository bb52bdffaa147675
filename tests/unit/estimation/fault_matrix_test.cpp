#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numbers>

#include "tests/estimated_case.hpp"
#include "tests/fault_injection.hpp"

#include "eslabon/estimation/particle/particle_filter.hpp"

// contract: 14 faults of a gyroscope, an accelerometer and an encoder, mild and severe, and what becomes of filters on the testbed. The linkage swings
// without friction; the fault lasts from 1 s to 1.5 s, or to the end where it cannot end; from 2 s later on the crank is to be
// known as well as without it.
namespace eslabon::estimation {
namespace {

using sensing::Outcome;
using test::Fault;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr core::Duration kStep = core::Duration::from_nanoseconds(5'000'000);
constexpr int kSteps = 840, kFrom = 200, kUntil = 300, kRecovered = 700;
constexpr int kJump = 100;  ///< steps by which a clock jumps, when it does so mildly
const std::vector<std::string> kSensors = {"imu1_gyroscope", "imu1_accelerometer", "crank_encoder"};
constexpr int kAccelerometer = 1, kEncoder = 2;

bool is_full() { return std::getenv("ESLABON_FULL_SWEEPS") != nullptr; }
const int kParticles = is_full() ? 300 : 150;

const std::vector<coordinates::MechanismMotion>& truth() {
  static const auto motion = test::true_motion(test::load_released("fourbar-testbed"), 5e-3, kSteps);
  return motion;
}

core::Instant at(int step) { return core::Instant::at(kStep * static_cast<std::int64_t>(step)); }

/// A filter with the readings of its sensors.
struct Bench {
  Bench(const std::string& name, const std::vector<std::string>& sensors)
      : filter(test::load_released("fourbar-testbed"), sensors, name,
               {.rule = StepRule::kHeun, .noise = {.velocity = 0.5}},
               {.particle = {.particles = kParticles}}),
        clean(test::noisy(test::exact_readings(filter, truth(), kStep), filter, 1)),
        angle(model::find_variable(filter.c.mechanism, "crank.angle")) {
    const std::map<std::string, double> ranges = {{"rad/s", 20.0}, {"m/s^2", 80.0}};  // an encoder has none
    for (const FilterSensor& sensor : filter.system.sensors()) {
      facts.push_back(sensor.facts);
      for (sensing::Channel& channel : facts.back().channels)
        if (const auto found = ranges.find(core::si_unit(channel.dimension)); found != ranges.end())
          channel.range = found->second;
    }
  }
  test::FilterCase filter;
  std::vector<sensing::Reading> clean;
  std::vector<sensing::SensorFacts> facts;
  model::Variable angle;
};

/// What became of a run.
struct Course {
  double late = 0.0, ever = 0.0;  ///< largest errors of the crank after kRecovered and after kFrom [rad]
  double deviation_before = 0.0, deviation = 0.0;  ///< of the crank's angle, at kFrom and at the end [rad]
  double last = 0.0;                               ///< error at the end [rad]
  bool is_finite = true, is_observed = true;
  double residual = 0.0;
  long reopenings = 0;
  std::vector<sensing::StreamCounts> counts;  ///< (sensors)
};

/// Its system stands at one of the hypotheses, not at their mean.
bool is_of_hypotheses(const test::FilterCase& filter) {
  return estimator_capabilities(filter.estimator->name()).unknown_start;
}

/// lag: steps by which the stream's time is ahead of the truth.
Course run(Bench& bench, const std::vector<sensing::Reading>& arriving, int lag = 0) {
  test::FilterCase& filter = bench.filter;
  test::LedFilter led(filter, arriving, 5.0 * kDegree, 5.0 * kDegree, {.step = kStep}, bench.facts);
  Course course;
  for (int k = 1; k <= kSteps; ++k) {
    led.step();
    if (is_of_hypotheses(filter))
      static_cast<void>(filter.system.accept(filter.estimator->t(), filter.estimator->mean()));
    const auto& bodies = truth()[static_cast<std::size_t>(k > kUntil ? k - lag : k)];
    course.last = std::abs(test::turned_to_half(
        kinematics::value_of(filter.c.mechanism, bench.angle, filter.system.point().bodies) -
        kinematics::value_of(filter.c.mechanism, bench.angle, bodies)));
    course.is_finite = course.is_finite && filter.estimator->mean().allFinite() &&
                       filter.estimator->covariance().allFinite() && std::isfinite(course.last);
    course.deviation = std::sqrt(filter.estimator->covariance()(0, 0));
    if (k == kFrom) course.deviation_before = course.deviation;
    if (k >= kFrom) course.ever = std::max(course.ever, course.last);
    if (k > kRecovered) course.late = std::max(course.late, course.last);
  }
  course.is_observed = led.run->observability().all_observed();
  course.residual = led.run->worst_constraint_error();
  course.reopenings = led.run->num_reopenings();
  for (std::size_t s = 0; s < bench.facts.size(); ++s)
    course.counts.push_back(led.front_end.log().counts(static_cast<int>(s)));
  return course;
}

// ------------------------------------------------------------------------------------------------ what is expected

constexpr std::int64_t kSome = -1;  ///< more than none: it depends on what the filter knows
using Counts = std::map<Outcome, std::int64_t>;

/// Of a sensor among others, 50 readings of which are faulty: mild and severe. What is not named does not happen.
const std::map<Fault, std::array<Counts, 2>>& common_outcomes() {
  using O = Outcome;
  static const std::map<Fault, std::array<Counts, 2>> table = {
      {Fault::kDuplicate, {{{{O::kDuplicate, 10}}, {{O::kDuplicate, 150}}}}},
      {Fault::kOutOfOrder, {{{{O::kReordered, 25}}, {{O::kReordered, kSome}}}}},
      {Fault::kLate, {{{{O::kLate, 10}, {O::kGap, 10}}, {{O::kLate, 50}, {O::kGap, 1}}}}},
      {Fault::kGap, {{{{O::kGap, 1}}, {{O::kGap, 1}}}}},
      {Fault::kLoss, {{{{O::kGap, 32}}, {}}}},
      {Fault::kClockAhead,
       {{{{O::kClockDoubted, 4}, {O::kResynchronised, 1}, {O::kGap, 1}},
         {{O::kClockDoubted, 4}, {O::kResynchronised, 1}, {O::kGap, 1}}}}},
      {Fault::kClockBack,
       {{{{O::kLate, 4}, {O::kResynchronised, 1}, {O::kGap, 1}},
         {{O::kLate, 4}, {O::kResynchronised, 1}, {O::kGap, 1}}}}},
      {Fault::kNaN, {{{{O::kNotFinite, 10}}, {{O::kNotFinite, 50}}}}},
      {Fault::kInfinity, {{{{O::kNotFinite, 10}}, {{O::kNotFinite, 50}}}}},
      {Fault::kSpikes, {{{{O::kOutlier, kSome}}, {{O::kOutlier, kSome}}}}},
      {Fault::kSaturation, {{{{O::kSaturated, 10}}, {{O::kSaturated, 50}}}}},
      {Fault::kStuck, {{{{O::kOutlier, kSome}, {O::kStuck, 11}}, {{O::kOutlier, kSome}, {O::kStuck, 41}}}}},
      {Fault::kBiasStep, {{{{O::kOutlier, kSome}}, {{O::kOutlier, kSome}}}}},
      {Fault::kNoiseBurst, {{{{O::kOutlier, kSome}}, {{O::kOutlier, kSome}}}}},
  };
  return table;
}

/// The same where the sensor, or having no others, makes a difference.
Counts expected_outcomes(Fault fault, bool is_severe, int sensor, bool is_alone) {
  using O = Outcome;
  if (fault == Fault::kSaturation && sensor == kEncoder)  // no range: the limit is a value like others
    return is_severe ? Counts{{O::kOutlier, kSome}, {O::kStuck, 41}} : Counts{{O::kOutlier, 10}};
  if (is_alone && fault == Fault::kLate && is_severe)  // all the stream is late, until its own time has moved
    return {{O::kLate, 4}, {O::kGap, 1}};
  if (is_alone && fault == Fault::kClockAhead && !is_severe)  // nobody can tell it from a gap
    return {{O::kOutlier, kSome}, {O::kGap, 1}};
  return common_outcomes().at(fault)[is_severe ? 1 : 0];
}

/// is_misled: the filter is far from the truth for a while. Then it may fail at a reading, and it takes an encoder that rests at the end of
/// a swing for stuck, because it expects it to move.
void expect_outcomes(const sensing::StreamCounts& counts, const Counts& expected, bool is_misled) {
  for (std::size_t k = 1; k < sensing::kNumOutcomes; ++k) {
    const auto outcome = static_cast<Outcome>(k);
    const auto found = expected.find(outcome);
    if (is_misled && outcome == Outcome::kFailed) continue;
    if (is_misled && outcome == Outcome::kStuck && found == expected.end()) continue;
    if (found != expected.end() && found->second == kSome)
      EXPECT_GT(counts.of(outcome), 0) << sensing::name(outcome);
    else
      EXPECT_EQ(counts.of(outcome), found == expected.end() ? 0 : found->second) << sensing::name(outcome);
  }
}

/// Faults that pull the estimate away before they are noticed, so that good readings do not fit either.
bool misleads(Fault fault) { return fault == Fault::kBiasStep || fault == Fault::kNoiseBurst; }

/// An accelerometer alone: many positions have nearly its reading, so a filter that has been led far away may stay lost. Then it says so.
bool may_stay_lost(Fault fault, bool is_severe, int sensor, bool is_alone) {
  if (!is_alone) return false;
  return (sensor == kAccelerometer && misleads(fault)) || (fault == Fault::kClockAhead && !is_severe);
}

// ------------------------------------------------------------------------------------------------ the matrix

void expect_cell(Bench& bench, const Course& clean, const test::FaultPlan& plan, int sensor, bool is_alone) {
  const int lag = is_alone && plan.fault == Fault::kClockAhead && !plan.is_severe ? kJump : 0;
  const Course course = run(bench, test::inject(bench.clean, bench.facts, plan), lag);
  if (is_full())
    std::printf(
        "%-9s %-18s %-12s %-6s %s  error %.2f° at worst, %.2f° later (%.2f° without), %ld reopenings\n",
        std::string(bench.filter.estimator->name()).c_str(),
        kSensors[static_cast<std::size_t>(sensor)].c_str(), std::string(test::name(plan.fault)).c_str(),
        plan.is_severe ? "severe" : "mild", is_alone ? "alone" : "", course.ever / kDegree,
        course.late / kDegree, clean.ever / kDegree, course.reopenings);
  EXPECT_TRUE(course.is_finite);
  EXPECT_LE(course.residual, 1e-8);
  const bool is_misled = is_alone && (misleads(plan.fault) || lag > 0);
  expect_outcomes(course.counts[static_cast<std::size_t>(plan.sensor)],
                  expected_outcomes(plan.fault, plan.is_severe, sensor, is_alone), is_misled);
  for (std::size_t s = 0; s < course.counts.size() && !misleads(plan.fault); ++s)
    if (static_cast<int>(s) != plan.sensor) expect_outcomes(course.counts[s], {}, false);
  if (plan.fault == Fault::kLoss) {
    EXPECT_LE(course.last, 5.0 * course.deviation);
    if (is_alone && plan.is_severe) {  // goes on by the model, and says that it knows less and less
      EXPECT_GT(course.deviation, 10.0 * course.deviation_before);
      EXPECT_FALSE(course.is_observed);
    }
    return;
  }
  const bool is_back = course.late <= 3.0 * clean.ever;
  EXPECT_TRUE(is_back ||
              (may_stay_lost(plan.fault, plan.is_severe, sensor, is_alone) && course.reopenings >= 2))
      << "error " << course.late / kDegree << "°, without the fault " << clean.ever / kDegree << "°";
}

/// Hypotheses take their time: without full sweeps only severe faults that reach the filter, of the gyroscope.
bool is_left_out(const Bench& bench, Fault fault, bool is_severe) {
  if (is_full() || !is_of_hypotheses(bench.filter)) return false;
  return !is_severe || fault == Fault::kDuplicate || fault == Fault::kOutOfOrder || fault == Fault::kLate ||
         fault == Fault::kClockAhead || fault == Fault::kClockBack || fault == Fault::kInfinity ||
         fault == Fault::kSaturation;
}

void expect_matrix(const std::string& filter, bool is_alone) {
  const bool is_short = !is_full() && estimator_capabilities(filter).unknown_start;
  for (int sensor = 0; sensor < (is_short ? 1 : 3); ++sensor) {
    Bench bench(filter, is_alone ? std::vector{kSensors[static_cast<std::size_t>(sensor)]} : kSensors);
    const Course clean = run(bench, bench.clean);
    for (const sensing::StreamCounts& counts : clean.counts) expect_outcomes(counts, {}, false);
    for (std::size_t fault = 0; fault < test::kNumFaults; ++fault)
      for (const bool is_severe : {false, true}) {
        if (is_left_out(bench, static_cast<Fault>(fault), is_severe)) continue;
        const test::FaultPlan plan{.fault = static_cast<Fault>(fault),
                                   .is_severe = is_severe,
                                   .sensor = is_alone ? 0 : sensor,
                                   .from = at(kFrom),
                                   .until = at(kUntil),
                                   .window = sensing::FrontEndOptions{}.window};
        SCOPED_TRACE(filter + ", " + kSensors[static_cast<std::size_t>(sensor)] + ", " +
                     std::string(test::name(plan.fault)) + (is_severe ? ", severe" : ", mild"));
        expect_cell(bench, clean, plan, sensor, is_alone);
      }
  }
}

// contract: one more row. Filters of hypotheses are sure of where the crank is not, so that no hypothesis has a likelihood: with a gate, by which all readings are
// refused, and without. After 1 s of good readings the crank is known again.
TEST(FaultMatrixOfHypotheses, AllLikelihoodsAreZero_AndTheCrankIsFoundAgainWithinASecond) {
  for (const double false_alarms : {1e-6, 0.0}) {
    SCOPED_TRACE(false_alarms);
    Bench bench("particle", kSensors);
    test::FilterCase& filter = bench.filter;
    test::LedFilter led(filter, bench.clean, kDegree, kDegree, {.step = kStep, .false_alarms = false_alarms},
                        bench.facts);
    const Eigen::VectorXd elsewhere = filter.system.state_of(truth()[120], 0.0);
    ASSERT_TRUE(filter.estimator->start(0.0, elsewhere, filter.system.start_covariance(1e-3, 1e-3)));
    const auto error_at = [&](int k) {
      static_cast<void>(filter.system.accept(filter.estimator->t(), filter.estimator->mean()));
      return std::abs(test::turned_to_half(
          kinematics::value_of(filter.c.mechanism, bench.angle, filter.system.point().bodies) -
          kinematics::value_of(filter.c.mechanism, bench.angle, truth()[static_cast<std::size_t>(k)])));
    };
    double late = 0.0;
    for (int k = 1; k <= 280; ++k) {
      led.step();
      ASSERT_TRUE(filter.estimator->mean().allFinite() && filter.estimator->covariance().allFinite());
      if (k == 1) {
        EXPECT_GT(error_at(k), 10.0 * kDegree);
      }
      if (k > 200) late = std::max(late, error_at(k));
    }
    EXPECT_GE(dynamic_cast<ParticleFilter&>(*filter.estimator).num_recoveries(), 1);
    EXPECT_LE(late, kDegree) << late / kDegree << "°";
  }
}

class FaultMatrix : public testing::TestWithParam<const char*> {};
TEST_P(FaultMatrix, EachCellHasItsOutcome_AndTheCrankIsFoundAgain) { expect_matrix(GetParam(), false); }
INSTANTIATE_TEST_SUITE_P(Filters, FaultMatrix, testing::Values("dekf", "ukf", "error-ekf", "particle"));

TEST(FaultMatrixOfOneSensor, EachCellHasItsOutcome_AndTheCrankIsFoundAgainOrCalledLost) {
  expect_matrix("dekf", true);
  if (!is_full()) return;
  expect_matrix("ukf", true);
  expect_matrix("error-ekf", true);
}

}  // namespace
}  // namespace eslabon::estimation
