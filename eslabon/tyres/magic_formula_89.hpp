#pragma once

#include <array>

#include "eslabon/tyres/tyre_contact.hpp"

namespace eslabon::tyres {

/// The Magic Formula of 1989, with the numbers that its tables have: of loads in kN, angles in degrees and slips in per cent, giving N and
/// N m. Of pure slip: F_x does not know α, F_y and M_z do not know κ.
struct MagicFormula89 {
  std::array<double, 14> a{};        ///< a0 … a13, of F_y
  std::array<double, 11> b{};        ///< b0 … b10, of F_x
  std::array<double, 18> c{};        ///< c0 … c17, of M_z
  double lateral_stiffness = 0.0;    ///< of the carcass; 0: rigid    [N/m]
  double rolling_coefficient = 0.0;  ///< rolling resistance by the load
  double free_radius = 0.0;          ///< arm of the rolling resistance [m]
  friend bool operator==(const MagicFormula89&, const MagicFormula89&) = default;
};

/// Its forces. With W the load in kN, x = X + S_H, Y(X) = D sin(C atan(B x − E (B x − atan(B x)))) + S_V and BCD the slope at x = 0:
///   F_x: C = b0, D = b1 W² + b2 W, BCD = (b3 W² + b4 W) exp(−b5 W), E = b6 W² + b7 W + b8, S_H = b9 W + b10              (1)
///   F_y: C = a0, D = a1 W² + a2 W, BCD = a3 sin(2 atan(W/a4)) (1 − a5 |γ|), E = a6 W + a7,
///        S_H = a8 γ + a9 W + a10, S_V = a11 W γ + a12 W + a13                                                            (2)
///   M_z: C = c0, D = c1 W² + c2 W, BCD = (c3 W² + c4 W) (1 − c6 |γ|) exp(−c5 W), E = (c7 W² + c8 W + c9) (1 − c10 |γ|),
///        S_H = c11 γ + c12 W + c13, S_V = (c14 W² + c15 W) γ + c16 W + c17                                               (3)
/// (2) and (3) are of axes with y to the right and z down: F_y and M_z change their signs here. A carcass that gives way by F_y/k moves
/// the load and F_x aside: M_x = F_z F_y/k, and M_z has F_x F_y/k besides                                                 (4)
/// Source: [BakkerNyborgPacejka1987] and [BakkerPacejkaLidner1989] with the coefficients as programs name them since; the papers were not
/// at hand. `friction` multiplies D and S_V; slopes and E stay. Does not fail for finite arguments where a4 is not 0.
template <core::Scalar T>
TyreForces<T> magic_formula_89_forces(const MagicFormula89& tyre, const TyreContact<T>& contact,
                                      const TyreSlip<T>& slip);

/// How steep the curves are and how high, whatever the slip, without shifts.
template <core::Scalar T>
struct SlopesAndPeaks {
  T slope_x{};  ///< ∂F_x/∂κ [N]
  T slope_y{};  ///< −∂F_y/∂α [N/rad]
  T peak_x{};   ///< D of F_x [N]
  T peak_y{};   ///< D of F_y [N]
};
template <core::Scalar T>
SlopesAndPeaks<T> slopes_and_peaks(const MagicFormula89& tyre, const TyreContact<T>& contact);

#define ESLABON_DECLARE(T)                                                                            \
  extern template TyreForces<T> magic_formula_89_forces(const MagicFormula89&, const TyreContact<T>&, \
                                                        const TyreSlip<T>&);                          \
  extern template SlopesAndPeaks<T> slopes_and_peaks(const MagicFormula89&, const TyreContact<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_DECLARE)
#undef ESLABON_DECLARE

}  // namespace eslabon::tyres
