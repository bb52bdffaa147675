// Where the bodies of hypotheses are, and which of them are told.
#include "eslabon/estimation/hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "tests/allocation_counter.hpp"
#include "tests/estimated_case.hpp"
#include "tests/moving_mechanisms.hpp"
#include <gmock/gmock.h>

#include "eslabon/estimation/grid/grid_filter.hpp"
#include "eslabon/estimation/mechanism/mechanism_swarm.hpp"
#include "eslabon/estimation/particle/particle_filter.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::VectorXd;
using Poses = std::span<const core::Pose<double>>;

constexpr double kNoGate = std::numeric_limits<double>::infinity();

std::vector<std::string> sensor_names(const model::Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const model::Sensor& sensor : mechanism.sensors()) names.push_back(sensor.name);
  return names;
}

core::Pose<double> pose_of(Poses X_WB, model::BodyIndex body) {
  return body == model::kGround ? core::Pose<double>{} : X_WB[static_cast<std::size_t>(body.value()) - 1];
}

/// By how much joints are open, from where bodies are alone [m, 1].
double opening(const model::Mechanism& mechanism, Poses X_WB) {
  double largest = 0.0;
  for (const model::Joint& joint : mechanism.joints()) {
    const core::Pose<double> X_WF = pose_of(X_WB, joint.first()) * joint.ends[0].X_BF,
                             X_WG = pose_of(X_WB, joint.second()) * joint.ends[1].X_BF;
    const Eigen::Vector3d p = X_WG.p_AB_A - X_WF.p_AB_A;
    const Eigen::Matrix3d F = X_WF.R_AB.matrix(), G = X_WG.R_AB.matrix();
    switch (joint.type) {
      case model::JointType::kRevolute:
        largest = std::max({largest, p.norm(), (F.col(2) - G.col(2)).norm()});
        break;
      case model::JointType::kSpherical:
        largest = std::max(largest, p.norm());
        break;
      case model::JointType::kUniversal:
        largest = std::max({largest, p.norm(), std::abs(F.col(0).dot(G.col(1)))});
        break;
      case model::JointType::kFixed:
        largest = std::max({largest, p.norm(), (F - G).norm()});
        break;
      case model::JointType::kPrismatic:
        largest = std::max({largest, (p - p.dot(F.col(0)) * F.col(0)).norm(), (F - G).norm()});
        break;
      case model::JointType::kRod:
        largest = std::max(largest, std::abs(p.norm() - joint.length));
        break;
      default:
        ADD_FAILURE() << "joint '" << joint.name << "' is of another kind";
    }
  }
  return largest;
}

/// Hypotheses drawn from everything that is possible.
struct DrawnSwarm {
  DrawnSwarm(const model::Mechanism& mechanism, std::size_t number)
      : c(mechanism),
        system(c.model, test::sensors_of(c, sensor_names(c.mechanism)), {}),
        swarm(system),
        workspace(swarm.make_workspace()),
        data(number * static_cast<std::size_t>(swarm.num_arrays())),
        lanes{data.data(), number, number},
        X_WB(number * system.num_bodies()) {
    swarm.at(0.0);
    for (std::size_t i = 0; i < number; ++i) {
      core::Rng rng(11, i);
      EXPECT_TRUE(swarm.draw({.rate_deviation = 0.5}, rng, lanes.part(i, 1)));
    }
    EXPECT_TRUE(swarm.find_poses(lanes, X_WB));
  }
  Poses of(std::size_t i) const { return Poses(X_WB).subspan(i * system.num_bodies(), system.num_bodies()); }

  test::DynamicCase c;
  MechanismSystem system;
  MechanismSwarm swarm;
  std::unique_ptr<Swarm::Workspace> workspace;
  std::vector<double> data;
  Lanes lanes;
  std::vector<core::Pose<double>> X_WB;
};

constexpr const char* kModels[] = {"slider-crank", "double-wishbone", "quarter-vehicle", "fivebar"};

// analytic: joints hold together what poses tell, by the geometry of joints alone.
TEST(PosesOfHypotheses, AreClosedAtEveryJoint) {
  for (const char* name : kModels) {
    SCOPED_TRACE(name);
    const DrawnSwarm s(test::load_released(name), 150);
    for (std::size_t i = 0; i < s.lanes.count; ++i) {
      EXPECT_LE(opening(s.c.mechanism, s.of(i)), 1e-10 * std::max(1.0, s.system.motion().length())) << i;
      for (const core::Pose<double>& X : s.of(i))
        EXPECT_LE((X.R_AB.matrix().transpose() * X.R_AB.matrix() - Eigen::Matrix3d::Identity()).norm(),
                  1e-12);
    }
  }
}

