// Question: what does one full solution (position, velocity, acceleration) of a driven mechanism cost, dense against sparse,
// in each kind of coordinates, as the mechanism grows?
//
//   build/release/benchmarks/kinematics_benchmark --benchmark_filter=sparse/natural
//
// The mechanism is the scalable four-bar of [Seed001, §3.2.1]; the crank advances by 0.01 rad per solution. Time per
// solution includes prediction, Newton's iterations and all checks of Motion; outputs are not evaluated. The complexity
// that is printed for each series is fitted to the time against the number of dyads.

#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "eslabon/kinematics/groups/group_kinematics.hpp"
#include "eslabon/kinematics/motion.hpp"
#include "eslabon/model/families/family.hpp"

namespace {

using namespace eslabon;

void full_solution(benchmark::State& state, const std::string& method, const std::string& kind) {
  const std::string dyads = std::to_string(state.range(0));
  const model::Mechanism mechanism = model::make_family("scalable-fourbar", {{"dyads", dyads}});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  const kinematics::DrivenMechanism driven(mechanism, structure, assembly);
  kinematics::Motion motion(method, kind, driven, 1e7);
  double t = 0.0;
  for (auto _ : state) {
    t += 0.01;
    if (!motion.advance_to(t)) {
      state.SkipWithError("the motion ended");
      break;
    }
    benchmark::DoNotOptimize(motion.state().a.data());
  }
  state.counters["coordinates"] = static_cast<double>(motion.state().q.size());
  state.counters["newton"] =
      static_cast<double>(motion.statistics().iterations) / static_cast<double>(motion.statistics().steps);
  state.SetComplexityN(state.range(0));
}

/// The groups alone: no prediction and no checks but the reach of every dyad.
void groups_alone(benchmark::State& state) {
  const model::Mechanism mechanism =
      model::make_family("scalable-fourbar", {{"dyads", std::to_string(state.range(0))}});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  const kinematics::DrivenMechanism driven(mechanism, structure, assembly);
  const kinematics::GroupKinematics<kinematics::PlanarLink> groups(driven);
  auto at = groups.start();
  auto workspace = groups.make_workspace();
  std::vector<coordinates::CoordinateValue> inputs(1);
  double t = 0.0;
  for (auto _ : state) {
    t += 0.01;
    driven.evaluate_or_throw(t, inputs);
    if (groups.solve(inputs, at, workspace)) {
      state.SkipWithError("a dyad is out of reach");
      break;
    }
    benchmark::DoNotOptimize(at.links.data());
  }
  state.SetComplexityN(state.range(0));
}

/// The run of [Seed001, §4.1.2]: 20 s in steps of 0.05 s, over and over.
void truck(benchmark::State& state, const std::string& method) {
  const model::Mechanism mechanism =
      model::make_family("truck-suspension", {{"axles", std::to_string(state.range(0))}});
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const kinematics::AssemblyReport assembly = kinematics::assemble(mechanism, structure);
  const kinematics::DrivenMechanism driven(mechanism, structure, assembly);
  auto motion = std::make_unique<kinematics::Motion>(method, "natural", driven, 20.0);
  int k = 0;
  for (auto _ : state) {
    if (++k > 400) {
      state.PauseTiming();
      motion = std::make_unique<kinematics::Motion>(method, "natural", driven, 20.0);
      k = 1;
      state.ResumeTiming();
    }
    if (!motion->advance_to(0.05 * k)) {
      state.SkipWithError("the motion ended");
      break;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string& kind : coordinates::layout_names())
    for (const std::string& method : kinematics::method_names()) {
      if (!kinematics::has_coordinates(method) && kind != "natural") continue;
      auto* series = benchmark::RegisterBenchmark((method + "/" + kind).c_str(), full_solution, method, kind);
      series->Unit(benchmark::kMicrosecond)->Complexity();
      for (const int dyads : {1, 2, 5, 10, 17, 50, 100, 200, 400}) {
        // Dense algebra of 2400 coordinates takes a second per solution and shows nothing new.
        const bool is_huge = method == "global" && kind == "reference-point" && dyads > 200;
        if (!is_huge) series->Arg(dyads);
      }
    }
  auto* series = benchmark::RegisterBenchmark("groups-alone", groups_alone);
  series->Unit(benchmark::kMicrosecond)->Complexity();
  for (const int dyads : {1, 5, 17, 100, 400, 1000, 10000}) series->Arg(dyads);
  for (const std::string& method : kinematics::method_names())
    benchmark::RegisterBenchmark(("truck/" + method).c_str(), truck, method)
        ->Unit(benchmark::kMicrosecond)
        ->Arg(1)
        ->Arg(5);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
