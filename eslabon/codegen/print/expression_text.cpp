#include "eslabon/codegen/print/expression_text.hpp"

#include <algorithm>
#include <array>

#include "eslabon/core/index.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::codegen {

using core::index;
using Operation = core::Trace::Operation;

namespace {

constexpr int kMostOperations = 12;  // of one statement

}  // namespace

std::string real_text(double value) {
  std::string text = core::number_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

ExpressionText::ExpressionText(const Program& program, const ProgramPieces& pieces, const Syntax& syntax,
                               std::vector<std::string> names)
    : program_(program),
      pieces_(pieces),
      syntax_(syntax),
      names_(std::move(names)),
      is_named_(program.nodes().size(), 0),
      is_used_here_(program.nodes().size(), 0),
      piece_of_(program.nodes().size(), 0) {
  for (std::size_t k = 0; k < pieces.pieces.size(); ++k)
    for (int i = pieces.pieces[k].begin; i < pieces.pieces[k].end; ++i)
      piece_of_[index(i)] = static_cast<int>(k);
  find_names();
  for (std::size_t i = 0; i < program.nodes().size(); ++i)
    for (const int operand : operands(program.nodes()[i]))
      if (operand >= 0 && piece_of_[index(operand)] == piece_of_[i]) is_used_here_[index(operand)] = 1;
  for (const int output : program.outputs()) is_used_here_[index(output)] = 1;
}

void ExpressionText::find_names() {
  const auto& nodes = program_.nodes();
  std::vector<int> operations(nodes.size(), 0);  // in the statement so far
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].operation == Operation::kInput && syntax_.names_inputs())
      is_named_[i] = program_.uses()[i] > 1;
    if (!computes(nodes[i].operation)) continue;
    int count = 1;
    for (const int operand : operands(nodes[i]))
      if (operand >= 0 && !is_named(operand)) count += operations[index(operand)];
    operations[i] = count;
    is_named_[i] = program_.uses()[i] != 1 || pieces_.slots[i] >= 0 || count >= kMostOperations ||
                   has_own_name(static_cast<int>(i));
  }
  // An output that nobody else asks for needs no name.
  for (const int output : program_.outputs())
    if (program_.uses()[index(output)] == 1) is_named_[index(output)] = 0;
}

ExpressionText::Text ExpressionText::operand(int place) const {
  const Program::Node& node = program_.nodes()[index(place)];
  if (node.operation == Operation::kUniform) return {syntax_.uniform(node.a), 4};
  if (node.operation == Operation::kConstant) return {syntax_.number(node.k), node.k < 0.0 ? 3 : 4};
  if (!is_named(place)) return expression(place);
  const bool is_from_before = piece_of_[index(place)] != static_cast<int>(now_);
  return {is_from_before ? syntax_.slot(pieces_.slots[index(place)]) : name(place), 4};
}

std::string ExpressionText::enclosed(int place, int strength) const {
  const Text text = operand(place);
  return text.strength < strength ? "(" + text.text + ")" : text.text;
}

ExpressionText::Text ExpressionText::binary(const Program::Node& node, std::string_view symbol,
                                            int strength) const {
  // From left to right, as the program rounds: what stands on the right is enclosed when it is no stronger.
  return {enclosed(node.a, strength) + std::string(symbol) + enclosed(node.b, strength + 1), strength};
}

ExpressionText::Text ExpressionText::expression(int place) const {
  const Program::Node& node = program_.nodes()[index(place)];
  const auto call = [&](std::string_view name) {
    std::vector<std::string> arguments{operand(node.a).text};
    if (node.b >= 0) arguments.push_back(operand(node.b).text);
    return Text{syntax_.call(name, arguments), 4};
  };
  switch (node.operation) {
    case Operation::kInput:
      return {syntax_.input(node.a), 4};
    case Operation::kNegate:
      return {"-" + enclosed(node.a, 4), 3};
    case Operation::kAdd:
      if (const Program::Node& b = program_.nodes()[index(node.b)];
          b.operation == Operation::kConstant && b.k < 0.0)
        return {enclosed(node.a, 1) + " - " + syntax_.number(-b.k), 1};
      return binary(node, " + ", 1);
    case Operation::kSubtract:
      return binary(node, " - ", 1);
    case Operation::kMultiply:
      return binary(node, "*", 2);
    case Operation::kDivide:
      return binary(node, "/", 2);
    case Operation::kSqrt:
      return call("sqrt");
    case Operation::kSin:
      return call("sin");
    case Operation::kCos:
      return call("cos");
    case Operation::kAbs:
      return call("fabs");
    case Operation::kRound:
      return call("nearbyint");
    case Operation::kAtan2:
      return call("atan2");
    case Operation::kCall:
      return call(node.function->name);
    case Operation::kSelectLess:
      return {syntax_.choice(enclosed(node.a, 2), enclosed(node.b, 2), operand(node.c).text,
                             operand(node.d).text),
              4};
    default:
      return operand(place);
  }
}

std::vector<ExpressionText::Statement> ExpressionText::statements(std::size_t piece) {
  now_ = piece;
  const auto& nodes = program_.nodes();
  std::vector<Statement> out;
  for (int i = pieces_.pieces[piece].begin; i < pieces_.pieces[piece].end; ++i)
    if (is_named(i))
      out.push_back({.slot = pieces_.slots[index(i)],
                     .is_used_here = is_used_here_[index(i)] != 0,
                     .name = name(i),
                     .node = i,
                     .value = expression(i).text});
  const bool is_last = piece + 1 == pieces_.pieces.size();
  for (std::size_t k = 0; k < program_.outputs().size(); ++k) {
    const int output = program_.outputs()[k];
    const bool is_here = computes(nodes[index(output)].operation)
                             ? piece_of_[index(output)] == static_cast<int>(piece)
                             : is_last;
    if (is_here)
      out.push_back(
          {.output = static_cast<int>(k), .name = {}, .node = output, .value = operand(output).text});
  }
  return out;
}

}  // namespace eslabon::codegen
