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
  kScrew,  ///< cos α (f₁·f₂) − sin α (f₀·f₂),  α = (f₀×f₁)·(f₄ − f₃)/c       f₂ turns by α for the way along f₀×f₁
  kSpan,   ///< |f₁ − f₀| − c − q_k − s                       the distance of two points [m]
  kTouch,  ///< f₀·(f₃ − f₂) − c |f₀×f₁|                       the rim of a disc of radius c and axis f₁ touches a plane [m]
  kNoSlip,  ///< on velocities alone: see row_kernel.hpp        the disc does not slip along f₀ on that plane [m/s]
  kLinear,    ///< Σ c_i q_i − c, or q_0 − f(q_1) − c          a coupling of joint coordinates
  kCurveGap,  ///< ν·(p − C(u)) − c,  u: C'(u)·(p − C(u)) = 0   in the plane: p, with a circle of radius c, touches a curve
  kCurvePlace,  ///< t(q_k)·(p − C(q_k))                       q_k is where it does
  kFaceGap,  ///< e·(f₃ − f₂) + min_w e·C(w),  e = ẑ×f₀      in the plane: a curve touches a straight face
  kFacePlace,        ///< e·t(q_k)                                  q_k is where it does
  kPairGap,          ///< ν·(C₂(w) − C(u)) where both have one normal  in the plane: two curves touch
  kPairPlace,        ///< u − q_k                                    q_k is where on the first they do
  kSpaceCurveFirst,  ///< n₁·(p − C(u)),  u: C'(u)·(p − C(u)) = 0     in space: p is on a curve, seen in a first direction across it
  kSpaceCurveSecond,  ///< n₂·(p − C(u))                          and in a second: space_curve_kernel.hpp
  kSpaceCurvePlace,   ///< t(q_k)·(p − C(q_k))                    q_k is where it is
};
// kAngle is the seed's pair of mixed rows  L sin θ = y  and  L cos θ = x  [Seed001, eqs. (3.3), (3.4)] combined with
// the weights cos θ and −sin θ. Each of the two alone is singular at some angle, so the seed switches between them
// (its Figure 3.2); the combination is sin(true angle − θ), as far from singular as can be at every angle, and
// is one row, so that nothing is counted twice and the pattern of the Jacobian never changes.

// kRolling is sin(turn of f₁ from f₀ − α), kScrew that of f₂: it needs no coordinate for the number of whole turns, since the way along the line tells it.

// In kCurveGap and kCurvePlace p = (f₀·d, (ẑ×f₀)·d) with d = f₂ − f₁ is seen from the curve, whose axis f₀ and first point f₁ are; C, its unit
// tangent t and ν, its normal on the side where it is touched, count there. In kFaceGap and kFacePlace f₀ is the direction of the face, f₂ a
// point of it, f₁ and f₃ axis and first point of the curve, which C and t are turned into the world by. In space p = (f₀·d, f₁·d, f₂·d) with
// d = f₄ − f₃: f₀, f₁, f₂ are the axes of the curve's body, f₃ its first point. The place of the contact is a function
// of where the bodies are: it needs no coordinate, and the derivatives of a gap are those at a place that stands still, because there it
// is least.

/// The number of a row, and where a curve touches, the curve.
struct RowConstant {
  double value = 0.0;
  const model::TouchedCurve* curve = nullptr;
  const model::TouchedCurve* other = nullptr;  ///< of the second body, where two curves touch

  RowConstant(double number = 0.0, const model::TouchedCurve* touched = nullptr,
              const model::TouchedCurve* second = nullptr)
      : value(number), curve(touched), other(second) {}
  operator double() const { return value; }
};

/// Features of the row that has most.
inline constexpr std::size_t kMostFeatures = 6;

/// What a prescribed value is attached to.
using PrescribedIndex = core::Index<struct PrescribedTag>;

/// Who a row belongs to and what it forbids, in the user's words.
struct RowLabel {
  std::variant<model::BodyIndex, model::JointIndex, PrescribedIndex, model::CouplingIndex> source;
  std::string direction;  ///< "rotation about x", "unit Euler parameters", …
};

/// c_i q_i of a linear row, or c_i f(q_i).
struct LinearTerm {
  int column;
  double factor;
  const model::CouplingLaw* law = nullptr;  ///< f
};

/// One constraint row, before its features have places in a map.
struct Row {
  RowForm form;
  std::array<Feature, kMostFeatures> features;  ///< as many as the form needs
  RowConstant constant = 0.0;                   ///< c
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
    case RowForm::kSpan:
    case RowForm::kFacePlace:
      return 2;
    case RowForm::kOffset:
    case RowForm::kAngle:
    case RowForm::kCurveGap:
    case RowForm::kCurvePlace:
      return 3;
    case RowForm::kBearing:
    case RowForm::kRolling:
    case RowForm::kTouch:
    case RowForm::kFaceGap:
    case RowForm::kPairGap:
    case RowForm::kPairPlace:
      return 4;
    case RowForm::kNoSlip:
      return 6;
    case RowForm::kScrew:
    case RowForm::kSpaceCurveFirst:
    case RowForm::kSpaceCurveSecond:
    case RowForm::kSpaceCurvePlace:
      return 5;
    default:
      return 0;
  }
}

/// Whether c stands outside the form, with a minus; in the others it is a length inside.
constexpr bool has_constant_outside(RowForm form) {
  return form != RowForm::kDistance && form != RowForm::kBearing && form != RowForm::kRolling &&
         form != RowForm::kTouch && form != RowForm::kNoSlip && form != RowForm::kScrew;
}

/// Whether q_k is a length that is taken away from what the features measure.
constexpr bool subtracts_own(RowForm form) { return form == RowForm::kOffset || form == RowForm::kSpan; }

/// Whether q_k is an angle that stands inside the form.
constexpr bool measures_angle(RowForm form) { return form == RowForm::kAngle || form == RowForm::kBearing; }

/// Whether q_k is a place on a curve that stands inside the form.
constexpr bool measures_place(RowForm form) {
  return form == RowForm::kCurvePlace || form == RowForm::kFacePlace || form == RowForm::kPairPlace ||
         form == RowForm::kSpaceCurvePlace;
}

/// Whether q_k stands inside the form, an angle or a place.
constexpr bool holds_coordinate(RowForm form) { return measures_angle(form) || measures_place(form); }

/// Whether the residual is a length; otherwise it is a pure number (or an angle). A linear row says so itself.
constexpr bool is_length(RowForm form) {
  switch (form) {
    case RowForm::kOffset:
    case RowForm::kDistance:
    case RowForm::kSpan:
    case RowForm::kTouch:
    case RowForm::kNoSlip:
    case RowForm::kCurveGap:
    case RowForm::kCurvePlace:
    case RowForm::kFaceGap:
    case RowForm::kPairGap:
    case RowForm::kPairPlace:
    case RowForm::kSpaceCurveFirst:
    case RowForm::kSpaceCurveSecond:
    case RowForm::kSpaceCurvePlace:
      return true;
    default:
      return false;
  }
}

}  // namespace eslabon::coordinates
