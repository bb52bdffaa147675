#pragma once

#include <string>
#include <vector>

#include "eslabon/core/scalar/program_compiler.hpp"
#include "eslabon/dynamics/formulations/formulation_compiler.hpp"

namespace eslabon::codegen {

/// Compiles 'groups', where all groups have closed forms, and 'semi-recursive'.
class MotionCompiler final : public dynamics::FormulationCompiler {
 public:
  /// `programs` must outlive it and the formulations that it makes.
  explicit MotionCompiler(core::ProgramCompiler& programs) : programs_(programs) {}

  std::unique_ptr<dynamics::Formulation> compile(std::unique_ptr<dynamics::Formulation> formulation,
                                                 const dynamics::DynamicModel& model) override;
  /// Sentences: what was not compiled, and why.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  core::ProgramCompiler& programs_;
  std::vector<std::string> notes_;
};

}  // namespace eslabon::codegen
