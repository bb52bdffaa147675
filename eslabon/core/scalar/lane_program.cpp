#include "eslabon/core/scalar/lane_program.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/time/evaluation_time.hpp"

namespace eslabon::core {

using Operation = Trace::Operation;

/// Turns nodes into instructions: drops what nobody needs, joins products with the sums they go into, sines with cosines, and gives
/// results registers that are free again after their last use.
class LaneProgram::Compiler {
 public:
  Compiler(const std::vector<Trace::Node>& nodes, const std::vector<int>& outputs)
      : nodes_(nodes),
        uses_(nodes.size(), 0),
        last_(nodes.size(), -1),
        joined_(nodes.size(), false),
        register_(nodes.size(), kNone),
        twin_(nodes.size(), -1) {
    for (const int output : outputs) ++uses_[index(output)];
    count_uses();
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
      if (uses_[index(i)] > 0) join(i);
    pair_sines();
    find_last_uses();
    for (const int output : outputs) last_[index(output)] = static_cast<int>(nodes_.size());
  }

  void compile(LaneProgram& program);
  std::uint32_t register_of(int node) const { return register_[index(node)]; }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  static bool computes(Operation operation) {
    return operation != Operation::kInput && operation != Operation::kUniform &&
           operation != Operation::kConstant;
  }
  const Trace::Node& node(int i) const { return nodes_[index(i)]; }
  bool is_constant(int i) const { return node(i).operation == Operation::kConstant; }
  /// A product that is used once, by the sum that asks.
  bool may_join(int i) const { return node(i).operation == Operation::kMultiply && uses_[index(i)] == 1; }

  void count_uses() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (uses_[i] == 0) continue;
      if (!computes(nodes_[i].operation)) continue;
      for (const int operand : {nodes_[i].a, nodes_[i].b, nodes_[i].c, nodes_[i].d})
        if (operand >= 0) ++uses_[index(operand)];
    }
  }
  void join(int i) {
    const Trace::Node& n = node(i);
    if (n.operation != Operation::kAdd && n.operation != Operation::kSubtract) return;
    if (is_constant(n.a) || is_constant(n.b)) return;
    const bool first = may_join(n.a), second = may_join(n.b) && n.a != n.b;
    // Of two products that are both with constants one stays alone: there is no such instruction.
    const bool first_scales = first && is_constant(node(n.a).a),
               second_scales = second && is_constant(node(n.b).a);
    if (first && second && !first_scales && !second_scales) {
      joined_[index(n.a)] = joined_[index(n.b)] = true;
    } else if (first && (!second || !second_scales || first_scales)) {
      joined_[index(n.a)] = true;
    } else if (second) {
      joined_[index(n.b)] = true;
    }
  }
  void pair_sines() {
    std::vector<int> sine(nodes_.size(), -1), cosine(nodes_.size(), -1);
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      if (uses_[index(i)] == 0) continue;
      if (node(i).operation == Operation::kSin) sine[index(node(i).a)] = i;
      if (node(i).operation == Operation::kCos) cosine[index(node(i).a)] = i;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (sine[i] >= 0 && cosine[i] >= 0) {
        twin_[index(sine[i])] = cosine[i];
        twin_[index(cosine[i])] = sine[i];
      }
  }
  /// Operands of the instruction that node i becomes: those of joined products instead of the products.
  template <class Visit>
  void each_operand(int i, Visit visit) const {
    const Trace::Node& n = node(i);
    for (const int operand : {n.a, n.b, n.c, n.d}) {
      if (operand < 0) continue;
      if (joined_[index(operand)] &&
          (n.operation == Operation::kAdd || n.operation == Operation::kSubtract)) {
        visit(node(operand).a);
        visit(node(operand).b);
      } else {
        visit(operand);
      }
    }
  }
  void find_last_uses() {
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      if (uses_[index(i)] == 0 || joined_[index(i)] || !computes(node(i).operation)) continue;
      each_operand(i, [&](int operand) { last_[index(operand)] = i; });
    }
    for (int i = 0; i < static_cast<int>(nodes_.size());
         ++i)  // a result that only its twin asked for is free at once
      if (twin_[index(i)] >= 0) last_[index(i)] = std::max(last_[index(i)], std::max(i, twin_[index(i)]));
  }
  std::uint32_t take(int i) {
    if (free_.empty()) return register_[index(i)] = num_registers_++;
    register_[index(i)] = free_.back();
    free_.pop_back();
    return register_[index(i)];
  }
  Instruction translate(int i) const;

  const std::vector<Trace::Node>& nodes_;
  std::vector<int> uses_, last_;
  std::vector<char> joined_;
  std::vector<std::uint32_t> register_;
  std::vector<int> twin_;  ///< the cosine of a sine's angle, and the other way round
  std::vector<std::uint32_t> free_;
  std::uint32_t num_registers_ = 0;
};

