#pragma once

#include <optional>
#include <span>
#include <vector>

#include "eslabon/core/scalar/trace.hpp"

namespace eslabon::codegen {

/// One constant of a trace as a function of the numbers:  c = Π n_k^e_k · (Σ terms)^power.
struct ConstantFunction {
  struct Factor {
    std::size_t number;
    int exponent;
  };
  struct Term {
    double coefficient;
    std::vector<Factor> factors;
  };
  std::vector<double> values;  ///< (samples) what it was found as, or its negative
  std::vector<Factor> factors;
  std::vector<Term> terms;
  double power = 1.0;  ///< 1, −1 or ½

  core::Traced trace(std::span<const core::Traced> numbers) const;
};

/// How a constant was found at many values of the numbers.
struct ConstantSamples {
  std::span<const std::vector<double>>
      numbers;                 ///< (samples) the first is the base, sample 1 + k moves number k alone
  std::vector<double> values;  ///< (samples)
};

/// The numbers that a constant depends on.
std::vector<std::size_t> dependences(const ConstantSamples& samples);
/// The function that all samples satisfy to roundoff. Kernels compute constants by sums, products, quotients and roots of a few numbers:
/// powers of single numbers are told by their logarithms and taken out, what is left is a polynomial, or the reciprocal or the root of one.
/// Coefficients are whole, fractions or short decimals where the samples allow it. Nothing where none is found.
std::optional<ConstantFunction> find_function(ConstantSamples samples);

}  // namespace eslabon::codegen
