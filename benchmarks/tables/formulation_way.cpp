#include "benchmarks/tables/formulation_way.hpp"

#include "benchmarks/tables/bench_clock.hpp"

#include "eslabon/core/text/error.hpp"

namespace eslabon::benchmarks {

std::string FormulationWay::name() const {
  return dynamics::coordinate_kinds(formulation).size() > 1 ? formulation + " " + kind : formulation;
}

std::vector<FormulationWay> formulation_ways() {
  std::vector<FormulationWay> ways;
  for (const std::string& name : dynamics::formulation_names()) {
    const std::vector<std::string> kinds = dynamics::coordinate_kinds(name);
    for (const std::string& kind : kinds) ways.push_back({name, kind});
    if (kinds.empty()) ways.push_back({name, ""});
  }
  return ways;
}

std::optional<double> measure_evaluation(const BenchCase& at, const FormulationWay& way) {
  std::optional<BenchEvaluation> evaluation;
  try {
    evaluation.emplace(at, way.formulation, way.kind);
  } catch (const core::ModelError&) {
    return std::nullopt;
  }
  return time_of([&] { evaluation->evaluate(); });
}

}  // namespace eslabon::benchmarks
