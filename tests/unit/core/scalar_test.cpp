#include "eslabon/core/scalar/scalar.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

static_assert(Scalar<double> && Scalar<Dual<double>> && Scalar<Dual<Dual<double>>>);
static_assert(!Scalar<float> && !Scalar<int> && !Scalar<Dual<float>>);
static_assert(NumericScalar<double> && NumericScalar<Dual<Dual<double>>>);
static_assert(Scalar<Traced> && !NumericScalar<Traced> && !NumericScalar<Dual<Dual<Traced>>>);

#define ESLABON_CHECK_LISTED(T) static_assert(Scalar<T>);
ESLABON_FOR_EACH_SCALAR(ESLABON_CHECK_LISTED)
#undef ESLABON_CHECK_LISTED

TEST(ScalarList, HasThreeNumbersAndTracedOnes) {
  int count = 0;
#define ESLABON_COUNT(T) ++count;
  ESLABON_FOR_EACH_SCALAR(ESLABON_COUNT)
#undef ESLABON_COUNT
  EXPECT_EQ(count, 4);
}

TEST(ValueOf, StripsEveryDerivative) {
  EXPECT_EQ(value_of(2.5), 2.5);
  EXPECT_EQ(value_of(Dual<double>(2.5, 7.0)), 2.5);
  EXPECT_EQ(value_of(Dual<Dual<double>>(Dual<double>(2.5, 7.0), Dual<double>(8.0, 9.0))), 2.5);
}

TEST(SelectLess, ChoosesLikeAnIf) {
  EXPECT_EQ(select_less(1.0, 2.0, 10.0, 20.0), 10.0);
  EXPECT_EQ(select_less(2.0, 2.0, 10.0, 20.0), 20.0);
  EXPECT_EQ(select_less(3.0, 2.0, 10.0, 20.0), 20.0);
  EXPECT_EQ(select_less(std::nan(""), 2.0, 10.0, 20.0), 20.0);
}

}  // namespace
}  // namespace eslabon::core
