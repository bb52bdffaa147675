#pragma once

#include <array>
#include <string>
#include <variant>

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
};
// kAngle is the seed's pair of mixed rows  L sin θ = y  and  L cos θ = x  [Seed001, eqs. (3.3), (3.4)] combined with
// the weights cos θ and −sin θ. Each of the two alone is singular at some angle, so the seed switches between them
// (its Figure 3.2); the combination is sin(true angle − θ), as far from singular as can be at every angle, and
// is one row, so that nothing is counted twice and the pattern of the Jacobian never changes.

/// What a prescribed value is attached to.
using PrescribedIndex = core::Index<struct PrescribedTag>;

/// Who a row belongs to and what it forbids, in the user's words.
struct RowLabel {
  std::variant<model::BodyIndex, model::JointIndex, PrescribedIndex> source;
  std::string direction;  ///< "rotation about x", "unit Euler parameters", …
};

/// One constraint row, before its features have places in a map.
struct Row {
  RowForm form;
  std::array<Feature, 3> features;  ///< as many as the form needs
  double constant = 0.0;            ///< c
  int column = -1;                  ///< k; −1: none
  int prescribed = -1;              ///< position of s in the list of prescribed values; −1: none
  RowLabel label;
};

constexpr int feature_count(RowForm form) {
  switch (form) {
    case RowForm::kDot:
    case RowForm::kDistance:
      return 2;
    case RowForm::kOffset:
    case RowForm::kAngle:
      return 3;
    default:
      return 0;
  }
}

/// Whether the residual is a length; otherwise it is a pure number (or an angle).
constexpr bool is_length(RowForm form) { return form == RowForm::kOffset || form == RowForm::kDistance; }

}  // namespace eslabon::coordinates
