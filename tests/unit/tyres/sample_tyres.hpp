#pragma once

#include <string>
#include <vector>

#include "eslabon/io/tyres/tyre_file.hpp"
#include "eslabon/tyres/magic_formula_forces.hpp"

namespace eslabon::test {

inline tyres::MagicFormula tyre_of(const std::string& file) {
  return io::read_tyre_file(ESLABON_SOURCE_DIR "/tests/data/tyres/" + file).tyre;
}
inline tyres::MagicFormula tyre_61() { return tyre_of("mfeval/MagicFormula61_Parameters.tir"); }
inline tyres::MagicFormula tyre_52() { return tyre_of("mfeval/MagicFormula52_Parameters.tir"); }

/// Everything a force depends on.
template <class T>
struct TyrePoint {
  T F_z{}, kappa{}, alpha{}, gamma{}, V_x{}, pressure{};
};

template <class T>
tyres::TyreForces<T> forces_at(const tyres::MagicFormula& tyre, const TyrePoint<T>& at) {
  return tyres::magic_formula_forces<T>(tyre,
                                        tyres::magic_curves<T>(tyre, {at.F_z, at.gamma, at.pressure, T(1.0)}),
                                        tyres::steady_slip<T>(at.kappa, at.alpha, at.V_x));
}

inline tyres::TyreForces<double> forces_at(const tyres::MagicFormula& tyre, const TyrePoint<double>& at) {
  return forces_at<double>(tyre, at);
}

/// The same tyre without what makes left and right differ, or braking and driving.
inline tyres::MagicFormula without_shifts(tyres::MagicFormula tyre) {
  using tyres::MagicFormula;
  for (double MagicFormula::*const member :
       {&MagicFormula::PHX1, &MagicFormula::PHX2, &MagicFormula::PVX1, &MagicFormula::PVX2,
        &MagicFormula::PEX4, &MagicFormula::PHY1, &MagicFormula::PHY2, &MagicFormula::PVY1,
        &MagicFormula::PVY2, &MagicFormula::PEY3, &MagicFormula::RHX1, &MagicFormula::RHY1,
        &MagicFormula::RHY2, &MagicFormula::RBY3, &MagicFormula::RVY1, &MagicFormula::RVY2,
        &MagicFormula::QBZ4, &MagicFormula::QDZ3, &MagicFormula::QDZ6, &MagicFormula::QDZ7,
        &MagicFormula::QEZ4, &MagicFormula::QHZ1, &MagicFormula::QHZ2, &MagicFormula::QSX1,
        &MagicFormula::SSZ1})
    tyre.*member = 0.0;
  return tyre;
}

inline const std::vector<std::string>& sample_tyres() {
  static const std::vector<std::string> files{"mfeval/MagicFormula61_Parameters.tir",
                                              "mfeval/MagicFormula52_Parameters.tir",
                                              "chrono/mf_185_80R14.tir",
                                              "chrono/Sedan_Pac02Tire.tir",
                                              "chrono/HMMWV_Pac02Tire.tir",
                                              "chrono/HMMWV_pacejka.tir",
                                              "chrono/UAZBUS_Pac02Tire.tir"};
  return files;
}

}  // namespace eslabon::test
