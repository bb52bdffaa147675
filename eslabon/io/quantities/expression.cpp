// Terms to values, to functions of time, and back to text.

#include "eslabon/io/quantities/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::io {

using core::ModelError;
using model::TimeFunction;
using Operation = TimeFunction::Operation;

/// Gives every term its kind and, where it does not depend on time, its number.
class Expression::Evaluator {
 public:
  Evaluator(const Expression& expression, const Parameters& parameters)
      : expression_(expression), parameters_(parameters) {
    const auto has_unit = [&](const Term& term) {
      return (term.operation == Operation::kArgument && !expression.may_be_bare_) ||
             (term.operation == Operation::kConstant && leaf(term).certainty == Certainty::kKnown);
    };
    const auto& terms = expression.terms_;
    const bool has_units = std::any_of(terms.begin(), terms.end(), has_unit);
    has_bare_arguments_ = expression.may_be_bare_ && !has_units;
    time_ = has_units ? Measure{Certainty::kKnown, kTime} : Measure{Certainty::kUnknown, {}};
    arc_ = has_units ? Measure{Certainty::kKnown, kAngle} : Measure{Certainty::kPure, {}};
    values_.reserve(terms.size());
    for (const Term& term : terms) values_.push_back(evaluate(term));
  }

  const std::vector<Value>& values() const { return values_; }

  [[noreturn]] void fail(const std::string& what, const Term& term, const std::string& expected,
                         const std::string& actual, const std::string& next) const {
    throw ModelError({.what = what,
                      .where = expression_.place_.where(term.begin),
                      .expected = expected,
                      .actual = actual,
                      .next = next});
  }

 private:
  const Quantity& leaf(const Term& term) const {
    if (term.name.empty()) return term.literal;
    const auto found = parameters_.find(term.name);
    if (found != parameters_.end()) return found->second;
    throw core::ContractError({.what = "a parameter has no value",
                               .where = expression_.place_.where(term.begin),
                               .expected = "a value for every name of the expression",
                               .actual = "none for '" + term.name + "'",
                               .next = "Pass the parameters that the expression was read with."});
  }

  Value evaluate(const Term& term) const {
    if (term.operation == Operation::kTime) return {time_, false, 0.0};
    if (term.operation == Operation::kArgument)
      return {has_bare_arguments_ ? Measure{Certainty::kUnknown, {}} : term.literal.measure(), false, 0.0};
    if (term.operation == Operation::kConstant) {
      const Quantity& quantity = leaf(term);
      return {quantity.measure(), true, quantity.value};
    }
    const Value& x = values_[term.left];
    const Value& y = values_[term.right];
    check_domain(term, x, y);
    Value result{combine(term, x, y), x.is_constant && y.is_constant, 0.0};
    if (!result.is_constant) return result;
    result.number = TimeFunction::apply_to_numbers(term.operation, x.number, y.number);
    if (!std::isfinite(result.number)) {
      fail("a result is too large", term, "a finite number", in_quotes(text(term)),
           "Check the numbers in it.");
    }
    return result;
  }

  /// Where an operation on numbers is not defined, said before it gives inf or NaN.
  void check_domain(const Term& term, const Value& x, const Value& y) const {
    const Term& left = expression_.terms_[term.left];
    const Term& right = expression_.terms_[term.right];
    const bool is_power = term.operation == Operation::kPower && x.is_constant && y.is_constant;
    if (term.operation == Operation::kDivide && y.is_constant && y.number == 0.0) {
      fail("a division by zero", right, "a divisor other than 0", equation(right, y), "Check the divisor.");
    }
    if (is_power && x.number == 0.0 && y.number < 0.0) {
      fail("a division by zero", left, "a base other than 0 for a negative power", equation(left, x),
           "Check the base.");
    }
    if (is_power && x.number < 0.0 && y.number != std::trunc(y.number)) {
      fail("a power of a negative number", left, "a base of at least 0 for a power that is not whole",
           equation(left, x), "Check the base.");
    }
    if (!x.is_constant) return;
    if (term.operation == Operation::kSquareRoot && x.number < 0.0) {
      fail("a square root of a negative number", left, "at least 0", equation(left, x),
           "Check the argument.");
    }
    if (term.operation == Operation::kLogarithm && x.number <= 0.0) {
      fail("a logarithm of a number that is not positive", left, "more than 0", equation(left, x),
           "Check the argument.");
    }
    const bool is_arc = term.operation == Operation::kArcSine || term.operation == Operation::kArcCosine;
    if (is_arc && std::abs(x.number) > 1.0) {
      fail("an argument of " + in_quotes(operation_symbol(term.operation)) + " is out of range", left,
           "a number from -1 to 1", equation(left, x), "Check the argument.");
    }
  }

