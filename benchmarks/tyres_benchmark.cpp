// Question: what does one evaluation of a tyre cost: its curves, its forces, both, both with one derivative, and both of four tyres as
// lanes of a traced program?
//
//   build/release/benchmarks/tyres_benchmark
//
// The tyre is the 6.1 file of tests/data/tyres; load, slip, slip angle and camber change from one evaluation to the next.

#include <array>
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include "eslabon/core/scalar/lane_program.hpp"
#include "eslabon/io/tyres/tyre_file.hpp"
#include "eslabon/tyres/fiala_tyre.hpp"
#include "eslabon/tyres/magic_formula_forces.hpp"

namespace {

using namespace eslabon;

const tyres::MagicFormula& tyre() {
  static const tyres::MagicFormula read =
      io::read_tyre_file(ESLABON_SOURCE_DIR "/tests/data/tyres/mfeval/MagicFormula61_Parameters.tir").tyre;
  return read;
}

/// Contacts and slips that wander.
struct Wandering {
  template <class T>
  tyres::TyreContact<T> contact() const {
    return {T(5000.0 + 2000.0 * phase), T(0.03 * phase), T(tyre().NOMPRES)};
  }
  template <class T>
  tyres::TyreSlip<T> slip() const {
    return tyres::steady_slip<T>(T(0.1 * phase), T(0.15 * phase - 0.02), T(16.0));
  }
  void advance() { phase = phase < 1.0 ? phase + 0.001 : -1.0; }
  double phase = -1.0;
};

void curves(benchmark::State& state) {
  Wandering at;
  for (auto _ : state) {
    at.advance();
    benchmark::DoNotOptimize(tyres::magic_curves(tyre(), at.contact<double>()));
  }
}

void forces(benchmark::State& state) {
  Wandering at;
  const auto held = tyres::magic_curves(tyre(), at.contact<double>());
  for (auto _ : state) {
    at.advance();
    benchmark::DoNotOptimize(tyres::magic_formula_forces(tyre(), held, at.slip<double>()));
  }
}

template <class T>
void both(benchmark::State& state) {
  Wandering at;
  for (auto _ : state) {
    at.advance();
    benchmark::DoNotOptimize(
        tyres::magic_formula_forces(tyre(), tyres::magic_curves(tyre(), at.contact<T>()), at.slip<T>()));
  }
}

/// Load, camber, slip and slip angle of four tyres in, their forces and moments out.
void four_as_lanes(benchmark::State& state) {
  constexpr std::size_t kTyres = 4, kInputs = 4;
  core::Trace trace;
  std::vector<core::Traced> outputs;
  {
    const core::Trace::Listening listening(trace);
    const core::Traced F_z = trace.input(), gamma = trace.input(), kappa = trace.input(), alpha = trace.input();
    const auto forces = tyres::magic_formula_forces(
        tyre(), tyres::magic_curves<core::Traced>(tyre(), {F_z, gamma, core::Traced(tyre().NOMPRES)}),
        tyres::steady_slip<core::Traced>(kappa, alpha, core::Traced(16.0)));
    outputs = {forces.F_x, forces.F_y, forces.M_x, forces.M_y, forces.M_z};
  }
  const core::LaneProgram program(trace, outputs);
  core::LaneProgram::Workspace workspace(program);
  std::array<std::array<double, kTyres>, kInputs> numbers;
  std::array<const double*, kInputs> inputs;
  for (std::size_t k = 0; k < kInputs; ++k) inputs[k] = numbers[k].data();
  Wandering at;
  for (auto _ : state) {
    for (std::size_t tyre = 0; tyre < kTyres; ++tyre) {
      at.advance();
      const auto contact = at.contact<double>();
      const auto slip = at.slip<double>();
      numbers[0][tyre] = contact.F_z, numbers[1][tyre] = contact.gamma;
      numbers[2][tyre] = slip.kappa, numbers[3][tyre] = slip.alpha;
    }
    program.run(workspace, inputs, {}, kTyres);
    benchmark::DoNotOptimize(workspace.output(0)[0]);
  }
}

void fiala(benchmark::State& state) {
  const tyres::FialaTyre brushes{.slip_stiffness = 9e4, .cornering_stiffness = 6e4, .half_contact = 0.08};
  Wandering at;
  for (auto _ : state) {
    at.advance();
    benchmark::DoNotOptimize(tyres::fiala_forces(brushes, at.contact<double>(), at.slip<double>()));
  }
}

BENCHMARK(curves);
BENCHMARK(forces);
BENCHMARK(both<double>);
BENCHMARK(both<core::Dual<double>>);
BENCHMARK(four_as_lanes);
BENCHMARK(fiala);

}  // namespace

BENCHMARK_MAIN();
