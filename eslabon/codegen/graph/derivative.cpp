#include "eslabon/codegen/graph/derivative.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "eslabon/codegen/graph/program.hpp"
#include "eslabon/core/index.hpp"

namespace eslabon::codegen {

namespace {

using core::index;
using core::Traced;
using Operation = core::Trace::Operation;
using Node = core::Trace::Node;

/// ∂/∂inputs of one number: (input, derivative), in the order of inputs; those that are 0 are missing.
using Gradient = std::vector<std::pair<int, Traced>>;

/// s x + t y, entry by entry.
Gradient combined(const Traced& s, const Gradient& x, const Traced& t, const Gradient& y) {
  Gradient out;
  const auto add = [&](int input, const Traced& value) {
    if (!(value == Traced(0.0))) out.emplace_back(input, value);
  };
  std::size_t i = 0, j = 0;
  while (i < x.size() || j < y.size()) {
    if (j == y.size() || (i < x.size() && x[i].first < y[j].first)) {
      add(x[i].first, s * x[i].second);
      ++i;
    } else if (i == x.size() || y[j].first < x[i].first) {
      add(y[j].first, t * y[j].second);
      ++j;
    } else {
      add(x[i].first, s * x[i].second + t * y[j].second);
      ++i, ++j;
    }
  }
  return out;
}

/// Of a function of the C library at x, where its value is f.
Traced slope(std::string_view name, const Traced& x, const Traced& f) {
  if (name == "exp") return f;
  if (name == "log") return 1.0 / x;
  if (name == "tan") return 1.0 + f * f;
  if (name == "asin") return 1.0 / sqrt(1.0 - x * x);
  if (name == "acos") return -1.0 / sqrt(1.0 - x * x);
  return 1.0 / (1.0 + x * x);  // atan
}

class Differentiation {
 public:
  Differentiation(core::Trace& trace, std::span<const Traced> inputs, std::span<const KnownDerivative> known)
      : trace_(trace), gradients_(trace.nodes().size()), is_known_(trace.nodes().size(), 0) {
    for (const KnownDerivative& one : known) {
      if (one.number.is_constant()) continue;
      gradients_[index(one.number.node())] = one.by_inputs;
      is_known_[index(one.number.node())] = 1;
    }
    for (std::size_t k = 0; k < inputs.size(); ++k)
      gradients_[index(inputs[k].node())] = {{static_cast<int>(k), Traced(1.0)}};
  }

  /// Gradients of all that these need, operands first: the trace grows meanwhile, what is asked about does not.
  void follow(std::span<const Traced> values) {
    const std::size_t size = gradients_.size();
    std::vector<char> is_needed(size, 0);
    for (const Traced& value : values)
      if (!value.is_constant()) is_needed[index(value.node())] = 1;
    for (std::size_t i = size; i-- > 0;)
      if (is_needed[i] && !is_known_[i])
        for (const int operand : operands(trace_.nodes()[i]))
          if (operand >= 0) is_needed[index(operand)] = 1;
    const std::vector<int> marks = trace_.marks();  // what was alike is so in its derivatives
    auto mark = marks.begin();
    for (std::size_t i = 0; i < size; ++i) {
      for (; mark != marks.end() && index(*mark) == i; ++mark) core::Trace::mark();
      if (is_needed[i] && !is_known_[i] && computes(trace_.nodes()[i].operation))
        gradients_[i] = of_node(static_cast<int>(i));
    }
  }
  const Gradient& of(const Traced& value) const {
    static const Gradient kNone;
    return value.is_constant() ? kNone : gradients_[index(value.node())];
  }

