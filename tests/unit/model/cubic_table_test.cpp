// Cubics through points: exact on cubics, as smooth as they say, right to the fourth power of the distance of the points, the same for
// every scalar, and through functions of time.
#include "eslabon/core/geometry/cubic_table.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/elements/time_derivative.hpp"
#include "eslabon/model/elements/time_function.hpp"

namespace eslabon::model {
namespace {

using core::CubicTable;
using Ends = CubicTable::Ends;
using Jet = core::Dual<core::Dual<double>>;
using std::numbers::pi;

double cubic(double x) { return 2.0 - x + 0.7 * x * x - 0.3 * x * x * x; }

/// Points of unequal distances.
std::vector<CubicTable::Point> points_of(double (*f)(double), double first, double last, int count) {
  std::vector<CubicTable::Point> points;
  for (int i = 0; i <= count; ++i) {
    const double s = static_cast<double>(i) / count;
    const double x = first + (last - first) * (s + 0.08 * std::sin(2.0 * pi * s));
    points.emplace_back(x, f(x));
  }
  return points;
}

// order: through points of a cubic it is that cubic, in all derivatives, up to the ends.
TEST(CubicTable, ThroughPointsOfACubicIsThatCubic) {
  for (const int count : {3, 4, 9}) {
    const CubicTable table(points_of(cubic, -1.0, 2.0, count), Ends::kParabola);
    for (const double x : {-1.0, -0.99, 0.1, 0.77, 1.9, 2.0}) {
      EXPECT_NEAR(table.evaluate(x, 0), cubic(x), 1e-13);
      EXPECT_NEAR(table.evaluate(x, 1), -1.0 + 1.4 * x - 0.9 * x * x, 1e-12);
      EXPECT_NEAR(table.evaluate(x, 2), 1.4 - 1.8 * x, 1e-11);
      EXPECT_NEAR(table.evaluate(std::min(x, 1.99), 3), -1.8, 1e-10);
    }
  }
}

TEST(CubicTable, ThroughThreePointsIsAParabolaAndThroughTwoALine) {
  const CubicTable parabola({{0.0, 0.0}, {1.0, 1.0}, {3.0, 9.0}}, Ends::kParabola);
  EXPECT_NEAR(parabola.evaluate(2.5, 0), 6.25, 1e-14);
  EXPECT_NEAR(parabola.evaluate(-1.0, 0), 1.0, 1e-14);
  const CubicTable line({{1.0, 2.0}, {2.0, 5.0}}, Ends::kParabola);
  EXPECT_NEAR(line.evaluate(1.5, 0), 3.5, 1e-15);
  EXPECT_EQ(line.evaluate(1.5, 2), 0.0);
}

double wave(double x) { return 0.3 + std::sin(x) + 0.2 * std::cos(2.0 * x); }

// invariant: value, slope and second derivative on both sides of each point, the seam and the ends included.
TEST(CubicTable, GoesOnWithTwoDerivativesOverEachPoint) {
  for (const Ends ends : {Ends::kPeriod, Ends::kParabola}) {
    std::vector<CubicTable::Point> points = points_of(wave, 0.5, 0.5 + 2.0 * pi, 11);
    points.back().second = points.front().second;
    const CubicTable table(points, ends);
    for (const auto& [x, y] : points) {
      EXPECT_NEAR(table.evaluate(x, 0), y, 1e-14);
      const double h = 1e-7;
      for (int order = 0; order < 3; ++order)
        EXPECT_NEAR(table.evaluate(x - h, order), table.evaluate(x + h, order), 2.0 * h * 10.0)
            << x << " " << order;
    }
  }
}

// order: halving the distance of the points makes the error of the values a sixteenth, that of second derivatives a quarter.
TEST(CubicTable, HasErrorsOfTheFourthPower) {
  const auto error = [](int count, int order) {
    std::vector<CubicTable::Point> points = points_of(wave, 0.0, 2.0 * pi, count);
    points.back().second = points.front().second;
    const CubicTable table(points, Ends::kPeriod);
    double largest = 0.0;
    for (double x = 0.0; x < 2.0 * pi; x += 0.003) {
      const double exact = order == 0 ? wave(x) : -std::sin(x) - 0.8 * std::cos(2.0 * x);
      largest = std::max(largest, std::abs(table.evaluate(x, order) - exact));
    }
    return largest;
  };
  EXPECT_NEAR(std::log2(error(40, 0) / error(80, 0)), 4.0, 0.3);
  EXPECT_NEAR(std::log2(error(40, 2) / error(80, 2)), 2.0, 0.3);
}

TEST(CubicTable, WithAPeriodComesBackRisen) {
  std::vector<CubicTable::Point> points = points_of(wave, 0.0, 2.0 * pi, 12);
  points.back().second = points.front().second + 0.75;
  const CubicTable table(points, Ends::kPeriod);
  for (const double x : {0.2, 1.7, 6.1}) {
    for (const int turns : {-3, 1, 40}) {
      EXPECT_NEAR(table.evaluate(x + turns * 2.0 * pi, 0), table.evaluate(x, 0) + 0.75 * turns, 1e-12);
      EXPECT_NEAR(table.evaluate(x + turns * 2.0 * pi, 1), table.evaluate(x, 1), 1e-12);
    }
  }
  EXPECT_TRUE(table.reaches(1e6));
}

// Beyond the ends of a table without period iterations may look, and find the parabola; a table of the time has nothing there.
TEST(CubicTable, EndsWhereItsPointsEnd) {
  const CubicTable table(points_of(cubic, -1.0, 2.0, 6), Ends::kParabola);
  const double slope = -1.0 + 2.8 - 3.6, bend = 1.4 - 3.6, d = 0.25;
  EXPECT_NEAR(table.evaluate(2.0 + d, 0), cubic(2.0) + slope * d + 0.5 * bend * d * d, 1e-12);
  EXPECT_TRUE(table.reaches(2.0 + 1e-12));
  EXPECT_FALSE(table.reaches(2.0 + 1e-6));
  EXPECT_FALSE(table.reaches(-1.1));
  const CubicTable of_time(points_of(cubic, -1.0, 2.0, 6), Ends::kNoValue);
  EXPECT_TRUE(std::isnan(of_time.evaluate(2.1, 0)));
  EXPECT_NEAR(of_time.evaluate(2.0, 0), cubic(2.0), 1e-13);
}

// derivative: analytic = dual numbers, to second order.
TEST(CubicTable, HasTheDerivativesOfDualNumbers) {
  for (const Ends ends : {Ends::kPeriod, Ends::kParabola}) {
    std::vector<CubicTable::Point> points = points_of(wave, 0.0, 2.0 * pi, 9);
    points.back().second = points.front().second;
    const auto table = std::make_shared<const CubicTable>(points, ends);
    const TimeFunction f = TimeFunction::table(table, 2.0 * TimeFunction::time() - 1.0);
    const TimeFunction slope = derivative(f), bend = derivative(slope);
    for (const double t : {0.6, 1.3, 2.9}) {
      const Jet jet = f.evaluate(Jet({t, 1.0}, {1.0, 0.0}));
      EXPECT_NEAR(slope.evaluate(t), jet.derivative.value, 1e-13);
      EXPECT_NEAR(bend.evaluate(t), jet.derivative.derivative, 1e-12);
      const double h = 1e-5;
      EXPECT_NEAR((f.evaluate(t + h) - f.evaluate(t - h)) / (2.0 * h), slope.evaluate(t), 1e-8);
    }
  }
}

TEST(CubicTable, MovedIsTheSameSeenFromTheOtherSide) {
  const CubicTable table(points_of(wave, 0.0, 3.0, 7), Ends::kParabola), moved = table.moved(-1.0, -1.0, 0.5);
  for (const double x : {-2.7, -1.0, -0.3}) {
    EXPECT_NEAR(moved.evaluate(x, 0), 0.5 - table.evaluate(-x, 0), 1e-13);
    EXPECT_NEAR(moved.evaluate(x, 1), table.evaluate(-x, 1), 1e-12);
  }
}

TEST(CubicTable, OfPointsWithoutOrderIsRefused) {
  EXPECT_THROW(CubicTable({{0.0, 1.0}}, Ends::kParabola), core::ContractError);
  EXPECT_THROW(CubicTable({{0.0, 1.0}, {0.0, 2.0}}, Ends::kParabola), core::ContractError);
  EXPECT_THROW(CubicTable({{0.0, 1.0}, {1.0, 2.0}, {2.0, 1.0}}, Ends::kPeriod), core::ContractError);
}

// A function of tables equals another one by its points, and is found whole only where it is nothing but the table of the time.
TEST(TimeFunctionOfATable, IsAValue) {
  const auto table = [] {
    return std::make_shared<const CubicTable>(points_of(wave, 0.0, 3.0, 7), Ends::kParabola);
  };
  const TimeFunction t = TimeFunction::time(), f = TimeFunction::table(table(), t);
  EXPECT_EQ(f, TimeFunction::table(table(), t));
  EXPECT_NE(f, derivative(f));
  EXPECT_TRUE(f.whole_table() != nullptr);
  EXPECT_TRUE((2.0 * f).whole_table() == nullptr);
  EXPECT_TRUE(derivative(f).whole_table() == nullptr);
  EXPECT_NEAR((f + t).with_time(2.0 * t).evaluate(0.4), f.evaluate(0.8) + 0.8, 1e-15);
  EXPECT_NEAR(TimeFunction::table(table(), 1.0).constant_value(), f.evaluate(1.0), 0.0);
}

}  // namespace
}  // namespace eslabon::model
