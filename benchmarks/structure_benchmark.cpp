// How long the structure of a mechanism takes, and how that grows: scalable four-bars of three sizes, a
// truck. Counter "per_dyad" is the time divided by the number of dyads: constant means linear.

#include <benchmark/benchmark.h>

#include "eslabon/model/families/family.hpp"
#include "eslabon/model/mechanism_builder.hpp"
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
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

/// A driven chain with a braced joint everywhere: two bars and a rod between neighbours, far from the ground.
model::Mechanism braced_chain(int links) {
  model::MechanismBuilder builder("chain", model::Space::kPlanar);
  builder.add_ground_point("P", {0, 0, 0});
  builder.add_ground_point("Q", {0, 1, 0});
  std::string before = "ground";
  for (int i = 1; i <= links; ++i) {
    const std::string body = "l" + std::to_string(i);
    const std::string number = std::to_string(i);
    builder.add_body(
        {.name = body, .points = {{"p", {0, 0, 0}}, {"q", {0, 1, 0}}, {"P", {1, 0, 0}}, {"Q", {1, 1.3, 0}}}});
    builder.add_joint({"j" + number, model::JointType::kRevolute, before + ".P", body + ".p"});
    builder.add_joint({"r" + number, model::JointType::kRod, before + ".Q", body + ".q", {}, 1.0});
    before = body;
  }
  return builder.build();
}

void loops_at_the_end_of_a_chain(benchmark::State& state) {
  const auto mechanism = braced_chain(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(structure::analyse_structure(mechanism));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(loops_at_the_end_of_a_chain)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

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
