// Text to terms: the grammar of expression.hpp.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/quantities/expression.hpp"
#include "eslabon/io/quantities/unit.hpp"

namespace eslabon::io {
namespace {

using core::ModelError;
using model::TimeFunction;
using Operation = TimeFunction::Operation;

struct Function {
  std::string_view name;
  Operation operation;
  std::string_view usage;
};

constexpr std::array kFunctions{
    Function{"sin", Operation::kSine, "sin(angle)"},
    Function{"cos", Operation::kCosine, "cos(angle)"},
    Function{"tan", Operation::kTangent, "tan(angle)"},
    Function{"asin", Operation::kArcSine, "asin(x)"},
    Function{"acos", Operation::kArcCosine, "acos(x)"},
    Function{"atan", Operation::kArcTangent, "atan(x)"},
    Function{"atan2", Operation::kAtan2, "atan2(y, x)"},
    Function{"sqrt", Operation::kSquareRoot, "sqrt(x)"},
    Function{"exp", Operation::kExponential, "exp(x)"},
    Function{"log", Operation::kLogarithm, "log(x)"},
    Function{"abs", Operation::kAbsolute, "abs(x)"},
    Function{"min", Operation::kMinimum, "min(x, y)"},
    Function{"max", Operation::kMaximum, "max(x, y)"},
    Function{"where", Operation::kWhere, "where(c, x)"},
    Function{"where_not", Operation::kWhereNot, "where_not(c, x)"},
};
constexpr std::size_t kMostTerms = 20'000;  // choices repeat what they look at
constexpr std::string_view kPi = "pi";
constexpr std::string_view kTimeName = "t";
constexpr std::string_view kAngleName = "angle";

const Function* find_function(std::string_view name) {
  const auto* found =
      std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
  return found == kFunctions.end() ? nullptr : found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

}  // namespace

/// Recursive descent over the grammar of the header: one function per rule, each returns its term.
class ExpressionParser {
 public:
  ExpressionParser(const ExpressionScope& scope, Expression& out)
      : scope_(scope), out_(out), text_(out.text_) {
    out_.may_be_bare_ = scope.arguments != nullptr && scope.arguments->may_be_bare;
  }

  void parse() {
    if (text_.size() > kMaxExpressionLength) {
      fail("an expression is too long", 0, "at most " + std::to_string(kMaxExpressionLength) + " characters",
           std::to_string(text_.size()), "Split it with parameters.");
    }
    at_ = text_.find('=') + 1;
    parse_sum();
    skip_blanks();
    if (at_ == text_.size()) return;
    if (peek() == ')') fail("an unmatched parenthesis", at_, "'(' before it", "')'", "Remove it.");
    fail("an operator is missing", at_, "'+', '-', '*', '/' or '^'", rest(),
         "Put an operator between the two values.");
  }

 private:
  using Index = std::size_t;

  Index parse_sum() {
    Index left = parse_product();
    for (char c = next_character(); c == '+' || c == '-'; c = next_character()) {
      ++at_;
      const Index right = parse_product();
      left = add(c == '+' ? Operation::kAdd : Operation::kSubtract, left, right);
    }
    return left;
  }

  Index parse_product() {
    Index left = parse_sign();
    for (char c = next_character(); c == '*' || c == '/'; c = next_character()) {
      ++at_;
      const Index right = parse_sign();
      left = add(c == '*' ? Operation::kMultiply : Operation::kDivide, left, right);
    }
    return left;
  }

  Index parse_sign() {
    const char c = next_character();
    const std::size_t begin = at_;
    if (++depth_ > kMaxExpressionDepth) {
      fail("an expression is nested too deeply", at_,
           "at most " + std::to_string(kMaxExpressionDepth) + " levels of parentheses, signs and powers",
           "more", "Split it with parameters.");
    }
    Index term = 0;
    if (c == '-' || c == '+') {
      ++at_;
      term = parse_sign();
      if (c == '-') term = add(Operation::kNegate, term, term, begin, out_.terms_[term].end);
    } else {
      term = parse_power();
    }
    --depth_;
    return term;
  }

  Index parse_power() {
    const Index base = parse_primary();
    if (next_character() != '^') return base;
    ++at_;
    const Index exponent = parse_sign();
    return add(Operation::kPower, base, exponent);
  }

