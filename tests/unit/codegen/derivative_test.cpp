#include "eslabon/codegen/graph/derivative.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "eslabon/codegen/graph/program.hpp"
#include "eslabon/core/random/rng.hpp"
#include "eslabon/core/scalar/scalar.hpp"

namespace eslabon::codegen {
namespace {

using core::Dual;
using core::Traced;

/// Everything that can be written down, of two numbers.
template <class T>
std::vector<T> functions(const T& x, const T& y) {
  using std::sin, std::cos, std::sqrt, std::exp, std::log, std::tan, std::asin, std::acos, std::atan,
      std::atan2, std::abs;
  const T r = sqrt(T(x * x + y * y + T(1.0)));
  return {x * y - x / r,
          sin(x) * cos(y) / r,
          exp(T(-x)) + log(r),
          tan(T(x / r)) - atan(y),
          asin(T(x / (2.0 * r))) * acos(T(y / (2.0 * r))),
          atan2(T(y * x), r),
          core::select_less(x, y, T(x * x), T(y * y * y)),
          abs(T(x - y)) * r,
          T(3.0)};
}

TEST(Derivative, IsThatOfDualNumbers) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const Traced x = trace.input(), y = trace.input();
  const std::vector<Traced> values = functions(x, y);
  const std::vector<Traced> inputs{x, y};
  const std::vector<Entry> entries = derivative(trace, values, inputs);
  std::vector<Traced> numbers;
  for (const Entry& entry : entries) numbers.push_back(entry.value);
  const Program program(trace, numbers);
  std::vector<double> found(numbers.size());
  core::Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> at{4.0 * rng.uniform() - 2.0, 4.0 * rng.uniform() - 2.0};
    program.evaluate(at, found);
    std::vector<std::vector<double>> expected(values.size(), std::vector<double>(2));
    for (std::size_t k = 0; k < 2; ++k) {
      const auto duals =
          functions(Dual<double>(at[0], k == 0 ? 1.0 : 0.0), Dual<double>(at[1], k == 1 ? 1.0 : 0.0));
      for (std::size_t r = 0; r < values.size(); ++r) expected[r][k] = duals[r].derivative;
    }
    for (std::size_t e = 0; e < entries.size(); ++e) {
      double& one =
          expected[static_cast<std::size_t>(entries[e].row)][static_cast<std::size_t>(entries[e].column)];
      EXPECT_NEAR(found[e], one, 1e-13 * (1.0 + std::abs(one))) << "row " << entries[e].row;
      one = 0.0;
    }
    for (const auto& row : expected)  // what has no entry is 0
      for (const double left : row) EXPECT_EQ(left, 0.0);
  }
}

TEST(Derivative, HasNoEntriesWhereNothingDepends) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const Traced x = trace.input(), y = trace.input();
  const std::vector<Traced> values{sin(x), Traced(2.0), round(x)}, inputs{y};
  EXPECT_TRUE(derivative(trace, values, inputs).empty());
}

}  // namespace
}  // namespace eslabon::codegen
