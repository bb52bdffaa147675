#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "eslabon/core/scalar/trace.hpp"

namespace eslabon::core {

/// How many operations of each kind a program has.
struct OperationCounts {
  int additions = 0;        ///< and subtractions
  int multiplications = 0;  ///< negations are none: a sign costs nothing
  int divisions = 0;
  int roots = 0;
  int functions = 0;  ///< sines, cosines and others of the C library
  int choices = 0;

  OperationCounts& operator+=(const OperationCounts& more) {
    additions += more.additions;
    multiplications += more.multiplications;
    divisions += more.divisions;
    roots += more.roots;
    functions += more.functions;
    choices += more.choices;
    return *this;
  }
  int all() const { return additions + multiplications + divisions + roots + functions + choices; }
};

/// What some numbers of a trace need, and nothing else, in an order in which it can be computed.
class Program {
 public:
  using Node = Trace::Node;
  using Operation = Trace::Operation;

  Program() = default;
  Program(Trace& trace, std::span<const Traced> outputs);
  /// Of nodes that stand in such an order already; outputs and marks: their places.
  Program(std::vector<Node> nodes, std::vector<int> outputs, std::size_t num_inputs,
          std::vector<int> marks = {});

  /// Operands stand before what uses them; places count in this list.
  const std::vector<Node>& nodes() const { return nodes_; }
  /// (outputs) places.
  const std::vector<int>& outputs() const { return outputs_; }
  /// (nodes) how often other nodes and outputs ask for each.
  const std::vector<int>& uses() const { return uses_; }
  /// (nodes) their places in the trace.
  const std::vector<int>& origins() const { return origins_; }
  OperationCounts counts() const;
  /// Places at which a stretch begins that is the like of others: Trace::marks.
  const std::vector<int>& marks() const { return marks_; }

  /// Of the trace: numbers of each state, and numbers that all states share.
  std::size_t num_inputs() const { return num_inputs_; }
  std::size_t num_uniforms() const { return num_uniforms_; }

  /// `inputs`: (num_inputs); out: (outputs); `uniforms`: (num_uniforms). What the program computes, one operation after the other.
  void evaluate(std::span<const double> inputs, std::span<double> out,
                std::span<const double> uniforms = {}) const;

 private:
  std::vector<Node> nodes_;
  void count_uses();

  std::vector<int> outputs_, uses_, origins_, marks_;
  std::size_t num_inputs_ = 0, num_uniforms_ = 0;
};

/// Whether the operation computes something: inputs and constants do not.
inline bool computes(Trace::Operation operation) {
  using Operation = Trace::Operation;
  return operation != Operation::kInput && operation != Operation::kUniform &&
         operation != Operation::kConstant;
}

/// The operands of a node; −1: none.
inline std::array<int, 4> operands(const Trace::Node& node) {
  return computes(node.operation) ? std::array{node.a, node.b, node.c, node.d} : std::array{-1, -1, -1, -1};
}

}  // namespace eslabon::core