  Index parse_primary() {
    const char c = next_character();
    if (is_digit(c) || c == '.') return parse_literal();
    if (starts_name(c)) return parse_name();
    if (c == '{' && scope_.arguments != nullptr) return parse_braced();
    if (c == '(') {
      const std::size_t open = at_++;
      const Index inner = parse_sum();
      close(open);
      out_.terms_[inner].begin = open;
      out_.terms_[inner].end = at_;
      return inner;
    }
    fail("an expression cannot be read", at_, "a number, a name or '('", rest(),
         "Check the operators and parentheses.");
  }

  Index parse_literal() {
    const std::size_t begin = at_;
    const NumberPrefix number = read_number_prefix(std::string_view(text_).substr(at_), where(at_));
    if (number.length == 0)
      fail("a number cannot be read", at_, "digits", rest(), "Write a digit beside '.'.");
    at_ += number.length;
    Quantity literal{number.value, Certainty::kPure, {}};
    skip_blanks();
    const bool has_unit = starts_name(peek()) || static_cast<unsigned char>(peek()) >= 0x80U;
    if (!has_unit) {
      at_ = begin + number.length;
    } else {
      const std::size_t unit_begin = at_;
      scan_unit(begin);
      const Unit unit =
          parse_unit(std::string_view(text_).substr(unit_begin, at_ - unit_begin), where(unit_begin));
      literal = {number.value * unit.factor, Certainty::kKnown, unit.dimension};
      if (!std::isfinite(literal.value)) {
        fail("a number is out of range", begin, "a finite number in SI units",
             in_quotes(std::string_view(text_).substr(begin, at_ - begin)), "Check its exponent.");
      }
    }
    out_.terms_.push_back({Operation::kConstant, literal, "", 0, 0, begin, at_});
    return out_.terms_.size() - 1;
  }

  /// Moves over the unit after the number that begins at `number`: names joined by '*' and '/' without
  /// spaces, as long as they are units and could be nothing else.
  void scan_unit(std::size_t number) {
    const std::string_view first = scan_name();
    const bool is_unit = find_unit(first).has_value();
    if (is_time(first) || begins_call_or_variable() || (!is_unit && is_known(first))) {
      const std::size_t begin = at_ - first.size();
      fail("an operator is missing", begin, "'*' or another operator after the number", in_quotes(first),
           "Write '" + text_.substr(number, begin - number) + "* " + std::string(first) + "'.");
    }
    scan_unit_power(number);
    while ((peek() == '*' || peek() == '/') && at_ + 1 < text_.size() && starts_name(text_[at_ + 1])) {
      const std::size_t operation = at_++;
      const std::string_view name = scan_name();
      const bool is_factor = find_unit(name) && !is_time(name) && !begins_call_or_variable();
      if (is_factor && (is_parameter(name) || is_variable(name))) {
        const std::string other = is_parameter(name) ? "parameter" : "variable";
        fail("'" + std::string(name) + "' can be a unit or a " + other, operation + 1, "one meaning",
             in_quotes(std::string_view(text_).substr(number, at_ - number)),
             "Put spaces around '" + text_.substr(operation, 1) + "' if it is the " + other +
                 "; rename the " + other + " if it is the unit.");
      }
      if (!is_factor) {
        at_ = operation;
        return;
      }
      scan_unit_power(number);
    }
  }

  void scan_unit_power(std::size_t number) {
    if (peek() != '^') return;
    const std::size_t power = at_++;
    if (peek() == '-') ++at_;
    const std::size_t digits = at_;
    while (is_digit(peek()) || peek() == '.') ++at_;
    if (at_ > digits) return;
    fail("a power after a unit is not clear", power, "a digit after '^'", rest(),
         "Put the value in parentheses: '(" + text_.substr(number, power - number) + ")^…'.");
  }

  Index parse_name() {
    const std::size_t begin = at_;
    std::string name(scan_name());
    if (scope_.arguments != nullptr && peek() == '.') return argument(scan_dotted(std::move(name)), begin);
    if (next_character() == '(' && (name == "if" || name == "step" || name == "smooth_step"))
      return parse_choice(name, begin);
    if (next_character() == '(')
      return scope_.arguments != nullptr && name == kAngleName ? parse_angle(begin) : parse_call(name, begin);
    at_ = begin + name.size();
    if (find_function(name)) {
      fail("the function '" + name + "' has no argument", begin, "'('", rest(),
           "Write '" + std::string(find_function(name)->usage) + "'.");
    }
    Expression::Term term{Operation::kConstant, {}, "", 0, 0, begin, at_};
    if (name == kPi) {
      term.literal.value = std::numbers::pi;
    } else if (is_time(name)) {
      term.operation = Operation::kTime;
    } else {
      if (!is_parameter(name) && scope_.arguments != nullptr && name != kTimeName)
        return argument(name, begin);
      if (!is_parameter(name)) refuse_name(name, begin);
      term.name = name;
      if (used_.insert(name).second) out_.names_.push_back(name);
    }
    out_.terms_.push_back(std::move(term));
    return out_.terms_.size() - 1;
  }

