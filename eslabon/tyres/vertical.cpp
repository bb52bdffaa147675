#include "eslabon/tyres/vertical.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::tyres {

namespace {

/// Deflection by R_0 that nobody measures: lets its power have a slope at zero.
constexpr double kNoDeflection = 1e-15;

double nominal_stiffness(const MagicFormula& t) { return t.VERTICAL_STIFFNESS * t.LCZ; }

/// Stiffness by that of the nominal pressure.
template <core::Scalar T>
T stiffness_by_pressure(const MagicFormula& t, const T& pressure) {
  return 1.0 + t.PFZ1 * (pressure / t.NOMPRES - 1.0);
}

template <core::Scalar T>
T positive_part(const T& x) {
  return core::select_less(T(0.0), x, x, T(0.0));
}

/// What camber adds to the deflection ρ of a 6.2 tyre.
template <core::Scalar T>
T deflection_by_camber(const MagicFormula& t, const TyreStanding<T>& s, const T& R_free, const T& rho) {
  using std::abs;
  using std::tan;
  if (t.Q_CAM1 == 0.0 && t.Q_CAM2 == 0.0) return -t.Q_CAM3 * rho * abs(s.gamma);
  const T ratio =
      s.loaded_radius * (t.Q_CAM1 + t.Q_CAM2 * s.loaded_radius) / (R_free * (t.Q_CAM1 + t.Q_CAM2 * R_free));
  const double tread = (1.075 - 0.5 * t.ASPECT_RATIO) * t.WIDTH;
  return ratio * ratio * (tread / 8.0) * abs(T(tan(s.gamma))) - t.Q_CAM3 * rho * abs(s.gamma);
}

/// ρ, that by camber with it; none where the tyre does not touch.
template <core::Scalar T>
T deflection_of(const MagicFormula& t, const TyreStanding<T>& s) {
  const T R_free = free_radius(t, s.omega), rho = positive_part(T(R_free - s.loaded_radius));
  if (t.version != MagicFormulaVersion::k62) return rho;
  return positive_part(T(rho + deflection_by_camber(t, s, R_free, rho)));
}

/// F_y by F_z0 as the load sees it.
template <core::Scalar T>
T lateral_softening(const MagicFormula& t, const TyreStanding<T>& s, const T& R_free, const T& deflection) {
  using std::pow;
  if (t.version != MagicFormulaVersion::k62) return t.Q_FCY * s.F_y / t.FNOMIN;
  const T ratio = s.loaded_radius / R_free;
  const T F_y_camber = (t.Q_FYS1 + ratio * (t.Q_FYS2 + t.Q_FYS3 * ratio)) * s.gamma;
  return pow(T(deflection + kNoDeflection), t.Q_FCY2) * t.Q_FCY * (s.F_y - F_y_camber) / t.FNOMIN;
}

/// Newton for f(x) = 0 from x; f of dual numbers.
template <class Function>
double root(Function f, double x) {
  constexpr int kMostSteps = 60;
  for (int step = 0; step < kMostSteps; ++step) {
    const core::Dual<double> value = f(core::Dual<double>(x, 1.0));
    const double change = value.value / value.derivative;
    if (!std::isfinite(change)) break;
    x -= change;
    if (std::abs(change) <= 1e-15 * std::abs(x)) break;
  }
  return x;
}

}  // namespace

template <core::Scalar T>
T free_radius(const MagicFormula& t, const T& omega) {
  const T speed = omega * (t.UNLOADED_RADIUS / t.LONGVL);
  return t.UNLOADED_RADIUS * (t.Q_RE0 + t.Q_V1 * speed * speed);  // (1)
}

template <core::Scalar T>
T effective_radius(const MagicFormula& t, const TyreContact<T>& contact, const T& omega) {
  using std::atan;
  const T C_z = nominal_stiffness(t) * stiffness_by_pressure(t, contact.pressure);  // (5)
  const T load = contact.F_z / t.FNOMIN;
  return free_radius(t, omega) - t.FNOMIN / C_z * (t.DREFF * atan(t.BREFF * load) + t.FREFF * load);  // (7)
}

template <core::Scalar T>
LoadParts<T> load_parts(const MagicFormula& t, const TyreStanding<T>& s) {
  using std::abs;
  const double R_0 = t.UNLOADED_RADIUS;
  const double linear = nominal_stiffness(t) * R_0 / t.FNOMIN;
  const double Q_FZ1 = std::sqrt(std::max(0.0, linear * linear - 4.0 * t.Q_FZ2));
  const T x = deflection_of(t, s) / R_0;
  const T soft = x * (Q_FZ1 + t.Q_FZ2 * x) * stiffness_by_pressure(t, s.pressure) * t.FNOMIN;
  const T to_rim = t.RIM_RADIUS + t.BOTTOM_OFFST - s.loaded_radius;
  const T elastic = (1.0 + t.Q_V2 * (R_0 / t.LONGVL) * abs(s.omega)) * soft;  // (4)
  return {elastic + t.BOTTOM_STIFF * positive_part(to_rim), soft};
}

template <core::Scalar T>
T softening(const MagicFormula& t, const TyreStanding<T>& s) {
  const T by_F_x = t.Q_FCX * s.F_x / t.FNOMIN;
  const T by_F_y =
      lateral_softening(t, s, free_radius(t, s.omega), T(deflection_of(t, s) / t.UNLOADED_RADIUS));
  return by_F_x * by_F_x + by_F_y * by_F_y;  // (4a)
}

template <core::Scalar T>
T load_at(const MagicFormula& t, const TyreStanding<T>& s) {
  const LoadParts<T> parts = load_parts(t, s);
  return parts.whole - parts.softened * softening(t, s);
}

#define ESLABON_INSTANTIATE(T)                                                       \
  template T free_radius(const MagicFormula&, const T&);                             \
  template T effective_radius(const MagicFormula&, const TyreContact<T>&, const T&); \
  template T load_at(const MagicFormula&, const TyreStanding<T>&);                   \
  template LoadParts<T> load_parts(const MagicFormula&, const TyreStanding<T>&);     \
  template T softening(const MagicFormula&, const TyreStanding<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

double rotation_at(const MagicFormula& tyre, const TyreContact<double>& contact, double rolling_speed) {
  using Number = core::Dual<double>;
  const TyreContact<Number> held{contact.F_z, contact.gamma, contact.pressure, contact.friction};
  const auto excess = [&](const Number& omega) {
    return omega * effective_radius<Number>(tyre, held, omega) - rolling_speed;
  };
  return root(excess, rolling_speed / tyre.UNLOADED_RADIUS);
}

double loaded_radius_at(const MagicFormula& tyre, double F_z, const TyreStanding<double>& s) {
  using Number = core::Dual<double>;
  const auto excess = [&](const Number& radius) {
    return load_at<Number>(tyre, {radius, s.gamma, s.pressure, s.omega, s.F_x, s.F_y}) - F_z;
  };
  const double soft = nominal_stiffness(tyre) * stiffness_by_pressure(tyre, s.pressure);
  return root(excess, free_radius(tyre, s.omega) - F_z / soft);
}

}  // namespace eslabon::tyres