// crosscheck: sensors of positions read from bodies that stand there what the swarm says that they read.
TEST(PosesOfHypotheses, AreWhatSensorsRead) {
  int compared = 0;
  for (const char* name : kModels) {
    SCOPED_TRACE(name);
    const DrawnSwarm s(test::load_released(name), 100);
    std::vector<double> y(Swarm::kBlock * 8);
    const dynamics::ForceMemory memory = s.c.model.forces().empty_memory();
    for (int sensor = 0; sensor < s.system.num_sensors(); ++sensor) {
      const FilterSensor& from = s.system.sensors()[static_cast<std::size_t>(sensor)];
      const core::Dimension& dimension = from.facts.channels.front().dimension;
      if (!core::is_position(dimension)) continue;  // it reads rates
      for (std::size_t i = 0; i < s.lanes.count; ++i) {
        coordinates::MechanismMotion bodies(s.system.num_bodies() + 1);
        for (std::size_t b = 0; b < s.system.num_bodies(); ++b) bodies[b + 1].X_WB = s.of(i)[b];
        double read = 0.0;
        from.instrument->read(sensing::Scene<double>{0.0, bodies, memory}, {&read, 1});
        s.swarm.measure(*s.workspace, s.lanes.part(i, 1), sensor, y.data());
        const double error = read - y[0];
        EXPECT_NEAR(dimension == core::kAngle ? test::turned_to_half(error) : error, 0.0, 1e-9)
            << from.facts.name;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 400);  // two encoders, a distance, an encoder
}

// crosscheck: the system, which solves one state after the other in other coordinates, puts bodies there too. On any branch, and at the
// hypothesis' own time.
TEST(PosesOfHypotheses, AreThoseOfTheSystem_OnTheirBranch) {
  for (const char* name : {"fivebar", "quarter-vehicle"}) {
    SCOPED_TRACE(name);
    DrawnSwarm s(test::load_released(name), 60);
    std::vector<core::Pose<double>> expected(s.system.num_bodies());
    for (std::size_t i = 0; i < s.lanes.count; ++i) {
      s.swarm.accept(s.lanes.part(i, 1));
      s.system.find_poses(expected);
      for (std::size_t b = 0; b < expected.size(); ++b) {
        EXPECT_LE((s.of(i)[b].p_AB_A - expected[b].p_AB_A).norm(), 1e-8);
        EXPECT_LE((s.of(i)[b].R_AB.matrix() - expected[b].R_AB.matrix()).norm(), 1e-8);
      }
    }
  }
}

// crosscheck: the same where a driver moves some bodies by the time alone.
TEST(PosesOfHypotheses, AreThoseOfTheirTime) {
  model::Mechanism loaded = io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/five-bar.yaml", {});
  ASSERT_EQ(loaded.drivers().size(), 2u);
  DrawnSwarm s(model::without_drivers(loaded, {loaded.drivers()[0].name}), 1);
  const VectorXd x = s.system.start_state();
  std::vector<core::Pose<double>> expected(s.system.num_bodies()), before = s.X_WB;
  const double t = 0.05;
  ASSERT_TRUE(s.system.accept(t, x));
  s.swarm.at(t);
  ASSERT_TRUE(s.swarm.place(x, s.lanes));
  s.system.find_poses(expected);
  ASSERT_TRUE(s.swarm.find_poses(s.lanes, s.X_WB));
  for (std::size_t b = 0; b < expected.size(); ++b) {
    EXPECT_LE((s.X_WB[b].p_AB_A - expected[b].p_AB_A).norm(), 1e-10);
    EXPECT_LE((s.X_WB[b].R_AB.matrix() - expected[b].R_AB.matrix()).norm(), 1e-10);
  }
  EXPECT_GT((s.X_WB[1].R_AB.matrix() - before[1].R_AB.matrix()).norm(), 1e-3);
}

// contract: few are all; of many the heaviest is there, and others at even distances in the order of weights.
TEST(ChosenHypotheses, AreEvenInTheOrderOfWeights) {
  std::vector<double> weights(1000);
  core::Rng rng(4);
  for (double& w : weights) w = rng.uniform();
  std::vector<std::size_t> chosen, order(weights.size());
  choose_by_weight(weights, 1000, chosen);
  std::iota(order.begin(), order.end(), std::size_t{0});
  EXPECT_EQ(chosen, order);
  choose_by_weight(weights, 50, chosen);
  ASSERT_EQ(chosen.size(), 50u);
  EXPECT_TRUE(std::ranges::is_sorted(chosen));
  EXPECT_TRUE(std::ranges::adjacent_find(chosen) == chosen.end());
  std::vector<std::size_t> ranks;
  for (const std::size_t i : chosen)
    ranks.push_back(
        static_cast<std::size_t>(std::ranges::count_if(weights, [&](double w) { return w > weights[i]; })));
  std::ranges::sort(ranks);
  for (std::size_t k = 0; k < ranks.size(); ++k) EXPECT_EQ(ranks[k], 20 * k);
  choose_by_weight({}, 5, chosen);
  EXPECT_TRUE(chosen.empty());
}

/// A filter on a four-bar that knows nothing of the start, some readings later.
class Led {
 public:
  explicit Led(const std::string& filter, int readings = 30)
      : f(test::load_released("fourbar-double-crank"), {"gyroscope"}, filter, {.noise = {.velocity = 0.2}},
          {.particle = {.particles = 300, .motion = 0.005, .seed = 5}}),
        truth(test::true_motion(f.c.mechanism, 0.006, readings)) {
    if (estimator_capabilities(filter).unknown_start)
      EXPECT_TRUE(f.estimator->many_states()->start_unknown(0.0, {}));
    else
      f.start(0.1, 0.1);
    core::Rng rng(3);
    for (int k = 1; k <= readings; ++k) {
      EXPECT_TRUE(f.estimator->predict(0.006));
      EXPECT_EQ(f.read(0, truth[static_cast<std::size_t>(k)], rng, kNoGate).status,
                UpdateReport::Status::kAccepted);
    }
  }
  test::FilterCase f;
  std::vector<coordinates::MechanismMotion> truth;
};

// contract: all hypotheses come with their weights, and asking changes nothing.
TEST(ParticleFilterHypotheses, AreAllOfThem_WithTheirWeights) {
  Led led("particle");
  auto& filter = dynamic_cast<ParticleFilter&>(*led.f.estimator);
  Hypotheses all;
  const VectorXd mean = filter.mean();
  ASSERT_TRUE(filter.find_hypotheses(2000, all));
  EXPECT_EQ(all.num_all, 300u);
  EXPECT_THAT(all.weights, testing::ElementsAreArray(filter.weights().values()));
  ASSERT_EQ(all.X_WB.size(), 300u * 3u);
  const int angle = led.f.system.motion().chosen().front();
  for (std::size_t i = 0; i < 300; ++i) {
    const Eigen::Matrix3d R = all.X_WB[3 * i].R_AB.matrix();  // the input link turns by its joint alone
    EXPECT_NEAR(test::turned_to_half(std::atan2(R(1, 0), R(0, 0)) - filter.cloud().lanes().array(angle)[i]),
                0.0, 1e-12);
    EXPECT_LE(opening(led.f.c.mechanism, Poses(all.X_WB).subspan(3 * i, 3)), 1e-9);
  }
  Hypotheses some;
  ASSERT_TRUE(filter.find_hypotheses(40, some));
  EXPECT_EQ(some.num_all, 300u);
  ASSERT_EQ(some.weights.size(), 40u);
  std::vector<std::size_t> chosen;
  choose_by_weight(all.weights, 40, chosen);
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_EQ(some.weights[k], all.weights[chosen[k]]);
    EXPECT_EQ(some.X_WB[3 * k + 2].p_AB_A, all.X_WB[3 * chosen[k] + 2].p_AB_A);
  }
  EXPECT_EQ(filter.mean(), mean);
}

// crosscheck: the hypothesis that stands for the estimate, by going through all of them.
TEST(ParticleFilterHypotheses, HaveOneNearTheMean) {
  Led led("particle");
  auto& filter = dynamic_cast<ParticleFilter&>(*led.f.estimator);
  std::vector<core::Pose<double>> X_WB(3);
  ASSERT_TRUE(filter.find_poses(X_WB));
  EXPECT_LE(opening(led.f.c.mechanism, X_WB), 1e-9);
  Hypotheses all;
  ASSERT_TRUE(filter.find_hypotheses(300, all));
  const double average = std::accumulate(all.weights.begin(), all.weights.end(), 0.0) / 300.0;
  double smallest = 10.0;
  const auto angle_of = [](const core::Pose<double>& X) {
    return std::atan2(X.R_AB.matrix()(1, 0), X.R_AB.matrix()(0, 0));
  };
  for (std::size_t i = 0; i < 300; ++i)
    if (all.weights[i] > 0.999 * average)
      smallest =
          std::min(smallest, std::abs(test::turned_to_half(angle_of(all.X_WB[3 * i]) - filter.mean()[0])));
  EXPECT_NEAR(std::abs(test::turned_to_half(angle_of(X_WB[0]) - filter.mean()[0])), smallest, 1e-12);
  EXPECT_LT(smallest, std::sqrt(filter.covariance()(0, 0)));
}

// invariant: columns of the grid are closed positions, with the probabilities of the position, whichever the branch; the filter goes on as before.
TEST(GridFilterHypotheses, AreItsColumns) {
  Led led("grid", 6), other("grid", 6);
  auto& filter = dynamic_cast<GridFilter&>(*led.f.estimator);
  Hypotheses all;
  std::vector<core::Pose<double>> before(3), after(3);
  led.f.system.find_poses(before);
  ASSERT_TRUE(filter.find_hypotheses(5000, all));
  led.f.system.find_poses(after);  // the system is back where the estimate is
  EXPECT_EQ((after[2].R_AB.matrix() - before[2].R_AB.matrix()).norm(), 0.0);
  ASSERT_GT(all.weights.size(), 100u);
  EXPECT_NEAR(std::accumulate(all.weights.begin(), all.weights.end(), 0.0), 1.0, 0.02);
  std::complex<double> circle = 0.0;
  for (std::size_t i = 0; i < all.weights.size(); ++i) {
    EXPECT_LE(opening(led.f.c.mechanism, Poses(all.X_WB).subspan(3 * i, 3)), 1e-9);
    const LatticeAxis& axis = filter.grid().position();
    const double angle = std::atan2(all.X_WB[3 * i].R_AB.matrix()(1, 0), all.X_WB[3 * i].R_AB.matrix()(0, 0));
    EXPECT_NEAR(std::remainder((angle - axis.origin) / axis.spacing, 1.0), 0.0, 1e-9);
    circle += all.weights[i] *
              std::complex(all.X_WB[3 * i].R_AB.matrix()(0, 0), all.X_WB[3 * i].R_AB.matrix()(1, 0));
  }
  EXPECT_NEAR(test::turned_to_half(std::arg(circle) - filter.mean()[0]), 0.0, 0.02);
  Hypotheses some;
  ASSERT_TRUE(filter.find_hypotheses(50, some));
  EXPECT_EQ(some.weights.size(), 50u);
  core::Rng rng(9), same(9);
  for (Led* one : {&led, &other}) {
    EXPECT_TRUE(one->f.estimator->predict(0.006));
    EXPECT_EQ(one->f.read(0, one->truth.back(), one == &led ? rng : same, kNoGate).status,
              UpdateReport::Status::kAccepted);
  }
  EXPECT_EQ((led.f.estimator->mean() - other.f.estimator->mean()).norm(), 0.0);  // to the last bit
  EXPECT_LE(led.f.system.constraint_error(), 1e-9);
}

// contract: also where the estimate is beside the only column that has mass.
TEST(GridFilterHypotheses, AreAtTheirColumns_NotAtTheEstimate) {
  Led led("grid", 0);
  auto& filter = dynamic_cast<GridFilter&>(*led.f.estimator);
  VectorXd x = led.f.system.start_state();
  const LatticeAxis axis = filter.grid().position();
  x[0] = axis.value(std::lround(axis.slot(x[0]))) + 1e-4 * axis.spacing;
  ASSERT_TRUE(filter.start(0.0, x, Eigen::Matrix2d::Zero()));
  Hypotheses one;
  ASSERT_TRUE(filter.find_hypotheses(10, one));
  ASSERT_EQ(one.weights.size(), 1u);
  const Eigen::Matrix3d R = one.X_WB[0].R_AB.matrix();
  EXPECT_NEAR(std::remainder((std::atan2(R(1, 0), R(0, 0)) - axis.origin) / axis.spacing, 1.0), 0.0, 1e-9);
}

// contract: filters of one state have none, and bodies are those of the mean.
TEST(GaussianFilterHypotheses, AreNone) {
  for (const char* name : {"dekf", "ukf", "cekf", "error-ekf"}) {
    Led led(name, 5);
    std::vector<core::Pose<double>> X_WB(3);
    EXPECT_EQ(led.f.estimator->many_states(), nullptr) << name;
    EXPECT_EQ(led.f.estimator->particles(), nullptr) << name;
    led.f.system.find_poses(X_WB);
    const Eigen::Matrix3d R = X_WB[0].R_AB.matrix();
    EXPECT_NEAR(test::turned_to_half(std::atan2(R(1, 0), R(0, 0)) - led.f.estimator->mean()[0]), 0.0, 1e-12);
  }
}

// alloc: after the first call poses are found in the memory that is there.
TEST(PosesOfHypotheses, TakeNothingFromTheHeap_TheSecondTime) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  DrawnSwarm s(test::load_released("fivebar"), 70);
  EXPECT_EQ(test::count_allocations([&] { EXPECT_TRUE(s.swarm.find_poses(s.lanes, s.X_WB)); }), 0);
}

}  // namespace
}  // namespace eslabon::estimation