  Measure combine(const Term& term, const Value& x, const Value& y) const {
    switch (term.operation) {
      case Operation::kAdd:
      case Operation::kSubtract:
      case Operation::kMinimum:
      case Operation::kMaximum:
        return common(term, x.measure, y.measure);
      case Operation::kMultiply:
        return product(term, x.measure, y.measure, 1);
      case Operation::kDivide:
        return product(term, x.measure, y.measure, -1);
      case Operation::kPower:
        return power(term, x.measure, y);
      case Operation::kSquareRoot:
        return root(term, x.measure);
      case Operation::kNegate:
      case Operation::kAbsolute:
        return x.measure;
      case Operation::kWhere:
      case Operation::kWhereNot:
        return y.measure;
      case Operation::kAtan2:
        common(term, x.measure, y.measure);
        return arc_;
      case Operation::kArcSine:
      case Operation::kArcCosine:
      case Operation::kArcTangent:
        require_number(term, x.measure);
        return arc_;
      default:
        require_number(term, x.measure);
        return {};
    }
  }

  Measure common(const Term& term, const Measure& x, const Measure& y) const {
    if (x.certainty != Certainty::kKnown) return x.certainty < y.certainty ? y : x;
    if (y.certainty != Certainty::kKnown || agree_but_for_radians(x.dimension, y.dimension)) return x;
    const Term& left = expression_.terms_[term.left];
    const Term& right = expression_.terms_[term.right];
    fail(in_quotes(operation_symbol(term.operation)) + " mixes different kinds", term,
         "two values of one kind",
         in_quotes(text(left)) + ", " + kind_name(x.dimension) + ", and " + in_quotes(text(right)) + ", " +
             kind_name(y.dimension),
         "Check the units of both.");
  }

  Measure product(const Term& term, const Measure& x, const Measure& y, int sign) const {
    if (x.certainty == Certainty::kUnknown || y.certainty == Certainty::kUnknown) {
      return {Certainty::kUnknown, {}};
    }
    const Dimension dimension = x.dimension * io::power(y.dimension, sign);
    return bounded(term, {std::max(x.certainty, y.certainty), dimension});
  }

  Measure power(const Term& term, const Measure& base, const Value& exponent) const {
    const Term& right = expression_.terms_[term.right];
    const Measure& kind = exponent.measure;
    if (kind.certainty == Certainty::kKnown && !agree_but_for_radians(kind.dimension, kNumber)) {
      fail("an exponent has a unit", right, "a plain number",
           in_quotes(text(right)) + ", " + kind_name(kind.dimension),
           "Divide it by a value of the same kind.");
    }
    if (base.certainty != Certainty::kKnown) return base;
    const bool is_whole = exponent.is_constant && exponent.number == std::trunc(exponent.number);
    if (is_whole && std::abs(exponent.number) <= kMaxPower) {
      return bounded(term, {base.certainty, io::power(base.dimension, static_cast<int>(exponent.number))});
    }
    if (agree_but_for_radians(base.dimension, kNumber)) return {base.certainty, kNumber};
    fail("a power of a value with a unit", right, "a whole exponent from -99 to 99",
         exponent.is_constant ? equation(right, exponent)
                              : in_quotes(text(right)) + ", which changes with time",
         "Use a whole number, or sqrt.");
  }

  Measure root(const Term& term, const Measure& x) const {
    const Dimension& d = x.dimension;
    if (x.certainty == Certainty::kKnown && (d.kg % 2 != 0 || d.m % 2 != 0 || d.s % 2 != 0)) {
      const Term& left = expression_.terms_[term.left];
      fail("a square root of " + kind_name(d), left, "a unit whose powers are even, such as 'm^2'",
           in_quotes(text(left)) + " in " + si_unit(d), "Check the units in it.");
    }
    return {x.certainty, {d.kg / 2, d.m / 2, d.s / 2, d.rad / 2}};
  }

  void require_number(const Term& term, const Measure& x) const {
    if (x.certainty != Certainty::kKnown || agree_but_for_radians(x.dimension, kNumber)) return;
    const Term& left = expression_.terms_[term.left];
    fail("an argument of " + in_quotes(operation_symbol(term.operation)) + " has a unit of the wrong kind",
         left, "an angle or a plain number", in_quotes(text(left)) + ", " + kind_name(x.dimension),
         "Divide it by a value of the same kind.");
  }

