#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/scalar/program_compiler.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/formulations/formulation.hpp"
#include "eslabon/dynamics/reduced/reduced_code.hpp"

namespace eslabon::codegen {

/// Machine code for the coordinates of one formulation. Where it cannot tell, near singular positions, it says so: who asks asks somebody else.
class MotionCode {
 public:
  using Drivers = std::span<const coordinates::CoordinateValue>;  ///< (drivers) at the time of the state

  virtual ~MotionCode() = default;
  /// As Formulation::complete.
  [[nodiscard]] virtual bool complete(double, std::span<const double>, std::span<const double>, Drivers,
                                      dynamics::State&) {
    return false;
  }
  /// As Formulation::accelerate; of `a` alone when z̈ is empty.
  [[nodiscard]] virtual bool accelerate(const dynamics::State& state, Drivers drivers, std::span<double> a,
                                        std::span<double> z_ddot) = 0;
  /// As Formulation::regularity, of the last accelerate(). Nothing of code that completes no states: the formulation did so, and knows.
  virtual std::optional<double> regularity() const { return std::nullopt; }
};

/// Of the formulation 'groups' with these inputs of its groups, where all of them have closed forms: nothing otherwise.
std::unique_ptr<MotionCode> make_group_code(const dynamics::DynamicModel& model,
                                            const std::vector<model::Variable>& inputs,
                                            const coordinates::MechanismMotion& bodies,
                                            core::ProgramCompiler& compiler);
/// Of formulations in relative coordinates.
std::unique_ptr<MotionCode> make_tree_code(const dynamics::DynamicModel& model,
                                           core::ProgramCompiler& compiler);

/// Of points of filters. `notes`: sentences about readings that cannot be written down are added.
std::unique_ptr<dynamics::ReducedCode> make_reduced_code(const dynamics::ReducedMotion& motion,
                                                         std::span<const dynamics::WrittenReading> readings,
                                                         core::ProgramCompiler& compiler,
                                                         std::vector<std::string>& notes);

/// Of an error, what is in the way of code.
std::string why_no_code(const core::ModelError& error);

/// How far from singular a position must be that code is asked about.
inline constexpr double kSafeForCode = 0.02;

/// A compiled program with numbers to call it with.
class CodeCall {
 public:
  CodeCall() = default;
  CodeCall(core::CompiledFunction function, std::size_t num_inputs, std::size_t num_outputs)
      : function_(std::move(function)), in_(num_inputs), out_(num_outputs), work_(function_.num_work) {}

  std::span<double> inputs() { return in_; }
  std::span<const double> call() {
    function_.call(in_.data(), nullptr, out_.data(), work_.data());
    return out_;
  }

 private:
  core::CompiledFunction function_;
  std::vector<double> in_, out_, work_;
};

}  // namespace eslabon::codegen
