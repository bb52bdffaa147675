#include "eslabon/model/elements/time_derivative.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "eslabon/core/text/error.hpp"

namespace eslabon::model {

namespace {

using Operation = TimeFunction::Operation;

bool is_number(const TimeFunction& f, double value) { return f.is_constant() && f.constant_value() == value; }

// Sums and products without 0 and 1, which derivatives are full of.
TimeFunction sum(const TimeFunction& f, const TimeFunction& g) {
  return is_number(f, 0.0) ? g : is_number(g, 0.0) ? f : f + g;
}
TimeFunction difference(const TimeFunction& f, const TimeFunction& g) {
  return is_number(g, 0.0) ? f : is_number(f, 0.0) ? -g : f - g;
}
TimeFunction product(const TimeFunction& f, const TimeFunction& g) {
  if (is_number(f, 0.0) || is_number(g, 0.0)) return 0.0;
  return is_number(f, 1.0) ? g : is_number(g, 1.0) ? f : f * g;
}
TimeFunction quotient(const TimeFunction& f, const TimeFunction& g) {
  return is_number(f, 0.0) || is_number(g, 1.0) ? f : f / g;
}

/// f and df/dt.
struct Pair {
  TimeFunction value, rate;
};

/// d/dt o(f) = o'(f) f'
TimeFunction outer(Operation operation, const TimeFunction& f) {
  switch (operation) {
    case Operation::kNegate:
      return -1.0;
    case Operation::kSine:
      return cos(f);
    case Operation::kCosine:
      return -sin(f);
    case Operation::kTangent:
      return 1.0 + tan(f) * tan(f);
    case Operation::kArcSine:
      return 1.0 / sqrt(1.0 - f * f);
    case Operation::kArcCosine:
      return -1.0 / sqrt(1.0 - f * f);
    case Operation::kArcTangent:
      return 1.0 / (1.0 + f * f);
    case Operation::kSquareRoot:
      return 0.5 / sqrt(f);
    case Operation::kExponential:
      return exp(f);
    case Operation::kLogarithm:
      return 1.0 / f;
    default:
      return f / abs(f);  // kAbsolute
  }
}

TimeFunction power_rate(const Pair& f, const Pair& g) {
  if (g.value.is_constant())
    return product(product(g.value, pow(f.value, g.value.constant_value() - 1.0)), f.rate);
  return product(pow(f.value, g.value),
                 sum(product(g.rate, log(f.value)), product(g.value, quotient(f.rate, f.value))));
}

/// f' where `lead` > 0, otherwise g':  (f' + g')/2 + (f' − g')/2 · |lead|/lead
TimeFunction rate_by(const TimeFunction& lead, const TimeFunction& f_rate, const TimeFunction& g_rate) {
  return sum(product(0.5, sum(f_rate, g_rate)),
             product(product(0.5, difference(f_rate, g_rate)), abs(lead) / lead));
}

TimeFunction rate_of(Operation operation, const Pair& f, const Pair& g) {
  switch (operation) {
    case Operation::kAdd:
      return sum(f.rate, g.rate);
    case Operation::kSubtract:
      return difference(f.rate, g.rate);
    case Operation::kMultiply:
      return sum(product(f.rate, g.value), product(f.value, g.rate));
    case Operation::kDivide:
      return difference(quotient(f.rate, g.value), quotient(product(f.value, g.rate), g.value * g.value));
    case Operation::kPower:
      return power_rate(f, g);
    case Operation::kAtan2:
      return quotient(difference(product(f.rate, g.value), product(f.value, g.rate)),
                      f.value * f.value + g.value * g.value);
    case Operation::kWhere:
      return where(f.value, g.rate);
    case Operation::kWhereNot:
      return where_not(f.value, g.rate);
    case Operation::kMinimum:
      return rate_by(g.value - f.value, f.rate, g.rate);
    default:
      return rate_by(f.value - g.value, f.rate, g.rate);  // kMaximum
  }
}

}  // namespace

TimeFunction derivative(const TimeFunction& function) {
  std::vector<Pair> stack;
  for (const TimeFunction::Instruction& step : function.program()) {
    if (step.operation == Operation::kArgument)
      throw core::ContractError({.what = "a function of arguments has no derivative by time alone",
                                 .where = "model::derivative",
                                 .expected = "a function of t",
                                 .actual = "argument " + std::to_string(step.argument),
                                 .next = "Say how its arguments change."});
    if (step.operation == Operation::kConstant) {
      stack.push_back({step.constant, 0.0});
    } else if (step.operation == Operation::kTime) {
      stack.push_back({TimeFunction::time(), 1.0});
    } else if (step.operation == Operation::kTable) {
      Pair& top = stack.back();
      const TimeFunction slope = TimeFunction::table(step.table, top.value, step.argument + 1);
      top = {TimeFunction::table(step.table, top.value, step.argument), product(slope, top.rate)};
    } else if (TimeFunction::operand_count(step.operation) == 1) {
      Pair& top = stack.back();
      const TimeFunction rate =
          is_number(top.rate, 0.0) ? TimeFunction(0.0) : product(outer(step.operation, top.value), top.rate);
      top = {TimeFunction::apply(step.operation, top.value), rate};
    } else {
      const Pair right = std::move(stack.back());
      stack.pop_back();
      Pair& top = stack.back();
      const TimeFunction rate = rate_of(step.operation, top, right);
      top = {TimeFunction::apply(step.operation, top.value, right.value), rate};
    }
  }
  return stack.back().rate;
}

}  // namespace eslabon::model
