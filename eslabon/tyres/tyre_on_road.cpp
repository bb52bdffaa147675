#include "eslabon/tyres/tyre_on_road.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "eslabon/tyres/tyre_view.hpp"

namespace eslabon::tyres {

namespace {

constexpr double kGreatestSlip = 10.0;
constexpr double kLeastRelaxation = 0.05;  // by R_0
constexpr double kEarthGravity = 9.80665;  // [m/s²]
constexpr double kFlat = 0.985;            // sine of 80°: a disc that leans so far says nothing of a tyre

template <core::Scalar T>
T larger(const T& a, const T& b) {
  return core::select_less(a, b, b, a);
}
template <core::Scalar T>
T smaller(const T& a, const T& b) {
  return core::select_less(a, b, a, b);
}

/// x, or `least` where x is below it, with three derivatives: between half of it and one and a half
///   least (1 + s⁴ (5/2 − 3 s + s²)),   s = x/least − 1/2                                                              (8)
template <core::Scalar T>
T no_less(const T& x, double least) {
  const T s = smaller(larger(T(x / least - 0.5), T(0.0)), T(1.0)), s2 = s * s;
  const T between = least * (1.0 + s2 * s2 * (2.5 + s * (s - 3.0)));  // (8)
  return core::select_less(T(1.5 * least), x, x, between);
}

/// |v| with a smooth foot, v²/√(v² + v_0²): nothing jumps where a wheel stands, and nothing creeps.
template <core::Scalar T>
T modulus(const T& v, double still) {
  using std::sqrt;
  return v * v / sqrt(T(v * v + still * still));
}

/// 1 where the tyre is on the road, 0 in the air.
template <core::Scalar T>
T touching(const T& deflection, double R_0) {
  return smaller(larger(T(deflection / (kTouch * R_0)), T(0.0)), T(1.0));
}

/// A part of all forces.
template <core::Scalar T>
TyreForces<T> faded(const TyreForces<T>& f, const T& part) {
  return {part * f.F_x, part * f.F_y, part * f.M_x, part * f.M_y, part * f.M_z};
}

/// λ of (5).
template <core::Scalar T>
T forgetting(const T& deflection, const T& deflection_rate, const T& touch, const T& psi, double R_0,
             double lag) {
  const T by_load = deflection_rate / (larger(deflection, T(0.0)) + kTouch * R_0);
  return (1.0 - touch) / lag +
         touch * core::select_less(T(0.0), deflection_rate, by_load, T(by_load / (psi * psi)));
}

/// What follows from the load.
template <core::Scalar T>
struct AtLoad {
  T effective_radius, V_sx, sigma_x, sigma_y, psi, kappa, tan_alpha, standing;
  TyreSlip<T> slip;  ///< what the curves are asked for
};

/// One tyre at one instant; steps of `act`.
template <core::Scalar T, class View>
class Instant {
 public:
  Instant(View view, const FittedTyre& tyre, const Standstill& standstill, const WheelContactOf<T>& at,
          const FeltSlipOf<T>& felt)
      : view_(view),
        tyre_(tyre),
        still_(standstill),
        at_(at),
        felt_(felt),
        R_0_(unloaded_radius(tyre)),
        deflection_(view.radius(at.spin) - at.radius),
        contact_{T(0.0), gamma(), T(view.pressure()), at.friction} {
    if (tyre.is_mirrored) contact_ = mirrored(contact_);
    V_x_ = modulus(at.v_x, standstill.still);
  }

  TyreActionOf<T> act() {
    using std::atan;
    TyreStanding<T> standing{at_.radius, contact_.gamma, contact_.pressure, at_.spin, T(0.0), T(0.0)};
    const LoadParts<T> elastic = view_.load(standing);
    const T part = smaller(T(deflection_ / (kDampedDeflection * R_0_)), T(1.0));
    const T pushes = elastic.whole - view_.damping() * part * at_.radius_rate;  // it never pulls
    T unsoftened = core::select_less(T(0.0), deflection_, larger(pushes, T(0.0)), T(0.0));
    if constexpr (core::NumericScalar<T>)
      if (core::value_of(deflection_) > 0.0 && std::abs(core::value_of(at_.sin_camber)) > kFlat)
        unsoftened = T(std::numeric_limits<double>::quiet_NaN());
    T load = unsoftened;
    AtLoad<T> now = at_load(load);
    if (view_.is_softened()) {
      const auto next = [&](const T& known) {
        return softened(unsoftened, elastic.softened, view_.plane_forces(now.slip), standing, known);
      };
      const T first = next(unsoftened);
      now = at_load(first);
      const T second = next(first);
      // Both differences fall at one rate, nearly: Aitken's end of the row.
      const T step = first - unsoftened, smaller_step = second - first;
      const T end = second + smaller_step * smaller_step / (step - smaller_step - view_.no_force());
      load = smaller(larger(end, T(0.0)), unsoftened);  // where the row does not end, as far as a load can be
      now = at_load(load);
    }
    TyreForces<T> forces = view_.forces(contact_, now.slip);
    if (view_.is_softened())
      load = softened(unsoftened, elastic.softened, {forces.F_x, forces.F_y}, standing, load);
    if (view_.pushes_without_load()) forces = faded(forces, touching(deflection_, R_0_));
    if (tyre_.is_mirrored) forces = mirrored(forces);
    return {.contact = at_,
            .deflection = deflection_,
            .load = load,
            .effective_radius = now.effective_radius,
            .kappa = now.kappa,
            .alpha = atan(now.tan_alpha),
            .gamma = gamma(),
            .forces = forces,
            .rate = rates(now)};
  }

 private:
  T gamma() const {
    using std::asin;
    return asin(at_.sin_camber);
  }

