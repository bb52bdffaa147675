#pragma once

#include <array>
#include <cmath>

#include "eslabon/tyres/magic_formula_forces.hpp"
#include "eslabon/tyres/relaxation.hpp"
#include "eslabon/tyres/rolling_direction.hpp"
#include "eslabon/tyres/tyre_in_run.hpp"
#include "eslabon/tyres/vertical.hpp"

/// Both kinds of tyres as tyre_on_road sees them.
namespace eslabon::tyres {

inline constexpr double kTouch = 1e-3;  // by R_0: deflection from which a tyre is wholly on the road
inline constexpr double kDampedDeflection = 0.01;  // by R_0: where the damper is whole
inline constexpr double kNoForce =
    1e-10;  // by a tyre's own: keeps a ratio of forces finite where there is none

/// How a carcass follows at small slips, and by how much of its friction a unit of slip calls for.
template <core::Scalar T>
struct Carcass {
  T sigma_x{};
  T sigma_y{};
  T call_x{};  ///< K_xκ/(μ_x F_z)
  T call_y{};  ///< K_yα/(μ_y F_z)
};

/// By how much of its friction a unit of slip calls for: K_xκ/(μ_x F_z), K_yα/(μ_y F_z). A linear tyre has friction without end.
template <core::Scalar T>
std::array<T, 2> calls(const LinearTyre&, const TyreContact<T>&, double) {
  return {T(0.0), T(0.0)};
}
/// K/√((μ F_z)² + (10⁻⁴ K)²): without friction no slip calls for more than 10⁴ of it, or σ would fall within slips that no step can see.
template <core::Scalar T>
T call_of(const T& slope, const T& peak) {
  using std::sqrt;
  constexpr double kLeast = 1e-4;  // slip at which nothing but slides
  return slope / sqrt(T(peak * peak + (kLeast * kLeast) * slope * slope));
}
template <core::Scalar T>
std::array<T, 2> calls(const FialaTyre& tyre, const TyreContact<T>& contact, double none) {
  const T most = tyre.friction * contact.friction * contact.F_z + none;
  return {call_of(T(tyre.slip_stiffness), most), call_of(T(tyre.cornering_stiffness), most)};
}
template <core::Scalar T>
std::array<T, 2> calls(const MagicFormula89& tyre, const TyreContact<T>& contact, double none) {
  const SlopesAndPeaks<T> at = slopes_and_peaks(tyre, contact);
  return {call_of(at.slope_x, T(at.peak_x + none)), call_of(at.slope_y, T(at.peak_y + none))};
}

template <core::Scalar T>
TyreForces<T> curves_of(const LinearTyre& tyre, const TyreContact<T>& contact, const TyreSlip<T>& slip) {
  return linear_forces(tyre, contact, slip);
}
template <core::Scalar T>
TyreForces<T> curves_of(const FialaTyre& tyre, const TyreContact<T>& contact, const TyreSlip<T>& slip) {
  return fiala_forces(tyre, contact, slip);
}
template <core::Scalar T>
TyreForces<T> curves_of(const MagicFormula89& tyre, const TyreContact<T>& contact, const TyreSlip<T>& slip) {
  return magic_formula_89_forces(tyre, contact, slip);
}

/// One model of a tyre, as tyre_on_road sees it.
template <core::Scalar T>
struct PlainView {
  const PlainTyre& tyre;
  double low_speed;  ///< Standstill::rolling

  T radius(const T&) const { return T(tyre.radius); }
  LoadParts<T> load(const TyreStanding<T>& standing) const {
    return {T(tyre.stiffness * (tyre.radius - standing.loaded_radius)), T(0.0)};
  }
  static constexpr bool is_softened() { return false; }
  /// Shifts of '89 have parts beside the load: they are there as far as the tyre touches.
  bool pushes_without_load() const { return std::holds_alternative<MagicFormula89>(tyre.curves); }
  static T softening(const TyreStanding<T>&) { return T(0.0); }
  double no_force() const { return kNoForce * tyre.stiffness * tyre.radius; }
  static constexpr bool bottoms() { return false; }
  static constexpr double bottom_radius() { return 0.0; }
  double damping() const { return tyre.damping; }
  double pressure() const { return 0.0; }
  /// Less than R_0 by a third of the deflection: what a thin band rolls on that the road flattens.
  T effective_radius(const TyreContact<T>&, const T& deflection, const T&) const {
    return tyre.radius - deflection / 3.0;
  }
  void stand_on(const TyreContact<T>&) {}
  Carcass<T> carcass(const TyreContact<T>& contact) const {
    const std::array<T, 2> call =
        std::visit([&](const auto& curves) { return calls<T>(curves, contact, no_force()); }, tyre.curves);
    return {T(tyre.relaxation_along), T(tyre.relaxation_across), call[0], call[1]};
  }
  TyreForces<T> forces(const TyreContact<T>& contact, TyreSlip<T> slip) const {
    slip.rolling_speed = slip.rolling_speed * (kLowSpeed / low_speed);
    return std::visit([&](const auto& curves) { return curves_of<T>(curves, contact, slip); }, tyre.curves);
  }
  static std::array<T, 2> plane_forces(const TyreSlip<T>&) { return {T(0.0), T(0.0)}; }
};

template <core::Scalar T>
struct MagicView {
  const MagicFormula& tyre;
  MagicCurves<T> curves{};

  T radius(const T& spin) const { return free_radius(tyre, spin); }
  LoadParts<T> load(const TyreStanding<T>& standing) const { return load_parts(tyre, standing); }
  static constexpr bool pushes_without_load() { return false; }
  bool is_softened() const { return tyre.Q_FCX != 0.0 || tyre.Q_FCY != 0.0; }
  T softening(const TyreStanding<T>& standing) const { return tyres::softening(tyre, standing); }
  double no_force() const { return kNoForce * tyre.FNOMIN; }
  bool bottoms() const { return tyre.BOTTOM_STIFF > 0.0; }
  double bottom_radius() const { return tyre.RIM_RADIUS + tyre.BOTTOM_OFFST; }
  double damping() const { return tyre.VERTICAL_DAMPING; }
  double pressure() const { return tyre.INFLPRES; }
  T effective_radius(const TyreContact<T>& contact, const T&, const T& spin) const {
    return tyres::effective_radius(tyre, contact, spin);
  }
  void stand_on(const TyreContact<T>& contact) { curves = magic_curves(tyre, contact); }
  Carcass<T> carcass(const TyreContact<T>& contact) const {
    using std::abs;
    const Relaxation<T> relaxation = relaxation_at(tyre, contact, curves);
    return {relaxation.sigma_x, relaxation.sigma_y,
            call_of(T(abs(curves.K_xkappa)), T(curves.mu_x * contact.F_z + no_force())),
            call_of(T(abs(curves.K_yalpha)), T(curves.mu_y * contact.F_z + no_force()))};
  }
  TyreForces<T> forces(const TyreContact<T>&, const TyreSlip<T>& slip) const {
    return magic_formula_forces(tyre, curves, slip);
  }
  std::array<T, 2> plane_forces(const TyreSlip<T>& slip) const {
    return magic_formula_plane_forces(tyre, curves, slip);
  }
};

template <core::Scalar T>
PlainView<T> view_of(const PlainTyre& tyre, const Standstill& standstill) {
  return {tyre, standstill.rolling};
}
template <core::Scalar T>
MagicView<T> view_of(const MagicFormula& tyre, const Standstill&) {
  return {tyre};
}

}  // namespace eslabon::tyres
