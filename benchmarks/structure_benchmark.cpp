// How long the structure of a mechanism takes, and how that grows: scalable four-bars of three sizes, a
// truck. Counter "per_dyad" is the time divided by the number of dyads: constant means linear.

#include <benchmark/benchmark.h>

#include "eslabon/model/family.hpp"
#include "eslabon/structure/structure.hpp"

namespace {

using namespace eslabon;

void scalable_fourbar(benchmark::State& state) {
  const auto mechanism = model::make_family("scalable-fourbar,dyads=" + std::to_string(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(structure::analyse_structure(mechanism));
  state.SetComplexityN(state.range(0));
  state.counters["per_dyad"] =
      benchmark::Counter(static_cast<double>(state.range(0)) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(scalable_fourbar)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oAuto);

void building_the_mechanism(benchmark::State& state) {
  const std::string specification = "scalable-fourbar,dyads=" + std::to_string(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(model::make_family(specification));
}
BENCHMARK(building_the_mechanism)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

void truck_suspension(benchmark::State& state) {
  const auto mechanism = model::make_family("truck-suspension,axles=" + std::to_string(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(structure::analyse_structure(mechanism));
}
BENCHMARK(truck_suspension)->Arg(1)->Arg(5)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
