#include "eslabon/tyres/magic_curves.hpp"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "eslabon/tyres/side_by_side.hpp"

namespace eslabon::tyres {

namespace {

/// What keeps denominators from zero; the book's ε of (4.E6a), (4.E16), (4.E26), (4.E39).
constexpr double kGuard = 1e-6;
/// Loads far below one newton, by the nominal one: where a power of the load has no slope at zero.
constexpr double kNoLoad = 1e-15;
/// Friction below which the slopes of the aligning moment no longer grow.
constexpr double kMinFriction = 1e-6;

/// x + ε with the sign of x; that of 0 is plus.
template <core::Scalar T>
T guarded(const T& x) {
  return x + core::select_less(x, T(0.0), T(-kGuard), T(kGuard));
}
template <core::Scalar T>
T at_most_one(const T& x) {
  return core::select_less(T(1.0), x, T(1.0), x);
}
template <core::Scalar T>
T at_least(const T& x, double least) {
  return core::select_less(x, T(least), T(least), x);
}

/// One contact with a tyre; each part fills its own fields of the curves.
template <core::Scalar T>
class Curves {
 public:
  Curves(const MagicFormula& tyre, const TyreContact<T>& contact, MagicCurves<T>& out)
      : tyre_(tyre),
        F_z_(contact.F_z),
        gamma_(contact.gamma),
        per_nominal_(1.0 / tyre.FNOMIN),
        df_z_(contact.F_z / (tyre.LFZO * tyre.FNOMIN) - 1.0),  // (4.E2a)
        pressure_ratio_(contact.pressure / tyre.NOMPRES),
        dp_(pressure_ratio_ - 1.0),  // (4.E2b)
        LMUX_(contact.friction * tyre.LMUX),
        LMUY_(contact.friction * tyre.LMUY),
        out_(out) {
    using std::abs;
    using std::sin;
    const bool is_sine = tyre.slip_measure == SlipMeasure::kTangent;
    gamma_y_ = is_sine ? T(sin(gamma_)) : gamma_;  // (4.E4)
    gamma_z_ = tyre.LGAZ * gamma_y_;
    gamma_y_ = tyre.LGAY * gamma_y_;
    modulus_y_ = abs(gamma_y_);
  }

  void fill() {
    evaluate_functions();
    add_longitudinal();
    add_lateral();
    add_combined();
    add_aligning();
    add_overturning();
    add_rolling();
  }

 private:
  /// The functions of the load that do not wait for each other.
  void evaluate_functions() {
    const MagicFormula& t = tyre_;
    const T load_ratio = 1.0 + df_z_, by_pressure = 1.0 + t.PPY2 * dp_;
    const T load = measured_load(2) * per_nominal_, slope = t.QSX6 * load;
    const auto angle =
        arctangents<T, 4>({load_ratio / (by_pressure * (t.PKY2 + t.PKY5 * gamma_y_ * gamma_y_)),
                           load_ratio / (by_pressure * t.PKY2), slope * slope, t.QSX11 * load});
    const auto sine =
        sines<T, 4>({t.PKY4 * angle[0], t.PKY4 * angle[1], t.QSX5 * angle[2] + kCosine, T(0.0)});
    sine_of_K_yalpha_ = sine[0];
    sine_of_upright_ = sine[1];
    cosine_of_M_x_ = sine[2];
    angle_of_M_x_ = angle[3];
  }

  /// The load; below those of the measurement times (F_z/FZMIN)^power, of 1 or 2.
  T measured_load(int power) const {
    if (!(tyre_.FZMIN > 0.0)) return F_z_;
    const T part = F_z_ / tyre_.FZMIN;
    return core::select_less(part, T(1.0), T(F_z_ * part * (power == 2 ? part : T(1.0))), F_z_);
  }

  void add_longitudinal() {
    using std::exp;
    const MagicFormula& t = tyre_;
    const T gamma_x = t.LGAX * gamma_;
    const T mu = (t.PDX1 + t.PDX2 * df_z_) * (1.0 + dp_ * (t.PPX3 + t.PPX4 * dp_)) *
                 (1.0 - t.PDX3 * gamma_x * gamma_x) * LMUX_;  // (4.E13)
    SineCurve<T>& F_x0 = out_.F_x0;
    F_x0.C = t.PCX1 * t.LCX;  // (4.E11)
    F_x0.D = mu * F_z_;       // (4.E12)
    out_.mu_x = without_load(mu);
    out_.K_xkappa = F_z_ * (t.PKX1 + t.PKX2 * df_z_) * exp(t.PKX3 * df_z_) *
                    (1.0 + dp_ * (t.PPX1 + t.PPX2 * dp_)) * t.LKX;  // (4.E15)
    F_x0.B = out_.K_xkappa / guarded(T(F_x0.C * F_x0.D));           // (4.E16)
    F_x0.S_H = (t.PHX1 + t.PHX2 * df_z_) * t.LHX;                   // (4.E17)
    F_x0.S_V = F_z_ * (t.PVX1 + t.PVX2 * df_z_) * t.LVX * LMUX_;    // (4.E18)
    const T E = (t.PEX1 + df_z_ * (t.PEX2 + t.PEX3 * df_z_)) * t.LEX;
    F_x0.E_at_negative = at_most_one(T(E * (1.0 + t.PEX4)));  // (4.E14)
    F_x0.E_at_positive = at_most_one(T(E * (1.0 - t.PEX4)));  // (4.E14)
  }