LaneProgram::Instruction LaneProgram::Compiler::translate(int i) const {
  const Trace::Node& n = node(i);
  const auto at = [&](int operand) { return operand < 0 ? 0u : register_[index(operand)]; };
  Instruction out{.code = Code::kAdd, .a = at(n.a), .b = at(n.b), .c = at(n.c), .d = at(n.d)};
  const auto product = [&](int operand) { return node(operand); };
  switch (n.operation) {
    case Operation::kNegate:
      out.code = Code::kNegate;
      break;
    case Operation::kAdd:
    case Operation::kSubtract: {
      const bool subtracts = n.operation == Operation::kSubtract;
      const bool first = joined_[index(n.a)] && n.a != n.b, second = joined_[index(n.b)] && n.a != n.b;
      out.code = subtracts ? Code::kSubtract : Code::kAdd;
      if (first && second) {
        out = {.code = subtracts ? Code::kDifferenceOfProducts : Code::kSumOfProducts,
               .a = at(product(n.a).a),
               .b = at(product(n.a).b),
               .c = at(product(n.b).a),
               .d = at(product(n.b).b)};
      } else if (first || second) {
        const Trace::Node p = product(first ? n.a : n.b);
        const std::uint32_t other = at(first ? n.b : n.a);
        if (is_constant(p.a)) {
          const double k = node(p.a).k;
          out = {.code = subtracts && first ? Code::kScaleMinus : Code::kScaleAdd,
                 .a = at(p.b),
                 .b = other,
                 .k = subtracts && second ? -k : k};
        } else {
          out = {.code = !subtracts ? Code::kMultiplyAdd
                         : first    ? Code::kMultiplyMinus
                                    : Code::kMultiplyFrom,
                 .a = at(p.a),
                 .b = at(p.b),
                 .c = other};
        }
      } else if (is_constant(n.a)) {
        out = {.code = subtracts ? Code::kFrom : Code::kShift, .a = at(n.b), .k = node(n.a).k};
      } else if (is_constant(n.b)) {
        out = {.code = Code::kShift, .a = at(n.a), .k = subtracts ? -node(n.b).k : node(n.b).k};
      }
      break;
    }
    case Operation::kMultiply:
      out.code = Code::kMultiply;
      if (is_constant(n.a)) out = {.code = Code::kScale, .a = at(n.b), .k = node(n.a).k};
      break;
    case Operation::kDivide:
      out.code = Code::kDivide;
      if (is_constant(n.a)) out = {.code = Code::kRatio, .a = at(n.b), .k = node(n.a).k};
      break;
    case Operation::kSqrt:
      out.code = Code::kSqrt;
      break;
    case Operation::kSin:
    case Operation::kCos:
      out.code = Code::kSinCos;
      break;
    case Operation::kAbs:
      out.code = Code::kAbs;
      break;
    case Operation::kRound:
      out.code = Code::kRound;
      break;
    case Operation::kAtan2:
      out.code = Code::kAtan2;
      break;
    case Operation::kSelectLess:
      out.code = Code::kSelectLess;
      break;
    case Operation::kCall:
      out.code = Code::kCall;
      out.function = n.function->value;
      break;
    default:
      break;
  }
  return out;
}

void LaneProgram::Compiler::compile(LaneProgram& program) {
  // Inputs, uniforms and constants keep their registers.
  std::vector<std::vector<int>> dying(nodes_.size());
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    if (uses_[index(i)] == 0) continue;
    if (!computes(node(i).operation)) {
      take(i);
      if (node(i).operation == Operation::kConstant)
        program.constants_.emplace_back(register_[index(i)], node(i).k);
      if (node(i).operation == Operation::kUniform)
        program.uniform_registers_[index(node(i).a)] = register_[index(i)];
      if (node(i).operation == Operation::kInput)
        program.input_registers_[index(node(i).a)] = register_[index(i)];
    } else if (!joined_[index(i)] && last_[index(i)] < static_cast<int>(nodes_.size()) &&
               last_[index(i)] >= 0) {
      dying[index(last_[index(i)])].push_back(i);
    }
  }
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    if (uses_[index(i)] == 0 || joined_[index(i)] || !computes(node(i).operation)) continue;
    if (register_[index(i)] == kNone) {  // otherwise its twin has computed it
      Instruction instruction = translate(i);
      if (instruction.code == Code::kSinCos) {
        const bool is_sine = node(i).operation == Operation::kSin;
        const std::uint32_t own = take(i);
        const std::uint32_t other = twin_[index(i)] >= 0 ? take(twin_[index(i)]) : num_registers_++;
        instruction.out = is_sine ? own : other;
        instruction.out2 = is_sine ? other : own;
      } else {
        instruction.out = take(i);
      }
      program.instructions_.push_back(instruction);
    }
    for (const int dead : dying[index(i)]) free_.push_back(register_[index(dead)]);
  }
  program.num_registers_ = num_registers_;
}

LaneProgram::LaneProgram(Trace& trace, const std::vector<Traced>& outputs)
    : source_(trace, outputs),
      input_registers_(source_.num_inputs(), ~0u),
      uniform_registers_(source_.num_uniforms(), ~0u),
      num_inputs_(source_.num_inputs()),
      num_uniforms_(source_.num_uniforms()) {
  Compiler compiler(source_.nodes(), source_.outputs());
  compiler.compile(*this);
  for (const int place : source_.outputs()) outputs_.push_back(compiler.register_of(place));
}

