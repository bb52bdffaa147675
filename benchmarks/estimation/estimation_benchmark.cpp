// Question: what does one particle cost for one step of 6 ms of the double crank, weights and resampling included, and how does that
// grow with their number? Beside it, where libsimbody-dev is installed, the algorithm of [Seed000] on Simbody 3.7.
//
//   estimation_benchmark [LARGEST [PARTICLES_OF_SIMBODY]]      usually 1000000 and 200
//
// Model, gyroscope and noises are those of the seed (models/fourbar-double-crank.yaml; likelihood ×10, motion 0.02, resample 0.02), the
// start is unknown. Times are the best of three runs of at least 0.3 s each, after ten steps that are not counted. Interpreted and compiled
// (docs/export.md) side by side; what a compiler took is told apart.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "eslabon/codegen/compile/native_compiler.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/estimation/estimator.hpp"
#include "eslabon/estimation/mechanism/mechanism_system.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/kinematics/assembly/assembly.hpp"
#include "eslabon/structure/structure.hpp"
#ifdef ESLABON_HAS_SIMBODY
#include "benchmarks/estimation/simbody_filter.hpp"
#endif

namespace {

using namespace eslabon;

constexpr double kStep = 0.006;      // [s]
constexpr double kLongEnough = 0.3;  // [s]
constexpr int kRounds = 3, kWarm = 10;
constexpr int kReadings = 2000;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct DoubleCrank {
  DoubleCrank()
      : mechanism(io::load_model(ESLABON_SOURCE_DIR "/models/fourbar-double-crank.yaml", {})),
        structure(structure::analyse_structure(mechanism)),
        model(mechanism, structure, kinematics::assemble(mechanism, structure)) {
    for (const model::Sensor& sensor : mechanism.sensors()) {
      std::shared_ptr<const sensing::Instrument> instrument =
          sensing::make_instrument(mechanism, sensor, model.forces());
      sensors.push_back({instrument, sensing::sensor_facts(sensor, *instrument)});
    }
    estimation::MechanismSystem truth(model, sensors, {.rule = estimation::StepRule::kRk4});
    core::Rng rng(1);
    Eigen::VectorXd x = truth.start_state(), y(1);
    for (int k = 0; k < kReadings; ++k) {
      if (!truth.step(k * kStep, kStep, x) || !truth.accept((k + 1) * kStep, x) ||
          !truth.measure((k + 1) * kStep, x, 0, y))
        std::abort();
      readings.push_back(y[0] + 0.01 * rng.normal());
    }
  }

  model::Mechanism mechanism;
  structure::Structure structure;
  dynamics::DynamicModel model;
  std::vector<estimation::FilterSensor> sensors;
  std::vector<double> readings;
};

/// Microseconds of one particle for one step; 0: the filter could not start.
double time_ours(const DoubleCrank& crank, int particles, int threads,
                 const std::shared_ptr<core::ProgramCompiler>& compiler = {}) {
  estimation::EstimatorOptions options;
  options.particle.particles = particles;
  options.particle.threads = threads;
  options.particle.motion = 0.02;
  options.particle.roughening = 0.02;
  options.particle.sensor_factor = 10.0;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    estimation::MechanismSystem system(crank.model, crank.sensors, {.compiler = compiler});
    const auto filter = estimation::make_estimator("particle", system, options);
    if (!filter->many_states()->start_unknown(0.0, {})) return 0.0;
    Eigen::VectorXd y(1);
    int steps = 0;
    double begin = now(), spent = 0.0;
    for (int k = 0; k < kReadings; ++k) {
      y[0] = crank.readings[static_cast<std::size_t>(k)];
      if (!filter->predict(kStep)) return 0.0;
      static_cast<void>(filter->update(0, y, std::numeric_limits<double>::infinity()));
      if (k + 1 == kWarm) begin = now();
      if (k + 1 <= kWarm) continue;
      ++steps;
      spent = now() - begin;
      if (spent >= kLongEnough && steps >= 5) break;
    }
    best = std::min(best, 1e6 * spent / (static_cast<double>(steps) * particles));
  }
  return best;
}

double print_ours(const DoubleCrank& crank, int largest) {
  const std::vector<std::string> names = estimation::estimator_names();
  if (std::ranges::find(names, "particle") == names.end()) {
    std::printf("This build has no filter 'particle'.\n");
    return 0.0;
  }
  const auto compiler = std::make_shared<codegen::NativeCompiler>(codegen::compile_settings(&std::getenv));
  std::printf("%10s  %14s %14s %14s %14s  %14s  %s\n", "particles", "1 thread", "2 threads", "1, compiled",
              "2, compiled", "real time", "(us per particle-step; 2 threads, compiled)");
  double at_hundred_thousand = 0.0;
  for (int n = 100; n <= largest; n *= 10) {
    const double one = time_ours(crank, n, 1), two = time_ours(crank, n, 2),
                 one_compiled = time_ours(crank, n, 1, compiler),
                 two_compiled = time_ours(crank, n, 2, compiler);
    std::printf("%10d  %14.4f %14.4f %14.4f %14.4f  %13.2fx\n", n, one, two, one_compiled, two_compiled,
                1e6 * kStep / (two_compiled * n));
    std::fflush(stdout);
    if (n <= 100000) at_hundred_thousand = one;
  }
  std::printf("Compiled: %s\n", codegen::summary(compiler->report()).c_str());
  for (const std::string& note : compiler->report().notes) std::printf("%s\n", note.c_str());
  return at_hundred_thousand;
}

void print_simbody([[maybe_unused]] int particles, [[maybe_unused]] double ours) {
#ifdef ESLABON_HAS_SIMBODY
  bench::SimbodyFilterOptions options;
  options.particles = particles;
  bench::SimbodyFilter filter(options);
  for (int k = 0; k < 2; ++k) filter.step();
  int steps_of_all = 2;
  double best = std::numeric_limits<double>::infinity(), physics = 0.0, assembly = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = now(), physics_before = filter.physics_seconds(), before = filter.assembly_seconds();
    int steps = 0;
    do {
      filter.step();
      ++steps;
      ++steps_of_all;
    } while (now() - begin < kLongEnough);
    const double spent = now() - begin;
    if (1e6 * spent / (static_cast<double>(steps) * particles) >= best) continue;
    best = 1e6 * spent / (static_cast<double>(steps) * particles);
    physics = (filter.physics_seconds() - physics_before) / spent;
    assembly = (filter.assembly_seconds() - before) / spent;
  }
  std::printf(
      "\nSeed 000's algorithm on Simbody 3.7, %d particles: %.1f us per particle-step (stepTo %.0f %%, "
      "Assembler %.0f %%)\n",
      particles, best, 100.0 * physics, 100.0 * assembly);
  std::printf("after %.3f s it is %.3f rad off\n", kStep * steps_of_all,
              std::abs(std::remainder(filter.mean_angle() - filter.true_angle(), 2.0 * std::acos(-1.0))));
  if (ours > 0.0) std::printf("ours: %.4f us; %.0f times faster\n", ours, best / ours);
#else
  std::printf("\nSimbody is not in this build (Debian: libsimbody-dev).\n");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 1000000;
  const int of_simbody = argc > 2 ? std::atoi(argv[2]) : 200;
  if (largest < 100 || of_simbody < 1) {
    std::fprintf(stderr, "usage: estimation_benchmark [LARGEST >= 100 [PARTICLES_OF_SIMBODY >= 1]]\n");
    return 2;
  }
  const DoubleCrank crank;
  print_simbody(of_simbody, print_ours(crank, largest));
  return 0;
}
