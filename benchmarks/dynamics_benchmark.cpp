// Question: what does one evaluation of the accelerations of a given state cost, by every formulation, as the mechanism grows?
//
//   build/release/benchmarks/dynamics_benchmark --benchmark_filter=groups
//
// Mechanisms: the scalable four-bar of [Seed001, §3.2.1] let go, and chains of revolutes in space with alternating axes. Measured is
// Formulation::accelerate alone, of the integrated coordinates; positions and velocities are given.

#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "eslabon/dynamics/formulation.hpp"
#include "eslabon/model/family.hpp"
#include "eslabon/model/mechanism_builder.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace {

using namespace eslabon;

model::Mechanism four_bars(long dyads) {
  const model::Mechanism mechanism =
      model::make_family("scalable-fourbar", {{"dyads", std::to_string(dyads)}});
  std::vector<std::string> drivers;
  for (const model::Driver& driver : mechanism.drivers()) drivers.push_back(driver.name);
  return model::without_drivers(mechanism, drivers);
}

model::Mechanism chain(long bars) {
  model::MechanismBuilder builder("chain", model::Space::kSpatial);
  builder.set_gravity({0.0, 0.0, -9.81});
  builder.add_ground_point("O", Eigen::Vector3d::Zero());
  std::string before = "ground.O";
  for (long i = 1; i <= bars; ++i) {
    const std::string name = "bar" + std::to_string(i);
    builder.add_body({.name = name,
                      .mass = 1.0,
                      .center_of_mass = Eigen::Vector3d(0.25, 0.02, -0.01),
                      .inertia = Eigen::Vector3d(0.02, 0.05, 0.06).asDiagonal().toDenseMatrix(),
                      .points = {{"A", Eigen::Vector3d::Zero()}, {"B", Eigen::Vector3d(0.5, 0.05, 0.02)}}});
    const Eigen::Vector3d axis = i % 2 == 0 ? Eigen::Vector3d(1.0, 0.1, 0.0) : Eigen::Vector3d(0.0, 0.2, 1.0);
    builder.add_joint({"J" + std::to_string(i), model::JointType::kRevolute, before, name + ".A",
                       model::AxisPair{axis, axis}});
    before = name + ".B";
  }
  return builder.build();
}

void evaluation(benchmark::State& state, model::Mechanism (*make)(long), const std::string& name,
                const std::string& kind) {
  const model::Mechanism mechanism = make(state.range(0));
  const structure::Structure structure = structure::analyse_structure(mechanism);
  const dynamics::DynamicModel model(mechanism, structure, kinematics::assemble(mechanism, structure), 1.0);
  const auto formulation = dynamics::make_formulation(name, model, {.kind = kind});
  const dynamics::State start = formulation->start();
  std::vector<double> a(start.q.size()), z_ddot(static_cast<std::size_t>(formulation->num_integrated()));
  // What is integrated is all that a step needs; formulations that find all accelerations first do so.
  const std::span<double> all = name == "groups" ? std::span<double>() : std::span<double>(a);
  for (auto _ : state) {
    if (formulation->accelerate(start, all, z_ddot) != dynamics::DynamicsStatus::kSolved) {
      state.SkipWithError("singular");
      break;
    }
    benchmark::DoNotOptimize(z_ddot.data());
  }
  state.SetComplexityN(state.range(0));
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string& name : dynamics::formulation_names()) {
    std::vector<std::string> kinds = dynamics::coordinate_kinds(name);
    if (kinds.empty()) kinds.emplace_back();
    for (const std::string& kind : kinds) {
      const std::string label = name + (kind.empty() ? "" : "/" + kind);
      auto* four_bar =
          benchmark::RegisterBenchmark(("four-bars/" + label).c_str(), evaluation, &four_bars, name, kind);
      four_bar->Unit(benchmark::kMicrosecond)->Complexity();
      for (const int dyads : {1, 5, 17, 40, 100, 400}) four_bar->Arg(dyads);
      if (name == "groups") four_bar->Arg(1000);
    }
  }
  auto* series =
      benchmark::RegisterBenchmark("chain/semi-recursive", evaluation, &chain, "semi-recursive", "relative");
  series->Unit(benchmark::kMicrosecond)->Complexity();
  for (const int bars : {5, 20, 100, 400}) series->Arg(bars);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
