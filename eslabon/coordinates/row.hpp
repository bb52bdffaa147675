#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "eslabon/coordinates/feature.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::coordinates {

/// The forms that a constraint row can take. With features f₀, f₁, f₂, a coordinate q_k and a prescribed value s(t):
enum class RowForm {
  kDot,  ///< f₀·f₁ − c − s                               directions: constant angle, unit length, perpendicular
  kOffset,  ///< f₀·(f₂ − f₁) − c − q_k − s                  the distance of two points along a direction [m]
  kDistance,  ///< (|f₁ − f₀|² − c²) / 2c                      constant distance of two points [m]
  kAngle,  ///< cos q_k (f₁·f₂) − sin q_k (f₀·f₂)           q_k is the angle of f₂ from f₀ towards f₁
  kUnit,        ///< ½ (q_k² + … + q_{k+3}² − 1)                 Euler parameters
  kCoordinate,  ///< q_k − c − s                                 a coordinate follows s(t)
  kBearing,  ///< (cos q_k (f₁·d) − sin q_k (f₀·d)) / c,  d = f₃ − f₂       q_k is the angle at which f₃ is seen from f₂
  kRolling,  ///< cos α (ẑ×f₀)·f₁ − sin α f₀·f₁,  α = −f₀·(f₃ − f₂)/c       in the plane: a circle of radius c rolls
  kLinear,   ///< Σ c_i q_i − c                               a coupling of joint coordinates
};
// kAngle is the seed's pair of mixed rows  L sin θ = y  and  L cos θ = x  [Seed001, eqs. (3.3), (3.4)] combined with
// the weights cos θ and −sin θ. Each of the two alone is singular at some angle, so the seed switches between them
// (its Figure 3.2); the combination is sin(true angle − θ), as far from singular as can be at every angle, and
// is one row, so that nothing is counted twice and the pattern of the Jacobian never changes.

// kRolling is sin(turn of f₁ from f₀ − α): it needs no coordinate for the number of whole turns, since the way along the line tells it.

/// Features of the row that has most.
inline constexpr std::size_t kMostFeatures = 4;

/// What a prescribed value is attached to.
using PrescribedIndex = core::Index<struct PrescribedTag>;

/// Who a row belongs to and what it forbids, in the user's words.
struct RowLabel {
  std::variant<model::BodyIndex, model::JointIndex, PrescribedIndex, model::CouplingIndex> source;
  std::string direction;  ///< "rotation about x", "unit Euler parameters", …
};

/// c_i q_i of a linear row.
struct LinearTerm {
  int column;
  double factor;
};

/// One constraint row, before its features have places in a map.
struct Row {
  RowForm form;
  std::array<Feature, kMostFeatures> features;  ///< as many as the form needs
  double constant = 0.0;                        ///< c
  int column = -1;                              ///< k; −1: none
  int prescribed = -1;  ///< position of s in the list of prescribed values; −1: none
  RowLabel label;
  std::vector<LinearTerm> terms = {};  ///< kLinear only; the first has factor 1
  bool measures_length = false;        ///< kLinear only: whether the first is a length
};

constexpr int feature_count(RowForm form) {
  switch (form) {
    case RowForm::kDot:
    case RowForm::kDistance:
      return 2;
    case RowForm::kOffset:
    case RowForm::kAngle:
      return 3;
    case RowForm::kBearing:
    case RowForm::kRolling:
      return 4;
    default:
      return 0;
  }
}

/// Whether c stands outside the form, with a minus; in the others it is a length inside.
constexpr bool has_constant_outside(RowForm form) {
  return form != RowForm::kDistance && form != RowForm::kBearing && form != RowForm::kRolling;
}

/// Whether q_k is an angle that stands inside the form.
constexpr bool measures_angle(RowForm form) { return form == RowForm::kAngle || form == RowForm::kBearing; }

/// Whether the residual is a length; otherwise it is a pure number (or an angle). A linear row says so itself.
constexpr bool is_length(RowForm form) { return form == RowForm::kOffset || form == RowForm::kDistance; }

}  // namespace eslabon::coordinates
