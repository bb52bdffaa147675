#pragma once

#include <memory>

#include "eslabon/dynamics/formulations/formulation.hpp"

namespace eslabon::dynamics {

/// Makes formulations faster that stay what they are: runs are handed one of these, or none.
class FormulationCompiler {
 public:
  virtual ~FormulationCompiler() = default;
  /// The formulation with machine code for what it computes most, the same numbers to roundoff; or the formulation itself, where there is
  /// none. `name`: the one that it was made by.
  virtual std::unique_ptr<Formulation> compile(std::unique_ptr<Formulation> formulation,
                                               const DynamicModel& model) = 0;
};

}  // namespace eslabon::dynamics