  /// Goes on behind the first name of a variable.
  std::string scan_dotted(std::string name) {
    while (peek() == '.') {
      ++at_;
      name += '.';
      name += scan_name();
    }
    return name;
  }

  /// "{front-left.q}"
  Index parse_braced() {
    const std::size_t open = at_++, close_at = text_.find('}', at_);
    if (close_at == std::string::npos)
      fail("a brace is not closed", open, "'}' after the name of a variable", rest(), "Close it.");
    const std::string name = text_.substr(at_, close_at - at_);
    at_ = close_at + 1;
    return argument(name, open);
  }

  Index argument(const std::string& name, std::size_t begin) {
    try {
      const Argument found = scope_.arguments->find(name);
      const Quantity kind{static_cast<double>(found.place), Certainty::kKnown, found.dimension};
      out_.terms_.push_back({Operation::kArgument, kind, "", 0, 0, begin, at_});
    } catch (const ModelError& error) {
      core::ErrorText text = error.text();
      text.where = where(begin);
      throw ModelError(text);
    }
    return out_.terms_.size() - 1;
  }

  /// angle(u, w) = atan2(|u × w|, u · w), in the plane atan2(u_x w_y − u_y w_x, u · w), of two axes that have names.
  Index parse_angle(std::size_t begin) {
    const std::size_t open = at_++;
    const std::string u = parse_axis_name();
    if (next_character() != ',')
      fail("the function 'angle' has the wrong number of arguments", begin, "2", "1",
           "Write 'angle(BODY.AXIS, BODY.AXIS)'.");
    ++at_;
    const std::string w = parse_axis_name();
    close(open);
    const auto product = [&](const char* of_u, const char* of_w) {
      return whole(Operation::kMultiply, argument(u + of_u, begin), argument(w + of_w, begin), begin);
    };
    const auto crossed = [&](const char* a, const char* b) {
      return whole(Operation::kSubtract, product(a, b), product(b, a), begin);
    };
    Index dot = whole(Operation::kAdd, product(".x", ".x"), product(".y", ".y"), begin);
    if (scope_.arguments->is_planar) return whole(Operation::kAtan2, crossed(".x", ".y"), dot, begin);
    dot = whole(Operation::kAdd, dot, product(".z", ".z"), begin);
    const auto squared = [&](const char* a, const char* b) {
      return whole(Operation::kMultiply, crossed(a, b), crossed(a, b), begin);
    };
    Index sum = whole(Operation::kAdd, squared(".y", ".z"), squared(".z", ".x"), begin);
    sum = whole(Operation::kAdd, sum, squared(".x", ".y"), begin);
    return whole(Operation::kAtan2, whole(Operation::kSquareRoot, sum, sum, begin), dot, begin);
  }

  std::string parse_axis_name() {
    const char c = next_character();
    const std::size_t begin = at_;
    if (!starts_name(c))
      fail("an axis is missing", at_, "BODY.AXIS", rest(), "Write 'angle(BODY.AXIS, BODY.AXIS)'.");
    const std::string name = scan_dotted(std::string(scan_name()));
    if (name.find('.') == std::string::npos || !may_be_axis(name))
      fail("an axis is missing", begin, "BODY.AXIS", in_quotes(name), "Write 'angle(BODY.AXIS, BODY.AXIS)'.");
    return name;
  }

  /// Not a point, whose components are lengths; of other names somebody else says what is wrong.
  bool may_be_axis(const std::string& name) const {
    try {
      return scope_.arguments->find(name + ".x").dimension == core::kNumber;
    } catch (const core::ModelError&) {
      return true;
    }
  }

