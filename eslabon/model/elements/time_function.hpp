#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/core/geometry/cubic_table.hpp"

namespace eslabon::model {

/// A function of time that is described, not coded: it can be written to a file, compared with == and
/// evaluated for any scalar. It is built like ordinary arithmetic,
///
///   const TimeFunction t = TimeFunction::time();
///   const TimeFunction lift = 0.1 * sin(2 * t);
///
/// and kept as a postfix program. A function of arguments besides, which are given where it is evaluated, is what a Formula has. What does not depend on time is one number: operations on numbers
/// are done while building, so two functions that differ only by that are equal.
/// Units: SI throughout, t in s; the function does not know what it measures.
/// A value: immutable, copyable, safe to share between threads.
class TimeFunction {
 public:
  enum class Operation {
    kConstant,
    kTime,
    kArgument,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kAtan2,
    kMinimum,
    kMaximum,
    kWhere,     ///< the second where the first is > 0, otherwise 0
    kWhereNot,  ///< the second where the first is not > 0, otherwise 0
    kNegate,
    kSine,
    kCosine,
    kTangent,
    kArcSine,
    kArcCosine,
    kArcTangent,
    kSquareRoot,
    kExponential,
    kLogarithm,
    kAbsolute,
    kTable,  ///< a derivative of a table; made by TimeFunction::table alone
  };

  /// One step of the program: puts a number or the time on the stack, or replaces the topmost one or
  /// two values by the result of an operation.
  struct Instruction {
    Operation operation;
    double constant = 0.0;  ///< used by kConstant only
    int argument = 0;       ///< used by kArgument, and by kTable: the order of the derivative
    std::shared_ptr<const core::CubicTable> table = nullptr;  ///< used by kTable only

    friend bool operator==(const Instruction& a, const Instruction& b) {
      return a.operation == b.operation && a.constant == b.constant && a.argument == b.argument &&
             (a.table == b.table || (a.table && b.table && *a.table == *b.table));
    }
  };

  static constexpr int kMaxDepth = 32;               ///< values on the stack at once
  static constexpr std::size_t kMaxLength = 10'000;  ///< instructions

  /// The function that is zero at all times.
  TimeFunction() : TimeFunction(0.0) {}
  /// The function that has one value at all times; implicit, so that `2 * t` can be written.
  /// Fails: ContractError if the value is not finite.
  TimeFunction(double value);  // NOLINT(google-explicit-constructor)

  static TimeFunction constant(double value) { return TimeFunction(value); }
  static TimeFunction time();
  /// Argument number k ≥ 0.
  static TimeFunction argument(int k);
  /// The derivative of this order of a table, at x.
  static TimeFunction table(std::shared_ptr<const core::CubicTable> table, TimeFunction x, int order = 0);
  /// The table that a function is, table(t), if it is one: nothing else but the time goes in, and nothing is done to what comes out.
  const core::CubicTable* whole_table() const;
  /// Number of values that an operation takes from the stack: 0, 1 or 2.
  static int operand_count(Operation operation);
  /// The operation on numbers; y is not used by an operation on one. Not finite where it is not defined.
  static double apply_to_numbers(Operation operation, double x, double y = 0.0);
  /// The operation on one function, or on two.
  /// Fails: ContractError if the operation takes another number of operands, if the result needs more
  /// than kMaxDepth values or kMaxLength instructions, or if it is a number and not finite.
  static TimeFunction apply(Operation operation, TimeFunction operand);
  static TimeFunction apply(Operation operation, TimeFunction left, const TimeFunction& right);

  /// f + by, with `by` in that constant term of f that it takes away, where there is one: of 10⁷ + sin t shifted by −10⁷ no digit of
  /// sin t is lost.
  TimeFunction shifted(double by) const;

  bool depends_on_time() const;
  /// The same function of other functions in the places of its arguments.
  TimeFunction with_arguments(std::span<const TimeFunction> arguments) const;
  /// The same function of another one in the place of the time; one of arguments stays so.
  TimeFunction with_time(const TimeFunction& time) const;
  bool is_constant() const {
    return program_.front().operation == Operation::kConstant && program_.size() == 1;
  }
  /// Fails: ContractError if the function depends on time.
  double constant_value() const;
  const std::vector<Instruction>& program() const { return program_; }
  int depth() const { return depth_; }

  /// The value at time t [s]. T is one of the project's scalars: arithmetic, construction from double and
  /// the functions of <cmath> found by its namespace. No allocation; where the function is not defined
  /// (1/0, log of a negative number) the result is what T gives, inf or NaN for double.
  template <class T>
  T evaluate(const T& t) const {
    return evaluate(t, std::span<const T>());
  }
  /// The same of a function of arguments, as many as it asks for.
  template <class T>
  T evaluate(const T& t, std::span<const T> arguments) const;

  friend bool operator==(const TimeFunction&, const TimeFunction&) = default;

