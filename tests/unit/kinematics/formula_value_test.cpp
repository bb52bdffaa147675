// Formulas of a file as variables: written and read back, derivatives by dual numbers, angles beyond half a turn.
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {
namespace {

model::Mechanism arm(const std::string& outputs) {
  return io::read_mechanism(
      "mechanism: m\nground: {points: {O: [0, 0, 0]}, axes: {up: [0, 0, 1]}}\n"
      "bodies: {arm-1: {points: {O: [0, 0, 0], P: [2, 0, 0]}, axes: {spin: [0, 3, 0]}}}\n"
      "joints: {A: {revolute: [ground.O, arm-1.O], axis: [0, 0, 1]}}\noutputs: " +
          outputs + "\n",
      "m.yaml");
}

/// The arm turned by an angle, at a rate.
template <class T>
coordinates::MechanismMotionOf<T> turned(const T& angle, const T& rate) {
  using std::cos, std::sin;
  coordinates::MechanismMotionOf<T> motion(2);
  core::Matrix3<T> R = core::Matrix3<T>::Identity();
  R(0, 0) = cos(angle);
  R(1, 0) = sin(angle);
  R(0, 1) = -R(1, 0);
  R(1, 1) = R(0, 0);
  motion[1].X_WB.R_AB = core::Rotation<T>::from_matrix(R);
  motion[1].w_WB_W.z() = rate;
  return motion;
}

constexpr const char* kAll =
    "[A.q, {y: '= 3*{arm-1.P.y}^2'}, {twice: = 2*y}, {tilt: '= atan2({arm-1.spin.y}, {arm-1.spin.x})'}, "
    "{law: = -A.q^3}, {drag: = -A.v*abs(A.v)}]";

TEST(FormulaValue, FollowsTheArithmetic) {
  const model::Mechanism mechanism = arm(kAll);
  const auto motion = turned(0.4, 1.5);
  const auto value = [&](const char* name) {
    return value_of(mechanism, model::find_variable(mechanism, name), motion);
  };
  EXPECT_NEAR(value("y"), 3.0 * 4.0 * std::sin(0.4) * std::sin(0.4), 1e-14);
  EXPECT_NEAR(value("twice"), 2.0 * value("y"), 1e-14);
  EXPECT_NEAR(value("tilt"), 0.4 + 0.5 * std::numbers::pi, 1e-14);
  EXPECT_NEAR(value("law"), -0.064, 1e-14);
  EXPECT_NEAR(value("drag"), -2.25, 1e-14);
  EXPECT_EQ(model::unit(mechanism, model::find_variable(mechanism, "y")), "m^2");
  EXPECT_EQ(model::unit(mechanism, model::find_variable(mechanism, "tilt")), "rad");
}

// derivative: of the closed forms, by the angle.
TEST(FormulaValue, HasDerivativesByDualNumbers) {
  using Dual = core::Dual<double>;
  const model::Mechanism mechanism = arm(kAll);
  const auto motion = turned(Dual(0.4, 1.0), Dual(1.5));
  const auto slope = [&](const char* name) {
    return value_of(mechanism, model::find_variable(mechanism, name), motion).derivative;
  };
  EXPECT_NEAR(slope("y"), 3.0 * 4.0 * std::sin(0.8), 1e-13);
  EXPECT_NEAR(slope("tilt"), 1.0, 1e-13);
  EXPECT_NEAR(slope("law"), -3.0 * 0.16, 1e-13);
}

TEST(FormulaValue, OfAnAngleGoesOnBeyondHalfATurn) {
  const model::Mechanism mechanism = arm("{twice: = 2*A.q}");
  VariableRecorder recorder(mechanism, mechanism.outputs());
  std::vector<double> value(1);
  for (int k = 0; k <= 40; ++k) {
    recorder.record(0.1 * k, turned(0.25 * k, 2.5), value);
    EXPECT_NEAR(value[0], 0.5 * k, 1e-12);
  }
}

TEST(FormulaValue, WrittenAndReadAgain_IsTheSame) {
  const model::Mechanism mechanism = arm(kAll);
  ASSERT_EQ(mechanism.formulas().size(), 5u);
  EXPECT_EQ(io::read_mechanism(io::write_mechanism(mechanism), "again.yaml"), mechanism);
}

}  // namespace
}  // namespace eslabon::kinematics
