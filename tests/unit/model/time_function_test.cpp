#include "eslabon/model/elements/time_function.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/allocation_counter.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::model {
namespace {

using core::Dual;
using testing::HasSubstr;

const TimeFunction t = TimeFunction::time();

struct Sample {
  TimeFunction function;
  std::function<double(double)> direct;  ///< the same, in plain C++
};

std::vector<Sample> samples() {
  return {
      {0.1 * sin(2 * t), [](double x) { return 0.1 * std::sin(2 * x); }},
      {t * t - 3 * t + 1, [](double x) { return x * x - 3 * x + 1; }},
      {cos(t) / (2 + sin(t)), [](double x) { return std::cos(x) / (2 + std::sin(x)); }},
      {exp(-t / 4) * tan(t / 9), [](double x) { return std::exp(-x / 4) * std::tan(x / 9); }},
      {sqrt(1 + t * t) + log(2 + t * t), [](double x) { return std::sqrt(1 + x * x) + std::log(2 + x * x); }},
      {pow(t, 3) + pow(t, -2), [](double x) { return x * x * x + 1 / (x * x); }},
      {pow(2 + cos(t), 2.5), [](double x) { return std::pow(2 + std::cos(x), 2.5); }},
      {pow(2 + cos(t), sin(t)), [](double x) { return std::pow(2 + std::cos(x), std::sin(x)); }},
      {asin(t / 9) - acos(t / 8), [](double x) { return std::asin(x / 9) - std::acos(x / 8); }},
      {atan(t) + atan2(t, 2 + t * t), [](double x) { return std::atan(x) + std::atan2(x, 2 + x * x); }},
      {min(t, 0.3) * max(t, 0.7), [](double x) { return std::min(x, 0.3) * std::max(x, 0.7); }},
      {-abs(t - 1), [](double x) { return -std::abs(x - 1); }},
      {TimeFunction(4.5), [](double) { return 4.5; }},
  };
}

constexpr double kTimes[] = {-2.3, -0.41, 0.17, 0.55, 1.9};

TEST(TimeFunction, EvaluatesLikeTheArithmeticItWasBuiltFrom) {
  std::size_t index = 0;
  for (const Sample& sample : samples()) {
    for (const double x : kTimes) {
      EXPECT_NEAR(sample.function.evaluate(x), sample.direct(x), 1e-14) << index;  // values are of order 1
    }
    ++index;
  }
}

// derivative: central differences of the independent C++ function; error h²·f'''/6 with f''' up to 10³.
TEST(TimeFunction, DualDerivativesMatchCentralDifferences) {
  std::size_t index = 0;
  for (const Sample& sample : samples()) {
    for (const double x : kTimes) {
      const double h = 6e-6 * std::max(1.0, std::abs(x));  // ε^(1/3)
      const double expected = (sample.direct(x + h) - sample.direct(x - h)) / (2 * h);
      const Dual<double> actual = sample.function.evaluate(Dual<double>(x, 1.0));
      EXPECT_NEAR(actual.derivative, expected, 200 * h * h * 1e3) << index << " at " << x;
      EXPECT_EQ(actual.value, sample.function.evaluate(x)) << index << " at " << x;
    }
    ++index;
  }
}

TEST(TimeFunction, SecondDerivativesComeFromNestedDuals) {
  using Second = Dual<Dual<double>>;
  const TimeFunction f = 0.1 * sin(2 * t) + pow(t, 3);
  const Second y = f.evaluate(Second(Dual<double>(0.7, 1.0), Dual<double>(1.0, 0.0)));
  EXPECT_NEAR(y.derivative.derivative, -0.4 * std::sin(1.4) + 6 * 0.7, 1e-14);
}

TEST(TimeFunction, IsComparedByWhatItDoes) {
  EXPECT_EQ(0.1 * sin(2 * t), TimeFunction::constant(0.1) * sin(TimeFunction(2.0) * TimeFunction::time()));
  EXPECT_NE(0.1 * sin(2 * t), 0.1 * cos(2 * t));
  EXPECT_NE(2 * t, 3 * t);
  EXPECT_NE(t + 1, 1 + t);
}

TEST(TimeFunction, OperationsOnNumbers_AreDoneWhileBuilding) {
  const TimeFunction f = sqrt(TimeFunction(4.0)) * 3 + pow(TimeFunction(2.0), 3.0);
  EXPECT_TRUE(f.is_constant());
  EXPECT_EQ(f.constant_value(), 14.0);
  EXPECT_EQ(f.program().size(), 1U);
  EXPECT_EQ((TimeFunction(2.0) * 3 * t).program().size(), 3U);
  EXPECT_EQ(TimeFunction().constant_value(), 0.0);
  EXPECT_FALSE((0 * t).is_constant());
}

TEST(TimeFunction, EvaluatingDoesNotAllocate) {
  if (!test::kCanCountAllocations) GTEST_SKIP() << "no glibc, or a sanitizer";
  const TimeFunction f = 0.1 * sin(2 * t) + pow(t, 2) / (1 + t * t);
  double sum = 0.0;
  EXPECT_EQ(test::count_allocations([&] {
              for (const double x : kTimes)
                sum += f.evaluate(x) + f.evaluate(Dual<double>(x, 1.0)).derivative;
            }),
            0);
  EXPECT_TRUE(std::isfinite(sum));
}

template <class Action>
std::string failure(Action action) {
  try {
    action();
  } catch (const core::ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TimeFunction, DeepestAllowedNesting_IsEvaluatedAndOneMoreIsRefused) {
  TimeFunction f = t;
  double expected = 0.5;
  for (int depth = 1; depth < TimeFunction::kMaxDepth; ++depth) {
    f = t + f;  // the right side waits while the left one lies on the stack
    expected = 0.5 + expected;
  }
  EXPECT_EQ(f.depth(), TimeFunction::kMaxDepth);
  EXPECT_EQ(f.evaluate(0.5), expected);
  EXPECT_EQ(failure([&] { return t + f; }),
            "a function of time is too complex [TimeFunction]: expected at most 32 values at once, got 33. "
            "Simplify "
            "it: nest the operations to the left, or use fewer.");
  EXPECT_EQ((f + t).depth(), TimeFunction::kMaxDepth);
}

TEST(TimeFunction, LengthIsBounded) {
  TimeFunction f = t;
  for (int k = 0; k < 12; ++k) f = f + f;  // 2¹³ − 1 instructions
  EXPECT_EQ(f.program().size(), 8191U);
  EXPECT_THAT(failure([&] { return f + f; }), HasSubstr("expected at most 10000 instructions, got 16383"));
}

TEST(TimeFunction, ShiftedLosesNoDigitsToAConstantTerm) {
  const TimeFunction wave = 0.25 * sin(2.0 * t);
  for (const TimeFunction& far : {1e7 + wave, wave + 1e7, 1e7 - (-wave), wave - (t - 1e7) + t})
    EXPECT_NEAR(far.shifted(-1e7).evaluate(0.3), wave.evaluate(0.3), 1e-15);
  EXPECT_EQ((1e7 - wave).shifted(-1e7).evaluate(0.3), -wave.evaluate(0.3));
  EXPECT_EQ(wave.shifted(2.0).evaluate(0.3), wave.evaluate(0.3) + 2.0);  // has none
  EXPECT_EQ((2.0 * (1.0 + t)).shifted(3.0).evaluate(0.5), 6.0);          // the 1 is no term
  EXPECT_EQ(pow(t, 2.0).shifted(3.0).evaluate(2.0), 7.0);
  EXPECT_EQ(TimeFunction(4.0).shifted(-1.0), TimeFunction(3.0));
  EXPECT_EQ((0.5 + wave - 1e7).shifted(1e7).evaluate(0.3), 0.5 + wave.evaluate(0.3));  // not the first one
  EXPECT_NEAR((-(wave - 1e7)).shifted(-1e7).evaluate(0.3), -wave.evaluate(0.3), 1e-15);
}

TEST(TimeFunction, BrokenContracts_AreNamed) {
  EXPECT_EQ(
      failure([] { return TimeFunction(std::numeric_limits<double>::infinity()); }),
      "a function of time is not a finite number [TimeFunction]: expected a finite value, got inf. Check the "
      "numbers and operations it is built from.");
  EXPECT_THAT(failure([] { return TimeFunction(1.0) / 0.0; }), HasSubstr("got inf"));
  EXPECT_THAT(failure([] { return log(TimeFunction(-1.0)); }), HasSubstr("nan"));
  EXPECT_THAT(failure([] { return t.constant_value(); }), HasSubstr("Ask is_constant() first"));
  EXPECT_EQ(failure([] { return TimeFunction::apply(TimeFunction::Operation::kAdd, t); }),
            "an operation got the wrong number of functions [TimeFunction::apply]: expected 2, got 1. Call "
            "the overload "
            "that fits the operation.");
  EXPECT_THAT(failure([] { return TimeFunction::apply(TimeFunction::Operation::kSine, t, t); }),
              HasSubstr("expected 1, got 2"));
}

}  // namespace
}  // namespace eslabon::model
