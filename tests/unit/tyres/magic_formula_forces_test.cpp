#include "eslabon/tyres/magic_formula_forces.hpp"

#include <array>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "tests/tolerances.hpp"
#include "tests/unit/tyres/sample_tyres.hpp"
#include <gtest/gtest.h>

#include "eslabon/core/scalar/program.hpp"
#include "eslabon/core/scalar/trace.hpp"
#include "eslabon/tyres/low_speed.hpp"

namespace eslabon {
namespace {

using core::Dual;
using test::TyrePoint;
using tyres::MagicFormula;
using tyres::TyreForces;

template <class T>
std::array<T, 5> listed(const TyreForces<T>& f) {
  return {f.F_x, f.F_y, f.M_x, f.M_y, f.M_z};
}
constexpr std::array<const char*, 5> kNames{"F_x", "F_y", "M_x", "M_y", "M_z"};

// ---- reference: values computed elsewhere with the equations of MFeval 4.0 ----------------------

struct Row {
  TyrePoint<double> at;
  std::array<double, 5> forces;  ///< with the digits that are known
  double unit;                   ///< one in the last digit, by the value
};
std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << "F_z " << row.at.F_z << " kappa " << row.at.kappa << " alpha " << row.at.alpha << " gamma "
             << row.at.gamma << " V_x " << row.at.V_x << " p " << row.at.pressure;
}

void expect_row(const MagicFormula& tyre, const Row& row) {
  const TyrePoint<double>& at = row.at;
  const auto curves = tyres::magic_curves<double>(tyre, {at.F_z, at.gamma, at.pressure});
  const auto slip = tyres::reduced_at_low_speed(tyre, tyres::steady_slip(at.kappa, at.alpha, at.V_x));
  const auto forces = listed(tyres::magic_formula_forces(tyre, curves, slip));
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const double last_digit =
        std::pow(10.0, std::floor(std::log10(std::abs(row.forces[k]) + 1e-300))) * row.unit;
    EXPECT_NEAR(forces[k], row.forces[k], test::tolerance_scale() * std::max(0.501 * last_digit, 1e-15))
        << kNames[k] << " at " << row;
  }
}

