#include "eslabon/io/quantities/quantity.hpp"

#include <clocale>
#include <cmath>
#include <locale>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/io/quantities/unit.hpp"

namespace eslabon::io {
namespace {

const TextPlace kPlace{"f.yaml", {5, 22}, true, "body 'crank'"};

std::string message(const std::string& text) {
  try {
    parse_quantity(text, kPlace);
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

struct ReadCase {
  std::string text;
  double value;
  Dimension dimension;
};

TEST(Quantity, NumbersWithUnits_AreReadInSi) {
  const double pi = std::numbers::pi;
  const std::vector<ReadCase> cases{
      {"120 mm", 0.12, kLength},
      {"120mm", 0.12, kLength},
      {"  +2.5 cm ", 0.025, kLength},
      {"1 in", 0.0254, kLength},
      {"1 ft", 0.3048, kLength},
      {"3 um", 3e-6, kLength},
      {"30 deg", pi / 6, kAngle},
      {"0.5 rev", pi, kAngle},
      {"5 mrad", 5e-3, kAngle},
      {"2700 rpm", 90 * pi, kAngularVelocity},
      {"9.81 m/s^2", 9.81, kAcceleration},
      {"36 km/h", 10.0, kVelocity},
      {"-2 kg", -2.0, kMass},
      {"1 lb", 0.45359237, kMass},
      {"250 ms", 0.25, kTime},
      {"2 min", 120.0, kTime},
      {"100 Hz", 100.0, kFrequency},
      {"2 1/s", 2.0, kFrequency},
      {"2 s^-1", 2.0, kFrequency},
      {"3 kN", 3000.0, kForce},
      {"5 Nm", 5.0, kTorque},
      {"5 N*m", 5.0, kTorque},
      {"5 J", 5.0, kTorque},
      {"2 kW", 2000.0, kPower},
      {"2 MPa", 2e6, kPressure},
      {"40 N*s/m", 40.0, kDamping},
      {"30 N*m/rad", 30.0, kTorsionalStiffness},
      {"0.02 kg*m^2", 0.02, kInertia},
      {"7850 kg/m^3", 7850.0, kDensity},
      {"1 N/m/s", 1.0, {.kg = 1, .s = -3}},
  };
  for (const ReadCase& c : cases) {
    const Quantity quantity = parse_quantity(c.text, kPlace);
    EXPECT_NEAR(quantity.value, c.value, 4e-16 * std::abs(c.value)) << c.text;
    EXPECT_EQ(quantity.certainty, Certainty::kKnown) << c.text;
    EXPECT_EQ(quantity.dimension, c.dimension) << c.text;
  }
}

TEST(Quantity, BareNumbers_AreExactAndPure) {
  for (const auto& [text, value] :
       std::vector<std::pair<std::string, double>>{{"0", 0.0},
                                                   {"-1e-3", -1e-3},
                                                   {".5", 0.5},
                                                   {"5.", 5.0},
                                                   {"+7", 7.0},
                                                   {"0.1", 0.1},
                                                   {"1.7976931348623157e308", 1.7976931348623157e308},
                                                   {"4.9e-324", 4.9e-324},
                                                   {"1E+2", 100.0}}) {
    EXPECT_EQ(parse_quantity(text, kPlace), (Quantity{value, Certainty::kPure, {}})) << text;
  }
}

TEST(Quantity, WhatIsNoNumber_IsRefusedWithTheReason) {
  const std::string at = " [f.yaml:5:22, body 'crank']";
  const std::string shape = "expected a number such as '12.5', '-1e-3' or '120 mm', got ";
  const std::string advice = ". Write digits, then the unit; an expression starts with '='.";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"",
       "a number is missing" + at + ": expected a number with or without a unit, got ''. Give it a value."},
      {"nan", "a number is not finite" + at + ": expected a finite number, got 'nan'. Give it a value."},
      {"-.inf", "a number is not finite" + at + ": expected a finite number, got '-.inf'. Give it a value."},
      {"Infinity",
       "a number is not finite" + at + ": expected a finite number, got 'Infinity'. Give it a value."},
      {"1e400",
       "a number is out of range" + at +
           ": expected a magnitude between 1e-307 and 1e308, or 0, got '1e400'. Check its exponent."},
      {"1e-400",
       "a number is out of range" + at +
           ": expected a magnitude between 1e-307 and 1e308, or 0, got '1e-400'. Check its exponent."},
      {"1e308 km", "a number is out of range" + at +
                       ": expected a finite number in SI units, got '1e308 km'. Check its exponent."},
      {"0x10",
       "a number is hexadecimal" + at + ": expected decimal digits, got '0x10'. Write it in decimal."},
      {"1_000",
       "a number has a digit separator" + at + ": expected digits only, got '1_000'. Remove the '_'."},
      {"1,5",
       "a number has a comma" + at + ": expected a decimal point, got '1,5'. Write '.' before the decimals."},
      {"1.2.3",
       "a number has two points" + at + ": expected one decimal point, got '1.2.3'. Remove one of them."},
      {"crank/2", "text where a number is needed" + at +
                      ": expected a number with or without a unit, got 'crank/2'. Write '= crank/2' if it is "
                      "an expression "
                      "with parameters."},
      {"--5", "a number cannot be read" + at + ": " + shape + "'--5'" + advice},
      {".", "a number cannot be read" + at + ": " + shape + "'.'" + advice},
      {"2*3", "arithmetic without '='" + at +
                  ": expected a number with a unit, got '2*3'. Write '= ' before an "
                  "expression."},
      {"5 furlong",
       "unknown unit 'furlong' [f.yaml:5:24, body 'crank']: expected a unit such as 'mm', 'kg*m^2' or "
       "'rad/s', got 'furlong'. Use units of length, mass, time, angle, force, energy, power, pressure or "
       "frequency."},
      {"5 Mm",
       "unknown unit 'Mm' [f.yaml:5:24, body 'crank']: expected a unit such as 'mm', 'kg*m^2' or 'rad/s', "
       "got "
       "'Mm'. Did you mean 'mm'?"},
      {"250 g",
       "unknown unit 'g' [f.yaml:5:26, body 'crank']: expected a unit such as 'mm', 'kg*m^2' or 'rad/s', got "
       "'g'. Write '0.25 kg' for 250 grams, or '9.81 m/s^2' for gravity: 'g' alone could be either."},
      {"-30 \xC2\xB0",
       "unknown unit '\xC2\xB0' [f.yaml:5:26, body 'crank']: expected a unit such as 'mm', 'kg*m^2' "
       "or 'rad/s', got '\xC2\xB0'. Write 'deg'."},
      {"3 m / s",
       "a unit cannot be read [f.yaml:5:24, body 'crank']: expected names with '*', '/' and powers of one "
       "digit, such as 'kg*m^2' or 'N*s/m', got 'm / s'. Write it without spaces and parentheses."},
      {"3 m^10",
       "a unit cannot be read [f.yaml:5:24, body 'crank']: expected names with '*', '/' and powers of one "
       "digit, such as 'kg*m^2' or 'N*s/m', got 'm^10'. Write it without spaces and parentheses."},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(message(text), expected) << text;
  for (const char* text : {"3 m/", "3 *m", "3 m**2", "3 m^", "3 m^0", "3 m^-", "1 000", "3 1/", "3 (m)"}) {
    EXPECT_NE(message(text), "no error") << text;
  }
}

/// Numbers as in Spanish: 1.234,5. Needs no locale to be installed.
class DecimalComma : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Quantity, DoesNotDependOnTheLocale) {
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  for (const char* name : {"de_DE.UTF-8", "es_ES.UTF-8"}) std::setlocale(LC_ALL, name);
  const double value = parse_quantity("1.5 mm", kPlace).value;
  const std::string large = message("1e4000 mm");
  const std::string comma = message("1,5");
  std::locale::global(before);
  std::setlocale(LC_ALL, c_before.c_str());
  EXPECT_EQ(value, 1.5 * 1e-3);
  EXPECT_EQ(large, message("1e4000 mm"));
  EXPECT_EQ(comma, message("1,5"));
}

TEST(Dimension, HasNamesAndSiUnits) {
  EXPECT_EQ(kind_name(kInertia), "a moment of inertia");
  EXPECT_EQ(si_unit(kInertia), "kg*m^2");
  EXPECT_EQ(kind_name(kStiffness), "a stiffness");
  EXPECT_EQ(kind_name(kAngularVelocity), "an angular velocity");
  EXPECT_EQ(kind_name(kNumber), "a plain number");
  EXPECT_EQ(si_unit({.kg = 1, .m = 1, .s = -3, .rad = -1}), "kg*m/rad/s^3");
  EXPECT_EQ(kind_name({.s = -3}), "a quantity in 1/s^3");
  EXPECT_EQ(example_text({.kg = 2}), "1 kg^2");
  EXPECT_EQ(power(kVelocity, -2), (Dimension{.m = -2, .s = 2}));
}

TEST(Dimension, EveryExample_IsReadAsItsOwnKind) {
  for (const Dimension& kind : {kMass,
                                kLength,
                                kTime,
                                kAngle,
                                kArea,
                                kVolume,
                                kFrequency,
                                kVelocity,
                                kAcceleration,
                                kAngularVelocity,
                                kAngularAcceleration,
                                kInertia,
                                kDensity,
                                kForce,
                                kTorque,
                                kPower,
                                kPressure,
                                kStiffness,
                                kDamping,
                                kTorsionalStiffness,
                                kTorsionalDamping,
                                Dimension{.kg = 1, .m = 1, .s = -3, .rad = -1}}) {
    EXPECT_EQ(parse_quantity(example_text(kind), kPlace).dimension, kind) << kind_name(kind);
    EXPECT_EQ(parse_unit(si_unit(kind), ""), (Unit{1.0, kind})) << kind_name(kind);
  }
}

std::string check(const std::string& text, const Dimension& expected, bool is_expression = false) {
  const Quantity quantity = parse_quantity(text, kPlace);
  try {
    check_dimension(quantity.measure(), expected, {"mass", text, kPlace.where(), is_expression});
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "fits";
}

TEST(DimensionCheck, NamesBothKinds) {
  EXPECT_EQ(check("30 mm", kMass),
            "mass has a unit of the wrong kind [f.yaml:5:22, body 'crank']: expected a mass such as '2 kg', "
            "got '30 "
            "mm', a length. Write a mass, or a bare number in kg.");
  EXPECT_EQ(check("30 mm", kNumber),
            "mass has a unit of the wrong kind [f.yaml:5:22, body 'crank']: expected a plain number such as "
            "'0.5', got "
            "'30 mm', a length. Write it without a unit.");
}

TEST(DimensionCheck, RadiansMatter_ExceptInAnExpression) {
  EXPECT_EQ(check("3 Hz", kFrequency), "fits");
  EXPECT_NE(check("3 Hz", kAngularVelocity), "fits");
  EXPECT_EQ(check("3 Hz", kAngularVelocity, true), "fits");
  EXPECT_NE(check("3 m", kAngle, true), "fits");
  EXPECT_NE(check("5 N*m", kTorsionalStiffness), "fits");
}

TEST(DimensionCheck, WithoutAUnit_EverythingFits) {
  EXPECT_EQ(check("3", kMass), "fits");
  EXPECT_NO_THROW(check_dimension({Certainty::kUnknown, {}}, kMass, {}));
}

}  // namespace
}  // namespace eslabon::io
