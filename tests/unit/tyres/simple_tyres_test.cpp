#include <cmath>
#include <numbers>

#include "tests/tolerances.hpp"
#include <gtest/gtest.h>

#include "eslabon/tyres/fiala_tyre.hpp"
#include "eslabon/tyres/linear_tyre.hpp"
#include "eslabon/tyres/magic_formula_89.hpp"

namespace eslabon {
namespace {

using core::Dual;
using test::roundoff;
using tyres::steady_slip;
using tyres::TyreContact;
using tyres::TyreForces;

constexpr TyreContact<double> kContact{.F_z = 4000.0, .gamma = 0.02, .pressure = 2e5};

/// Forces with slopes along κ, α and the load; `forces` of contact and slip.
template <class Forces>
void expect_slopes_of_differences(Forces forces, double kappa, double alpha) {
  using Number = Dual<double>;
  const auto at = [&](double x, bool has_slope) {
    const Number s = has_slope ? Number(x, 1.0) : Number(x);
    return forces(TyreContact<Number>{4000.0 + 1000.0 * s, 0.02, 2e5},
                  steady_slip<Number>(kappa + s, alpha + 2.0 * s, 10.0));
  };
  const double h = 1e-6;
  const auto exact = at(0.0, true), before = at(-h, false), after = at(h, false);
  for (Number TyreForces<Number>::*const force :
       {&TyreForces<Number>::F_x, &TyreForces<Number>::F_y, &TyreForces<Number>::M_x,
        &TyreForces<Number>::M_y, &TyreForces<Number>::M_z}) {
    const double difference = ((after.*force).value - (before.*force).value) / (2.0 * h);
    // Third derivatives are 1e7 of these forces at most, and h² = 1e-12; a roundoff of 1e4 N by h.
    EXPECT_NEAR((exact.*force).derivative, difference,
                test::tolerance_scale() * (1e-12 * 1e7 * 1e4 / 6.0 * 1e-2 + 1e4 * 4.0 * test::kEpsilon / h));
  }
}

// ---- linear -------------------------------------------------------------------------------------

constexpr tyres::LinearTyre kLinear{.slip_coefficient = 20.0,
                                    .cornering_coefficient = 12.0,
                                    .camber_coefficient = 0.9,
                                    .trail = 0.03,
                                    .rolling_coefficient = 0.012,
                                    .free_radius = 0.31};

TEST(LinearTyre, ForcesAreProducts) {
  const auto forces = tyres::linear_forces(kLinear, kContact, steady_slip(0.01, 0.05, 20.0));
  EXPECT_DOUBLE_EQ(forces.F_x, 20.0 * 4000.0 * 0.01);
  EXPECT_DOUBLE_EQ(forces.F_y, 4000.0 * (0.9 * 0.02 - 12.0 * 0.05));
  EXPECT_DOUBLE_EQ(forces.M_z, -0.03 * forces.F_y);
  EXPECT_DOUBLE_EQ(forces.M_y, -0.012 * 0.31 * 4000.0);
  EXPECT_DOUBLE_EQ(tyres::linear_forces(kLinear, kContact, steady_slip(0.0, 0.0, -20.0)).M_y,
                   0.012 * 0.31 * 4000.0);
}

// ---- Fiala --------------------------------------------------------------------------------------

constexpr tyres::FialaTyre kFiala{.slip_stiffness = 90e3,
                                  .cornering_stiffness = 60e3,
                                  .friction = 0.9,
                                  .half_contact = 0.08,
                                  .rolling_coefficient = 0.01,
                                  .free_radius = 0.3};

TEST(FialaTyre, OfAlphaAlone_IsFialasFormula) {
  for (const double alpha : {-0.3, -0.05, 0.02, 0.1, 0.17, 0.5}) {
    const double limit = 0.9 * 4000.0, H = 1.0 - 60e3 * std::abs(std::tan(alpha)) / (3.0 * limit);
    const auto forces = tyres::fiala_forces(kFiala, kContact, steady_slip(0.0, alpha, 20.0));
    const double sign = alpha > 0.0 ? 1.0 : -1.0;
    EXPECT_NEAR(forces.F_y, -sign * limit * (H > 0.0 ? 1.0 - H * H * H : 1.0), test::tolerance_scale() * 1e-8)
        << alpha;
    EXPECT_NEAR(forces.M_z, sign * (H > 0.0 ? limit * 0.08 * (1.0 - H) * H * H * H : 0.0),
                test::tolerance_scale() * 1e-8)
        << alpha;
    EXPECT_EQ(forces.F_x, 0.0);
  }
}

TEST(FialaTyre, NeverPushesMoreThanFriction_AndSlidesAlongItsSlip) {
  for (const double kappa : {-1.0, -0.3, 0.02, 2.0})
    for (const double alpha : {-1.2, -0.1, 0.0, 0.4}) {
      const auto forces = tyres::fiala_forces(kFiala, kContact, steady_slip(kappa, alpha, 20.0));
      EXPECT_LE(std::hypot(forces.F_x, forces.F_y), 0.9 * 4000.0 * (1.0 + 1e-12));
      EXPECT_NEAR(forces.F_x * 60e3 * std::tan(alpha) + forces.F_y * 90e3 * kappa, 0.0,
                  roundoff(64.0, 4000.0 * 90e3 * (1.0 + std::abs(std::tan(alpha)))));
    }
}

TEST(FialaTyre, WithoutLoad_HasNoForcesAndFiniteSlopes) {
  using Number = Dual<double>;
  const auto forces = tyres::fiala_forces<Number>(kFiala, {Number(0.0, 1.0), 0.0, 2e5},
                                                  steady_slip<Number>({0.0, 1.0}, {0.0, 1.0}, 10.0));
  EXPECT_EQ(forces.F_x.value, 0.0);
  EXPECT_TRUE(std::isfinite(forces.F_x.derivative) && std::isfinite(forces.F_y.derivative) &&
              std::isfinite(forces.M_z.derivative));
  EXPECT_LT(std::abs(tyres::fiala_forces(kFiala, {0.0, 0.0, 2e5}, steady_slip(-0.5, 0.3, 10.0)).F_x), 1e-8);
}

// ---- 1989 ---------------------------------------------------------------------------------------

/// The tyre of Project Chrono's HMMWV_Pac89Tire.json, with camber and shifts of our own so that every coefficient is seen.
tyres::MagicFormula89 tyre_89() {
  return {.a = {1.49975356208205, -4.84987524731462, 812.449795340733, 2613.92367840654, 48.857910109076,
                0.01, -0.00879541881020228, 0.376999015041155, 0.05, 0.01, -0.02, 3.0, 4.0, -7.0},
          .b = {1.50018802672136, -15.7761466722458, 1022.11238546683, -2.55317715303733, 208.777316195246,
                0.0073134908964823, -0.00376410345674027, 0.156330736057758, -1.15310023217878, 0.02, -0.03},
          .c = {2.34, 0.990427, 2.96848, -0.277098, -0.944859, 0.01, 0.0027699, -0.0001151, 0.10, -1.3329,
                0.02, 0.03, 0.01, -0.02, 0.2, 0.3, 0.4, -0.5},
          .lateral_stiffness = 261065.0,
          .rolling_coefficient = 0.015,
          .free_radius = 0.464};
}

/// The formula as its tables are read, y to the right and z down.
double by_hand(double C, double D, double BCD, double E, double x) {
  const double B = BCD / (C * D);
  return D * std::sin(C * std::atan((1.0 - E) * B * x + E * std::atan(B * x)));
}

TEST(MagicFormula89, IsThatOfItsTables) {
  const auto t = tyre_89();
  const double W = 4.0, alpha = 3.0, gamma = 2.0, kappa = -6.0;  // kN, degrees, per cent
  constexpr double kRadian = std::numbers::pi / 180.0;
  const auto forces = tyres::magic_formula_89_forces<double>(
      t, {1000.0 * W, gamma * kRadian, 2e5}, steady_slip(kappa / 100.0, alpha * kRadian, 20.0));
  const double F_x =
      by_hand(t.b[0], t.b[1] * 16 + t.b[2] * 4, (t.b[3] * 16 + t.b[4] * 4) * std::exp(-4 * t.b[5]),
              t.b[6] * 16 + t.b[7] * 4 + t.b[8], kappa + 4 * t.b[9] + t.b[10]);
  const double F_y = by_hand(t.a[0], t.a[1] * 16 + t.a[2] * 4,
                             t.a[3] * std::sin(2 * std::atan(4 / t.a[4])) * (1 - 2 * t.a[5]),
                             4 * t.a[6] + t.a[7], alpha + 2 * t.a[8] + 4 * t.a[9] + t.a[10]) +
                     8 * t.a[11] + 4 * t.a[12] + t.a[13];
  const double M_z = by_hand(t.c[0], t.c[1] * 16 + t.c[2] * 4,
                             (t.c[3] * 16 + t.c[4] * 4) * (1 - 2 * t.c[6]) * std::exp(-4 * t.c[5]),
                             (t.c[7] * 16 + t.c[8] * 4 + t.c[9]) * (1 - 2 * t.c[10]),
                             alpha + 2 * t.c[11] + 4 * t.c[12] + t.c[13]) +
                     2 * (16 * t.c[14] + 4 * t.c[15]) + 4 * t.c[16] + t.c[17];
  // The guard of C D is 1e-6 by some thousand N, 1e-7 N m of a moment of some ten.
  const double guard = 1e-6;
  EXPECT_NEAR(forces.F_x, F_x, guard);
  EXPECT_NEAR(forces.F_y, -F_y, guard);
  EXPECT_NEAR(forces.M_x, -4000.0 * F_y / 261065.0, guard);
  EXPECT_NEAR(forces.M_z, -M_z - F_x * F_y / 261065.0, guard);
  EXPECT_DOUBLE_EQ(forces.M_y, -0.015 * 0.464 * 4000.0);
  EXPECT_LT(forces.F_x, -1000.0);  // brakes
  EXPECT_LT(forces.F_y, -1000.0);  // pushes against the side slip
}

TEST(MagicFormula89, WithoutLoadOrFriction_HasFiniteForces) {
  for (const TyreContact<double>& contact :
       {TyreContact<double>{0.0, 0.0, 2e5}, TyreContact<double>{4000.0, 0.0, 2e5, 0.0}}) {
    const auto forces = tyres::magic_formula_89_forces(tyre_89(), contact, steady_slip(0.3, -0.4, 20.0));
    EXPECT_EQ(forces.F_x, 0.0);
    EXPECT_TRUE(std::isfinite(forces.F_y) && std::isfinite(forces.M_z));
  }
}

// ---- all ----------------------------------------------------------------------------------------

TEST(SimpleTyres, SlopesOfDualNumbers_AreThoseOfDifferences) {
  for (const double kappa : {-0.85, -0.02, 0.05})
    for (const double alpha : {-0.7, 0.03, 0.2}) {
      expect_slopes_of_differences(
          [](const auto& c, const auto& s) { return tyres::linear_forces(kLinear, c, s); }, kappa, alpha);
      expect_slopes_of_differences(
          [](const auto& c, const auto& s) { return tyres::fiala_forces(kFiala, c, s); }, kappa, alpha);
      expect_slopes_of_differences(
          [](const auto& c, const auto& s) { return tyres::magic_formula_89_forces(tyre_89(), c, s); }, kappa,
          alpha);
    }
}

TEST(SimpleTyres, MirroredPoints_HaveMirroredForces) {
  const auto contact = tyres::mirrored(kContact);
  const auto slip = steady_slip(-0.1, 0.07, 20.0);
  const auto linear = tyres::linear_forces(kLinear, kContact, slip),
             fiala = tyres::fiala_forces(kFiala, kContact, slip);
  const auto other_linear = tyres::mirrored(tyres::linear_forces(kLinear, contact, tyres::mirrored(slip)));
  const auto other_fiala = tyres::mirrored(tyres::fiala_forces(kFiala, contact, tyres::mirrored(slip)));
  EXPECT_DOUBLE_EQ(linear.F_y, other_linear.F_y);
  EXPECT_DOUBLE_EQ(linear.M_z, other_linear.M_z);
  EXPECT_DOUBLE_EQ(fiala.F_y, other_fiala.F_y);
  EXPECT_DOUBLE_EQ(fiala.M_z, other_fiala.M_z);
}

}  // namespace
}  // namespace eslabon
