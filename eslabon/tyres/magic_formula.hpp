#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "eslabon/tyres/magic_formula_coefficients.hpp"

namespace eslabon::tyres {

/// Versions whose equations differ (docs/theory-tyres.md, 4). 6.0 is 6.1 here, PAC2002 is 5.2.
enum class MagicFormulaVersion { k52, k61, k62 };

/// The side of a vehicle that a tyre was measured on, and is made for.
enum class TyreSide { kLeft, kRight, kSymmetric };

/// What the slip angle enters the curves as: itself, as the solvers whose results are published do, or its tangent, as the book says.
enum class SlipMeasure { kAngle, kTangent };

/// What a coefficient measures. Coefficients of the curves are plain numbers: of angles in radians, whatever unit a file has for its
/// ranges.
enum class Measure {
  kNumber,
  kLength,
  kForce,
  kAngle,
  kMass,
  kSpeed,
  kPressure,
  kStiffness,
  kDamping,
  kInertia,
  kYawStiffness
};

/// Where files have a coefficient.
enum class TyreSection {
  kModel,
  kDimension,
  kOperatingConditions,
  kInertia,
  kVertical,
  kStructural,
  kLoadRange,
  kSlipRange,
  kAngleRange,
  kCamberRange,
  kPressureRange,
  kScaling,
  kLongitudinal,
  kOverturning,
  kLateral,
  kRolling,
  kAligning
};

inline constexpr std::optional<double> kNeeded = std::nullopt;
inline constexpr double kNominalPressure = 200e3;  ///< [Pa]
inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// A Magic Formula tyre in SI units: a plain value, written by whoever reads a file. The names are those of the files.
struct MagicFormula {
  MagicFormulaVersion version = MagicFormulaVersion::k61;
  TyreSide side = TyreSide::kSymmetric;
  SlipMeasure slip_measure = SlipMeasure::kAngle;

#define ESLABON_MEMBER(name, section, measure, otherwise, meaning) \
  double name = std::optional<double>(otherwise).value_or(0.0);
  ESLABON_MAGIC_FORMULA_COEFFICIENTS(ESLABON_MEMBER)
#undef ESLABON_MEMBER
  friend bool operator==(const MagicFormula&, const MagicFormula&) = default;
};

/// "5.2", and back.
std::string_view name(MagicFormulaVersion version);
std::optional<MagicFormulaVersion> find_version(std::string_view name);

/// The facts of a coefficient.
struct Coefficient {
  std::string_view name;
  double MagicFormula::*member;
  TyreSection section;
  Measure measure;
  std::optional<double> otherwise;  ///< where a file has none; empty: every file needs it
  std::string_view meaning;
};

/// All of them, in the order of magic_formula_coefficients.hpp.
std::span<const Coefficient> coefficients();

/// The one of this name; nullptr if there is none.
const Coefficient* find_coefficient(std::string_view name);

/// Coefficients without which there is no combined slip: forces would not know of each other.
std::span<const std::string_view> combined_slip_coefficients();

/// The same tyre without combined slip: F_x as if there were no slip angle, F_y as if there were no slip.
MagicFormula without_combined_slip(const MagicFormula& tyre);

}  // namespace eslabon::tyres