  Measure bounded(const Term& term, Measure measure) const {
    Dimension& d = measure.dimension;
    d.rad = std::clamp(d.rad, -kMaxPower, kMaxPower);
    if (std::max({std::abs(d.kg), std::abs(d.m), std::abs(d.s)}) <= kMaxPower) return measure;
    fail("a unit has a power that is too large", term, "powers from -99 to 99", in_quotes(text(term)),
         "Check the exponents.");
  }

  std::string_view text(const Term& term) const {
    return std::string_view(expression_.text_).substr(term.begin, term.end - term.begin);
  }
  /// "'b - b' = 0", or only the number where the text is the number.
  std::string equation(const Term& term, const Value& value) const {
    const std::string number = core::number_text(value.number);
    return text(term) == number ? number : in_quotes(text(term)) + " = " + number;
  }

  static constexpr int kMaxPower = 99;

  const Expression& expression_;
  const Parameters& parameters_;
  bool has_bare_arguments_ = false;
  Measure time_;  ///< of t
  Measure arc_;   ///< of asin, acos, atan, atan2
  std::vector<Value> values_;
};

Quantity Expression::evaluate(const Parameters& parameters) const {
  const Evaluator evaluator(*this, parameters);
  const Value& value = evaluator.values().back();
  if (!value.is_constant) {
    throw core::ContractError({.what = "an expression depends on time",
                               .where = place_.where(),
                               .expected = "one value",
                               .actual = in_quotes(text_),
                               .next = "Call compile() instead."});
  }
  return {value.number, value.measure.certainty, value.measure.dimension};
}

core::Traced Expression::trace(const std::function<core::Traced(const std::string& name)>& value_of) const {
  std::vector<core::Traced> values;
  for (const Term& term : terms_) {
    if (term.operation == Operation::kConstant)
      values.push_back(term.name.empty() ? core::Traced(term.literal.value) : value_of(term.name));
    else if (TimeFunction::operand_count(term.operation) == 1)
      values.push_back(model::detail::apply_unary(term.operation, values[term.left]));
    else
      values.push_back(model::detail::apply_binary(term.operation, values[term.left], values[term.right]));
  }
  return values.back();
}

TimeExpression Expression::compile(const Parameters& parameters) const {
  const Evaluator evaluator(*this, parameters);
  const std::vector<Value>& values = evaluator.values();
  std::vector<TimeFunction> functions(terms_.size());
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    const Term& term = terms_[k];
    TimeFunction& left = functions[term.left];
    const TimeFunction& right = functions[term.right];
    const int operands = TimeFunction::operand_count(term.operation);
    if (values[k].is_constant) {
      functions[k] = TimeFunction::constant(values[k].number);
    } else if (operands == 0) {
      functions[k] = term.operation == Operation::kTime
                         ? TimeFunction::time()
                         : TimeFunction::argument(static_cast<int>(term.literal.value));
    } else if (operands == 1) {
      functions[k] = TimeFunction::apply(term.operation, std::move(left));
    } else if (right.depth() >= TimeFunction::kMaxDepth) {
      evaluator.fail("a function of time is nested too deeply", term,
                     "at most " + std::to_string(TimeFunction::kMaxDepth) + " values that wait for others",
                     "more", "Put the longer part first, or split it with parameters.");
    } else {
      functions[k] = TimeFunction::apply(term.operation, std::move(left), right);
    }
  }
  return {std::move(functions.back()), values.back().measure};
}

bool is_expression(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first != std::string_view::npos && text[first] == '=';
}

Quantity read_quantity(std::string_view text, const Parameters& parameters, const TextPlace& place) {
  if (!is_expression(text)) return parse_quantity(text, place);
  return Expression::parse(text, {parameters, false}, place).evaluate(parameters);
}

namespace {

/// With numbers in the place of its parameters a function is longer, and may nest one deeper for their signs;
/// a mechanism that was read can always be written and read again.
void check_can_be_written(const TimeFunction& function, std::string_view text, const TextPlace& place) {
  if (function.is_constant()) return;
  const Parameters none;
  try {
    Expression::parse("= " + write_expression(function), {none, true}, {});
  } catch (const ModelError&) {
    throw ModelError({.what = "a function of time is too long or too deep",
                      .where = place.where(),
                      .expected = "at most " + std::to_string(kMaxExpressionLength) + " characters and " +
                                  std::to_string(kMaxExpressionDepth) +
                                  " levels with numbers for the parameters",
                      .actual = in_quotes(text),
                      .next = "Work out what does not depend on t in a parameter."});
  }
}

}  // namespace