  void add_lateral() {
    const MagicFormula& t = tyre_;
    const T gamma_2 = gamma_y_ * gamma_y_;
    const T mu_upright = (t.PDY1 + t.PDY2 * df_z_) * (1.0 + dp_ * (t.PPY3 + t.PPY4 * dp_)) * LMUY_;
    const T mu = mu_upright * (1.0 - t.PDY3 * gamma_2);  // (4.E23)
    out_.mu_y = without_load(mu);
    const T K_max = t.PKY1 * t.LFZO * t.FNOMIN * (1.0 + t.PPY1 * dp_) * t.LKY;
    const T K_upright = K_max * sine_of_upright_;
    out_.K_yalpha = K_max * sine_of_K_yalpha_ * (1.0 - t.PKY3 * modulus_y_);  // (4.E25)
    per_K_yalpha_ = 1.0 / guarded(out_.K_yalpha);                             // (4.E39)

    const T S_H = (t.PHY1 + t.PHY2 * df_z_) * t.LHY;
    const T S_V = F_z_ * (t.PVY1 + t.PVY2 * df_z_) * t.LVY * LMUY_;
    const T S_Vgamma = F_z_ * (t.PVY3 + t.PVY4 * df_z_) * gamma_y_ * t.LKYC * LMUY_;  // (4.E28)
    const T E = (t.PEY1 + t.PEY2 * df_z_) * t.LEY;

    SineCurve<T>& F_y0 = out_.F_y0;
    F_y0.C = t.PCY1 * t.LCY;                               // (4.E21)
    F_y0.D = mu * F_z_;                                    // (4.E22)
    F_y0.B = out_.K_yalpha / guarded(T(F_y0.C * F_y0.D));  // (4.E26)
    F_y0.S_H = S_H + shift_by_camber(S_Vgamma);            // (4.E27)
    F_y0.S_V = S_V + S_Vgamma;                             // (4.E29)
    const T E_even = 1.0 + t.PEY5 * gamma_2;
    const T E_odd = t.PEY3 + t.PEY4 * gamma_y_;
    F_y0.E_at_negative = at_most_one(T(E * (E_even + E_odd)));  // (4.E24)
    F_y0.E_at_positive = at_most_one(T(E * (E_even - E_odd)));  // (4.E24)
    out_.S_Hf = F_y0.S_H + F_y0.S_V * per_K_yalpha_;            // (4.E38)

    SineCurve<T>& upright = out_.F_y0_upright;
    upright.C = F_y0.C;
    upright.D = mu_upright * F_z_;
    upright.B = K_upright / guarded(T(upright.C * upright.D));
    upright.S_H = S_H;
    upright.S_V = S_V;
    upright.E_at_negative = at_most_one(T(E * (1.0 + t.PEY3)));
    upright.E_at_positive = at_most_one(T(E * (1.0 - t.PEY3)));
  }

  T shift_by_camber(const T& S_Vgamma) const {
    const MagicFormula& t = tyre_;
    if (t.version == MagicFormulaVersion::k52) return t.PHY3 * gamma_y_ * t.LKYC;
    const T K_ygamma = F_z_ * (t.PKY6 + t.PKY7 * df_z_) * (1.0 + t.PPY5 * dp_) * t.LKYC;  // (4.E30)
    return (K_ygamma * gamma_y_ - S_Vgamma) * per_K_yalpha_;
  }

  void add_combined() {
    const MagicFormula& t = tyre_;
    const T gamma_2 = gamma_y_ * gamma_y_;
    out_.B_xalpha = (t.RBX1 + t.RBX3 * gamma_2) * t.LXAL;                                    // (4.E54)
    out_.E_xalpha = at_most_one(T(t.REX1 + t.REX2 * df_z_));                                 // (4.E56)
    out_.B_ykappa = (t.RBY1 + t.RBY4 * gamma_2) * t.LYKA;                                    // (4.E62)
    out_.E_ykappa = at_most_one(T(t.REY1 + t.REY2 * df_z_));                                 // (4.E64)
    out_.S_Hykappa = t.RHY1 + t.RHY2 * df_z_;                                                // (4.E65)
    out_.D_Vykappa = out_.F_y0.D * (t.RVY1 + t.RVY2 * df_z_ + t.RVY3 * gamma_y_) * t.LVYKA;  // (4.E67)
  }

