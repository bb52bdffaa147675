#include "eslabon/core/text/number_text.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace eslabon::core {
namespace {

TEST(NumberText, IsWhatAPersonWouldType) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-3.0), "-3");
  EXPECT_EQ(number_text(1e30), "1e+30");
  EXPECT_EQ(number_text(std::nan("")), "nan");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(NumberText, ReadsBackToTheSameNumber) {
  for (double x : {1.0 / 3.0, 0.1 + 0.2, -2.2250738585072014e-308, 4.9e-324, 1.7976931348623157e308}) {
    EXPECT_EQ(std::strtod(number_text(x).c_str(), nullptr), x);
  }
}

}  // namespace
}  // namespace eslabon::core