TimeExpression compile_time_function(std::string_view text, const Parameters& parameters,
                                     const TextPlace& place) {
  if (is_expression(text)) {
    TimeExpression read = Expression::parse(text, {parameters, true}, place).compile(parameters);
    check_can_be_written(read.function, text, place);
    return read;
  }
  const Quantity quantity = parse_quantity(text, place);
  return {TimeFunction::constant(quantity.value), quantity.measure()};
}

TimeExpression compile_formula(std::string_view text, const Parameters& parameters,
                               const ArgumentScope& arguments, bool has_time, const TextPlace& place) {
  return Expression::parse(text, {parameters, has_time, &arguments}, place).compile(parameters);
}

namespace {

/// How tightly the outermost operation of a text binds, loosest first.
enum class Binding { kSum, kProduct, kSign, kPower, kAtom };

/// A text on its way to a larger one.
struct Piece {
  std::string text;
  Binding binding = Binding::kAtom;

  /// In parentheses if it would otherwise be read apart.
  std::string at_least(Binding needed) const {
    return binding >= needed ? text : std::string(1, '(').append(text).append(1, ')');
  }
};

/// How an operation between two values is written, and how tightly its operands must bind.
struct Infix {
  Operation operation;
  std::string_view sign;
  Binding left, right, result;
};

constexpr std::array kInfix{
    Infix{Operation::kAdd, " + ", Binding::kSum, Binding::kProduct, Binding::kSum},
    Infix{Operation::kSubtract, " - ", Binding::kSum, Binding::kProduct, Binding::kSum},
    Infix{Operation::kMultiply, "*", Binding::kProduct, Binding::kSign, Binding::kProduct},
    Infix{Operation::kDivide, "/", Binding::kProduct, Binding::kSign, Binding::kProduct},
    Infix{Operation::kPower, "^", Binding::kAtom, Binding::kSign, Binding::kPower},
};

/// A name with other characters than expressions know stands in braces.
std::string argument_text(const std::string& name) {
  const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '.' || is_identifier(std::string{'_', c});
  });
  return is_plain ? name : std::string(1, '{').append(name).append(1, '}');
}

Piece write_leaf(const TimeFunction::Instruction& step, std::span<const std::string> arguments) {
  if (step.operation == Operation::kTime) return {"t", Binding::kAtom};
  if (step.operation == Operation::kArgument)
    return {argument_text(arguments[static_cast<std::size_t>(step.argument)]), Binding::kAtom};
  const bool has_sign = std::signbit(step.constant);
  return {core::number_text(step.constant), has_sign ? Binding::kSign : Binding::kAtom};
}

Piece write_unary(Operation operation, const Piece& x) {
  if (operation == Operation::kNegate) return {x.at_least(Binding::kSign).insert(0, 1, '-'), Binding::kSign};
  return {std::string(operation_symbol(operation)).append(1, '(').append(x.text).append(1, ')'),
          Binding::kAtom};
}

Piece write_binary(Operation operation, const Piece& x, const Piece& y) {
  for (const Infix& infix : kInfix) {
    if (infix.operation != operation) continue;
    return {x.at_least(infix.left).append(infix.sign).append(y.at_least(infix.right)), infix.result};
  }
  std::string call(operation_symbol(operation));
  call.append(1, '(');
  const bool takes_more = operation == Operation::kMinimum || operation == Operation::kMaximum;
  if (takes_more && x.binding == Binding::kAtom && x.text.starts_with(call)) {
    // min(min(a, b), c) is read from min(a, b, c), which nests less
    call = x.text.substr(0, x.text.size() - 1);
  } else {
    call.append(x.text);
  }
  call.append(", ").append(y.text).append(1, ')');
  return {std::move(call), Binding::kAtom};
}

}  // namespace

std::string write_expression(const TimeFunction& function, std::span<const std::string> arguments) {
  std::vector<Piece> stack;
  for (const TimeFunction::Instruction& step : function.program()) {
    const int operands = TimeFunction::operand_count(step.operation);
    if (operands == 0) {
      stack.push_back(write_leaf(step, arguments));
    } else if (operands == 1) {
      stack.back() = write_unary(step.operation, stack.back());
    } else {
      const Piece right = std::move(stack.back());
      stack.pop_back();
      stack.back() = write_binary(step.operation, stack.back(), right);
    }
  }
  return stack.back().text;
}

}  // namespace eslabon::io