class Published61 : public testing::TestWithParam<Row> {};
TEST_P(Published61, ForcesAreReachedToTheLastDigit) { expect_row(test::tyre_61(), GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    Row, Published61,
    testing::Values(Row{{6752, 0, 0, 0, 16.6, 260e3},
                        {70.552154026, -79.4122389118, 2.99834023775, -27.794553984, 8.07119889436},
                        1e-11},
                    Row{{6752, 0, 0.1, 0, 16.6, 260e3},
                        {25.7784529163, -6629.05521984, 95.872144463, -27.794553984, 27.2228719516},
                        1e-11},
                    Row{{6752, -0.1, 0.05, 0.03, 16.6, 260e3},
                        {-6584.76326226, -3266.29566659, -17.6447877903, -27.794553984, -8.92151000871},
                        1e-11},
                    Row{{6752, -1, 0, 0, 16.6, 260e3},
                        {-5435.29294564, -47.776476011, 2.46643503174, 0, -0.0718807279968},
                        1e-11},
                    Row{{6752, 0, 0.1, 0, 0.3, 260e3},
                        {11.6655174884, -4060.07750064, 65.9610927103, -12.0953881604, 23.3222808186},
                        1e-11},
                    Row{{6752, 0, 0.1, 0, 16.6, 200e3},
                        {-8.10460706669, -6468.71021368, 94.3964491617, -30.8700299107, 32.2205599797},
                        1e-11}));

TEST(Published52, ForcesAreReachedToTheLastDigit) {
  const MagicFormula tyre = test::tyre_52();
  expect_row(tyre, {{4000, -0.05, -0.1, 0, 16.7, tyre.NOMPRES},
                    {-1787.30026, 2425.92047, 5.52300674, -16, -19.8292795},
                    1e-8});
}

// ---- derivative: dual numbers against differences, everywhere -----------------------------------

/// Loads, slips, cambers and speeds with the corners where guards and choices are.
std::vector<TyrePoint<double>> wide_grid(const MagicFormula& tyre) {
  std::vector<TyrePoint<double>> grid;
  for (const double load : {0.0, 1e-3, 0.2, 1.0, 2.5})
    for (const double kappa : {-1.0, -0.11, 0.0, 0.07, 2.0})
      for (const double alpha : {-1.5, -0.2, 0.0, 0.013, 1.5})
        for (const double gamma : {-0.1, 0.0, 0.07})
          for (const double V_x : {-7.0, 0.0, 0.3, 16.0, 60.0})
            grid.push_back({load * tyre.FNOMIN, kappa, alpha, gamma, V_x, 1.1 * tyre.NOMPRES});
  return grid;
}

class SampleTyre : public testing::TestWithParam<std::string> {
 protected:
  const MagicFormula tyre_ = test::tyre_of(GetParam());
};
INSTANTIATE_TEST_SUITE_P(File, SampleTyre, testing::ValuesIn(test::sample_tyres()), [](const auto& file) {
  std::string name;
  for (const char c : file.param)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  return name;
});

constexpr std::array<double TyrePoint<double>::*, 6> kArguments{
    &TyrePoint<double>::F_z,   &TyrePoint<double>::kappa, &TyrePoint<double>::alpha,
    &TyrePoint<double>::gamma, &TyrePoint<double>::V_x,   &TyrePoint<double>::pressure};

/// The forces at a point and their derivative along one argument.
TyreForces<Dual<double>> along(const MagicFormula& tyre, const TyrePoint<double>& at, std::size_t argument) {
  std::array<Dual<double>, 6> x;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = {at.*kArguments[k], k == argument ? 1.0 : 0.0};
  return test::forces_at<Dual<double>>(tyre, {x[0], x[1], x[2], x[3], x[4], x[5]});
}

TEST_P(SampleTyre, ForcesAndSlopesAreFinite_Everywhere) {
  for (const TyrePoint<double>& at : wide_grid(tyre_))
    for (std::size_t argument = 0; argument < kArguments.size(); ++argument)
      for (const Dual<double>& force : listed(along(tyre_, at, argument))) {
        ASSERT_TRUE(std::isfinite(force.value) && std::isfinite(force.derivative))
            << Row{at, {}, 0} << " argument " << argument;
      }
}

/// Away from the corners, where forces have slopes on both sides that differ: loads at the ends of the measurement, |γ|, E ≤ 1.
TEST_P(SampleTyre, SlopesOfDualNumbers_AreThoseOfDifferences) {
  const std::array<double, 6> steps{1e-2, 1e-6, 1e-6, 1e-6, 1e-5, 1.0};
  for (const double load : {0.15, 0.6, 1.3})
    for (const double kappa : {-0.93, -0.12, -0.003, 0.04, 0.7})
      for (const double alpha : {-1.4, -0.3, -0.021, 0.06, 1.45})
        for (const double gamma : {-0.06, 0.043}) {
          const TyrePoint<double> at{load * tyre_.FNOMIN, kappa, alpha, gamma, 17.3, 1.07 * tyre_.NOMPRES};
          for (std::size_t argument = 0; argument < kArguments.size(); ++argument) {
            TyrePoint<double> before = at, after = at;
            before.*kArguments[argument] -= steps[argument];
            after.*kArguments[argument] += steps[argument];
            const auto low = listed(test::forces_at(tyre_, before)),
                       high = listed(test::forces_at(tyre_, after));
            const auto exact = listed(along(tyre_, at, argument));
            for (std::size_t k = 0; k < exact.size(); ++k) {
              const double difference = (high[k] - low[k]) / (2.0 * steps[argument]);
              // The third derivatives of the steepest curves are 1e5 times their size; roundoff of a force of 1e4 N by the step.
              const double size = std::abs(exact[k].derivative) + 1e4;
              EXPECT_NEAR(exact[k].derivative, difference,
                          size * (1e5 * steps[argument] * steps[argument] *
                                      (argument == 0 || argument == 5 ? 1e-11 : 1.0) +
                                  16.0 * test::kEpsilon / steps[argument]))
                  << kNames[k] << " by " << argument << " at " << Row{at, {}, 0};
            }
          }
        }
}

TEST_P(SampleTyre, SecondDerivatives_AreFiniteWithoutSlip) {
  using Second = Dual<Dual<double>>;
  const MagicFormula tyre = test::without_shifts(tyre_);
  const auto fixed = [](double x) { return Second(Dual<double>(x)); };
  const Second alpha{{0.0, 1.0}, {1.0, 0.0}}, kappa{{0.0, 1.0}, {1.0, 0.0}};
  for (const auto& force : listed(test::forces_at<Second>(
           tyre, {fixed(tyre.FNOMIN), kappa, alpha, fixed(0.0), fixed(16.0), fixed(tyre.NOMPRES)})))
    EXPECT_TRUE(std::isfinite(force.derivative.derivative));
}

// ---- crosscheck: the kernel as a program --------------------------------------------------------

TEST_P(SampleTyre, TracedForces_AreThoseOfNumbers) {
  core::Trace trace;
  std::vector<core::Traced> outputs;
  {
    const core::Trace::Listening listening(trace);
    TyrePoint<core::Traced> at;
    for (core::Traced TyrePoint<core::Traced>::*const member :
         {&TyrePoint<core::Traced>::F_z, &TyrePoint<core::Traced>::kappa, &TyrePoint<core::Traced>::alpha,
          &TyrePoint<core::Traced>::gamma, &TyrePoint<core::Traced>::V_x, &TyrePoint<core::Traced>::pressure})
      at.*member = trace.input();
    for (const core::Traced& force : listed(test::forces_at<core::Traced>(tyre_, at)))
      outputs.push_back(force);
  }
  const core::Program program(trace, outputs);
  for (const TyrePoint<double>& at : wide_grid(tyre_)) {
    const std::array<double, 6> inputs{at.F_z, at.kappa, at.alpha, at.gamma, at.V_x, at.pressure};
    std::array<double, 5> actual{};
    program.evaluate(inputs, actual);
    const auto expected = listed(test::forces_at(tyre_, at));
    for (std::size_t k = 0; k < actual.size(); ++k)
      ASSERT_NEAR(actual[k], expected[k], test::roundoff(256.0, std::max(1.0, at.F_z)))
          << kNames[k] << " at " << Row{at, {}, 0};
  }
}

// ---- invariants ---------------------------------------------------------------------------------

TEST_P(SampleTyre, WithoutShifts_TheMirroredPointHasMirroredForces) {
  const MagicFormula tyre = test::without_shifts(tyre_);
  for (const TyrePoint<double>& at : wide_grid(tyre)) {
    TyrePoint<double> other = at;
    other.alpha = -at.alpha;
    other.gamma = -at.gamma;
    const TyreForces<double> forces = test::forces_at(tyre, at);
    const auto expected = listed(tyres::mirrored(forces)), actual = listed(test::forces_at(tyre, other));
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(actual[k], expected[k], test::roundoff(256.0, at.F_z))
          << kNames[k] << " at " << Row{at, {}, 0};
  }
}

TEST_P(SampleTyre, WithoutShifts_NoSlipIsNoForce) {
  const auto forces =
      test::forces_at(test::without_shifts(tyre_), {tyre_.FNOMIN, 0.0, 0.0, 0.0, 16.0, tyre_.NOMPRES});
  EXPECT_EQ(forces.F_x, 0.0);
  EXPECT_EQ(forces.F_y, 0.0);
  EXPECT_EQ(forces.M_x, 0.0);
  EXPECT_EQ(forces.M_z, 0.0);
}

TEST_P(SampleTyre, WithoutLoad_ThereAreNoForces) {
  for (const double alpha : {-0.4, 0.0, 0.2})
    for (const double force : listed(test::forces_at(tyre_, {0.0, -0.3, alpha, 0.05, 16.0, tyre_.NOMPRES})))
      // QSX13 gives M_x by F_y alone, which is 0; the guards leave less than a roundoff of a newton.
      EXPECT_NEAR(force, 0.0, test::roundoff(4.0, 1.0));
}

TEST_P(SampleTyre, WithoutFriction_OnlyRollingAndCamberAreLeft) {
  const tyres::TyreContact<double> ice{tyre_.FNOMIN, 0.0, tyre_.NOMPRES, 0.0};
  const auto forces = tyres::magic_formula_forces(tyre_, tyres::magic_curves(tyre_, ice),
                                                  tyres::steady_slip(-0.2, 0.1, 16.0));
  EXPECT_EQ(forces.F_x, 0.0);
  EXPECT_EQ(forces.F_y, 0.0);
  EXPECT_EQ(forces.M_z, 0.0);
}

TEST_P(SampleTyre, BeyondThePeak_ForcesKeepFalling) {
  const MagicFormula tyre = test::without_shifts(tyre_);
  const auto size_of = [&](double kappa, double alpha) {
    const auto forces = test::forces_at(tyre, {tyre.FNOMIN, kappa, alpha, 0.0, 16.0, tyre.NOMPRES});
    return std::hypot(forces.F_x, forces.F_y);
  };
  // Both curves end at D sin(C π/2), below D; far out each further slip gives less, however far the measurement went.
  for (const double far : {0.6, 0.9, 1.2, 1.5}) {
    EXPECT_LT(size_of(-far - 0.3, 0.0), size_of(-far, 0.0)) << far;
    EXPECT_LT(size_of(5.0 * far + 0.3, 0.0), size_of(5.0 * far, 0.0)) << far;
  }
  EXPECT_LT(size_of(-1.0, 0.0), 0.95 * size_of(-0.15, 0.0));
}

TEST(RollingResistance, IsNoneForALockedWheel_AndTurnsRoundWithIt) {
  const MagicFormula tyre = test::tyre_61();
  const auto moment = [&](double kappa, double V_x) {
    return test::forces_at(tyre, {5000.0, kappa, 0.0, 0.0, V_x, tyre.NOMPRES}).M_y;
  };
  EXPECT_NEAR(moment(-1.0, 16.0), 0.0, 1e-300);
  EXPECT_LT(moment(0.0, 16.0), -10.0);
  EXPECT_DOUBLE_EQ(moment(0.0, -16.0), -moment(0.0, 16.0));
  EXPECT_GT(moment(-1.5, 16.0), 0.0);  // spins backwards
}

TEST(LowSpeed, AtStandstill_NothingPushes) {
  const MagicFormula tyre = test::tyre_61();
  const auto curves = tyres::magic_curves<double>(tyre, {6000.0, 0.05, tyre.NOMPRES});
  const auto slip = tyres::reduced_at_low_speed(tyre, tyres::steady_slip(0.4, 0.3, 0.0));
  EXPECT_EQ(slip.kappa, 0.0);
  EXPECT_EQ(slip.alpha, 0.0);
  EXPECT_EQ(slip.shifts, 0.0);
  const auto forces = tyres::magic_formula_forces(tyre, curves, slip);
  EXPECT_EQ(forces.F_x, 0.0);
  EXPECT_EQ(forces.F_y, 0.0);
  EXPECT_EQ(forces.M_z, 0.0);
}

TEST(LowSpeed, AboveIt_SlipStaysWhatItIs) {
  const auto slip = tyres::steady_slip(0.4, 0.3, -1.2);
  const auto reduced = tyres::reduced_at_low_speed(test::tyre_61(), slip);
  EXPECT_EQ(reduced.kappa, slip.kappa);
  EXPECT_EQ(reduced.alpha, slip.alpha);
  EXPECT_EQ(reduced.shifts, 1.0);
}

TEST(SlipStiffness, IsTheSlopeOfTheForces) {
  const MagicFormula tyre = test::without_shifts(test::tyre_61());
  const TyrePoint<double> at{6752.0, 0.0, 0.0, 0.0, 16.6, tyre.NOMPRES};
  const auto curves = tyres::magic_curves<double>(tyre, {at.F_z, at.gamma, at.pressure});
  // The guards of B take 1e-6 of C D ≈ 1e4 N.
  EXPECT_NEAR(along(tyre, at, 1).F_x.derivative / curves.K_xkappa, 1.0, 1e-9);
  EXPECT_NEAR(along(tyre, at, 2).F_y.derivative / curves.K_yalpha, 1.0, 1e-9);
  EXPECT_NEAR(curves.K_xkappa, 222209.67, 0.005);
  EXPECT_NEAR(curves.K_yalpha, -137436.33, 0.005);
}

TEST(SlipMeasure, OfTheBook_DiffersAtLargeAnglesOnly) {
  MagicFormula book = test::tyre_61();
  book.slip_measure = tyres::SlipMeasure::kTangent;
  const auto difference = [&](double alpha) {
    const TyrePoint<double> at{6000.0, 0.0, alpha, 0.0, 16.0, book.NOMPRES};
    return std::abs(test::forces_at(book, at).F_y - test::forces_at(test::tyre_61(), at).F_y);
  };
  EXPECT_EQ(difference(0.0), 0.0);
  EXPECT_LT(difference(0.01), 0.1);
  EXPECT_GT(difference(0.6), 10.0);
}

TEST(PureSlip, EachForceDoesNotKnowOfTheOtherSlip) {
  const MagicFormula pure = tyres::without_combined_slip(test::tyre_61());
  const auto at = [&](double kappa, double alpha) {
    return test::forces_at(pure, {6000.0, kappa, alpha, 0.0, 16.0, pure.NOMPRES});
  };
  EXPECT_EQ(at(-0.1, 0.0).F_x, at(-0.1, 0.3).F_x);
  EXPECT_EQ(at(0.0, 0.3).F_y, at(-0.1, 0.3).F_y);
  EXPECT_LT(std::abs(test::forces_at(test::tyre_61(), {6000.0, -0.1, 0.3, 0.0, 16.0, pure.NOMPRES}).F_x),
            std::abs(at(-0.1, 0.3).F_x));
}

}  // namespace
}  // namespace eslabon