  /// The load that F_x and F_y leave, if they grow with it from what they are at the load F_k: with what they soften, E u_k² (F_z/F_k)²,
  ///   F_z = F − a F_z²   →   F_z = 2 F/(1 + √(1 + 4 a F)),   a = E u_k²/F_k²                                  (6)
  T softened(const T& whole, const T& E, const std::array<T, 2>& forces, TyreStanding<T>& standing,
             const T& load) const {
    using std::sqrt;
    standing.F_x = forces[0];
    standing.F_y = forces[1];
    const T known = load + view_.no_force();
    const T a = E * view_.softening(standing) / (known * known);
    return 2.0 * whole / (1.0 + sqrt(T(1.0 + 4.0 * a * whole)));
  }

  AtLoad<T> at_load(const T& load) {
    using std::atan, std::cos, std::sqrt;
    contact_.F_z = load;
    view_.stand_on(contact_);
    AtLoad<T> now;
    now.effective_radius = view_.effective_radius(contact_, deflection_, at_.spin);
    const T rolling_speed = at_.spin * now.effective_radius;
    now.V_sx = at_.v_x - rolling_speed;
    const Carcass<T> carcass = view_.carcass(contact_);
    const T x = carcass.call_x * felt_.kappa, y = carcass.call_y * felt_.tan_alpha;
    now.psi = sqrt(T(1.0 + x * x + y * y));
    const double least = kLeastRelaxation * R_0_;
    now.sigma_x = no_less(T(carcass.sigma_x / now.psi), least);
    now.sigma_y = no_less(T(carcass.sigma_y / now.psi), least);  // (3)
    now.standing = core::select_less(V_x_, T(still_.speed),
                                     T(0.5 + 0.5 * cos((std::numbers::pi / still_.speed) * at_.v_x)), T(0.0));
    const T lag = still_.lag * now.standing;
    now.kappa = felt_.kappa - lag * now.V_sx / now.sigma_x;  // (4)
    now.tan_alpha = felt_.tan_alpha + lag * at_.v_y / now.sigma_y;
    now.slip = {now.kappa, T(atan(now.tan_alpha)), at_.v_x, rolling_speed, T(1.0 - now.standing)};
    if (tyre_.is_mirrored) now.slip = mirrored(now.slip);
    return now;
  }

  FeltSlipOf<T> rates(const AtLoad<T>& now) const {
    const T touch = touching(deflection_, R_0_);
    const T lost = forgetting(deflection_, T(-at_.radius_rate), touch, now.psi, R_0_, still_.lag);
    const auto rate = [&](const T& slide, const T& sigma, const T& slip) {  // of −V_sx for κ', V_y for t'
      const T pace = larger(V_x_, T(modulus(slide, still_.still) / kGreatestSlip));
      return T(touch * (slide - pace * slip) / sigma - lost * slip);
    };
    return {rate(T(-now.V_sx), now.sigma_x, felt_.kappa),  // (1)
            rate(at_.v_y, now.sigma_y, felt_.tan_alpha)};  // (2)
  }

  View view_;
  const FittedTyre& tyre_;
  const Standstill& still_;
  const WheelContactOf<T>& at_;
  const FeltSlipOf<T>& felt_;
  double R_0_;
  T deflection_;
  TyreContact<T> contact_;
  T V_x_;
};

}  // namespace

RoadFeeler feeler_of(const FittedTyre& tyre, const Road& road) {
  const double R_0 = unloaded_radius(tyre);
  const bool needs_length = tyre.contact_half_length == 0.0 && has_corners(road);
  return {R_0, needs_length ? R_0 / 3.0 : tyre.contact_half_length};
}

double unloaded_radius(const FittedTyre& tyre) {
  if (const auto* plain = std::get_if<PlainTyre>(&tyre.model)) return plain->radius;
  return std::get<MagicFormula>(tyre.model).UNLOADED_RADIUS;
}

Standstill standstill_of(double radius, double gravity) {
  const double g = gravity > 0.0 ? gravity : kEarthGravity;
  const double speed = std::sqrt(g * radius), time = std::sqrt(radius / g);
  return {.speed = 1.5 * speed, .still = speed / 2000.0, .lag = time / 36.0, .rolling = 0.6 * speed};  // (7)
}

template <core::Scalar T>
TyreActionOf<T> tyre_in_run(const FittedTyre& tyre, const Road& road, const WheelMotionOf<T>& wheel,
                            const FeltSlipOf<T>& felt, RoadHalf half, const Standstill& standstill) {
  const WheelContactOf<T> contact = wheel_contact(road, half, feeler_of(tyre, road), wheel);
  return std::visit(
      [&](const auto& model) {
        const auto view = view_of<T>(model, standstill);
        return Instant<T, std::remove_const_t<decltype(view)>>(view, tyre, standstill, contact, felt).act();
      },
      tyre.model);
}

template <core::Scalar T>
TyreActionOf<T> tyre_on_road(const FittedTyre& tyre, const Road& road, const WheelMotionOf<T>& wheel,
                             const FeltSlipOf<T>& felt) {
  return tyre_in_run(tyre, road, wheel, felt, RoadHalf::kOfItsPlace,
                     standstill_of(unloaded_radius(tyre), kEarthGravity));
}

#define ESLABON_INSTANTIATE(T)                                                                   \
  template TyreActionOf<T> tyre_in_run(const FittedTyre&, const Road&, const WheelMotionOf<T>&,  \
                                       const FeltSlipOf<T>&, RoadHalf, const Standstill&);       \
  template TyreActionOf<T> tyre_on_road(const FittedTyre&, const Road&, const WheelMotionOf<T>&, \
                                        const FeltSlipOf<T>&);
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
