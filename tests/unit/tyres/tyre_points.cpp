// Reads points of a tyre from the standard input, one to a line, and prints what the library makes of each, for magic_formula_judge.py:
//   tyre_points FILE.tir angle|tangent
//   in:  F_z kappa alpha gamma V_x pressure friction
//   out: F_x F_y M_x M_y M_z K_xkappa K_yalpha sigma_x sigma_y R_e load, R_e at the speed of rotation V_x/R_0 and the load at the radius
//        R_0 − F_z/C_z0, with F_x and F_y
//   tyre_points 1989
//   in:  a0 … a13 b0 … b10 c0 … c17 lateral_stiffness rolling_coefficient free_radius, then F_z kappa alpha gamma V_x friction
//   out: F_x F_y M_x M_y M_z

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "eslabon/io/tyres/tyre_file.hpp"
#include "eslabon/tyres/low_speed.hpp"
#include "eslabon/tyres/magic_formula_89.hpp"
#include "eslabon/tyres/magic_formula_forces.hpp"
#include "eslabon/tyres/relaxation.hpp"
#include "eslabon/tyres/vertical.hpp"

using namespace eslabon;

namespace {

void print_points_of_1989() {
  tyres::MagicFormula89 tyre;
  for (double& x : tyre.a) std::cin >> x;
  for (double& x : tyre.b) std::cin >> x;
  for (double& x : tyre.c) std::cin >> x;
  std::cin >> tyre.lateral_stiffness >> tyre.rolling_coefficient >> tyre.free_radius;
  tyres::TyreContact<double> contact;
  double kappa, alpha, V_x;
  while (std::cin >> contact.F_z >> kappa >> alpha >> contact.gamma >> V_x >> contact.friction) {
    const auto forces = tyres::magic_formula_89_forces(tyre, contact, tyres::steady_slip(kappa, alpha, V_x));
    for (const double x : {forces.F_x, forces.F_y, forces.M_x, forces.M_y, forces.M_z})
      std::printf("%.17g ", x);
    std::printf("\n");
  }
}

void print_points(const std::string& file, bool is_tangent) {
  tyres::MagicFormula tyre = io::read_tyre_file(file).tyre;
  if (is_tangent) tyre.slip_measure = tyres::SlipMeasure::kTangent;
  tyres::TyreContact<double> contact;
  double kappa, alpha, V_x;
  while (std::cin >> contact.F_z >> kappa >> alpha >> contact.gamma >> V_x >> contact.pressure >>
         contact.friction) {
    const auto curves = tyres::magic_curves(tyre, contact);
    const auto slip = tyres::reduced_at_low_speed(tyre, tyres::steady_slip(kappa, alpha, V_x));
    const auto forces = tyres::magic_formula_forces(tyre, curves, slip);
    const auto relaxation = tyres::relaxation_at(tyre, contact, curves);
    const double omega = V_x / tyre.UNLOADED_RADIUS;
    const double radius = tyre.UNLOADED_RADIUS - contact.F_z / tyre.VERTICAL_STIFFNESS;
    const double load = tyres::load_at<double>(
        tyre, {radius, contact.gamma, contact.pressure, omega, forces.F_x, forces.F_y});
    for (const double x :
         {forces.F_x, forces.F_y, forces.M_x, forces.M_y, forces.M_z, curves.K_xkappa, curves.K_yalpha,
          relaxation.sigma_x, relaxation.sigma_y, tyres::effective_radius(tyre, contact, omega), load})
      std::printf("%.17g ", x);
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** words) try {
  if (count == 2 && std::string(words[1]) == "1989") {
    print_points_of_1989();
  } else if (count == 3) {
    print_points(words[1], std::string(words[2]) == "tangent");
  } else {
    return 2;
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
