#pragma once

#include <cmath>

#include "eslabon/coordinates/curve_frames.hpp"

/// What residuals, gradients and second orders of some rows share.
namespace eslabon::coordinates {

/// Turn of a circle that rolls: Φ = c B − s A with A = f₀·f₁, B = (ẑ×f₀)·f₁, c = cos α, s = sin α, α = −f₀·(f₃ − f₂)/r.
template <core::Scalar T>
struct RollingTerms {
  core::Vector3<T> d;  ///< f₃ − f₂
  T A, B, c, s;
};
template <core::Scalar T>
RollingTerms<T> rolling_terms(const FeaturesOf<T>& f, double radius) {
  using std::cos;
  using std::sin;
  RollingTerms<T> terms;
  terms.d = *f[3] - *f[2];
  const T alpha = T(-(f[0]->dot(terms.d)) / radius);
  terms.A = f[0]->dot(*f[1]);
  terms.B = f[0]->x() * f[1]->y() - f[0]->y() * f[1]->x();
  terms.c = cos(alpha);
  terms.s = sin(alpha);
  return terms;
}

/// Added to a square whose root is a sine: changes no number above 1e-42, and leaves roots and their derivatives finite at 0.
inline constexpr double kNoSine = 1e-100;

/// Sine of the angle between the normal f₀ of a plane and the axis f₁ of a disc, ρ = |m| with m = f₀ × f₁: 1 upright, 0 flat.
template <core::Scalar T>
struct TouchTerms {
  core::Vector3<T> d;  ///< f₃ − f₂
  core::Vector3<T> m;
  T rho;
};
template <core::Scalar T>
TouchTerms<T> touch_terms(const FeaturesOf<T>& f) {
  using std::sqrt;
  TouchTerms<T> terms;
  terms.d = *f[3] - *f[2];
  terms.m = f[0]->cross(*f[1]);
  terms.rho = sqrt(T(terms.m.dot(terms.m) + kNoSine));
  return terms;
}

/// A disc with centre f₂ and the directions f₃, f₄ in its plane stands on a plane with normal f₅ through f₁. Its lowest point is
/// p = f₂ − c (ξ f₃ + η f₄) with (ξ, η) = (f₅·f₃, f₅·f₄)/ρ, the unit vector in the disc that points up. Of the material point of the
/// disc there, ξ and η held, the velocity as seen from the plane, along a direction f₀ of the plane, is
///   f₀·(ḟ₂ − ḟ₁) + ḟ₀·(f₂ − f₁) − c [ξ (f₀·ḟ₃ + ḟ₀·f₃) + η (f₀·ḟ₄ + ḟ₀·f₄)] = Σ g_i·ḟ_i = 0                  (1)
/// and in accelerations  Σ g_i·f̈_i + Σ ġ_i·ḟ_i = 0, where (ξ, η) moves along the rim.                          (2)
/// No position has (1) as its derivative: the row has no residual.
template <core::Scalar T>
struct NoSlipTerms {
  T A, B, rho;  ///< f₅·f₃, f₅·f₄, their root of squares
  T xi, eta;
};
template <core::Scalar T>
NoSlipTerms<T> no_slip_terms(const FeaturesOf<T>& f) {
  using std::sqrt;
  NoSlipTerms<T> terms;
  terms.A = f[5]->dot(*f[3]);
  terms.B = f[5]->dot(*f[4]);
  terms.rho = sqrt(T(terms.A * terms.A + terms.B * terms.B + kNoSine));
  terms.xi = terms.A / terms.rho;
  terms.eta = terms.B / terms.rho;
  return terms;
}

/// Turn of a screw: Φ = c B − s A with A = f₀·f₂, B = f₁·f₂, c = cos α, s = sin α, α = (f₀×f₁)·(f₄ − f₃)/p, p the way for a radian.
template <core::Scalar T>
struct ScrewTerms {
  core::Vector3<T> d, e;  ///< f₄ − f₃, f₀×f₁
  T A, B, c, s;
};
template <core::Scalar T>
ScrewTerms<T> screw_terms(const FeaturesOf<T>& f, double pitch) {
  using std::cos;
  using std::sin;
  ScrewTerms<T> terms;
  terms.d = *f[4] - *f[3];
  terms.e = f[0]->cross(*f[1]);
  const T alpha = T(terms.e.dot(terms.d) / pitch);
  terms.A = f[0]->dot(*f[2]);
  terms.B = f[1]->dot(*f[2]);
  terms.c = cos(alpha);
  terms.s = sin(alpha);
  return terms;
}

}  // namespace eslabon::coordinates
