#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/dynamics/formulations/formulation_choice.hpp"

namespace eslabon::dynamics {

/// Makes formulations faster that stay what they are: runs are handed one of these, or none.
class FormulationCompiler {
 public:
  virtual ~FormulationCompiler() = default;
  /// The formulation to take when nobody asks for one.
  virtual FormulationChoice choose(const DynamicModel& model) = 0;
  /// The formulation with machine code for what it computes most, the same numbers to roundoff; or the formulation itself, where there is
  /// none.
  virtual std::unique_ptr<Formulation> compile(std::unique_ptr<Formulation> formulation,
                                               const DynamicModel& model) = 0;
  /// For people: what it made so far and what that cost; and sentences about what it did not make.
  virtual std::string summary() const = 0;
  virtual std::vector<std::string> notes() const = 0;
};

}  // namespace eslabon::dynamics
