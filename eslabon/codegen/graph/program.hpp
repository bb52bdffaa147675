#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "eslabon/core/scalar/trace.hpp"

namespace eslabon::codegen {

/// How many operations of each kind a program has.
struct OperationCounts {
  int additions = 0;        ///< and subtractions
  int multiplications = 0;  ///< negations are none: a sign costs nothing
  int divisions = 0;
  int roots = 0;
  int functions = 0;  ///< sines, cosines and others of the C library
  int choices = 0;

  int all() const { return additions + multiplications + divisions + roots + functions + choices; }
};

/// What some numbers of a trace need, and nothing else, in an order in which it can be computed.
class Program {
 public:
  using Node = core::Trace::Node;
  using Operation = core::Trace::Operation;

  Program(core::Trace& trace, std::span<const core::Traced> outputs);

  /// Operands stand before what uses them; places count in this list.
  const std::vector<Node>& nodes() const { return nodes_; }
  /// (outputs) places.
  const std::vector<int>& outputs() const { return outputs_; }
  /// (nodes) how often other nodes and outputs ask for each.
  const std::vector<int>& uses() const { return uses_; }
  OperationCounts counts() const;

  /// `inputs`: numbers of the trace's inputs; out: (outputs). What the program computes, one operation after the other.
  void evaluate(std::span<const double> inputs, std::span<double> out) const;

 private:
  std::vector<Node> nodes_;
  std::vector<int> outputs_, uses_;
};

/// Whether the operation computes something: inputs and constants do not.
inline bool computes(core::Trace::Operation operation) {
  using Operation = core::Trace::Operation;
  return operation != Operation::kInput && operation != Operation::kUniform &&
         operation != Operation::kConstant;
}

/// The operands of a node; −1: none.
inline std::array<int, 4> operands(const core::Trace::Node& node) {
  return computes(node.operation) ? std::array{node.a, node.b, node.c, node.d} : std::array{-1, -1, -1, -1};
}

}  // namespace eslabon::codegen
