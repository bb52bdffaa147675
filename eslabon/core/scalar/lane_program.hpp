#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "eslabon/core/scalar/program_compiler.hpp"

namespace eslabon::core {

/// What was traced, as instructions that are carried out for many states ("lanes") at once, each for all of them before the next one:
/// the inner loops run over numbers that lie side by side, which is what vector units of processors are made for, and what stands
/// between them fits into the nearest cache. Every lane is computed by itself with the same roundings, products and sums apart: the same
/// bits for any number of lanes, any width of the processor's vectors, and any machine with IEEE arithmetic (functions that are called,
/// such as atan2, as far as the C library is the same).
/// Immutable; may be run from several threads, each with its own workspace.
class LaneProgram {
 public:
  /// At most so many lanes in one run.
  static constexpr std::size_t kLanes = 64;

  /// Numbers of a run. One per thread.
  class Workspace {
   public:
    explicit Workspace(const LaneProgram& program);
    /// (kLanes) of output k after a run; valid until the next one, while the inputs stand.
    const double* output(std::size_t k) const { return tables_[outputs_[k]]; }

   private:
    friend class LaneProgram;
    struct AlignedDelete {
      void operator()(double* numbers) const;
    };
    void allocate(std::size_t numbers);
    void prepare(const LaneProgram& program);
    void prepare_compiled(const LaneProgram& program);
    std::unique_ptr<double[], AlignedDelete> registers_;
    std::vector<double*> tables_;  ///< where each register is: inputs in the arrays of the caller
    std::vector<std::uint32_t> outputs_;
    // Of machine code, whose registers are the outputs alone.
    double* work_ = nullptr;             ///< what it is lent
    std::vector<double*> padded_;        ///< (num_inputs) copies of inputs whose last group is not full
    std::vector<const double*> inputs_;  ///< (num_inputs) the same, for the call
  };

  LaneProgram() = default;
  /// Everything in the trace that `outputs` need; what they do not need is left away.
  LaneProgram(Trace& trace, const std::vector<Traced>& outputs);

  std::size_t num_inputs() const { return num_inputs_; }
  std::size_t num_uniforms() const { return num_uniforms_; }
  std::size_t num_instructions() const { return instructions_.size(); }
  std::size_t num_registers() const { return num_registers_; }
  std::size_t num_outputs() const { return outputs_.size(); }
  const Program& source() const { return source_; }

  /// Runs machine code of its source from now on, which gives the same bits. Workspaces that were made before are of no use then.
  void use(CompiledLanes code) { compiled_ = std::move(code); }

  /// `inputs`: (num_inputs) arrays of `count` ≤ kLanes numbers; those that the outputs do not need are not read. `uniforms`: (num_uniforms).
  void run(Workspace& workspace, std::span<const double* const> inputs, std::span<const double> uniforms,
           std::size_t count) const;

 private:
  enum class Code : std::uint8_t {
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kSqrt,
    kSinCos,  ///< second output: the cosine
    kAbs,
    kRound,
    kAtan2,
    kSelectLess,
    kCall,
    kScale,                 ///< k a
    kShift,                 ///< k + a
    kFrom,                  ///< k − a
    kRatio,                 ///< k / a
    kMultiplyAdd,           ///< a b + c
    kMultiplyFrom,          ///< c − a b
    kMultiplyMinus,         ///< a b − c
    kScaleAdd,              ///< k a + b
    kScaleMinus,            ///< k a − b
    kSumOfProducts,         ///< a b + c d
    kDifferenceOfProducts,  ///< a b − c d
  };
  struct Instruction {
    Code code;
    std::uint32_t out = 0, out2 = 0, a = 0, b = 0, c = 0, d = 0;
    double k = 0.0;
    double (*function)(double) = nullptr;
  };
  class Compiler;

  void run_compiled(Workspace& workspace, std::span<const double* const> inputs,
                    std::span<const double> uniforms, std::size_t count) const;
  template <std::size_t kCount>
  void execute(double* const* tables, std::size_t count) const;

  Program source_;
  CompiledLanes compiled_;  ///< of source_, when it has a call
  std::vector<Instruction> instructions_;
  std::vector<std::pair<std::uint32_t, double>> constants_;  ///< registers that are constants
  std::vector<std::uint32_t> input_registers_;               ///< (num_inputs)
  std::vector<std::uint32_t> uniform_registers_;             ///< (num_uniforms)
  std::vector<std::uint32_t> outputs_;
  std::size_t num_inputs_ = 0, num_uniforms_ = 0;
  std::size_t num_registers_ = 0;  ///< inputs come last: they need no place here
};

/// Has programs run machine code, as far as the compiler gives any; none: they are interpreted.
struct NamedLaneProgram {
  std::string name;
  LaneProgram* program;
};
void compile(ProgramCompiler* compiler, std::span<const NamedLaneProgram> programs);

}  // namespace eslabon::core
