#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/scalar/traced.hpp"
#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::io {

inline constexpr int kMaxExpressionDepth = 64;               ///< parentheses, signs, powers inside each other
inline constexpr std::size_t kMaxExpressionLength = 10'000;  ///< bytes

/// The values of the named parameters.
using Parameters = std::map<std::string, Quantity, std::less<>>;

/// A variable that an expression may use beside parameters: the place of its value among the arguments of the function, and what it measures.
struct Argument {
  int place = 0;
  Dimension dimension = {};
};
/// Finds variables by name: "A.q", "upright.spin.x". Throws core::ModelError for what is none; its `where` is left to the caller.
struct ArgumentScope {
  std::function<Argument(const std::string& name)> find;
  bool is_planar = false;  ///< directions of axes have two components
  /// Where no number of the expression has a unit variables are bare numbers too, in SI: "-5*A.q^3" is whatever is needed.
  bool may_be_bare = false;
};

/// The names that an expression may use. Refers to the parameters: for use during a call.
struct ExpressionScope {
  const Parameters& parameters;              ///< their names; the values may come later
  bool has_time = false;                     ///< 't' is the time
  const ArgumentScope* arguments = nullptr;  ///< variables of a mechanism, for formulas
};

/// A function of time as read from a file.
struct TimeExpression {
  model::TimeFunction function;  ///< SI
  Measure measure;               ///< what it gives
};

/// Arithmetic as written in a file: "= crank/2", "= 0.1*sin(2*pi*3 Hz*t)".
///
///   sum     := product (('+'|'-') product)*
///   product := sign (('*'|'/') sign)*
///   sign    := ('-'|'+') sign | power                      so that -2^2 is -4
///   power   := primary ['^' sign]                          so that 2^3^2 is 2^9 and 2^-1 is read
///   primary := number [unit] | name | function '(' sum (',' sum)* ')' | '(' sum ')' | variable
///   variable := name ('.' name)+ | '{' any name '}'        where there are variables
///
/// Where there are variables, angle(BODY.AXIS, BODY.AXIS) is the angle between two named axes: 0 … π, in the plane −π … π from the
/// first to the second.
/// Functions: sin cos tan asin acos atan atan2 sqrt exp log abs min max. Constant: pi.
/// Choices:
///   where(c, x)        x where c > 0, otherwise 0;   where_not(c, x)   x where c is not > 0, otherwise 0
///   if(a < b, x, y)    where(b - a, x) + where_not(b - a, y);   a > b likewise
///   step(x)            where(x, 1)
///   smooth_step(x)     0 up to x = 0, x² (3 − 2 x), 1 from x = 1
/// A unit follows its number directly and has no spaces inside: 3 m/s is a speed, 3 m / s a division.
///
/// Units are followed through the arithmetic as far as they are known:
///   product, quotient   unknown if one side is; a bare number counts as a plain factor
///   sum, min, max       two known kinds must agree; otherwise the known one is taken for both
///   power               a plain exponent; a whole number if the base has a unit
///   sin cos tan exp log take an angle or plain number; give a bare number, so that '= 0.3*cos(30 deg)'
///                       is metres where a length is needed
///   asin acos atan atan2  give an angle where units are used, a bare number otherwise
///   sqrt                halves every exponent, which must be even
/// The radian is not compared: (arc)/(radius) is an angle.
/// The time t is in s; in an expression without any unit it is a bare number, so that '= 2*t' is SI.
class Expression {
 public:
  /// Reads "= …". Fails: ModelError with the column of the fault where the text is verbatim in its file.
  static Expression parse(std::string_view text, const ExpressionScope& scope, TextPlace place);

  /// The parameters used, each once, in the order of their first use.
  const std::vector<std::string>& names() const { return names_; }

  /// The value. Every name must be among the parameters, else ContractError.
  /// Fails: ModelError that shows the guilty part: a division by zero, kinds that do not fit, …
  Quantity evaluate(const Parameters& parameters) const;

  /// The same of traced numbers: `value_of` tells those of the parameters. Not for functions of time.
  core::Traced trace(const std::function<core::Traced(const std::string& name)>& value_of) const;

  /// The same as a function of time, with the parameters as numbers.
  TimeExpression compile(const Parameters& parameters) const;

 private:
  friend class ExpressionParser;

  /// A number, a name or an operation on earlier terms. The last one is the whole expression.
  struct Term {
    model::TimeFunction::Operation operation;
    Quantity literal;       ///< of a number; of a variable its kind, and the place of its argument
    std::string name;       ///< of a parameter, then the operation is kConstant
    std::size_t left = 0;   ///< first operand: a term before this one
    std::size_t right = 0;  ///< second operand; the first again if there is only one
    std::size_t begin = 0;  ///< of its text
    std::size_t end = 0;
  };

  /// What is known about a term before the time is.
  struct Value {
    Measure measure;
    bool is_constant = true;
    double number = 0.0;  ///< SI, if it is constant
  };

  class Evaluator;

  std::string text_;  ///< with its '='
  TextPlace place_;
  std::vector<Term> terms_;
  std::vector<std::string> names_;
  bool may_be_bare_ = false;  ///< ArgumentScope::may_be_bare
};

/// A text that starts with '='.
bool is_expression(std::string_view text);

/// [A-Za-z_][A-Za-z0-9_]*
bool is_identifier(std::string_view text);

/// A function, the constant pi or the time t: no parameter may have this name.
bool is_reserved_name(std::string_view name);

/// The sign or the name of an operation, such as "+" or "atan2"; empty for a number and the time.
std::string_view operation_symbol(model::TimeFunction::Operation operation);

/// Reads "NUMBER", "NUMBER UNIT" or "= EXPRESSION" without time.
Quantity read_quantity(std::string_view text, const Parameters& parameters, const TextPlace& place);

/// Reads the same, with the time t allowed in an expression.
TimeExpression compile_time_function(std::string_view text, const Parameters& parameters,
                                     const TextPlace& place);

/// Reads "= …" with variables. The function's arguments are as `arguments` places them; time is refused unless has_time.
TimeExpression compile_formula(std::string_view text, const Parameters& parameters,
                               const ArgumentScope& arguments, bool has_time, const TextPlace& place);

/// The function as text without '=', numbers exact and no parentheses that are not needed: compiled again it
/// gives an equal function (if it nests no deeper than kMaxExpressionDepth). `arguments`: names of the variables.
std::string write_expression(const model::TimeFunction& function,
                             std::span<const std::string> arguments = {});

}  // namespace eslabon::io