  friend TimeFunction operator-(TimeFunction f) { return apply(Operation::kNegate, std::move(f)); }
  friend TimeFunction operator+(TimeFunction f, const TimeFunction& g) {
    return apply(Operation::kAdd, std::move(f), g);
  }
  friend TimeFunction operator-(TimeFunction f, const TimeFunction& g) {
    return apply(Operation::kSubtract, std::move(f), g);
  }
  friend TimeFunction operator*(TimeFunction f, const TimeFunction& g) {
    return apply(Operation::kMultiply, std::move(f), g);
  }
  friend TimeFunction operator/(TimeFunction f, const TimeFunction& g) {
    return apply(Operation::kDivide, std::move(f), g);
  }
  friend TimeFunction pow(TimeFunction base, const TimeFunction& exponent) {
    return apply(Operation::kPower, std::move(base), exponent);
  }
  friend TimeFunction atan2(TimeFunction y, const TimeFunction& x) {
    return apply(Operation::kAtan2, std::move(y), x);
  }
  friend TimeFunction min(TimeFunction f, const TimeFunction& g) {
    return apply(Operation::kMinimum, std::move(f), g);
  }
  friend TimeFunction max(TimeFunction f, const TimeFunction& g) {
    return apply(Operation::kMaximum, std::move(f), g);
  }
  /// f where c > 0, otherwise 0; and the other way round.
  friend TimeFunction where(TimeFunction c, const TimeFunction& f) {
    return apply(Operation::kWhere, std::move(c), f);
  }
  friend TimeFunction where_not(TimeFunction c, const TimeFunction& f) {
    return apply(Operation::kWhereNot, std::move(c), f);
  }
  friend TimeFunction sin(TimeFunction f) { return apply(Operation::kSine, std::move(f)); }
  friend TimeFunction cos(TimeFunction f) { return apply(Operation::kCosine, std::move(f)); }
  friend TimeFunction tan(TimeFunction f) { return apply(Operation::kTangent, std::move(f)); }
  friend TimeFunction asin(TimeFunction f) { return apply(Operation::kArcSine, std::move(f)); }
  friend TimeFunction acos(TimeFunction f) { return apply(Operation::kArcCosine, std::move(f)); }
  friend TimeFunction atan(TimeFunction f) { return apply(Operation::kArcTangent, std::move(f)); }
  friend TimeFunction sqrt(TimeFunction f) { return apply(Operation::kSquareRoot, std::move(f)); }
  friend TimeFunction exp(TimeFunction f) { return apply(Operation::kExponential, std::move(f)); }
  friend TimeFunction log(TimeFunction f) { return apply(Operation::kLogarithm, std::move(f)); }
  friend TimeFunction abs(TimeFunction f) { return apply(Operation::kAbsolute, std::move(f)); }

 private:
  explicit TimeFunction(Instruction only) : program_{std::move(only)} {}
  /// The same program on other functions in the place of what has no operands.
  template <class LeafOf>
  TimeFunction rebuilt(LeafOf leaf_of) const;

  std::vector<Instruction> program_;  ///< never empty; leaves exactly one value
  int depth_ = 1;                     ///< most values on the stack at once, 1 … kMaxDepth
};

namespace detail {

template <class T>
T apply_unary(TimeFunction::Operation operation, const T& x) {
  using Operation = TimeFunction::Operation;
  using std::abs, std::acos, std::asin, std::atan, std::cos, std::exp, std::log, std::sin, std::sqrt,
      std::tan;
  switch (operation) {
    case Operation::kNegate:
      return -x;
    case Operation::kSine:
      return sin(x);
    case Operation::kCosine:
      return cos(x);
    case Operation::kTangent:
      return tan(x);
    case Operation::kArcSine:
      return asin(x);
    case Operation::kArcCosine:
      return acos(x);
    case Operation::kArcTangent:
      return atan(x);
    case Operation::kSquareRoot:
      return sqrt(x);
    case Operation::kExponential:
      return exp(x);
    case Operation::kLogarithm:
      return log(x);
    case Operation::kAbsolute:
      return abs(x);
    default:
      return x;
  }
}

template <class T>
T apply_binary(TimeFunction::Operation operation, const T& x, const T& y) {
  using Operation = TimeFunction::Operation;
  using core::select_less;
  using std::atan2, std::pow;
  switch (operation) {
    case Operation::kAdd:
      return x + y;
    case Operation::kSubtract:
      return x - y;
    case Operation::kMultiply:
      return x * y;
    case Operation::kDivide:
      return x / y;
    case Operation::kPower:
      return pow(x, y);
    case Operation::kAtan2:
      return atan2(x, y);
    case Operation::kMinimum:
      return select_less(y, x, y, x);
    case Operation::kMaximum:
      return select_less(x, y, y, x);
    case Operation::kWhere:
      return select_less(T(0.0), x, y, T(0.0));
    case Operation::kWhereNot:
      return select_less(T(0.0), x, T(0.0), y);
    default:
      return x;
  }
}

}  // namespace detail

template <class T>
T TimeFunction::evaluate(const T& t, std::span<const T> arguments) const {
  using std::pow;
  std::array<T, kMaxDepth> stack{};
  std::size_t size = 0;
  for (std::size_t k = 0; k < program_.size(); ++k) {
    const Instruction& step = program_[k];
    if (step.operation == Operation::kConstant) {
      stack[size++] = T(step.constant);
    } else if (step.operation == Operation::kTime) {
      stack[size++] = t;
    } else if (step.operation == Operation::kArgument) {
      stack[size++] = arguments[static_cast<std::size_t>(step.argument)];
    } else if (step.operation == Operation::kTable) {
      stack[size - 1] = step.table->evaluate(stack[size - 1], step.argument);
    } else if (step.operation >= Operation::kNegate) {
      stack[size - 1] = detail::apply_unary(step.operation, stack[size - 1]);
    } else {
      --size;
      const Instruction& before = program_[k - 1];
      // A fixed exponent needs no log x, so that x^2 has a derivative at x <= 0 too.
      const bool is_fixed_power =
          step.operation == Operation::kPower && before.operation == Operation::kConstant;
      stack[size - 1] = is_fixed_power ? T(pow(stack[size - 1], before.constant))
                                       : detail::apply_binary(step.operation, stack[size - 1], stack[size]);
    }
  }
  return stack[0];
}

#define ESLABON_DECLARE(T) extern template T TimeFunction::evaluate(const T&, std::span<const T>) const;
ESLABON_FOR_EACH_NUMBER(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::model
