#include "eslabon/tyres/vertical.hpp"

#include <cmath>

#include "tests/tolerances.hpp"
#include "tests/unit/tyres/sample_tyres.hpp"
#include <gtest/gtest.h>

#include "eslabon/tyres/relaxation.hpp"

namespace eslabon {
namespace {

using core::Dual;
using tyres::MagicFormula;
using tyres::TyreContact;
using tyres::TyreStanding;

/// The first row of the published forces: 6752 N, no slip, 16.6 m/s.
constexpr TyreContact<double> kContact{.F_z = 6752.0, .gamma = 0.0, .pressure = 260e3};

TEST(EffectiveRadius, OfThePublishedRow_GivesItsSpeedOfRotation) {
  // 43.059174362531117 rad/s is published; its fixed point stopped at 1e-9 m of the radius, 1e-9/0.3855 of the speed.
  EXPECT_NEAR(tyres::rotation_at(test::tyre_61(), kContact, 16.6), 43.059174362531117, 43.06 * 1e-9 / 0.3855);
}

TEST(VerticalStiffness, OfThePublishedRow) {
  const MagicFormula tyre = test::tyre_61();
  const double omega = tyres::rotation_at(tyre, kContact, 16.6);
  const auto forces = test::forces_at<double>(tyre, {6752.0, 0.0, 0.0, 0.0, 16.6, 260e3});
  const double radius =
      tyres::loaded_radius_at(tyre, 6752.0, {0.0, 0.0, 260e3, omega, forces.F_x, forces.F_y});
  // As above: the stiffness follows from the published speed.
  EXPECT_NEAR(6752.0 / (tyres::free_radius(tyre, omega) - radius), 303829.29236706713, 1e-6);
}

TEST(Relaxation, OfThePublishedRow) {
  const MagicFormula tyre = test::tyre_61();
  const auto relaxation = tyres::relaxation_at(tyre, kContact, tyres::magic_curves(tyre, kContact));
  EXPECT_NEAR(relaxation.sigma_x, 0.56799186496, 5e-12);
  EXPECT_NEAR(relaxation.sigma_y, 0.723837610661, 5e-13);
}

TEST(Relaxation, Of52_FollowsItsOwnEquations) {
  const MagicFormula tyre = test::tyre_52();
  const TyreContact<double> contact{.F_z = tyre.FNOMIN, .gamma = 0.0, .pressure = tyre.NOMPRES};
  const auto relaxation = tyres::relaxation_at(tyre, contact, tyres::magic_curves(tyre, contact));
  EXPECT_DOUBLE_EQ(relaxation.sigma_x, tyre.PTX1 * tyre.UNLOADED_RADIUS);  // df_z = 0
  const double x = 1.0 / tyre.PTY2;                                        // sin(2 atan x) = 2x/(1 + x²)
  EXPECT_NEAR(relaxation.sigma_y, tyre.PTY1 * 2.0 * x / (1.0 + x * x) * tyre.UNLOADED_RADIUS,
              test::roundoff(8.0, 1.0));
}

TEST(Load, WithoutSpeedAndForces_IsAParabola) {
  const MagicFormula tyre = test::tyre_61();
  const double rho = 0.02, R_0 = tyre.UNLOADED_RADIUS;
  TyreStanding<double> standing{tyre.Q_RE0 * R_0 - rho, 0.0, tyre.NOMPRES, 0.0, 0.0, 0.0};
  const double linear =
      std::sqrt(std::pow(tyre.VERTICAL_STIFFNESS * R_0 / tyre.FNOMIN, 2) - 4.0 * tyre.Q_FZ2);
  EXPECT_NEAR(tyres::load_at(tyre, standing),
              tyre.FNOMIN * (linear * rho / R_0 + tyre.Q_FZ2 * rho * rho / (R_0 * R_0)),
              test::roundoff(64.0, tyre.FNOMIN));
  standing.loaded_radius = R_0 + 0.01;  // in the air
  EXPECT_EQ(tyres::load_at(tyre, standing), 0.0);
}

TEST(Load, Of52_IsItsStiffnessTimesTheDeflection) {
  const MagicFormula tyre = test::tyre_52();
  const TyreStanding<double> standing{tyre.UNLOADED_RADIUS - 0.013, 0.0, tyre.NOMPRES, 50.0, 900.0, -800.0};
  EXPECT_NEAR(tyres::load_at(tyre, standing), tyre.VERTICAL_STIFFNESS * 0.013, test::roundoff(64.0, 6000.0));
}

TEST(Load, OnTheRim_GrowsWithItsStiffness) {
  const MagicFormula tyre = test::tyre_61();
  const double rim = tyre.RIM_RADIUS + tyre.BOTTOM_OFFST;
  const auto slope = [&](double radius) {
    return tyres::load_at<Dual<double>>(tyre, {Dual<double>(radius, 1.0), 0.0, tyre.NOMPRES, 0.0, 0.0, 0.0})
        .derivative;
  };
  EXPECT_NEAR(slope(rim - 1e-9) - slope(rim + 1e-9), -tyre.BOTTOM_STIFF, 1e-2);
}

TEST(Load, Of62WithoutItsCoefficients_IsThatOf61) {
  MagicFormula tyre = test::tyre_61();
  const TyreStanding<double> standing{0.372, 0.03, 230e3, 40.0, 1500.0, -2500.0};
  const double expected = tyres::load_at(tyre, standing);
  tyre.version = tyres::MagicFormulaVersion::k62;
  EXPECT_NEAR(tyres::load_at(tyre, standing), expected, test::roundoff(64.0, expected));
  tyre.Q_CAM1 = 1.0;
  EXPECT_GT(tyres::load_at(tyre, standing), expected);  // the inner shoulder is pressed too
  TyreStanding<double> other = standing;
  other.gamma = -standing.gamma;
  EXPECT_EQ(tyres::load_at(tyre, other), tyres::load_at(tyre, standing));
}

TEST(LoadedRadius, OfEveryLoad_CarriesIt) {
  for (const std::string& file : test::sample_tyres()) {
    const MagicFormula tyre = test::tyre_of(file);
    for (const double load : {0.01, 0.3, 1.0, 3.0}) {
      TyreStanding<double> standing{
          0.0, 0.02, tyre.NOMPRES, 30.0, 0.2 * load * tyre.FNOMIN, 0.3 * load * tyre.FNOMIN};
      standing.loaded_radius = tyres::loaded_radius_at(tyre, load * tyre.FNOMIN, standing);
      EXPECT_NEAR(tyres::load_at(tyre, standing) / (load * tyre.FNOMIN), 1.0, test::tolerance_scale() * 1e-10)
          << file;  // 1 ulp of the radius is 1e-13 of these deflections
    }
  }
}

}  // namespace
}  // namespace eslabon
