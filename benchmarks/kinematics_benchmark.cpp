// Question: what does one full solution (position, velocity, acceleration) of a driven mechanism cost, dense against sparse,
// in each kind of coordinates, as the mechanism grows?
//
//   build/release/benchmarks/kinematics_benchmark --benchmark_filter=sparse/natural
//
// The mechanism is the scalable four-bar of [Seed001, §3.2.1]; the crank advances by 0.01 rad per solution. Time per
// solution includes prediction, Newton's iterations and all checks of Motion; outputs are not evaluated. The complexity
// that is printed for each series is fitted to the time against the number of dyads.

#include <string>

#include <benchmark/benchmark.h>

#include "eslabon/kinematics/group_kinematics.hpp"
#include "eslabon/kinematics/motion.hpp"
#include "eslabon/model/family.hpp"

namespace {

using namespace eslabon;

void full_solution(benchmark::State& state, const std::string& method, const std::string& kind) {
  const std::string dyads = std::to_string(state.range(0));
  const model::Mechanism mechanism = model::make_family("scalable-fourbar", {{"dyads", dyads}});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  const kinematics::DrivenMechanism driven(mechanism, structure, assembly, 1e7);
  kinematics::Motion motion(method, kind, driven);
  double t = 0.0;
  for (auto _ : state) {
    t += 0.01;
    if (!motion.advance_to(t)) {
      state.SkipWithError("the motion ended");
      break;
    }
    benchmark::DoNotOptimize(motion.state().a.data());
  }
  state.counters["coordinates"] = motion.solver().system().num_coordinates();
  state.counters["newton"] =
      static_cast<double>(motion.statistics().iterations) / static_cast<double>(motion.statistics().steps);
  state.SetComplexityN(state.range(0));
}

/// The same by structural groups: no prediction, no iteration, and no checks but the reach of every dyad.
void by_groups(benchmark::State& state) {
  const model::Mechanism mechanism =
      model::make_family("scalable-fourbar", {{"dyads", std::to_string(state.range(0))}});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  const kinematics::DrivenMechanism driven(mechanism, structure, assembly, 1e7);
  const kinematics::GroupKinematics groups(driven);
  std::vector<kinematics::PlanarLink> links = groups.start();
  std::vector<coordinates::CoordinateValue> inputs(1);
  double t = 0.0;
  for (auto _ : state) {
    t += 0.01;
    driven.evaluate(t, inputs);
    if (groups.solve(inputs, links)) {
      state.SkipWithError("a dyad is out of reach");
      break;
    }
    benchmark::DoNotOptimize(links.data());
  }
  state.SetComplexityN(state.range(0));
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string& kind : coordinates::layout_names())
    for (const std::string& method : kinematics::method_names()) {
      auto* series = benchmark::RegisterBenchmark((method + "/" + kind).c_str(), full_solution, method, kind);
      series->Unit(benchmark::kMicrosecond)->Complexity();
      for (const int dyads : {1, 2, 5, 10, 17, 50, 100, 200, 400}) {
        // Dense algebra of 2400 coordinates takes a second per solution and shows nothing new.
        const bool is_huge = method == "global" && kind == "reference-point" && dyads > 200;
        if (!is_huge) series->Arg(dyads);
      }
    }
  auto* series = benchmark::RegisterBenchmark("groups", by_groups);
  series->Unit(benchmark::kMicrosecond)->Complexity();
  for (const int dyads : {1, 5, 17, 100, 400, 1000, 10000}) series->Arg(dyads);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