  void add_aligning() {
    using std::abs;
    const MagicFormula& t = tyre_;
    const T gamma = t.LGAZ * gamma_;
    const T modulus = abs(gamma);
    const T F_z = loaded(at_least(F_z_, t.FZMIN));
    const T stiffness_by_friction = t.LKY / at_least(LMUY_, kMinFriction);
    out_.S_Ht = t.QHZ1 + t.QHZ2 * df_z_ + (t.QHZ3 + t.QHZ4 * df_z_) * gamma_z_;  // (4.E35)
    out_.B_t = (t.QBZ1 + df_z_ * (t.QBZ2 + t.QBZ3 * df_z_)) * (1.0 + t.QBZ4 * gamma + t.QBZ5 * modulus) *
               stiffness_by_friction;  // (A58)
    out_.trail = (t.QDZ1 + t.QDZ2 * df_z_) * (1.0 - t.PPZ1 * dp_) *
                 (1.0 + gamma * (t.QDZ3 + t.QDZ4 * gamma)) * F_z * (t.UNLOADED_RADIUS * per_nominal_) *
                 t.LTR;                                     // (A60), with LFZO
    out_.E_t = t.QEZ1 + df_z_ * (t.QEZ2 + t.QEZ3 * df_z_);  // (4.E44)
    out_.E_t_by_slip = out_.E_t * (t.QEZ4 + t.QEZ5 * gamma_z_) * (2.0 * std::numbers::inv_pi);  // (4.E44)
    out_.B_r = t.QBZ9 * stiffness_by_friction + t.QBZ10 * out_.F_y0.B * out_.F_y0.C;            // (4.E45)
    const T modulus_z = abs(gamma_z_);
    out_.residual = F_z * t.UNLOADED_RADIUS * LMUY_ *
                    ((t.QDZ6 + t.QDZ7 * df_z_) * t.LRES + ((t.QDZ8 + t.QDZ9 * df_z_) * (1.0 + t.PPZ2 * dp_) +
                                                           (t.QDZ10 + t.QDZ11 * df_z_) * modulus_z) *
                                                              gamma_z_ * t.LKZC);  // (4.E47)
    const T ratio = out_.K_xkappa * per_K_yalpha_;
    out_.stiffness_ratio_2 = ratio * ratio;
    out_.arm = t.UNLOADED_RADIUS * (t.SSZ1 + (t.SSZ3 + t.SSZ4 * df_z_) * gamma) * t.LS;  // (A56)
  }

  void add_overturning() {
    using std::abs;
    const MagicFormula& t = tyre_;
    const T F_z = measured_load(2);
    const T R_F_z = t.UNLOADED_RADIUS * t.LMX * F_z;
    const T modulus = abs(gamma_);
    const T camber = -t.QSX2 * (1.0 + t.PPMX1 * dp_) + t.QSX10 * angle_of_M_x_ - t.QSX12 * modulus;
    out_.M_x = R_F_z * (t.QSX1 * t.LVMX + camber * gamma_);  // (49)
    out_.M_x_by_F_y =
        R_F_z * (t.QSX3 * per_nominal_) + t.UNLOADED_RADIUS * t.LMX * (t.QSX13 + t.QSX14 * modulus);
    out_.M_x_sine = R_F_z * t.QSX4 * cosine_of_M_x_;
    out_.M_x_phase = t.QSX7 * gamma_;
  }

  void add_rolling() {
    using std::pow;
    const MagicFormula& t = tyre_;
    const T F_z = measured_load(1);
    if (t.version == MagicFormulaVersion::k52) {
      out_.M_y = -t.UNLOADED_RADIUS * t.LMY * F_z;
      return;
    }
    const T load = F_z * per_nominal_;
    out_.M_y = -t.UNLOADED_RADIUS * t.FNOMIN * t.LMY * load * pow(T(load + kNoLoad), t.QSY7 - 1.0) *
               power_of_pressure(t.QSY8);                          // (A48)
    out_.QSY_camber = (t.QSY5 + t.QSY6 * load) * gamma_ * gamma_;  // (A48)
  }

  /// (p/p_0)^exponent; at the pressure of the measurement nobody needs to compute it.
  T power_of_pressure(double exponent) const {
    using std::pow;
    if constexpr (std::is_same_v<T, double>)
      if (pressure_ratio_ == 1.0) return 1.0;
    return pow(pressure_ratio_, exponent);
  }
  /// Friction that is shown: none where there is no load.
  T without_load(const T& mu) const { return core::select_less(T(0.0), F_z_, mu, T(0.0)); }
  /// A load that stands for F_z, which is none where F_z is none.
  T loaded(const T& F_z) const { return core::select_less(T(0.0), F_z_, F_z, T(0.0)); }

  const MagicFormula& tyre_;
  const T F_z_, gamma_;
  const double per_nominal_;  ///< 1/F_z0
  const T df_z_, pressure_ratio_, dp_, LMUX_, LMUY_;
  T gamma_y_, gamma_z_, modulus_y_;
  T per_K_yalpha_, sine_of_K_yalpha_, sine_of_upright_, cosine_of_M_x_, angle_of_M_x_;
  MagicCurves<T>& out_;
};

}  // namespace

template <core::Scalar T>
MagicCurves<T> magic_curves(const MagicFormula& tyre, const TyreContact<T>& contact) {
  MagicCurves<T> out;
  Curves<T>(tyre, contact, out).fill();
  return out;
}

#define ESLABON_INSTANTIATE(T) \
  template MagicCurves<T> magic_curves(const MagicFormula&, const TyreContact<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::tyres
