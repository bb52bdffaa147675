#include "eslabon/estimation/mechanism/mechanism_swarm.hpp"

#include <array>
#include <cmath>

#include "tests/allocation_counter.hpp"
#include "tests/estimated_case.hpp"
#include "tests/moving_mechanisms.hpp"
#include <gmock/gmock.h>

namespace eslabon::estimation {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::size_t kBlock = Swarm::kBlock;

/// Hypotheses of a mechanism with all its sensors.
struct SwarmCase {
  explicit SwarmCase(const model::Mechanism& mechanism, std::size_t number,
                     MechanismSystemOptions options = {})
      : c(mechanism),
        system(c.model, sensors(), std::move(options)),
        x(system.start_state()),
        swarm(system),
        stride((number + kBlock - 1) / kBlock * kBlock),
        data(stride * static_cast<std::size_t>(swarm.num_arrays())),
        lanes{data.data(), stride, number},
        workspace(swarm.make_workspace()) {
    swarm.at(0.0);
  }
  std::vector<FilterSensor> sensors() const {
    std::vector<std::string> names;
    for (const model::Sensor& sensor : c.mechanism.sensors()) names.push_back(sensor.name);
    return test::sensors_of(c, names);
  }
  VectorXd state(std::size_t i) const {
    VectorXd out(system.num_states());
    for (Index k = 0; k < out.size(); ++k) out[k] = lanes.array(swarm.array_of_state(k))[i];
    return out;
  }
  /// One step of all; returns how many have no state.
  int step(double t, double h, double motion, std::uint64_t seed = 1) {
    swarm.prepare_step(t, h, motion);
    int failed = 0;
    for (std::size_t first = 0; first < lanes.count; first += kBlock) {
      const Lanes part = lanes.part(first, std::min(kBlock, lanes.count - first));
      std::vector<double> normals(std::size_t{16} * kBlock), ok(kBlock);
      for (std::size_t j = 0; j < part.count; ++j) {
        core::Rng rng(seed, first + j);
        for (int k = 0; k < swarm.num_normals(); ++k)
          normals[static_cast<std::size_t>(k) * kBlock + j] = rng.normal();
      }
      swarm.step(*workspace, part, normals.data(), ok.data());
      for (std::size_t j = 0; j < part.count; ++j) failed += ok[j] == 0.0 ? 1 : 0;
    }
    swarm.at(t + h);
    return failed;
  }

