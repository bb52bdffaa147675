#include "eslabon/io/quantities/expression.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {
namespace {

using model::TimeFunction;
using testing::HasSubstr;

const TextPlace kPlace{"f.yaml", {5, 10}, true, ""};

const Parameters kParameters{
    {"crank", {0.12, Certainty::kKnown, kLength}}, {"alpha", {0.5, Certainty::kKnown, kAngle}},
    {"mass", {2.0, Certainty::kKnown, kMass}},     {"n", {3.0, Certainty::kUnknown, {}}},
    {"m", {7.0, Certainty::kUnknown, {}}},
};

Quantity value(const std::string& text) { return read_quantity(text, kParameters, kPlace); }

template <class Read>
std::string failure(Read read) {
  try {
    read();
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

std::string message(const std::string& text) {
  return failure([&] { value(text); });
}

TEST(Expression, FollowsTheUsualPrecedence) {
  const std::vector<std::pair<std::string, double>> cases{
      {"= 1 + 2*3", 7},
      {"= (1 + 2)*3", 9},
      {"= 2^3^2", 512},
      {"= -2^2", -4},
      {"= 2^-1", 0.5},
      {"= 8/4/2", 1},
      {"= 8 - 4 - 2", 2},
      {"= -2*-3", 6},
      {"=--2", 2},
      {"= 2 - -3", 5},
      {"= +4", 4},
      {"= 2*3^2", 18},
      {"= pi", std::numbers::pi},
      {"= max(1, 5, 3)", 5},
      {"= min(4, 2 + 1)", 3},
      {"= abs(-3)", 3},
      {"= sqrt(16)", 4},
      {"= atan2(1, 1)", std::numbers::pi / 4},
      {"= exp(0) + log(1)", 1},
      {"= 1.5e3/1e+3", 1.5},
      {"  =  ( ( 2 ) )  ", 2},
      {"= sin(pi/2)", 1},
      {"= .5*4.", 2},
      {"= -(2 + 3)", -5},
  };
  for (const auto& [text, expected] : cases) EXPECT_DOUBLE_EQ(value(text).value, expected) << text;
}

struct UnitCase {
  std::string text;
  double value;
  Certainty certainty;
  Dimension dimension;
};

TEST(Expression, FollowsTheUnits) {
  constexpr Certainty kKnown = Certainty::kKnown;
  constexpr Certainty kPure = Certainty::kPure;
  constexpr Certainty kUnknown = Certainty::kUnknown;
  const double pi = std::numbers::pi;
  const std::vector<UnitCase> cases{
      {"= crank/2", 0.06, kKnown, kLength},
      {"= crank + 10 mm", 0.13, kKnown, kLength},
      {"= crank + 1", 1.12, kKnown, kLength},
      {"= 1 + crank", 1.12, kKnown, kLength},
      {"= n + crank", 3.12, kKnown, kLength},
      {"= n*crank", 0.36, kUnknown, {}},
      {"= n + 1", 4, kUnknown, {}},
      {"= 2*3", 6, kPure, {}},
      {"= 3 m/s", 3, kKnown, kVelocity},
      {"= 6 m / 2 s", 3, kKnown, kVelocity},
      {"= 3 m/2", 1.5, kKnown, kLength},
      {"= 3 m^2", 3, kKnown, kArea},
      {"= (3 m)^2", 9, kKnown, kArea},
      {"= 3 m ^2", 9, kKnown, kArea},
      {"= 3 s^-1", 3, kKnown, kFrequency},
      {"= 5 N*crank", 0.6, kKnown, kTorque},
      {"= 5 N*sin(30 deg)", 2.5, kKnown, kForce},
      {"= 4 s*min(1, 2)", 4, kKnown, kTime},
      {"= 2 min", 120, kKnown, kTime},
      {"= sqrt(crank*crank)", 0.12, kKnown, kLength},
      {"= 0.3*cos(60 deg)", 0.15, kPure, {}},
      {"= atan2(crank, 12 cm)", pi / 4, kKnown, kAngle},
      {"= asin(0.5)", pi / 6, kPure, kNumber},
      {"= asin(0.5) + 0 deg", pi / 6, kKnown, kAngle},
      {"= max(crank, 200 mm)", 0.2, kKnown, kLength},
      {"= mass*crank^2", 0.0288, kKnown, kInertia},
      {"= crank/crank", 1, kKnown, kNumber},
      {"= alpha*crank + 1 m", 1.06, kKnown, {.m = 1, .rad = 1}},
      {"= crank^n", 0.001728, kKnown, kVolume},
      {"= crank^0", 1, kKnown, kNumber},
      {"= n^0.5", std::sqrt(3.0), kUnknown, {}},
      {"= -crank", -0.12, kKnown, kLength},
      {"30 deg", pi / 6, kKnown, kAngle},
  };
  for (const UnitCase& c : cases) {
    const Quantity quantity = value(c.text);
    EXPECT_NEAR(quantity.value, c.value, 1e-15 * std::max(1.0, std::abs(c.value))) << c.text;
    EXPECT_EQ(quantity.certainty, c.certainty) << c.text;
    if (c.certainty == kKnown) {
      EXPECT_EQ(quantity.dimension, c.dimension) << c.text;
    }
  }
}

TEST(Expression, RootOfStiffnessOverInertia_IsAFrequency_WhateverItsRadians) {
  const Quantity quantity = read_quantity("= sqrt(8 N*m/rad / 2 kg*m^2)", {}, kPlace);
  EXPECT_EQ(quantity, (Quantity{2.0, Certainty::kKnown, kFrequency}));
}

TEST(Expression, Mistakes_AreNamedWithTheirColumn) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"= crnk/2",
       "unknown name 'crnk' [f.yaml:5:12]: expected a parameter or 'pi', got 'crnk/2'. Did you mean "
       "'crank'?"},
      {"= 2*zzzz",
       "unknown name 'zzzz' [f.yaml:5:14]: expected a parameter or 'pi', got 'zzzz'. Declare it as a "
       "parameter."},
      {"= 3 m / s",
       "unknown name 's' [f.yaml:5:18]: expected a parameter, got a unit. Write a unit directly after its "
       "number and "
       "without spaces, such as '3 m/s'."},
      {"= 2*t",
       "the time 't' is not known here [f.yaml:5:14]: expected a value that does not change with time, got "
       "'t'. Use "
       "'t' only where a function of time is read."},
      {"= sine(1)",
       "unknown function 'sine' [f.yaml:5:12]: expected a function such as 'sin' or 'sqrt', got 'sine(1)'. "
       "Did you "
       "mean 'sin'?"},
      {"= crank(2)",
       "an operator is missing [f.yaml:5:17]: expected '*' or another operator after 'crank', got '('. Write "
       "'crank*(…)'."},
      {"= 2 crank",
       "an operator is missing [f.yaml:5:14]: expected '*' or another operator after the number, got "
       "'crank'. Write "
       "'2 * crank'."},
      {"= 2 min(1, 2)",
       "an operator is missing [f.yaml:5:14]: expected '*' or another operator after the number, got 'min'. "
       "Write '2 "
       "* min'."},
      {"= crank 2",
       "an operator is missing [f.yaml:5:18]: expected '+', '-', '*', '/' or '^', got '2'. Put an operator "
       "between "
       "the two values."},
      {"= 5 kg*m",
       "'m' can be a unit or a parameter [f.yaml:5:17]: expected one meaning, got '5 kg*m'. Put spaces "
       "around '*' if "
       "it is the parameter; rename the parameter if it is the unit."},
      {"= 5 Kg",
       "unknown unit 'Kg' [f.yaml:5:14]: expected a unit such as 'mm', 'kg*m^2' or 'rad/s', got 'Kg'. Did "
       "you mean "
       "'kg'?"},
      {"= 3 m^n",
       "a power after a unit is not clear [f.yaml:5:15]: expected a digit after '^', got 'n'. Put the value "
       "in "
       "parentheses: '(3 m)^…'."},
      {"= sin 1",
       "the function 'sin' has no argument [f.yaml:5:12]: expected '(', got ' 1'. Write 'sin(angle)'."},
      {"= atan2(1)",
       "the function 'atan2' has the wrong number of arguments [f.yaml:5:12]: expected 2, got 1. Write "
       "'atan2(y, "
       "x)'."},
      {"= max(1)",
       "the function 'max' has the wrong number of arguments [f.yaml:5:12]: expected 2 or more, got 1. Write "
       "'max(x, "
       "y)'."},
      {"= sin(1, 2)",
       "the function 'sin' has the wrong number of arguments [f.yaml:5:12]: expected 1, got 2. Write "
       "'sin(angle)'."},
      {"= (1 + 2",
       "a parenthesis is not closed [f.yaml:5:12]: expected ')', got the end of the text. Close it, or put "
       "an "
       "operator before."},
      {"= 1 + 2)", "an unmatched parenthesis [f.yaml:5:17]: expected '(' before it, got ')'. Remove it."},
      {"= 1 +",
       "an expression cannot be read [f.yaml:5:15]: expected a number, a name or '(', got the end of the "
       "text. Check "
       "the operators and parentheses."},
      {"=",
       "an expression cannot be read [f.yaml:5:11]: expected a number, a name or '(', got the end of the "
       "text. Check "
       "the operators and parentheses."},
      {"= 2 ** 3",
       "an expression cannot be read [f.yaml:5:15]: expected a number, a name or '(', got '* 3'. Check the "
       "operators "
       "and parentheses."},
      {"= crank + alpha",
       "'+' mixes different kinds [f.yaml:5:12]: expected two values of one kind, got 'crank', a length, and "
       "'alpha', "
       "an angle. Check the units of both."},
      {"= min(crank, 2 kg)",
       "'min' mixes different kinds [f.yaml:5:12]: expected two values of one kind, got 'crank', a length, "
       "and '2 "
       "kg', a mass. Check the units of both."},
      {"= sin(crank)",
       "an argument of 'sin' has a unit of the wrong kind [f.yaml:5:16]: expected an angle or a plain "
       "number, got "
       "'crank', a length. Divide it by a value of the same kind."},
      {"= sqrt(crank)",
       "a square root of a length [f.yaml:5:17]: expected a unit whose powers are even, such as 'm^2', got "
       "'crank' "
       "in m. Check the units in it."},
      {"= 2^crank",
       "an exponent has a unit [f.yaml:5:14]: expected a plain number, got 'crank', a length. Divide it by a "
       "value of "
       "the same kind."},
      {"= crank^0.5",
       "a power of a value with a unit [f.yaml:5:18]: expected a whole exponent from -99 to 99, got 0.5. Use "
       "a whole "
       "number, or sqrt."},
      {"= crank/(n - 3)",
       "a division by zero [f.yaml:5:18]: expected a divisor other than 0, got '(n - 3)' = 0. Check the "
       "divisor."},
      {"= 1/0",
       "a division by zero [f.yaml:5:14]: expected a divisor other than 0, got 0. Check the divisor."},
      {"= 0^-1",
       "a division by zero [f.yaml:5:12]: expected a base other than 0 for a negative power, got 0. Check "
       "the base."},
      {"= (1 - n)^0.5",
       "a power of a negative number [f.yaml:5:12]: expected a base of at least 0 for a power that is not "
       "whole, got "
       "'(1 - n)' = -2. Check the base."},
      {"= sqrt(1 - n)",
       "a square root of a negative number [f.yaml:5:17]: expected at least 0, got '1 - n' = -2. Check the "
       "argument."},
      {"= log(0)",
       "a logarithm of a number that is not positive [f.yaml:5:16]: expected more than 0, got 0. Check the "
       "argument."},
      {"= 1 + acos(n/2)",
       "an argument of 'acos' is out of range [f.yaml:5:21]: expected a number from -1 to 1, got 'n/2' = "
       "1.5. Check "
       "the argument."},
      {"= 2 + 1e200*1e200",
       "a result is too large [f.yaml:5:16]: expected a finite number, got '1e200*1e200'. Check the numbers "
       "in it."},
      {"= exp(1000)",
       "a result is too large [f.yaml:5:12]: expected a finite number, got 'exp(1000)'. Check the numbers in "
       "it."},
      {"= 1e400",
       "a number is out of range [f.yaml:5:12]: expected a magnitude between 1e-307 and 1e308, or 0, got "
       "'1e400'. Check its exponent."},
      {"= (crank^50)^2",
       "a unit has a power that is too large [f.yaml:5:12]: expected powers from -99 to 99, got "
       "'(crank^50)^2'. Check "
       "the exponents."},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(message(text), expected) << text;
  for (const char* text : {"= 0x10", "= 1_000", "= 2..3", "= .", "= a b", "= 1 = 2", "= @", "= ,", "= (,)",
                           "= sin()", "= \xC3\xB1", "= 2 \xC2\xB5m", "= 5 m^10", "= 5 m^2.5"}) {
    EXPECT_NE(message(text), "no error") << text;
  }
}

// A joint 'J', which is joule too, and an output 'N' of a plain number.
TEST(Expression, VariablesOfTheMechanism_AreNoUnits) {
  const ArgumentScope scope{[](const std::string& name) -> Argument {
    if (name == "J.v") return {0, core::kAngularVelocity};
    if (name == "N") return {1, kNumber};
    core::ErrorText none;
    none.what = "no such variable";
    throw core::ModelError(none);
  }};
  const std::vector<double> values{2.0, 5.0};
  const auto value_of = [&](const std::string& text) {
    return compile_formula(text, {}, scope, false, kPlace)
        .function.evaluate(0.0, std::span<const double>(values));
  };
  EXPECT_EQ(value_of("= 3 kg*J.v"), 6.0);
  EXPECT_EQ(value_of("= 3 kg*m^2/J.v*N"), 7.5);
  EXPECT_EQ(value_of("= 3 kg*J/J.v"), 1.5);
  EXPECT_EQ(compile_formula("= 3 kg*m^2*J.v", {}, scope, false, kPlace).measure.dimension,
            core::kInertia * core::kAngularVelocity);
  EXPECT_EQ(
      failure([&] { value_of("= 3 J.v"); }),
      "an operator is missing [f.yaml:5:14]: expected '*' or another operator after the number, got 'J'. "
      "Write '3 * J'.");
  EXPECT_EQ(
      failure([&] { value_of("= 3 kg*N"); }),
      "'N' can be a unit or a variable [f.yaml:5:17]: expected one meaning, got '3 kg*N'. Put spaces around "
      "'*' if it is the variable; rename the variable if it is the unit.");
}

TEST(Expression, ListsItsParametersOnce) {
  EXPECT_THAT(Expression::parse("= n + crank*n + pi", {kParameters, false}, kPlace).names(),
              testing::ElementsAre("n", "crank"));
}

TEST(Expression, ColumnIsThatOfTheScalar_WhereTheTextIsNotVerbatim) {
  const TextPlace folded{"f.yaml", {5, 10}, false, "body 'x'"};
  EXPECT_THAT(failure([&] { read_quantity("= 1 + zz", kParameters, folded); }),
              HasSubstr("[f.yaml:5:10, body 'x']"));
}

TEST(Expression, DepthAndLengthAreLimited) {
  const auto nested = [](std::size_t levels) {
    return "= " + std::string(levels, '(') + "1" + std::string(levels, ')');
  };
  EXPECT_EQ(value(nested(63)).value, 1.0);
  EXPECT_EQ(message(nested(64)),
            "an expression is nested too deeply [f.yaml:5:76]: expected at most 64 levels of parentheses, "
            "signs and "
            "powers, got more. Split it with parameters.");
  EXPECT_THAT(message("= " + std::string(5000, '-') + "1"), HasSubstr("nested too deeply"));
  std::string tower = "= 1";
  for (int k = 0; k < 2000; ++k) tower += "^1";
  EXPECT_THAT(message(tower), HasSubstr("nested too deeply"));
  EXPECT_EQ(
      message("= " + std::string(10'000, '1')),
      "an expression is too long [f.yaml:5:10]: expected at most 10000 characters, got 10002. Split it with "
      "parameters.");
  std::string sum = "= 0";
  for (int k = 0; k < 4998; ++k) sum += "+1";
  EXPECT_EQ(value(sum).value, 4998.0);
}

// ---- An evaluator that shares no code: shunting-yard over tokens ------------------------------------

/// Values, '(' ')' and the operators + - * / ^ and '~' for the sign.
double shunting_yard(const std::string& text, const std::map<std::string, double>& names) {
  std::vector<double> values;
  std::vector<char> operators;
  const auto rank = [](char c) {
    return c == '^' ? 4 : c == '~' ? 3 : (c == '*' || c == '/') ? 2 : c == '(' ? 0 : 1;
  };
  const auto reduce = [&] {
    const char c = operators.back();
    operators.pop_back();
    const double y = values.back();
    if (c == '~') {
      values.back() = -y;
      return;
    }
    values.pop_back();
    double& x = values.back();
    x = c == '+' ? x + y : c == '-' ? x - y : c == '*' ? x * y : c == '/' ? x / y : std::pow(x, y);
  };
  bool wants_value = true;
  for (std::size_t k = 0; k < text.size();) {
    const char c = text[k];
    if (c == ' ') {
      ++k;
    } else if (wants_value && (std::isdigit(c) || c == '.')) {
      std::size_t used = 0;
      values.push_back(std::stod(text.substr(k), &used));
      k += used;
      wants_value = false;
    } else if (wants_value && std::isalpha(c)) {
      std::size_t end = k;
      while (end < text.size() && std::isalnum(text[end])) ++end;
      values.push_back(names.at(text.substr(k, end - k)));
      k = end;
      wants_value = false;
    } else if (c == '(') {
      operators.push_back(c);
      ++k;
    } else if (c == ')') {
      while (operators.back() != '(') reduce();
      operators.pop_back();
      ++k;
    } else if (wants_value) {
      operators.push_back('~');
      ++k;
    } else {
      while (!operators.empty() &&
             (rank(operators.back()) > rank(c) || (rank(operators.back()) == rank(c) && c != '^'))) {
        reduce();
      }
      operators.push_back(c);
      wants_value = true;
      ++k;
    }
  }
  while (!operators.empty()) reduce();
  return values.back();
}

class RandomText {
 public:
  explicit RandomText(std::uint32_t seed) : engine_(seed) {}

  std::string expression(int depth) {
    std::string text = operand(depth);
    for (std::uint32_t k = below(4); k > 0; --k) {
      constexpr char kOperators[] = "+-*/^";
      const char c = kOperators[below(5)];
      const std::string space = below(2) == 0 ? "" : " ";
      text += space + std::string(1, c) + space;
      text += c == '^' ? std::to_string(below(4)) : operand(depth);
    }
    return text;
  }

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }

 private:
  std::string operand(int depth) {
    const std::uint32_t kind = below(depth > 0 ? 6 : 3);
    if (kind == 0) return std::to_string(below(1000)) + "." + std::to_string(below(1000));
    if (kind == 1) return "a";
    if (kind == 2) return "b2";
    if (kind == 3) return "-" + operand(depth - 1);
    return "(" + expression(depth - 1) + ")";
  }

  std::mt19937 engine_;
};

// crosscheck: the seed fixes the texts, so the verdict is repeatable.
TEST(Expression, AgreesWithShuntingYard_OnRandomTexts) {
  const Parameters parameters{{"a", {1.7, Certainty::kUnknown, {}}}, {"b2", {-0.3, Certainty::kUnknown, {}}}};
  const std::map<std::string, double> names{{"a", 1.7}, {"b2", -0.3}};
  RandomText random(20'240'517);
  int compared = 0;
  for (int k = 0; k < 5000; ++k) {
    const std::string text = random.expression(4);
    const double expected = shunting_yard(text, names);
    const std::string fault = failure([&] {
      EXPECT_EQ(read_quantity("= " + text, parameters, kPlace).value, expected) << text;
      ++compared;
    });
    if (std::isfinite(expected) && fault != "no error") {
      EXPECT_THAT(fault, testing::AnyOf(HasSubstr("division by zero"), HasSubstr("too large"))) << text;
    }
    if (!std::isfinite(expected)) {
      EXPECT_NE(fault, "no error") << text;
    }
  }
  EXPECT_GT(compared, 4500);
}

// ---- Functions of time --------------------------------------------------------------------------------

TimeExpression compiled(const std::string& text) { return compile_time_function(text, kParameters, kPlace); }

TEST(TimeExpression, IsTheSameFunctionAsBuiltInCpp) {
  const TimeFunction t = TimeFunction::time();
  EXPECT_EQ(compiled("= 0.1*sin(2*t)").function, 0.1 * sin(2 * t));
  EXPECT_EQ(compiled("= crank*t^2").function, 0.12 * pow(t, 2));
  EXPECT_EQ(compiled("= max(t, 1, 2*n)").function, max(max(t, 1), 6));
  EXPECT_EQ(compiled("= 2*3*t - -t").function, 6 * t - -t);
  EXPECT_EQ(compiled("2 rad/s").function, TimeFunction(2.0));
  EXPECT_DOUBLE_EQ(compiled("= 0.1*sin(2*pi*3 Hz*t)").function.evaluate(0.05),
                   0.1 * std::sin(0.3 * std::numbers::pi));
}

TEST(TimeExpression, TimeIsInSeconds_WhereUnitsAreWritten) {
  EXPECT_EQ(compiled("= 2 m/s*t").measure, (Measure{Certainty::kKnown, kLength}));
  EXPECT_EQ(compiled("= crank + 2 m/s*t").measure, (Measure{Certainty::kKnown, kLength}));
  EXPECT_EQ(compiled("= 5 rad/s*t + 30 deg").measure, (Measure{Certainty::kKnown, kAngle}));
  EXPECT_EQ(compiled("= 2*t").measure.certainty, Certainty::kUnknown);
  EXPECT_EQ(compiled("= 0.1*sin(t)").measure.certainty, Certainty::kPure);
  EXPECT_THAT(failure([] { compiled("= crank + t"); }), HasSubstr("'crank', a length, and 't', a time"));
  EXPECT_THAT(failure([] { compiled("= 30 deg + sin(t)"); }), HasSubstr("got 't', a time"));
}

TEST(TimeExpression, Mistakes_AreNamed) {
  EXPECT_EQ(failure([] { compiled("= 3 t"); }),
            "an operator is missing [f.yaml:5:14]: expected '*' or another operator after the number, got "
            "'t'. Write "
            "'3 * t'.");
  EXPECT_THAT(failure([] { compiled("= t/(n - 3)"); }), HasSubstr("a division by zero [f.yaml:5:14]"));
  EXPECT_THAT(failure([] { compiled("= crank^(t/1 s)"); }), HasSubstr("which changes with time"));
  std::string deep = "t";
  for (int k = 0; k < 40; ++k) deep = "(t + " + deep + ")";
  EXPECT_THAT(failure([&] { compiled("= " + deep); }),
              HasSubstr("a function of time is nested too deeply [f.yaml:5:52]: expected at most 32 values"));
  EXPECT_THROW(Expression::parse("= t", {kParameters, true}, kPlace).evaluate({}), core::ContractError);
  EXPECT_THROW(Expression::parse("= crank", {kParameters, false}, kPlace).evaluate({}), core::ContractError);
}

TEST(WriteExpression, UsesNoParenthesesThatAreNotNeeded) {
  for (const char* text : {"t",
                           "0.1*sin(2*t)",
                           "t - -5",
                           "-t^2",
                           "(-t)^2",
                           "t^-2",
                           "2^t^3",
                           "(2^t)^3",
                           "t - (t - 1)",
                           "t - 1 - t",
                           "t/(2*t)",
                           "t/2*t",
                           "-(t + 1)",
                           "-t*2",
                           "-(t*2)",
                           "--t",
                           "(-2)^t",
                           "-2*t",
                           "max(t, -1) + atan2(t + 1, -t)",
                           "1e-30*t",
                           "-5",
                           "abs(t)^0.5",
                           "t*-t",
                           "2^-t",
                           "0.1 + (t + 0.2)"}) {
    EXPECT_EQ(write_expression(compiled("= " + std::string(text)).function), text);
  }
}

TimeFunction random_function(RandomText& random, int depth) {
  using Operation = TimeFunction::Operation;
  const std::uint32_t kind = random.below(depth > 0 ? 23 : 2);
  if (kind == 0) return TimeFunction::time();
  if (kind == 1) return TimeFunction((static_cast<double>(random.below(2'000'001)) - 1e6) / 7e5);
  const auto operation =
      static_cast<Operation>(static_cast<std::uint32_t>(Operation::kAdd) + (kind - 2) % 19);
  const TimeFunction left = random_function(random, depth - 1);
  if (TimeFunction::operand_count(operation) == 1) {
    return left.is_constant() ? left : TimeFunction::apply(operation, left);
  }
  const TimeFunction right = random_function(random, depth - 1);
  if (left.is_constant() && right.is_constant()) return left;
  if (operation == Operation::kDivide && right.is_constant() && right.constant_value() == 0.0) return left;
  return TimeFunction::apply(operation, left, right);
}

TEST(WriteExpression, ReadsBackToTheSameProgram_ForRandomFunctions) {
  RandomText random(77);
  int with_time = 0;
  for (int k = 0; k < 3000; ++k) {
    const TimeFunction function = random_function(random, 6);
    const std::string text = write_expression(function);
    const TimeFunction again = compile_time_function("= " + text, {}, kPlace).function;
    EXPECT_EQ(again, function) << text;
    with_time += function.is_constant() ? 0 : 1;
  }
  EXPECT_GT(with_time, 1500);
}

TEST(Names, ReservedAndPossible) {
  EXPECT_TRUE(is_reserved_name("t") && is_reserved_name("pi") && is_reserved_name("atan2"));
  EXPECT_FALSE(is_reserved_name("crank") || is_reserved_name("mm"));
  EXPECT_TRUE(is_identifier("_a1"));
  EXPECT_FALSE(is_identifier("1a") || is_identifier("") || is_identifier("a-b"));
  EXPECT_TRUE(is_expression("  = 1"));
  EXPECT_FALSE(is_expression("1 = 1") || is_expression(""));
}

}  // namespace
}  // namespace eslabon::io
