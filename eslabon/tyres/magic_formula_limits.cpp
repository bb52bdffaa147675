#include "eslabon/tyres/magic_formula_limits.hpp"

#include <algorithm>
#include <array>

namespace eslabon::tyres {

namespace {

constexpr std::array kPositive{
    &MagicFormula::LONGVL,   &MagicFormula::VXLOW,   &MagicFormula::UNLOADED_RADIUS,
    &MagicFormula::FNOMIN,   &MagicFormula::NOMPRES, &MagicFormula::VERTICAL_STIFFNESS,
    &MagicFormula::INFLPRES, &MagicFormula::LFZO,    &MagicFormula::LCZ,
    &MagicFormula::PCX1,     &MagicFormula::PCY1};

constexpr std::array kRanges{CoefficientRange{&MagicFormula::FZMIN, &MagicFormula::FZMAX},
                             CoefficientRange{&MagicFormula::KPUMIN, &MagicFormula::KPUMAX},
                             CoefficientRange{&MagicFormula::ALPMIN, &MagicFormula::ALPMAX},
                             CoefficientRange{&MagicFormula::CAMMIN, &MagicFormula::CAMMAX},
                             CoefficientRange{&MagicFormula::PRESMIN, &MagicFormula::PRESMAX},
                             CoefficientRange{&MagicFormula::RIM_RADIUS, &MagicFormula::UNLOADED_RADIUS}};

}  // namespace

Limit limit_of(const Coefficient& one) {
  if (std::ranges::find(kPositive, one.member) != kPositive.end()) return Limit::kPositive;
  if (one.member == &MagicFormula::PKY2) return Limit::kNotZero;
  if (one.section == TyreSection::kScaling ||
      (one.measure != Measure::kNumber && one.measure != Measure::kAngle))
    return Limit::kNotNegative;
  return Limit::kNone;
}

bool is_within(Limit limit, double value) {
  switch (limit) {
    case Limit::kNone:
      return true;
    case Limit::kNotNegative:
      return value >= 0.0;
    case Limit::kPositive:
      return value > 0.0;
    case Limit::kNotZero:
      return value != 0.0;
  }
  return true;
}

std::span<const CoefficientRange> coefficient_ranges() { return kRanges; }

const Coefficient& coefficient_of(double MagicFormula::*member) {
  return *std::ranges::find(coefficients(), member, &Coefficient::member);
}

}  // namespace eslabon::tyres
