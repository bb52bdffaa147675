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

/// In the order of MagicFormulaVersion.
constexpr std::array<std::string_view, 3> kVersions{"5.2", "6.1", "6.2"};

constexpr std::array<std::string_view, 6> kCombinedSlip{"RBX1", "RBX2", "RCX1", "RBY1", "RBY2", "RCY1"};

}  // namespace

std::string_view name(MagicFormulaVersion version) { return kVersions[static_cast<std::size_t>(version)]; }

std::optional<MagicFormulaVersion> find_version(std::string_view name) {
  const auto found = std::ranges::find(kVersions, name);
  if (found == kVersions.end()) return std::nullopt;
  return static_cast<MagicFormulaVersion>(found - kVersions.begin());
}

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