 private:
  Gradient of_node(int place) const {
    const Node node = trace_.nodes()[index(place)];  // a copy: the list grows
    const Gradient &da = gradient(node.a), &db = gradient(node.b);
    if (da.empty() && db.empty() && gradient(node.c).empty() && gradient(node.d).empty()) return {};
    const Traced f = number(place), a = number(node.a), b = number(node.b);
    switch (node.operation) {
      case Operation::kNegate:
        return combined(-1.0, da, 0.0, {});
      case Operation::kAdd:
        return combined(1.0, da, 1.0, db);
      case Operation::kSubtract:
        return combined(1.0, da, -1.0, db);
      case Operation::kMultiply:
        return combined(b, da, a, db);
      case Operation::kDivide:
        return combined(1.0 / b, da, -f / b, db);
      case Operation::kSqrt:
        return combined(0.5 / f, da, 0.0, {});
      case Operation::kSin:
        return combined(cos(a), da, 0.0, {});
      case Operation::kCos:
        return combined(-sin(a), da, 0.0, {});
      case Operation::kAbs:
        return combined(core::select_less(a, Traced(0.0), Traced(-1.0), Traced(1.0)), da, 0.0, {});
      case Operation::kAtan2: {
        const Traced r2 = a * a + b * b;
        return combined(b / r2, da, -a / r2, db);
      }
      case Operation::kSelectLess:
        return chosen(a, b, gradient(node.c), gradient(node.d));
      case Operation::kCall:
        return combined(slope(node.function->name, a, f), da, 0.0, {});
      default:
        return {};  // rounding
    }
  }
  static Gradient chosen(const Traced& a, const Traced& b, const Gradient& if_less,
                         const Gradient& otherwise) {
    Gradient out;
    const auto value = [](const Gradient& gradient, int input) {
      for (const auto& [which, number] : gradient)
        if (which == input) return number;
      return Traced(0.0);
    };
    std::vector<int> inputs;
    for (const Gradient* part : {&if_less, &otherwise})
      for (const auto& entry : *part) inputs.push_back(entry.first);
    for (const auto& entry : merged(inputs))
      out.emplace_back(entry, core::select_less(a, b, value(if_less, entry), value(otherwise, entry)));
    return out;
  }
  static std::vector<int> merged(std::vector<int> inputs) {
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    return inputs;
  }
  const Gradient& gradient(int place) const {
    static const Gradient kNone;
    return place < 0 ? kNone : gradients_[index(place)];
  }
  /// The number at a place of the trace.
  Traced number(int place) const { return place < 0 ? Traced(0.0) : trace_.at(place); }

  core::Trace& trace_;
  std::vector<Gradient> gradients_;  ///< of the nodes there were at the start
  std::vector<char> is_known_;       ///< the same: from the caller
};

}  // namespace

std::vector<Entry> derivative(core::Trace& trace, std::span<const Traced> values,
                              std::span<const Traced> inputs, std::span<const KnownDerivative> known) {
  const core::Trace::Listening listening(trace);
  Differentiation differentiation(trace, inputs, known);
  differentiation.follow(values);
  std::vector<Entry> entries;
  for (std::size_t r = 0; r < values.size(); ++r)
    for (const auto& [input, value] : differentiation.of(values[r]))
      entries.push_back({static_cast<int>(r), input, value});
  return entries;
}

std::vector<Entry> entries_of(const std::vector<KnownDerivative>& numbers) {
  std::vector<Entry> entries;
  for (std::size_t r = 0; r < numbers.size(); ++r)
    for (const auto& [input, value] : numbers[r].by_inputs)
      entries.push_back({static_cast<int>(r), input, value});
  return entries;
}

std::vector<Entry> entries_of(const Eigen::Matrix<Traced, Eigen::Dynamic, Eigen::Dynamic>& matrix) {
  std::vector<Entry> entries;
  for (Eigen::Index r = 0; r < matrix.rows(); ++r)
    for (Eigen::Index c = 0; c < matrix.cols(); ++c)
      if (!(matrix(r, c) == Traced(0.0)))
        entries.push_back({static_cast<int>(r), static_cast<int>(c), matrix(r, c)});
  return entries;
}

}  // namespace eslabon::codegen
