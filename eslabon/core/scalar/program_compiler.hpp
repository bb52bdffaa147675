#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/scalar/program.hpp"

namespace eslabon::core {

/// A program and what it is called in code and messages: letters, digits and '_'.
struct NamedProgram {
  std::string name;
  const Program* program;
};

/// Machine code of a program, for one state. Gives the bits of Program::evaluate, with the same C library. May be called from several
/// threads, each with its own work.
struct CompiledFunction {
  using Call = void (*)(const double* inputs, const double* uniforms, double* outputs, double* work);
  Call call = nullptr;               ///< inputs and outputs do not overlap
  std::size_t num_work = 0;          ///< numbers that the caller lends
  std::shared_ptr<const void> code;  ///< keeps it loaded
};

/// The same for many states at once, with the bits of LaneProgram. `inputs` and `outputs` are arrays of `count` numbers, a multiple of
/// kCompiledGroup; inputs that the outputs do not need are not read; `work` and outputs are aligned to kCompiledAlignment.
inline constexpr std::size_t kCompiledGroup = 16;
inline constexpr std::size_t kCompiledAlignment = kCompiledGroup * sizeof(double);  ///< [bytes]
struct CompiledLanes {
  using Call = void (*)(const double* const* inputs, const double* uniforms, double* const* outputs,
                        double* work, std::size_t count);
  Call call = nullptr;
  std::size_t num_work = 0;          ///< numbers that the caller lends
  std::shared_ptr<const void> code;  ///< keeps it loaded
};

/// What code gives: seconds of one evaluation of what it stands for, by it and without it.
struct EvaluationTimes {
  double compiled = 0.0, interpreted = 0.0;
};

/// Makes machine code of programs. Who runs programs is handed one of these, or none, and interprets what it does not get: code is a
/// matter of speed, never of results. Why there is none, and what it cost, is told by whoever made the compiler.
class ProgramCompiler {
 public:
  virtual ~ProgramCompiler() = default;
  /// (programs), in one piece; or nothing, when it cannot be done.
  virtual std::vector<CompiledFunction> compile_functions(std::span<const NamedProgram> programs) = 0;
  virtual std::vector<CompiledLanes> compile_lanes(std::span<const NamedProgram> programs) = 0;
  /// Who runs its code says what that gave; whoever made the compiler tells the user.
  virtual void tell(const EvaluationTimes& times) = 0;
};

}  // namespace eslabon::core