  test::DynamicCase c;
  MechanismSystem system;
  VectorXd x;
  MechanismSwarm swarm;
  std::size_t stride;
  std::vector<double> data;
  Lanes lanes;
  std::unique_ptr<Swarm::Workspace> workspace;
};

model::Mechanism released(const std::string& name) { return test::load_released(name); }

// crosscheck: the system reads and steps states one by one, from freedoms.
TEST(MechanismSwarm, ReadsAndStepsAsTheSystemDoes) {
  for (const char* name : {"fourbar-testbed", "fourbar-double-crank", "fivebar", "quarter-vehicle"}) {
    SCOPED_TRACE(name);
    MechanismSystemOptions options{.rule = StepRule::kRk4};
    options.unknowns = {{.what = {dynamics::Unknown::Kind::kFreedomForce, 0}, .start = 0.3},
                        {.what = {dynamics::Unknown::Kind::kMass, 1},
                         .name = "mass",
                         .dimension = core::kNumber,
                         .start = 1.2}};
    options.biases = {{.sensor = 0, .channel = 0, .deviation = 0.1}};
    SwarmCase s(released(name), 3, options);
    const Index f = s.system.num_freedoms();
    for (Index k = 0; k < f; ++k) s.x[f + k] = 0.2 * static_cast<double>(k + 1);
    s.x[s.x.size() - 1] = 0.05;
    ASSERT_TRUE(s.system.accept(0.0, s.x));
    ASSERT_TRUE(s.swarm.place(s.x, s.lanes));
    const double h = 1e-4;
    for (int k = 0; k < 20; ++k) {
      ASSERT_EQ(s.step(k * h, h, 0.0), 0);
      ASSERT_TRUE(s.system.step(k * h, h, s.x));
      ASSERT_TRUE(s.system.accept((k + 1) * h, s.x));
    }
    const VectorXd found = s.state(2);
    for (Index k = 0; k < s.x.size(); ++k)
      EXPECT_NEAR(found[k], s.x[k], 2e-6 * (1.0 + std::abs(s.x[k])))
          << s.system.states()[static_cast<std::size_t>(k)].name;
    ASSERT_TRUE(s.swarm.place(s.x, s.lanes));
    std::vector<double> y(kBlock * 8);
    for (int sensor = 0; sensor < s.system.num_sensors(); ++sensor) {
      VectorXd expected(s.system.num_channels(sensor));
      ASSERT_TRUE(s.system.measure(20 * h, s.x, sensor, expected));
      s.swarm.measure(*s.workspace, s.lanes, sensor, y.data());
      for (Index k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(y[static_cast<std::size_t>(k) * kBlock + 1], expected[k],
                    1e-8 * (1.0 + std::abs(expected[k])));
    }
  }
}

// invariant: whatever the noise, every hypothesis is closed.
TEST(MechanismSwarm, KeepsEveryHypothesisClosed_HoweverLargeTheNoise) {
  for (const char* name : {"fourbar-double-crank", "fourbar-crank-rocker", "fivebar", "quarter-vehicle"})
    for (const double motion : {0.0, 1e-3, 0.02, 0.2, 1.0}) {
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(motion));
      SwarmCase s(released(name), 200, {.noise = {.velocity = 0.5}});
      for (std::size_t i = 0; i < s.lanes.count; ++i) {
        core::Rng rng(3, i);
        ASSERT_TRUE(s.swarm.draw({.rate_deviation = 0.5}, rng, s.lanes.part(i, 1)));
      }
      const double size = std::max(1.0, s.system.motion().length());
      EXPECT_LE(s.swarm.constraint_error(s.lanes), 1e-12 * size);
      for (int k = 0; k < 20; ++k) {
        static_cast<void>(s.step(0.005 * k, 0.005, motion, static_cast<std::uint64_t>(k) + 1));
        ASSERT_LE(s.swarm.constraint_error(s.lanes), 2e-9 * size);
      }
      for (std::size_t i = 0; i < s.lanes.count; ++i) ASSERT_TRUE(s.state(i).allFinite());
    }
}

// contract: a hypothesis has the same bits in any company.
TEST(MechanismSwarm, StepsAHypothesisTheSameInAnyCompany) {
  const model::Mechanism mechanism = released("fourbar-double-crank");
  for (const double motion : {0.02, 0.5}) {
    SwarmCase many(mechanism, 150), few(mechanism, 70);
    for (SwarmCase* s : {&many, &few})
      for (std::size_t i = 0; i < s->lanes.count; ++i) {
        core::Rng rng(5, i);
        ASSERT_TRUE(s->swarm.draw({}, rng, s->lanes.part(i, 1)));
      }
    for (int k = 0; k < 10; ++k)
      for (SwarmCase* s : {&many, &few}) static_cast<void>(s->step(0.006 * k, 0.006, motion, 9));
    for (std::size_t i = 0; i < few.lanes.count; ++i)
      for (int k = 0; k < few.swarm.num_arrays(); ++k)
        ASSERT_EQ(few.lanes.array(k)[i], many.lanes.array(k)[i]) << i << ", " << k;
  }
}

// contract
TEST(MechanismSwarm, DisplacesStates_AndFactorsThatStayPositive) {
  MechanismSystemOptions options;
  options.unknowns = {{.what = {dynamics::Unknown::Kind::kMass, 1},
                       .name = "mass",
                       .dimension = core::kNumber,
                       .start = 1.0}};
  SwarmCase s(released("fourbar-testbed"), 2, options);
  ASSERT_TRUE(s.swarm.place(s.x, s.lanes));
  std::vector<double> dx(static_cast<std::size_t>(s.system.num_states()) * kBlock, 0.0), ok(kBlock);
  dx[0] = 0.4;
  dx[kBlock] = -0.7;
  dx[2 * kBlock] = 0.5;
  dx[2 * kBlock + 1] = -1.5;  // more than the mass
  s.swarm.displace(*s.workspace, s.lanes, dx.data(), ok.data());
  EXPECT_EQ(ok[0], 1.0);
  EXPECT_THAT(s.state(0), testing::Pointwise(testing::DoubleNear(1e-9), {s.x[0] + 0.4, s.x[1] - 0.7, 1.5}));
  EXPECT_NEAR(s.state(1)[2], std::exp(-1.5), 1e-15) << "by its logarithm";
  // Accelerations are those of the new state.
  VectorXd moved = s.state(0);
  ASSERT_TRUE(s.system.accept(0.0, moved));
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(s.lanes.array(6 + c)[0], s.system.point().a[static_cast<std::size_t>(c)], 1e-7);
}

// statistical: what is estimated beside the motion is as uncertain as it was said to be, also where nothing is known of the motion.
TEST(MechanismSwarm, DrawsUnknownsAndBiasesWithTheirDeviations) {
  MechanismSystemOptions options;
  options.unknowns = {{.what = {dynamics::Unknown::Kind::kMass, 1},
                       .name = "mass",
                       .dimension = core::kNumber,
                       .start = 1.0,
                       .deviation = 0.1}};
  options.biases = {{.sensor = 0, .channel = 0, .deviation = 0.3}};
  SwarmCase s(released("fourbar-testbed"), 1000, options);
  VectorXd sum = VectorXd::Zero(4), squares = sum;
  for (std::size_t i = 0; i < s.lanes.count; ++i) {
    core::Rng rng(3, i);
    ASSERT_TRUE(s.swarm.draw({.rate_deviation = 0.5}, rng, s.lanes.part(i, 1)));
    sum += s.state(i) / 1000.0;
    squares += s.state(i).cwiseAbs2() / 1000.0;
  }
  const VectorXd deviation = (squares - sum.cwiseAbs2()).cwiseSqrt();
  EXPECT_NEAR(deviation[1], 0.5, 0.05);
  EXPECT_NEAR(sum[2], 1.0, 0.015);
  EXPECT_NEAR(deviation[2], 0.1, 0.01);
  EXPECT_NEAR(sum[3], 0.0, 0.04);
  EXPECT_NEAR(deviation[3], 0.3, 0.03);
}

// alloc
TEST(MechanismSwarm, TakesNothingFromTheHeap) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  SwarmCase s(released("fourbar-double-crank"), 64, {.noise = {.velocity = 0.5}});
  ASSERT_TRUE(s.swarm.place(s.x, s.lanes));
  std::vector<double> normals(4 * kBlock, 0.3), dx(2 * kBlock, 0.01), ok(kBlock), y(kBlock);
  normals[3] = 40.0;  // so large that it has to be taken in small moves
  const long count = test::count_allocations([&] {
    for (int k = 0; k < 3; ++k) {
      s.swarm.prepare_step(0.006 * k, 0.006, 0.02);
      s.swarm.step(*s.workspace, s.lanes, normals.data(), ok.data());
      s.swarm.at(0.006 * (k + 1));
      s.swarm.measure(*s.workspace, s.lanes, 0, y.data());
      s.swarm.displace(*s.workspace, s.lanes, dx.data(), ok.data());
      s.swarm.accept(s.lanes.part(2, 1));
    }
  });
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace eslabon::estimation