void LaneProgram::Workspace::AlignedDelete::operator()(double* numbers) const {
  ::operator delete[](numbers, std::align_val_t{kCompiledAlignment});
}

void LaneProgram::Workspace::allocate(std::size_t numbers) {
  numbers = std::max<std::size_t>(1, numbers);
  registers_.reset(
      static_cast<double*>(::operator new[](numbers * sizeof(double), std::align_val_t{kCompiledAlignment})));
  std::fill_n(registers_.get(), numbers, 0.0);
}

LaneProgram::Workspace::Workspace(const LaneProgram& program) {
  if (program.compiled_.call != nullptr)
    prepare_compiled(program);
  else
    prepare(program);
}

void LaneProgram::Workspace::prepare(const LaneProgram& program) {
  allocate(program.num_registers_ * kLanes);
  tables_.resize(program.num_registers_);
  outputs_ = program.outputs_;
  for (std::size_t r = 0; r < tables_.size(); ++r) tables_[r] = registers_.get() + r * kLanes;
  for (const auto& [place, value] : program.constants_) std::fill_n(tables_[place], kLanes, value);
}

void LaneProgram::Workspace::prepare_compiled(const LaneProgram& program) {
  const std::size_t outputs = program.num_outputs(), inputs = program.num_inputs();
  allocate((outputs + inputs) * kLanes + program.compiled_.num_work);
  double* next = registers_.get();
  for (std::size_t k = 0; k < outputs; ++k, next += kLanes) {
    tables_.push_back(next);
    outputs_.push_back(static_cast<std::uint32_t>(k));
  }
  for (std::size_t k = 0; k < inputs; ++k, next += kLanes) padded_.push_back(next);
  inputs_.resize(inputs);
  work_ = next;
}

void LaneProgram::run_compiled(Workspace& workspace, std::span<const double* const> inputs,
                               std::span<const double> uniforms, std::size_t count) const {
  const std::size_t padded = (count + kCompiledGroup - 1) / kCompiledGroup * kCompiledGroup;
  const double* const* from = inputs.data();
  if (padded != count) {  // the last group is filled up with copies of the first state
    for (std::size_t k = 0; k < num_inputs_; ++k) {
      if (input_registers_[k] == ~0u) continue;
      double* const copy = workspace.padded_[k];
      std::fill(std::copy_n(inputs[k], count, copy), copy + padded, inputs[k][0]);
      workspace.inputs_[k] = copy;
    }
    from = workspace.inputs_.data();
  }
  compiled_.call(from, uniforms.data(), workspace.tables_.data(), workspace.work_, padded);
}

void LaneProgram::run(Workspace& workspace, std::span<const double* const> inputs,
                      std::span<const double> uniforms, std::size_t count) const {
  if (count == 0) return;
  if (compiled_.call != nullptr) return run_compiled(workspace, inputs, uniforms, count);
  for (std::size_t k = 0; k < num_inputs_; ++k)  // inputs are only read
    if (input_registers_[k] != ~0u) workspace.tables_[input_registers_[k]] = const_cast<double*>(inputs[k]);
  for (std::size_t k = 0; k < num_uniforms_; ++k)
    if (uniform_registers_[k] != ~0u)
      std::fill_n(workspace.tables_[uniform_registers_[k]], kLanes, uniforms[k]);
  if (count == kLanes) {
    execute<kLanes>(workspace.tables_.data(), kLanes);
  } else {
    execute<0>(workspace.tables_.data(), count);
  }
}

namespace {

/// Of one state, somewhere.
double evaluation_time_of(const LaneProgram& program) {
  LaneProgram::Workspace workspace(program);
  const std::vector<double> numbers(LaneProgram::kLanes, 0.5), uniforms(program.num_uniforms(), 0.5);
  const std::vector<const double*> inputs(program.num_inputs(), numbers.data());
  return evaluation_time([&] { program.run(workspace, inputs, uniforms, LaneProgram::kLanes); }) /
         static_cast<double>(LaneProgram::kLanes);
}

}  // namespace

void compile(ProgramCompiler* compiler, std::span<const NamedLaneProgram> programs) {
  if (compiler == nullptr) return;
  std::vector<NamedProgram> sources;
  for (const NamedLaneProgram& one : programs) sources.push_back({one.name, &one.program->source()});
  std::vector<CompiledLanes> code = compiler->compile_lanes(sources);
  if (code.empty()) return;
  const LaneProgram& longest = *std::ranges::max_element(programs, {}, [](const NamedLaneProgram& one) {
                                  return one.program->num_instructions();
                                })->program;
  EvaluationTimes times{.interpreted = evaluation_time_of(longest)};
  for (std::size_t k = 0; k < code.size(); ++k) programs[k].program->use(std::move(code[k]));
  times.compiled = evaluation_time_of(longest);
  compiler->tell(times);
}

}  // namespace eslabon::core
