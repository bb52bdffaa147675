#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/tables/bench_case.hpp"

namespace eslabon::benchmarks {

/// A formulation in one of its kinds of coordinates.
struct FormulationWay {
  std::string formulation;
  std::string kind;  ///< empty: it has coordinates of its own

  /// For people: with its coordinates where it has a choice of them.
  std::string name() const;
};
/// All there are, by the names of the formulations.
std::vector<FormulationWay> formulation_ways();

/// Seconds of one evaluation, from positions and velocities to the accelerations that are integrated; nothing where the formulation
/// refuses the mechanism.
std::optional<double> measure_evaluation(const BenchCase& at, const FormulationWay& way);

}  // namespace eslabon::benchmarks
