// Question: what does one evaluation of the accelerations of a given state cost, by every formulation, as the mechanism grows?
//
//   build/release/benchmarks/dynamics_benchmark --benchmark_filter=groups
//
// Mechanisms and states are those of `eslabon bench dynamics`, which puts other programs beside ours. Measured is
// Formulation::accelerate alone, of the integrated coordinates; positions and velocities are given.

#include <string>
#include <vector>

#include "benchmarks/tables/bench_case.hpp"
#include <benchmark/benchmark.h>

namespace {

using namespace eslabon;

void evaluation(benchmark::State& state, std::string (*model)(int), const std::string& name,
                const std::string& kind) {
  const benchmarks::BenchCase at(model(static_cast<int>(state.range(0))));
  benchmarks::BenchEvaluation evaluation(at, name, kind);
  for (auto _ : state) evaluation.evaluate();
  state.SetComplexityN(state.range(0));
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string& name : dynamics::formulation_names()) {
    std::vector<std::string> kinds = dynamics::coordinate_kinds(name);
    if (kinds.empty()) kinds.emplace_back();
    for (const std::string& kind : kinds) {
      const std::string label = name + (kind.empty() ? "" : "/" + kind);
      auto* four_bar = benchmark::RegisterBenchmark(("four-bars/" + label).c_str(), evaluation,
                                                    &benchmarks::fourbar_model, name, kind);
      four_bar->Unit(benchmark::kMicrosecond)->Complexity();
      for (const int dyads : {1, 5, 17, 40, 100, 400}) four_bar->Arg(dyads);
      if (name == "groups") four_bar->Arg(1000);
    }
  }
  auto* series = benchmark::RegisterBenchmark("chain/semi-recursive", evaluation, &benchmarks::chain_model,
                                              "semi-recursive", "relative");
  series->Unit(benchmark::kMicrosecond)->Complexity();
  for (const int bars : {5, 20, 100, 400}) series->Arg(bars);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