  /// if(a < b, x, y), step(x) and smooth_step(x), put together from other operations. What is looked at twice is read twice.
  Index parse_choice(const std::string& name, std::size_t begin) {
    const std::size_t open = at_++, first = at_;
    if (name == "if") return parse_if(begin, open);
    const Index x = parse_sum();
    close(open);
    if (name == "step") return whole(Operation::kWhere, x, number(1.0, begin), begin);
    const std::size_t end = at_;
    const auto again = [&] {
      at_ = first;
      const Index term = parse_sum();
      at_ = end;
      return term;
    };
    // where(x, where_not(x - 1, x^2*(3 - 2*x)) + where(x - 1, 1)): choices, so that steps of a run end at both edges
    const auto beyond = [&] { return whole(Operation::kSubtract, again(), number(1.0, begin), begin); };
    const Index square = whole(Operation::kPower, again(), number(2.0, begin), begin);
    const Index twice = whole(Operation::kMultiply, number(2.0, begin), again(), begin);
    const Index rest = whole(Operation::kSubtract, number(3.0, begin), twice, begin);
    const Index rise = whole(Operation::kMultiply, square, rest, begin);
    const Index between = whole(Operation::kWhereNot, beyond(), rise, begin);
    const Index above = whole(Operation::kWhere, beyond(), number(1.0, begin), begin);
    return whole(Operation::kWhere, x, whole(Operation::kAdd, between, above, begin), begin);
  }

  Index parse_if(std::size_t begin, std::size_t open) {
    const std::size_t first = at_;
    const Index holds = parse_condition(begin);
    need_comma(begin);
    const Index x = parse_sum();
    need_comma(begin);
    const Index y = parse_sum();
    close(open);
    const std::size_t end = at_;
    at_ = first;
    const Index fails = parse_condition(begin);
    at_ = end;
    const Index if_so = whole(Operation::kWhere, holds, x, begin);
    return whole(Operation::kAdd, if_so, whole(Operation::kWhereNot, fails, y, begin), begin);
  }

  /// a < b as b − a, a > b as a − b: what is > 0 where the condition holds.
  Index parse_condition(std::size_t begin) {
    const Index left = parse_sum();
    const char c = next_character();
    if (c != '<' && c != '>')
      fail("a condition is missing", begin, "'<' or '>' between two values", rest(),
           "Write 'if(a < b, x, y)': x where a < b, otherwise y.");
    ++at_;
    const Index right = parse_sum();
    return c == '<' ? whole(Operation::kSubtract, right, left, begin)
                    : whole(Operation::kSubtract, left, right, begin);
  }

  void need_comma(std::size_t begin) {
    if (next_character() != ',')
      fail("the function 'if' has the wrong number of arguments", begin, "3", "fewer",
           "Write 'if(a < b, x, y)': x where a < b, otherwise y.");
    ++at_;
  }

  Index number(double value, std::size_t begin) {
    out_.terms_.push_back({Operation::kConstant, {value, Certainty::kPure, {}}, "", 0, 0, begin, at_});
    return out_.terms_.size() - 1;
  }

  /// A term whose text is the whole call that begins there.
  Index whole(Operation operation, Index left, Index right, std::size_t begin) {
    return add(operation, left, right, begin, at_);
  }

  Index parse_call(const std::string& name, std::size_t begin) {
    const Function* function = find_function(name);
    if (!function) refuse_function(name, begin);
    const std::size_t open = at_++;
    std::vector<Index> arguments{parse_sum()};
    while (next_character() == ',') {
      ++at_;
      arguments.push_back(parse_sum());
    }
    close(open);
    const auto needed = static_cast<std::size_t>(TimeFunction::operand_count(function->operation));
    const bool takes_more =
        function->operation == Operation::kMinimum || function->operation == Operation::kMaximum;
    if (arguments.size() < needed || (arguments.size() > needed && !takes_more)) {
      fail("the function '" + name + "' has the wrong number of arguments", begin,
           std::to_string(needed) + (takes_more ? " or more" : ""), std::to_string(arguments.size()),
           "Write '" + std::string(function->usage) + "'.");
    }
    if (needed == 1) return add(function->operation, arguments[0], arguments[0], begin, at_);
    Index result = arguments[0];
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      result = add(function->operation, result, arguments[k], begin, at_);
    }
    return result;
  }

  void close(std::size_t open) {
    if (next_character() != ')') {
      fail("a parenthesis is not closed", open, "')'", rest(), "Close it, or put an operator before.");
    }
    ++at_;
  }

  Index add(Operation operation, Index left, Index right) {
    return add(operation, left, right, out_.terms_[left].begin, out_.terms_[right].end);
  }
  Index add(Operation operation, Index left, Index right, std::size_t begin, std::size_t end) {
    if (out_.terms_.size() >= kMostTerms)
      fail("an expression is too long", begin, "at most " + std::to_string(kMostTerms) + " operations",
           "more", "Choices inside each other repeat what they look at: split it with parameters.");
    out_.terms_.push_back({operation, {}, "", left, right, begin, end});
    return out_.terms_.size() - 1;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }
  char next_character() {
    skip_blanks();
    return peek();
  }
  /// Letters and digits, and any byte of a character outside ASCII, so that a message shows it whole.
  std::string_view scan_name() {
    const std::size_t begin = at_;
    while (continues_name(peek()) || static_cast<unsigned char>(peek()) >= 0x80U) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }
  std::string rest() const {
    return at_ == text_.size() ? "the end of the text" : in_quotes(std::string_view(text_).substr(at_));
  }

