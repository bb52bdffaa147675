// Derivatives that are written down against dual numbers, and against what is known of a few.
#include "eslabon/model/elements/time_derivative.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/core/scalar/scalar.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::model {
namespace {

const TimeFunction t = TimeFunction::time();

std::vector<TimeFunction> functions() {
  return {3.0,
          2.0 * t + 1.0,
          t * t * t,
          pow(t, 2.5),
          pow(1.5 + t, t),
          pow(2.0, t),
          sin(3.0 * t) * cos(t),
          tan(0.3 * t),
          asin(0.2 * t) - acos(0.3 * t) + atan(t * t),
          sqrt(1.0 + t * t) / exp(-t),
          log(2.0 + sin(t)),
          abs(sin(4.0 * t)),
          atan2(sin(t), 1.0 + t),
          min(t, 0.5 + 0.1 * t),
          max(t, 0.5 + 0.1 * t),
          where(t - 0.5, t * t) + where_not(t - 0.5, sin(t)),
          -t / (1.0 + t)};
}

TEST(TimeDerivative, IsThatOfDualNumbers) {
  for (const TimeFunction& f : functions()) {
    const TimeFunction rate = derivative(f);
    for (const double at : {0.13, 0.4, 0.77, 1.9}) {
      const double expected = f.evaluate(core::Dual<double>(at, 1.0)).derivative;
      EXPECT_NEAR(rate.evaluate(at), expected, 1e-14 * (1.0 + std::abs(expected))) << at;
    }
  }
}

TEST(TimeDerivative, OfStraightLinesAndConstantsAreNumbers) {
  EXPECT_EQ(derivative(3.0), TimeFunction(0.0));
  EXPECT_EQ(derivative(5.0 * t - 2.0), TimeFunction(5.0));
  EXPECT_EQ(derivative(sin(t)), cos(t));
}

TEST(TimeDerivative, OfAFunctionOfArgumentsIsRefused) {
  EXPECT_THROW(static_cast<void>(derivative(t * TimeFunction::argument(0))), core::ContractError);
}

}  // namespace
}  // namespace eslabon::model
