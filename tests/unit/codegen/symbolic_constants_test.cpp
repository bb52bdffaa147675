#include "eslabon/codegen/symbolic_constants.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "eslabon/codegen/graph/program.hpp"
#include "eslabon/core/random/rng.hpp"

namespace eslabon::codegen {
namespace {

using Function = std::function<double(const std::vector<double>&)>;

/// A base, one sample for each number that moves it alone, and others with all moved.
std::vector<std::vector<double>> samples_of(std::size_t numbers) {
  core::Rng rng(5);
  const auto drawn = [&] {
    std::vector<double> out;
    for (std::size_t k = 0; k < numbers; ++k)
      out.push_back((1.0 + static_cast<double>(k)) * (0.8 + 0.4 * rng.uniform()));
    return out;
  };
  std::vector<std::vector<double>> samples{drawn()};
  for (std::size_t k = 0; k < numbers; ++k) {
    samples.push_back(samples.front());
    samples.back()[k] *= 1.1;
  }
  while (samples.size() < numbers + 41) samples.push_back(drawn());
  return samples;
}

std::optional<ConstantFunction> found(const std::vector<std::vector<double>>& samples,
                                      const Function& function) {
  ConstantSamples all{samples, {}};
  for (const std::vector<double>& numbers : samples) all.values.push_back(function(numbers));
  return find_function(all);
}

/// What the found function gives, traced and evaluated, at numbers that were no samples.
double value_at(const ConstantFunction& function, const std::vector<double>& numbers) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  std::vector<core::Traced> symbols;
  for (std::size_t k = 0; k < numbers.size(); ++k) symbols.push_back(trace.input());
  const core::Traced value = function.trace(symbols);
  std::vector<double> out(1);
  Program(trace, std::vector{value}).evaluate(numbers, out);
  return out[0];
}

TEST(SymbolicConstants, AreFoundAsWhatTheyWereComputedBy) {
  const std::vector<Function> functions{
      [](const auto& n) { return n[0] / 2.0; },
      [](const auto& n) { return n[0] - n[1]; },
      [](const auto& n) { return -n[2] * n[0] * n[0] / 12.0; },
      [](const auto& n) { return n[2] * (n[0] * n[0] + n[1] * n[1]) / 12.0; },
      [](const auto& n) { return n[2] * (n[0] * n[0] + 0.02 * 0.02) / 12.0; },
      [](const auto& n) { return n[1] / n[0]; },
      [](const auto& n) { return 1.0 / (n[0] + n[1]); },
      [](const auto& n) { return -std::sqrt(n[0] * n[0] + n[1] * n[1]); },
      [](const auto& n) { return n[0] * n[1] - n[2] * n[2] + 0.125; },
  };
  const auto samples = samples_of(3);
  const std::vector<double> elsewhere{3.7, 0.4, 11.0};
  for (std::size_t k = 0; k < functions.size(); ++k) {
    const std::optional<ConstantFunction> function = found(samples, functions[k]);
    ASSERT_TRUE(function) << k;
    const double expected = std::abs(functions[k](elsewhere));
    EXPECT_NEAR(std::abs(value_at(*function, elsewhere)), expected, 1e-12 * expected) << k;
  }
}

TEST(SymbolicConstants, HavePlainCoefficients) {
  const auto function =
      found(samples_of(2), [](const auto& n) { return n[0] * n[1] * n[1] / 12.0 + 0.3 * n[0]; });
  ASSERT_TRUE(function);
  ASSERT_EQ(function->factors.size(), 1u);
  ASSERT_EQ(function->terms.size(), 2u);
  EXPECT_EQ(function->terms[0].coefficient, 0.3);
  EXPECT_EQ(function->terms[1].coefficient, 1.0 / 12.0);
}

TEST(SymbolicConstants, AreNotFoundWhereTheyAreNoPolynomials) {
  EXPECT_FALSE(found(samples_of(2), [](const auto& n) { return std::sin(n[0]) + n[1]; }));
  EXPECT_FALSE(found(samples_of(2), [](const auto& n) { return n[0] < 1.0 ? n[0] : n[1]; }));
}

TEST(SymbolicConstants, TellTheNumbersTheyDependOn) {
  const auto samples = samples_of(3);
  ConstantSamples all{samples, {}};
  for (const std::vector<double>& numbers : samples) all.values.push_back(numbers[0] * numbers[2]);
  EXPECT_EQ(dependences(all), (std::vector<std::size_t>{0, 2}));
}

TEST(Trace, PutsNumbersInThePlacesOfConstants) {
  core::Trace trace;
  const core::Trace::Listening listening(trace);
  const core::Traced x = trace.input(), length = trace.input();
  constexpr double kDigits = 0.7310585786300049;
  trace.replace_constant(kDigits, length);
  const core::Traced moved = core::Traced(kDigits) * core::Traced(2.0) + x * core::Traced(-kDigits);
  std::vector<double> out(1);
  Program(trace, std::vector{moved}).evaluate(std::vector{5.0, 3.0}, out);
  EXPECT_DOUBLE_EQ(out[0], 2.0 * 3.0 - 5.0 * 3.0);
}

TEST(Trace, KeepsRepetitionsWhereAsked) {
  const auto operations = [](bool keeps) {
    core::Trace trace;
    if (keeps) trace.keep_repetitions();
    const core::Trace::Listening listening(trace);
    const core::Traced x = trace.input();
    const core::Traced sum = (x + 1.0) * 1.0 + (x + 1.0) * 0.0 + (1.0 + x);
    return Program(trace, std::vector{sum}).counts().all();
  };
  EXPECT_EQ(operations(true), 4);   // two sums x + 1, a product with 1, and their sum
  EXPECT_EQ(operations(false), 2);  // x + 1 once
}

}  // namespace
}  // namespace eslabon::codegen
