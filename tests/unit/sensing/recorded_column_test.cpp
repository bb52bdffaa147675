#include "eslabon/sensing/recorded_column.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/sentence_of.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/sensing/row_polynomial.hpp"

namespace eslabon::sensing {
namespace {

/// x = 0.3 + sin 3t + 0.2 cos 7t, row by row.
struct Written {
  Written(double h, double until) {
    for (int k = 0; h * k <= until + 1e-9; ++k) {
      t.push_back(h * k);
      x.push_back(value(t.back()));
      v.push_back(3.0 * std::cos(3.0 * t.back()) - 1.4 * std::sin(7.0 * t.back()));
      a.push_back(-9.0 * std::sin(3.0 * t.back()) - 9.8 * std::cos(7.0 * t.back()));
    }
  }
  static double value(double t) { return 0.3 + std::sin(3.0 * t) + 0.2 * std::cos(7.0 * t); }
  RecordedColumn column(int derivatives) const {
    if (derivatives == 2) return {t, x, v, a};
    if (derivatives == 1) return {t, x, v};
    return {t, x};
  }
  /// Root of the mean square error between rows.
  double error(const RecordedColumn& column) const {
    double squares = 0.0;
    constexpr int kPoints = 4000;
    for (int k = 0; k <= kPoints; ++k) {
      const double at = t.back() * k / kPoints;
      squares += std::pow(column.at(at) - value(at), 2);
    }
    return std::sqrt(squares / kPoints);
  }
  std::vector<double> t, x, v, a;
};

// order
TEST(RecordedColumn, FollowsWhatWasWritten_WithErrorsOfItsOrder) {
  for (const int derivatives : {0, 1, 2}) {
    double last = 0.0;
    for (const double h : {0.1, 0.05, 0.025}) {
      const Written written(h, 6.0);
      const RecordedColumn column = written.column(derivatives);
      EXPECT_EQ(column.order(), derivatives == 2 ? 6 : 4);
      for (std::size_t k = 0; k < written.t.size(); ++k)
        EXPECT_NEAR(column.at(written.t[k]), written.x[k], 1e-13);
      const double error = written.error(column);
      if (last > 0.0) {
        EXPECT_NEAR(std::log2(last / error), column.order(), 0.3) << derivatives << " " << h;
      }
      last = error;
    }
  }
}

// analytic: what it says of its error is at least the error, also where rows do not resolve the motion, and not many times it where they do.
TEST(RecordedColumn, KnowsItsErrorBetweenRows) {
  for (const int derivatives : {0, 1, 2})
    for (const double h : {0.02, 0.05, 0.1, 0.2, 0.3, 0.45}) {
      const Written written(h, 9.0);
      const RecordedColumn column = written.column(derivatives);
      EXPECT_DOUBLE_EQ(std::round(column.largest_distance() / h * 1e9) / 1e9, 1.0);
      const double error = written.error(column), said = column.error();
      EXPECT_GE(said, 0.8 * error) << derivatives << " " << h;
      if (h <= 0.3) {
        EXPECT_LE(said, (h <= 0.1 ? 4.0 : 30.0) * error) << derivatives << " " << h;
      }
    }
}

// statistical: rows of sensors. The mean square of misfits is known to 1/√300 of itself, so that noise leaves 1e-3 √(2/√300)/√255/16 at most.
TEST(RecordedColumn, DoesNotTakeNoiseOfRowsForRowsTooFarApart) {
  for (const int derivatives : {0, 1}) {
    Written written(0.03, 9.0);
    const double error = written.column(derivatives).error();
    core::Rng rng(4);
    for (double& x : written.x) x += 1e-3 * rng.normal();
    EXPECT_LE(written.column(derivatives).error(), error + 2e-5) << derivatives;
    EXPECT_GE(written.column(derivatives).error(), 0.0) << derivatives;
  }
}

TEST(RecordedColumn, TakesAStraightLine_OfFewRows) {
  const std::vector<double> t{1.0, 2.0, 4.0}, x{3.0, 5.0, 1.0};
  const RecordedColumn three(t, x);
  EXPECT_EQ(three.order(), 2);
  EXPECT_DOUBLE_EQ(three.at(1.5), 4.0);
  EXPECT_DOUBLE_EQ(three.at(3.0), 3.0);
  const std::vector<double> first_t{1.0}, first_x{3.0};
  const RecordedColumn one(first_t, first_x);
  EXPECT_EQ(one.at(1.0), 3.0);
  EXPECT_EQ(one.error(), 0.0);
}

// analytic: a ball that falls from 1 m and rebounds with half of its speed.
TEST(RecordedColumn, FindsJumpsOfRates_AndNoneInSmoothMotions) {
  const double g = 9.81, hit = std::sqrt(2.0 / g), speed = 0.5 * g * hit;
  std::vector<double> t, x, v, a;
  for (int k = 0; k <= 80; ++k) {
    t.push_back(0.01 * k);
    const double s = t.back() - hit;
    x.push_back(s < 0.0 ? 1.0 - 0.5 * g * t.back() * t.back() : speed * s - 0.5 * g * s * s);
    v.push_back(s < 0.0 ? -g * t.back() : speed - g * s);
    a.push_back(-g);
  }
  for (const bool is_rate : {false, true}) {
    const RecordedColumn column = is_rate ? RecordedColumn(t, v, a) : RecordedColumn(t, x, v, a);
    for (std::size_t k = 0; k < 80; ++k) EXPECT_EQ(column.jumps_after(k), k == 45) << k;
    EXPECT_LE(column.error(), 1e-12) << "beside the jump";
  }
  EXPECT_NEAR(t[45] + instant_of_jump({x[45], v[45], a[45]}, {x[46], v[46], a[46]}, 0.01), hit, 1e-12);
  for (const double h : {0.02, 0.1, 0.3}) {
    const Written written(h, 9.0);
    for (std::size_t k = 0; k + 1 < written.t.size(); ++k)
      EXPECT_FALSE(written.column(2).jumps_after(k)) << h;
  }
}

// contract
TEST(RecordedColumn, RefusesColumnsOfOtherLengths) {
  const std::vector<double> t{1.0, 2.0}, x{3.0};
  EXPECT_EQ(test::sentence_of<core::ContractError>([&] { RecordedColumn(t, x); }),
            "a column without its rows [RecordedColumn]: expected as many values, rates and accelerations as "
            "times, got "
            "1 values of 2. Give the columns of one table.");
}

}  // namespace
}  // namespace eslabon::sensing
