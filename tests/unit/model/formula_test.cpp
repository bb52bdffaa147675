// A function of variables and time: for doubles and dual numbers, and what is said where it has no value.
#include "eslabon/model/variables/formula.hpp"

#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/model/mechanism_builder.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::model {
namespace {

Mechanism two_bars() {
  MechanismBuilder builder("two bars", Space::kPlanar);
  builder.add_ground_point("O", {0, 0, 0});
  builder.add_body({.name = "a", .points = {{"O", {0, 0, 0}}, {"P", {1, 0, 0}}}});
  builder.add_body({.name = "b", .points = {{"P", {0, 0, 0}}}});
  builder.add_joint({"A", JointType::kRevolute, "ground.O", "a.O"});
  builder.add_joint({"B", JointType::kRevolute, "a.P", "b.P"});
  builder.add_driver({"motor", "A.q", DriverLevel::kPosition, TimeFunction::time()});
  return builder.build();
}

/// −2 A.q³ + t B.v |B.v|
Formula law(const Mechanism& mechanism) {
  const TimeFunction q = TimeFunction::argument(0), v = TimeFunction::argument(1), t = TimeFunction::time();
  return {"law",
          -2.0 * pow(q, 3.0) + t * v * abs(v),
          {find_variable(mechanism, "A.q"), find_variable(mechanism, "B.v")},
          core::kTorque};
}

template <class T>
T value_of_law(const Formula& formula, const T& t, const T& q, const T& v) {
  return evaluate(formula, t, [&](const Variable& variable) {
    return variable.kind == VariableKind::kJointPosition ? q : v;
  });
}

TEST(Formula, IsAFunctionOfItsVariablesAndOfTime) {
  const Formula formula = law(two_bars());
  EXPECT_TRUE(formula.function.depends_on_time());
  EXPECT_EQ(value_of_law(formula, 0.5, 3.0, -2.0), -2.0 * 27.0 + 0.5 * -4.0);
}

// derivative: of the closed form.
TEST(Formula, HasDerivativesByDualNumbers) {
  const Formula formula = law(two_bars());
  using Dual = core::Dual<double>;
  EXPECT_NEAR(value_of_law(formula, Dual(0.5), Dual(3.0, 1.0), Dual(-2.0)).derivative, -6.0 * 9.0, 1e-12);
  EXPECT_NEAR(value_of_law(formula, Dual(0.5), Dual(3.0), Dual(-2.0, 1.0)).derivative, 0.5 * 2.0 * 2.0,
              1e-12);
  EXPECT_NEAR(value_of_law(formula, Dual(0.5, 1.0), Dual(3.0), Dual(-2.0)).derivative, -4.0, 1e-12);
}

TEST(Formula, WithoutAValue_IsNamedWithItsVariables) {
  const Mechanism mechanism = two_bars();
  const Formula formula{
      "ratio", 1.0 / TimeFunction::argument(0), {find_variable(mechanism, "A.q")}, core::kNumber};
  const double values[] = {0.0};
  EXPECT_EQ(core::to_sentence(no_value(mechanism, formula, "output", 0.25, values)),
            "a formula has no value [output 'ratio', t = 0.25 s]: expected a finite number, got inf with A.q "
            "= 0 rad. Check "
            "divisions, roots and logarithms in it.");
}

TEST(Formula, IsAVariableOfItsMechanism) {
  const Mechanism mechanism = with_formula(two_bars(), law(two_bars()));
  const Variable variable = find_variable(mechanism, "law");
  EXPECT_EQ(variable.kind, VariableKind::kFormula);
  EXPECT_EQ(name(mechanism, variable), "law");
  EXPECT_EQ(unit(mechanism, variable), "N*m");
  EXPECT_FALSE(is_position(variable));
  EXPECT_FALSE(is_rate(variable));
  EXPECT_EQ(with_outputs(mechanism, {"A.q", "law"}).outputs()[1], variable);
}

TEST(Formula, OfAForceIsOne_AndGoesWithItsDriver) {
  Mechanism mechanism = two_bars();
  mechanism =
      with_formula(mechanism, {"power",
                               TimeFunction::argument(0) * TimeFunction::argument(1),
                               {find_variable(mechanism, "motor.effort"), find_variable(mechanism, "A.v")},
                               core::kPower});
  mechanism = with_formula(
      mechanism,
      {"half", 0.5 * TimeFunction::argument(0), {find_variable(mechanism, "power")}, core::kPower});
  mechanism = with_formula(
      mechanism, {"turn", 2.0 * TimeFunction::argument(0), {find_variable(mechanism, "A.q")}, core::kAngle});
  EXPECT_EQ(find_variable(mechanism, "power").kind, VariableKind::kForceFormula);
  EXPECT_EQ(find_variable(mechanism, "half").kind, VariableKind::kForceFormula);
  const Mechanism released = without_drivers(with_outputs(mechanism, {"half", "turn", "A.q"}), {"motor"});
  ASSERT_EQ(released.formulas().size(), 1u);
  ASSERT_EQ(released.outputs().size(), 2u);
  EXPECT_EQ(name(released, released.outputs()[0]), "turn");
  EXPECT_FALSE(released.find("power").has_value());
}

TEST(Formula, HasANameOfItsOwn) {
  const Mechanism mechanism = two_bars();
  EXPECT_EQ(test::sentence_of<core::ModelError>([&] {
              static_cast<void>(with_formula(mechanism, {"A", TimeFunction(1.0), {}, core::kNumber}));
            }),
            "an element has the name of a formula [output 'A']: expected a name that nothing else has, got "
            "'A'. Rename the "
            "formula.");
}

}  // namespace
}  // namespace eslabon::model
