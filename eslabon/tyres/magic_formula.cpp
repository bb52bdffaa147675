#include "eslabon/tyres/magic_formula.hpp"

#include <algorithm>
#include <array>

namespace eslabon::tyres {

namespace {

constexpr std::array kCoefficients{
#define ESLABON_ENTRY(name, section, measure, otherwise, meaning) \
  Coefficient{#name, &MagicFormula::name, TyreSection::section, Measure::measure, otherwise, meaning},
    ESLABON_MAGIC_FORMULA_COEFFICIENTS(ESLABON_ENTRY)
#undef ESLABON_ENTRY
};

constexpr std::array<std::string_view, 6> kCombinedSlip{"RBX1", "RBX2", "RCX1", "RBY1", "RBY2", "RCY1"};

}  // namespace

std::span<const Coefficient> coefficients() { return kCoefficients; }

const Coefficient* find_coefficient(std::string_view name) {
  const auto found = std::ranges::find(kCoefficients, name, &Coefficient::name);
  return found == kCoefficients.end() ? nullptr : &*found;
}

std::span<const std::string_view> combined_slip_coefficients() { return kCombinedSlip; }

MagicFormula without_combined_slip(const MagicFormula& tyre) {
  MagicFormula pure = tyre;
  for (const Coefficient& one : kCoefficients)
    if (one.name.starts_with("RBX") || one.name.starts_with("RBY") || one.name.starts_with("RVY"))
      pure.*one.member = 0.0;
  return pure;
}

}  // namespace eslabon::tyres
