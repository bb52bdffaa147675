#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/estimated_case.hpp"
#include "tests/sensed_mechanisms.hpp"
#include <gmock/gmock.h>

#include "eslabon/estimation/grid/grid_filter.hpp"
#include "eslabon/estimation/particle/particle_filter.hpp"
#include "eslabon/io/mechanism/model_source.hpp"

namespace eslabon::estimation {
namespace {

using Eigen::VectorXd;
using Status = UpdateReport::Status;

constexpr double kNoGate = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979323846;
constexpr int kBins = 24;

bool is_full() { return std::getenv("ESLABON_FULL_SWEEPS") != nullptr; }

/// The double crank of seed work 000 with a gyroscope on its coupler.
model::Mechanism double_crank() {
  return io::read_mechanism(
      test::with_after(test::text_of_model("fourbar-double-crank"), "sensors:\n",
                       "  coupler_gyroscope: {gyroscope: floating, noise: 0.05 rad/s, rate: = 1/(6 ms)}\n"),
      "double-crank.yaml");
}

/// What a filter says at the end: log evidence, mean rate, mean direction of the position, its entropy in bins.
using Answer = std::array<double, 5>;

EstimatorOptions options_of(int particles, std::uint64_t seed) {
  EstimatorOptions options;
  options.particle.motion = 0.03;
  options.particle.particles = particles;
  options.particle.seed = seed;
  options.grid = {360, 2000};
  return options;
}

Answer answer(const model::Mechanism& mechanism, const std::vector<coordinates::MechanismMotion>& truth,
              const std::string& filter, const EstimatorOptions& options) {
  test::FilterCase f(mechanism, {"coupler_gyroscope"}, filter, {.noise = {.velocity = 1.0}}, options);
  EXPECT_TRUE(f.estimator->many_states()->start_unknown(0.0, {.rate_deviation = 0.3}));
  core::Rng rng(1);
  for (std::size_t k = 1; k < truth.size(); ++k) {
    EXPECT_TRUE(f.estimator->predict(0.006));
    EXPECT_EQ(f.read(0, truth[k], rng, kNoGate).status, Status::kAccepted);
  }
  Answer out{f.estimator->many_states()->log_evidence(), f.estimator->mean()[1], 0.0, 0.0, 0.0};
  std::array<double, kBins> shares{};
  const auto add = [&](double angle, double mass) {
    out[2] += mass * std::cos(angle);
    out[3] += mass * std::sin(angle);
    const double turn = angle / (2.0 * kPi);
    shares[static_cast<std::size_t>((turn - std::floor(turn)) * kBins) % kBins] += mass;
  };
  if (auto* grid = dynamic_cast<GridFilter*>(f.estimator.get())) {
    const PhaseGrid& phase = grid->grid();
    for (int sheet = 0; sheet < phase.num_sheets(); ++sheet)
      for (Eigen::Index i = 0; i < phase.mass(sheet).cols(); ++i)
        add(phase.position().value(i), phase.mass(sheet).col(i).sum());
    const VectorXd bins = phase.position_bins(kBins);  // which divides columns where bins end
    for (std::size_t k = 0; k < kBins; ++k) shares[k] = bins[static_cast<Eigen::Index>(k)];
  } else {
    auto& particles = dynamic_cast<ParticleFilter&>(*f.estimator);
    double sum = 0.0;
    for (std::size_t i = 0; i < particles.num_particles(); ++i) sum += particles.weights().values()[i];
    for (std::size_t i = 0; i < particles.num_particles(); ++i)
      add(particles.cloud().state(0)[i], particles.weights().values()[i] / sum);
  }
  for (const double share : shares)
    if (share > 0.0) out[4] -= share * std::log(share);
  return out;
}

// reference: Bayes' rule on a lattice shares neither noise, nor weights, nor the motion of lanes with it.
TEST(ParticleFilter, SaysWhatBayesRuleSays_OfAFourBarWithAnUnknownStart) {
  const model::Mechanism mechanism = double_crank();
  const auto truth = test::true_motion(mechanism, 0.006, 25);
  const Answer exact = answer(mechanism, truth, "grid", options_of(1, 1));
  for (const auto& [particles, runs] : {std::pair(10'000, 20), std::pair(100'000, is_full() ? 20 : 5)}) {
    Answer mean{}, square{};
    for (int run = 1; run <= runs; ++run) {
      const Answer one =
          answer(mechanism, truth, "particle", options_of(particles, static_cast<std::uint64_t>(run)));
      for (std::size_t k = 0; k < one.size(); ++k) {
        mean[k] += one[k] / runs;
        square[k] += one[k] * one[k] / runs;
      }
    }
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const double deviation = std::sqrt(std::max(0.0, square[k] - mean[k] * mean[k]) * runs / (runs - 1.0));
      // The entropy of N draws in bins is too low by (bins − 1)/2N, of effective ones.
      const double bias = k == 4 ? (kBins - 1.0) / (2.0 * 0.3 * particles) : 0.0;
      EXPECT_NEAR(mean[k], exact[k], 4.0 * deviation / std::sqrt(runs) + bias) << particles << ", " << k;
      EXPECT_LE(deviation, 3.0 / std::sqrt(0.1 * particles)) << particles << ", " << k;
    }
  }
}

/// Tries from drawn starts; returns how many came within `degrees` of the truth in every freedom that is an angle.
struct Tracked {
  int found = 0, tries = 0;
  /// The same when angles in [0, 2π) are averaged as if they were no angles, as [Seed000, annex Fourbar_PtNumberTest.cpp] does.
  int found_by_numbers = 0;
};

/// Mean of the first freedom as the seed's program takes it.
double mean_of_numbers(ParticleFilter& filter) {
  double sum = 0.0, mean = 0.0;
  for (std::size_t i = 0; i < filter.num_particles(); ++i) {
    const double turn = filter.cloud().state(0)[i] / (2.0 * kPi), weight = filter.weights().values()[i];
    sum += weight;
    mean += weight * 2.0 * kPi * (turn - std::floor(turn));
  }
  return mean / sum;
}

Tracked track(const model::Mechanism& mechanism, const std::vector<std::string>& sensors, double until,
              double h, MechanismSystemOptions system_options, ParticleOptions particle, int tries,
              double within, double rate_deviation, const std::function<bool(Lanes)>& side = {}) {
  Tracked out{.tries = tries};
  for (int k = 0; k < tries; ++k) {
    EstimatorOptions options;
    options.particle = particle;
    options.particle.seed = static_cast<std::uint64_t>(k) + 100;
    // The truth is one hypothesis without noise.
    test::FilterCase f(mechanism, sensors, "particle", system_options, options);
    MechanismSystem true_system(f.c.model, test::sensors_of(f.c, sensors), {});
    const auto truth = true_system.make_swarm();
    std::vector<double> data(static_cast<std::size_t>(truth->num_arrays()) * Swarm::kBlock);
    const Lanes one{data.data(), Swarm::kBlock, 1};
    const auto workspace = truth->make_workspace();
    core::Rng rng(7, static_cast<std::uint64_t>(k));
    truth->at(0.0);
    EXPECT_TRUE(truth->draw({.rate_deviation = rate_deviation}, rng, one));
    EXPECT_TRUE(f.estimator->many_states()->start_unknown(0.0, {.rate_deviation = rate_deviation}));
    auto& filter = dynamic_cast<ParticleFilter&>(*f.estimator);
    for (std::size_t i = 0; side && i < filter.num_particles(); ++i) {  // those of the truth's branch alone
      core::Rng again(900 + static_cast<std::uint64_t>(k), i);
      while (side(filter.cloud().slot(i)) != side(one))
        EXPECT_TRUE(
            filter.cloud().swarm().draw({.rate_deviation = rate_deviation}, again, filter.cloud().slot(i)));
    }
    std::vector<double> y(8 * Swarm::kBlock);
    double ok = 0.0;
    const int steps = static_cast<int>(std::lround(until / h));
    for (int i = 0; i < steps; ++i) {
      for (int part = 0; part < 4; ++part) {  // finer than the filter's
        truth->prepare_step(h * (i + 0.25 * part), 0.25 * h, 0.0);
        truth->step(*workspace, one, nullptr, &ok);
        EXPECT_EQ(ok, 1.0);
      }
      truth->at(h * (i + 1));
      EXPECT_TRUE(f.estimator->predict(h));
      for (int s = 0; s < f.system.num_sensors(); ++s) {
        truth->measure(*workspace, one, s, y.data());
        VectorXd reading(f.system.num_channels(s));
        const auto& channels = f.system.sensors()[static_cast<std::size_t>(s)].facts.channels;
        for (Eigen::Index c = 0; c < reading.size(); ++c)
          reading[c] = y[static_cast<std::size_t>(c) * Swarm::kBlock] +
                       channels[static_cast<std::size_t>(c)].noise * rng.normal();
        static_cast<void>(f.estimator->update(s, reading, kNoGate));
      }
    }
    bool is_found = true;
    for (Eigen::Index c = 0; c < f.system.num_freedoms(); ++c) {
      const double error = f.estimator->mean()[c] - one.array(truth->array_of_state(c))[0];
      const bool is_angle = f.system.states()[static_cast<std::size_t>(c)].is_angle;
      is_found = is_found && std::abs(is_angle ? std::remainder(error, 2.0 * kPi) : error) <= within;
    }
    out.found += is_found ? 1 : 0;
    const double by_numbers =
        mean_of_numbers(dynamic_cast<ParticleFilter&>(*f.estimator)) - one.array(truth->array_of_state(0))[0];
    out.found_by_numbers += std::abs(std::remainder(by_numbers, 2.0 * kPi)) <= within ? 1 : 0;
  }
  return out;
}

constexpr ParticleOptions kSeed000{
    .particles = 200, .motion = 0.02, .roughening = 0.02, .sensor_factor = 10.0};

// reference: [Seed000, §4.3] found 95 of 100 with 200 particles after 1.02 s, with bars that turn as if they were lighter than any that exist.
/// The deviation of the freedom's position with which a filter of 4000 hypotheses starts, known to `deviation`.
double start_deviation(const model::Mechanism& mechanism, double deviation) {
  test::FilterCase f(mechanism, {"imu1_gyroscope"}, "particle", {}, options_of(4000, 7));
  f.start(deviation, 0.1);
  return std::sqrt(f.estimator->covariance()(0, 0));
}

// statistical: an angle that is known to many turns is uniform over one of them, of deviation π/√3; of 4000 hypotheses to 1 %, and less
// by as much as their mean direction is nearer to them than any other.
TEST(ParticleFilter, StartsAllOverATurn_WhereTheStartIsKnownToMoreThanThat) {
  const model::Mechanism crank = test::load_released("fourbar-testbed");
  for (const double turns : {1.0, 5.5, 100.0})
    EXPECT_NEAR(start_deviation(crank, 2.0 * kPi * turns), kPi / std::sqrt(3.0), 0.05) << turns;
  EXPECT_NEAR(start_deviation(crank, 0.5), 0.5, 0.02);
}

// The same of a crank that toggles at ±q, uniform between: what cannot be reached one way round is the other way, and nothing stays
// where it was for not being reached.
TEST(ParticleFilter, StartsAllOverItsRange_WhereAJointDoesNotTurnFully) {
  const model::Mechanism rocker = test::released(
      io::load_model(std::string(ESLABON_SOURCE_DIR) + "/models/fourbar-testbed.yaml", {{"crank=300 mm"}}));
  const double reach = 0.54 + 0.455,
               q = std::acos((0.3 * 0.3 + 0.8 * 0.8 - reach * reach) / (2.0 * 0.3 * 0.8));
  EXPECT_NEAR(start_deviation(rocker, 10.0 * kPi), q / std::sqrt(3.0), 0.06);
}

TEST(ParticleFilter, FindsTheDoubleCrankOfSeed000) {
  const Tracked found = track(test::load_released("fourbar-double-crank"), {"gyroscope"}, 8.0, 0.006, {},
                              kSeed000, is_full() ? 100 : 30, 5.0 * kPi / 180.0, 0.0);
  EXPECT_GE(found.found, found.tries * 85 / 100);
  RecordProperty("found", found.found);
  RecordProperty("found_by_numbers", found.found_by_numbers);
  if (is_full()) {
    EXPECT_LE(found.found_by_numbers, found.found - 2);  // what the seed could not explain
  }
}

// reference: the seed's assembler puts truth and hypotheses on the same branch, and its impossible bars turn √(16/3) times as fast.
TEST(ParticleFilter, FindsAsManyAsSeed000_OnAKnownBranchInTheSameTimeOfItsOwn) {
  const auto side =
      [](Lanes
             one) {  // of the far pivot, seen along the coupler; arrays 0 and 1 are the angles of the two cranks
        const double A = one.array(0)[0], B = one.array(1)[0];
        const double x1 = -2.0 + 4.0 * std::cos(A), y1 = 4.0 * std::sin(A), x2 = 4.0 * std::cos(B),
                     y2 = 4.0 * std::sin(B);
        return (x2 - x1) * -y1 + (y2 - y1) * x1 > 0.0;
      };
  for (const auto& [particles, published] : {std::pair(50, 0.78), std::pair(200, 0.95)}) {
    ParticleOptions options = kSeed000;
    options.particles = particles;
    const Tracked found = track(test::load_released("fourbar-double-crank"), {"gyroscope"}, 2.36, 0.006, {},
                                options, is_full() ? 100 : 20, 5.0 * kPi / 180.0, 0.0, side);
    RecordProperty("found_by_" + std::to_string(particles), found.found);
    const double deviation = std::sqrt(published * (1.0 - published) *
                                       (1.0 / 50.0 + 1.0 / found.tries));  // the seed: 40 to 60 tries
    EXPECT_GE(found.found, (published - 2.0 * deviation) * found.tries) << particles;
  }
}

// The seed could not assemble inputs that do not turn fully.
TEST(ParticleFilter, FindsARockerFromItsGyroscope) {
  std::string text =
      test::with_after(test::text_of_model("fourbar-crank-rocker"), "sensors:\n",
                       "  rocker_gyroscope: {gyroscope: output, noise: 0.01 rad/s, rate: = 1/(6 ms)}\n");
  const model::Mechanism mechanism = io::read_mechanism(text + "\ninputs: [B.q]\n", "crank-rocker.yaml");
  ParticleOptions options = kSeed000;
  options.particles = 500;
  options.motion = 0.002;  // its whole swing is 63°
  const Tracked found = track(mechanism, {"rocker_gyroscope"}, 2.4, 0.006, {}, options, is_full() ? 100 : 20,
                              5.0 * kPi / 180.0, 0.0);
  EXPECT_GE(found.found, found.tries * 85 / 100);
}

// Two freedoms: the seed thought that out of reach.
TEST(ParticleFilter, FindsAFiveBarOfTwoFreedoms) {
  const model::Mechanism mechanism = test::load_released("fivebar");
  std::vector<std::string> sensors;
  for (const model::Sensor& sensor : mechanism.sensors()) sensors.push_back(sensor.name);
  const Tracked found = track(mechanism, sensors, 1.0, 0.005, {.noise = {.velocity = 0.5}},
                              {.particles = 4000, .motion = 0.01, .roughening = 0.02, .sensor_factor = 5.0},
                              is_full() ? 50 : 6, 5.0 * kPi / 180.0, 0.0);
  EXPECT_GE(found.found, found.tries * 80 / 100);
}

}  // namespace
}  // namespace eslabon::estimation
