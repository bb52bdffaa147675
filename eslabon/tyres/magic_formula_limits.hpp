#pragma once

#include <span>

#include "eslabon/tyres/magic_formula.hpp"

/// What coefficients of the Magic Formula may be, wherever they come from.
namespace eslabon::tyres {

enum class Limit {
  kNone,
  kNotNegative,  ///< sizes and scale factors
  kPositive,     ///< sizes that divide
  kNotZero,      ///< numbers that divide
};
Limit limit_of(const Coefficient& coefficient);
bool is_within(Limit limit, double value);

/// Two coefficients, of which the first is less than the second.
struct CoefficientRange {
  double MagicFormula::*low;
  double MagicFormula::*high;
};
std::span<const CoefficientRange> coefficient_ranges();

/// The facts of a member.
const Coefficient& coefficient_of(double MagicFormula::*member);

}  // namespace eslabon::tyres
