#include "eslabon/core/scalar/program.hpp"

#include <cmath>

#include "eslabon/core/index.hpp"

namespace eslabon::core {

Program::Program(Trace& trace, std::span<const Traced> outputs)
    : num_inputs_(index(trace.num_inputs())), num_uniforms_(index(trace.num_uniforms())) {
  for (const Traced& output : outputs) outputs_.push_back(trace.place(output));
  const std::vector<Node>& all = trace.nodes();
  std::vector<char> is_needed(all.size(), 0);
  for (const int output : outputs_) is_needed[index(output)] = 1;
  for (std::size_t i = all.size(); i-- > 0;)
    if (is_needed[i])
      for (const int operand : operands(all[i]))
        if (operand >= 0) is_needed[index(operand)] = 1;
  std::vector<int> place(all.size(), -1);
  auto mark = trace.marks().begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (; mark != trace.marks().end() && index(*mark) <= i; ++mark)
      if (marks_.empty() || index(marks_.back()) != nodes_.size())
        marks_.push_back(static_cast<int>(nodes_.size()));
    if (!is_needed[i]) continue;
    place[i] = static_cast<int>(nodes_.size());
    Node node = all[i];
    if (computes(node.operation))
      for (int* operand : {&node.a, &node.b, &node.c, &node.d})
        if (*operand >= 0) *operand = place[index(*operand)];
    nodes_.push_back(node);
    origins_.push_back(static_cast<int>(i));
  }
  for (int& output : outputs_) output = place[index(output)];
  count_uses();
}

Program::Program(std::vector<Node> nodes, std::vector<int> outputs, std::size_t num_inputs,
                 std::vector<int> marks)
    : nodes_(std::move(nodes)),
      outputs_(std::move(outputs)),
      marks_(std::move(marks)),
      num_inputs_(num_inputs) {
  count_uses();
}

void Program::count_uses() {
  uses_.assign(nodes_.size(), 0);
  for (const int output : outputs_) ++uses_[index(output)];
  for (const Node& node : nodes_)
    for (const int operand : operands(node))
      if (operand >= 0) ++uses_[index(operand)];
}

OperationCounts Program::counts() const {
  OperationCounts counts;
  for (const Node& node : nodes_) switch (node.operation) {
      case Operation::kInput:
      case Operation::kUniform:
      case Operation::kConstant:
      case Operation::kNegate:
      case Operation::kAbs:
        break;
      case Operation::kAdd:
      case Operation::kSubtract:
        ++counts.additions;
        break;
      case Operation::kMultiply:
        ++counts.multiplications;
        break;
      case Operation::kDivide:
        ++counts.divisions;
        break;
      case Operation::kSqrt:
        ++counts.roots;
        break;
      case Operation::kSin:
      case Operation::kCos:
      case Operation::kRound:
      case Operation::kAtan2:
      case Operation::kCall:
        ++counts.functions;
        break;
      case Operation::kSelectLess:
        ++counts.choices;
        break;
    }
  return counts;
}

void Program::evaluate(std::span<const double> inputs, std::span<double> out,
                       std::span<const double> uniforms) const {
  std::vector<double> value(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const auto at = [&](int operand) { return value[index(operand)]; };
    switch (node.operation) {
      case Operation::kInput:
        value[i] = inputs[index(node.a)];
        break;
      case Operation::kUniform:
        value[i] = uniforms[index(node.a)];
        break;
      case Operation::kConstant:
        value[i] = node.k;
        break;
      case Operation::kNegate:
        value[i] = -at(node.a);
        break;
      case Operation::kAdd:
        value[i] = at(node.a) + at(node.b);
        break;
      case Operation::kSubtract:
        value[i] = at(node.a) - at(node.b);
        break;
      case Operation::kMultiply:
        value[i] = at(node.a) * at(node.b);
        break;
      case Operation::kDivide:
        value[i] = at(node.a) / at(node.b);
        break;
      case Operation::kSqrt:
        value[i] = std::sqrt(at(node.a));
        break;
      case Operation::kSin:
        value[i] = std::sin(at(node.a));
        break;
      case Operation::kCos:
        value[i] = std::cos(at(node.a));
        break;
      case Operation::kAbs:
        value[i] = std::abs(at(node.a));
        break;
      case Operation::kRound:
        value[i] = std::nearbyint(at(node.a));
        break;
      case Operation::kAtan2:
        value[i] = std::atan2(at(node.a), at(node.b));
        break;
      case Operation::kSelectLess:
        value[i] = at(node.a) < at(node.b) ? at(node.c) : at(node.d);
        break;
      case Operation::kCall:
        value[i] = node.function->value(at(node.a));
        break;
    }
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) out[k] = value[index(outputs_[k])];
}

}  // namespace eslabon::core
