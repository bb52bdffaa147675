#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eslabon/codegen/compile/native_compiler.hpp"
#include "eslabon/dynamics/formulations/formulation_compiler.hpp"
#include "eslabon/dynamics/reduced/reduced_code.hpp"

namespace eslabon::codegen {

/// Compiles 'groups', where all groups have closed forms, 'semi-recursive', and the motions of filters; from any thread.
class MotionCompiler final : public dynamics::FormulationCompiler, public dynamics::ReducedCompiler {
 public:
  /// Formulations that it makes must not outlive it.
  explicit MotionCompiler(std::shared_ptr<NativeCompiler> programs) : programs_(std::move(programs)) {}

  /// That of dynamics::choose_formulation, but for clusters and structural groups without closed form where another one can be compiled.
  dynamics::FormulationChoice choose(const dynamics::DynamicModel& model) override;
  std::unique_ptr<dynamics::Formulation> compile(std::unique_ptr<dynamics::Formulation> formulation,
                                                 const dynamics::DynamicModel& model) override;
  std::unique_ptr<dynamics::ReducedCode> compile(const dynamics::ReducedMotion& motion,
                                                 std::span<const dynamics::WrittenReading> readings) override;
  std::string summary() const override;
  std::vector<std::string> notes() const override;

 private:
  std::shared_ptr<NativeCompiler> programs_;
};

}  // namespace eslabon::codegen