  /// Behind a name: it is that of a function, or the first one of a variable such as "J.v".
  bool begins_call_or_variable() const {
    return peek() == '(' || (peek() == '.' && scope_.arguments != nullptr);
  }
  /// A variable without a dot: the formula of an output.
  bool is_variable(std::string_view name) const {
    if (scope_.arguments == nullptr) return false;
    try {
      scope_.arguments->find(std::string(name));
      return true;
    } catch (const ModelError&) {
      return false;
    }
  }
  bool is_parameter(std::string_view name) const { return scope_.parameters.contains(name); }
  bool is_time(std::string_view name) const { return scope_.has_time && name == kTimeName; }
  bool is_known(std::string_view name) const {
    return is_parameter(name) || find_function(name) || name == kPi || is_time(name);
  }

  [[noreturn]] void refuse_name(const std::string& name, std::size_t begin) const {
    if (name == kTimeName) {
      fail("the time 't' is not known here", begin, "a value that does not change with time", rest_of(begin),
           "Use 't' only where a function of time is read.");
    }
    std::vector<std::string> known{std::string(kPi)};
    for (const auto& [parameter, value] : scope_.parameters) known.push_back(parameter);
    if (find_unit(name)) {
      fail("unknown name '" + name + "'", begin, "a parameter", "a unit",
           "Write a unit directly after its number and without spaces, such as '3 m/s'.");
    }
    fail("unknown name '" + name + "'", begin, "a parameter or 'pi'", rest_of(begin),
         suggestion(name, known, "Declare it as a parameter."));
  }

  [[noreturn]] void refuse_function(const std::string& name, std::size_t begin) const {
    if (is_parameter(name) || name == kPi || is_time(name)) {
      fail("an operator is missing", begin + name.size(), "'*' or another operator after '" + name + "'",
           "'('", "Write '" + name + "*(…)'.");
    }
    std::vector<std::string> known;
    for (const Function& function : kFunctions) known.emplace_back(function.name);
    fail("unknown function '" + name + "'", begin, "a function such as 'sin' or 'sqrt'", rest_of(begin),
         suggestion(name, known,
                    "Use one of sin, cos, tan, asin, acos, atan, atan2, sqrt, exp, log, abs, min, max."));
  }

  static std::string suggestion(const std::string& name, const std::vector<std::string>& known,
                                const std::string& otherwise) {
    constexpr std::size_t kLongestGuess = 64;
    const auto nearest = name.size() <= kLongestGuess ? core::nearest_name(name, known) : std::nullopt;
    return nearest ? "Did you mean '" + *nearest + "'?" : otherwise;
  }

  std::string rest_of(std::size_t begin) const { return in_quotes(std::string_view(text_).substr(begin)); }
  std::string where(std::size_t offset) const { return out_.place_.where(offset); }

  [[noreturn]] void fail(const std::string& what, std::size_t offset, const std::string& expected,
                         const std::string& actual, const std::string& next) const {
    throw ModelError(
        {.what = what, .where = where(offset), .expected = expected, .actual = actual, .next = next});
  }

  const ExpressionScope& scope_;
  Expression& out_;
  const std::string& text_;
  std::set<std::string> used_;  ///< parameters seen so far
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression Expression::parse(std::string_view text, const ExpressionScope& scope, TextPlace place) {
  Expression expression;
  expression.text_ = text;
  expression.place_ = std::move(place);
  ExpressionParser(scope, expression).parse();
  return expression;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && starts_name(text[0]) && std::all_of(text.begin(), text.end(), continues_name);
}

bool is_reserved_name(std::string_view name) {
  return name == kPi || name == kTimeName || find_function(name) != nullptr;
}

std::string_view operation_symbol(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return "+";
    case Operation::kSubtract:
      return "-";
    case Operation::kMultiply:
      return "*";
    case Operation::kDivide:
      return "/";
    case Operation::kPower:
      return "^";
    case Operation::kNegate:
      return "-";
    default:
      break;
  }
  for (const Function& function : kFunctions) {
    if (function.operation == operation) return function.name;
  }
  return "";
}

}  // namespace eslabon::io
