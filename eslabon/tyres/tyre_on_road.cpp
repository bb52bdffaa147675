#include "eslabon/tyres/tyre_on_road.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "eslabon/tyres/magic_formula_forces.hpp"
#include "eslabon/tyres/relaxation.hpp"
#include "eslabon/tyres/vertical.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kGreatestSlip = 10.0;
constexpr double kCarcassLag = 5e-3;        // τ [s]
constexpr double kStandingSpeed = 2.5;      // V_l [m/s]
constexpr double kLeastRelaxation = 0.05;   // by R_0
constexpr double kTouch = 1e-3;             // by R_0: deflection from which it is wholly on the road
constexpr double kDampedDeflection = 0.01;  // by R_0: where the damper is whole
constexpr double kStill = 1e-3;             // [m/s] below it the modulus of a speed is rounded off
constexpr double kNoForce = 1e-6;           // [N] keeps a ratio of forces finite where there is none

template <core::Scalar T>
T larger(const T& a, const T& b) {
  return core::select_less(a, b, b, a);
}
template <core::Scalar T>
T smaller(const T& a, const T& b) {
  return core::select_less(a, b, a, b);
}

/// |v| with a smooth foot, v²/√(v² + v_0²): nothing jumps where a wheel stands, and nothing creeps.
template <core::Scalar T>
T modulus(const T& v) {
  using std::sqrt;
  return v * v / sqrt(T(v * v + kStill * kStill));
}

/// How a carcass follows at small slips, and by how much of its friction a unit of slip calls for.
template <core::Scalar T>
struct Carcass {
  T sigma_x{};
  T sigma_y{};
  T call_x{};  ///< K_xκ/(μ_x F_z)
  T call_y{};  ///< K_yα/(μ_y F_z)
};

/// K/√((μ F_z)² + (10⁻⁴ K)²): without friction a slip does not call for more than 10⁴ times as much of it, or the relaxation length would fall within
/// slips that no step can see.
template <core::Scalar T>
T call_of(const T& slope, const T& peak) {
  using std::sqrt;
  constexpr double kSlides = 1e-4;  // slip
  return slope / sqrt(T(peak * peak + (kSlides * kSlides) * slope * slope));
}

/// By how much of its friction a unit of slip calls for: K_xκ/(μ_x F_z), K_yα/(μ_y F_z). A linear tyre has friction without end.
template <core::Scalar T>
std::array<T, 2> calls(const LinearTyre&, const TyreContact<T>&) {
  return {T(0.0), T(0.0)};
}
template <core::Scalar T>
std::array<T, 2> calls(const FialaTyre& tyre, const TyreContact<T>& contact) {
  const T most = tyre.friction * contact.friction * contact.F_z + kNoForce;
  return {call_of(T(tyre.slip_stiffness), most), call_of(T(tyre.cornering_stiffness), most)};
}
template <core::Scalar T>
std::array<T, 2> calls(const MagicFormula89& tyre, const TyreContact<T>& contact) {
  const SlopesAndPeaks<T> at = slopes_and_peaks(tyre, contact);
  return {call_of(at.slope_x, T(at.peak_x + kNoForce)), call_of(at.slope_y, T(at.peak_y + kNoForce))};
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

  T radius(const T&) const { return T(tyre.radius); }
  T load(const TyreStanding<T>& standing) const {
    return tyre.stiffness * (tyre.radius - standing.loaded_radius);
  }
  double damping() const { return tyre.damping; }
  double pressure() const { return 0.0; }
  /// Less than R_0 by a third of the deflection: what a thin band rolls on that the road flattens.
  T effective_radius(const TyreContact<T>&, const T& deflection, const T&) const {
    return tyre.radius - deflection / 3.0;
  }
  void stand_on(const TyreContact<T>&) {}
  Carcass<T> carcass(const TyreContact<T>& contact) const {
    const std::array<T, 2> call =
        std::visit([&](const auto& curves) { return calls<T>(curves, contact); }, tyre.curves);
    return {T(tyre.relaxation_along), T(tyre.relaxation_across), call[0], call[1]};
  }
  TyreForces<T> forces(const TyreContact<T>& contact, const TyreSlip<T>& slip) const {
    return std::visit([&](const auto& curves) { return curves_of<T>(curves, contact, slip); }, tyre.curves);
  }
};

template <core::Scalar T>
struct MagicView {
  const MagicFormula& tyre;
  MagicCurves<T> curves{};

  T radius(const T& spin) const { return free_radius(tyre, spin); }
  T load(const TyreStanding<T>& standing) const { return load_at(tyre, standing); }
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
            call_of(T(abs(curves.K_xkappa)), T(curves.mu_x * contact.F_z + kNoForce)),
            call_of(T(abs(curves.K_yalpha)), T(curves.mu_y * contact.F_z + kNoForce))};
  }
  TyreForces<T> forces(const TyreContact<T>&, const TyreSlip<T>& slip) const {
    return magic_formula_forces(tyre, curves, slip);
  }
};

template <core::Scalar T>
PlainView<T> view_of(const PlainTyre& tyre) {
  return {tyre};
}
template <core::Scalar T>
MagicView<T> view_of(const MagicFormula& tyre) {
  return {tyre};
}

/// The elastic force, and the damper's as far as the tyre is deflected.
template <core::Scalar T, class View>
T load_of(const View& view, double R_0, const TyreStanding<T>& standing, const T& deflection,
          const T& radius_rate) {
  const T part = smaller(T(deflection / (kDampedDeflection * R_0)), T(1.0));
  const T pushes = larger(T(view.load(standing) - view.damping() * part * radius_rate), T(0.0));
  return core::select_less(T(0.0), deflection, pushes, T(0.0));
}

/// 1 where the tyre is on the road, 0 in the air.
template <core::Scalar T>
T touching(const T& deflection, double R_0) {
  return smaller(larger(T(deflection / (kTouch * R_0)), T(0.0)), T(1.0));
}

/// λ of (5).
template <core::Scalar T>
T forgetting(const T& deflection, const T& deflection_rate, const T& touch, const T& psi, double R_0) {
  const T by_load = deflection_rate / (larger(deflection, T(0.0)) + kTouch * R_0);
  return (1.0 - touch) / kCarcassLag +
         touch * core::select_less(T(0.0), deflection_rate, by_load, T(by_load / (psi * psi)));
}

template <core::Scalar T, class View>
TyreActionOf<T> act(View view, const FittedTyre& tyre, const Road& road, const WheelMotionOf<T>& wheel,
                    const FeltSlipOf<T>& felt) {
  using std::asin, std::atan, std::cos, std::sqrt;
  const double R_0 = unloaded_radius(tyre);
  TyreActionOf<T> action;
  action.contact = wheel_contact(road, {R_0, tyre.contact_half_length}, wheel);
  const WheelContactOf<T>& at = action.contact;
  action.deflection = view.radius(at.spin) - at.radius;
  action.gamma = asin(at.sin_camber);
  TyreContact<T> contact{T(0.0), action.gamma, T(view.pressure()), at.friction};
  if (tyre.is_mirrored) contact = mirrored(contact);
  action.load = load_of<T>(view, R_0, {at.radius, contact.gamma, contact.pressure, at.spin, T(0.0), T(0.0)},
                           action.deflection, at.radius_rate);
  contact.F_z = action.load;
  view.stand_on(contact);
  action.effective_radius = view.effective_radius(contact, action.deflection, at.spin);
  const T rolling_speed = at.spin * action.effective_radius;
  const T V_sx = at.v_x - rolling_speed;

  const Carcass<T> carcass = view.carcass(contact);
  const T x = carcass.call_x * felt.kappa, y = carcass.call_y * felt.tan_alpha;
  const T psi = sqrt(T(1.0 + x * x + y * y));
  const T least(kLeastRelaxation * R_0);
  const T sigma_x = larger(T(carcass.sigma_x / psi), least),
          sigma_y = larger(T(carcass.sigma_y / psi), least);  // (3)
  const T V_x = modulus(at.v_x);
  const T touch = touching(action.deflection, R_0);
  const T lost = forgetting(action.deflection, T(-at.radius_rate), touch, psi, R_0);
  const auto rate = [&](const T& slide, const T& sigma, const T& slip) {  // of −V_sx for κ', V_y for t'
    const T pace = larger(V_x, T(modulus(slide) / kGreatestSlip));
    return T(touch * (slide - pace * slip) / sigma - lost * slip);
  };
  action.rate.kappa = rate(T(-V_sx), sigma_x, felt.kappa);        // (1)
  action.rate.tan_alpha = rate(at.v_y, sigma_y, felt.tan_alpha);  // (2)

  const T standing = core::select_less(
      V_x, T(kStandingSpeed), T(0.5 + 0.5 * cos((std::numbers::pi / kStandingSpeed) * at.v_x)), T(0.0));
  const T lag = kCarcassLag * standing;
  action.kappa = felt.kappa - lag * V_sx / sigma_x;  // (4)
  action.alpha = atan(T(felt.tan_alpha + lag * at.v_y / sigma_y));
  TyreSlip<T> slip{action.kappa, action.alpha, at.v_x, rolling_speed, T(1.0 - standing)};
  if (tyre.is_mirrored) slip = mirrored(slip);
  action.forces = view.forces(contact, slip);
  if (tyre.is_mirrored) action.forces = mirrored(action.forces);
  return action;
}

}  // namespace

double unloaded_radius(const FittedTyre& tyre) {
  if (const auto* plain = std::get_if<PlainTyre>(&tyre.model)) return plain->radius;
  return std::get<MagicFormula>(tyre.model).UNLOADED_RADIUS;
}

template <core::Scalar T>
TyreActionOf<T> tyre_on_road(const FittedTyre& tyre, const Road& road, const WheelMotionOf<T>& wheel,
                             const FeltSlipOf<T>& felt) {
  return std::visit([&](const auto& model) { return act<T>(view_of<T>(model), tyre, road, wheel, felt); },
                    tyre.model);
}

#define ESLABON_INSTANTIATE(T)                                                                   \
  template TyreActionOf<T> tyre_on_road(const FittedTyre&, const Road&, const WheelMotionOf<T>&, \
                                        const FeltSlipOf<T>&);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
