#include "eslabon/io/tyres/tyre_file.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>

#include "tests/tolerances.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tyres::MagicFormula;
using tyres::MagicFormulaVersion;
using tyres::TyreSide;

const std::string kTyres = ESLABON_SOURCE_DIR "/tests/data/tyres/";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

/// A whole file, as short as files may be.
const std::string kShort =
    "[UNITS]\nLENGTH='meter'\nFORCE='newton'\nANGLE='radian'\nMASS='kg'\nTIME='second'\n"
    "[MODEL]\nFITTYP=61\nLONGVL=10\n[DIMENSION]\nUNLOADED_RADIUS=0.3\nWIDTH=0.2\n"
    "[OPERATING_CONDITIONS]\nNOMPRES=0.25\n[INERTIA]\nMASS=9\nIYY=0.5\n"
    "[VERTICAL]\nFNOMIN=4\nVERTICAL_STIFFNESS=200\nVERTICAL_DAMPING=0.05\n"
    "[STRUCTURAL]\nYAW_STIFFNESS=3\n[SLIP_ANGLE_RANGE]\nALPMIN=-30\nALPMAX=30\n"
    "[LONGITUDINAL_COEFFICIENTS]\nPCX1=1.6\nPDX1=1.1\nPKX1=20\n"
    "[LATERAL_COEFFICIENTS]\nPCY1=1.3\nPDY1=1\nPKY1=-15\nPKY2=2\nPHY1=0.002\n";

MagicFormula read(const std::string& text) { return io::read_tyre(text, "f.tir").tyre; }

TEST(TyreFile, EverySampleIsRead) {
  struct Sample {
    std::string file;
    MagicFormulaVersion version;
    TyreSide side;
    double radius, PKY2, QSY1;
    std::size_t shape, missing;
  };
  using enum MagicFormulaVersion;
  using enum TyreSide;
  for (const Sample& sample :
       {Sample{"mfeval/MagicFormula61_Parameters.tir", k61, kRight, 0.3943, 3.313, 0.01, 0, 0},
        Sample{"mfeval/MagicFormula52_Parameters.tir", k52, kLeft, 0.4, 7.576, 0.01, 4, 0},
        Sample{"chrono/mf_185_80R14.tir", k52, kLeft, 0.376, NAN, NAN, 4, 0},
        Sample{"chrono/Sedan_Pac02Tire.tir", k52, kLeft, 0.344, NAN, NAN, 4, 6},
        Sample{"chrono/HMMWV_Pac02Tire.tir", k52, kLeft, 0.4699, NAN, NAN, 0, 0},
        Sample{"chrono/HMMWV_pacejka.tir", k52, kLeft, 0.461, NAN, NAN, 4, 0},
        Sample{"chrono/UAZBUS_Pac02Tire.tir", k52, kLeft, 0.379, NAN, NAN, 0, 0}}) {
    const io::TyreFile file = io::read_tyre_file(kTyres + sample.file);
    EXPECT_EQ(file.tyre.version, sample.version) << sample.file;
    EXPECT_EQ(file.tyre.side, sample.side) << sample.file;
    EXPECT_EQ(file.tyre.UNLOADED_RADIUS, sample.radius) << sample.file;
    EXPECT_EQ(file.shape.size(), sample.shape) << sample.file;
    EXPECT_EQ(file.missing_combined_slip.size(), sample.missing) << sample.file;
    if (!std::isnan(sample.PKY2)) {
      EXPECT_EQ(file.tyre.PKY2, sample.PKY2) << sample.file;
      EXPECT_EQ(file.tyre.QSY1, sample.QSY1) << sample.file;
    }
  }
}

TEST(TyreFile, WhatNoEquationReads_IsSaid) {
  EXPECT_THAT(io::read_tyre_file(kTyres + "mfeval/MagicFormula52_Parameters.tir").unused, IsEmpty());
  EXPECT_THAT(io::read_tyre_file(kTyres + "chrono/mf_185_80R14.tir").unused, ElementsAre("QTZ1", "MBELT"));
}

TEST(TyreFile, UnitsAreConverted_WhereSomethingMeasures) {
  std::string text = replaced(kShort, "'meter'", "'mm'");
  text = replaced(text, "'newton'", "'kN'");
  text = replaced(text, "'radian'", "'degree'");
  text = replaced(text, "'kg'", "'gram'");
  text = replaced(text, "'second'", "'millisecond'");
  const MagicFormula tyre = read(text);
  const double e = 8.0 * test::kEpsilon;
  EXPECT_NEAR(tyre.UNLOADED_RADIUS, 0.3e-3, e);
  EXPECT_NEAR(tyre.FNOMIN, 4e3, 4e3 * e);
  EXPECT_NEAR(tyre.VERTICAL_STIFFNESS, 200e6, 200e6 * e);
  EXPECT_NEAR(tyre.VERTICAL_DAMPING, 0.05 * 1e3 * 1e-3 / 1e-3, 50.0 * e);
  EXPECT_NEAR(tyre.LONGVL, 10.0, 10.0 * e);  // mm/ms
  EXPECT_NEAR(tyre.MASS, 9e-3, e);
  EXPECT_NEAR(tyre.IYY, 0.5e-9, 1e-9 * e);                                     // g mm²
  EXPECT_NEAR(tyre.NOMPRES, 0.25e9, 0.25e9 * e);                               // kN/mm²
  EXPECT_NEAR(tyre.YAW_STIFFNESS, 3.0 * 180.0 / std::numbers::pi, 200.0 * e);  // kN mm/deg
  EXPECT_NEAR(tyre.ALPMAX, std::numbers::pi / 6.0, e);
  EXPECT_EQ(tyre.PKY1, -15.0);  // coefficients of curves are of radians
  EXPECT_EQ(tyre.PHY1, 0.002);
}

TEST(TyreFile, PressureHasAUnitOfItsOwn) {
  EXPECT_EQ(read(replaced(kShort, "TIME=", "PRESSURE='bar'\nTIME=")).NOMPRES, 0.25e5);
}

TEST(TyreFile, MassIsAUnitAndAMass) { EXPECT_EQ(read(kShort).MASS, 9.0); }

TEST(TyreFile, LineEndsCommentsAndCase_DoNotMatter) {
  const MagicFormula expected = read(kShort);
  std::string other = "\xEF\xBB\xBF! a comment\r\n$ another [UNITS]\r\n";
  for (const char c : kShort) {
    if (c == '\n') other += " $ it's = a comment\r";
    other += c;
  }
  other = replaced(other, "PDX1=1.1", "  pdx1 \t= +1.1E+0");
  const MagicFormula actual = read(other);
  for (const tyres::Coefficient& one : tyres::coefficients())
    EXPECT_EQ(actual.*one.member, expected.*one.member) << one.name;
}

TEST(TyreFile, WhatIsMissing_HasItsDefault) {
  const MagicFormula tyre = read(kShort);
  EXPECT_EQ(tyre.PKY4, 2.0);
  EXPECT_EQ(tyre.QSY7, 1.0);
  EXPECT_EQ(tyre.Q_RE0, 1.0);
  EXPECT_EQ(tyre.LMUX, 1.0);
  EXPECT_EQ(tyre.VXLOW, 1.0);
  EXPECT_EQ(tyre.INFLPRES, tyre.NOMPRES);
  EXPECT_EQ(tyre.side, TyreSide::kLeft);
}

TEST(TyreFile, EveryFitHasItsVersion) {
  const auto version = [](const std::string& fit) {
    return read(replaced(kShort, "FITTYP=61", fit)).version;
  };
  for (const std::string fit : {"5", "6", "51", "52"})
    EXPECT_EQ(version("FITTYP=" + fit), MagicFormulaVersion::k52);
  for (const std::string fit : {"60", "61"}) EXPECT_EQ(version("FITTYP=" + fit), MagicFormulaVersion::k61);
  EXPECT_EQ(version("FITTYP=62"), MagicFormulaVersion::k62);
  EXPECT_EQ(version("PROPERTY_FILE_FORMAT='PAC2002'"), MagicFormulaVersion::k52);
}

TEST(TyreFile, WithoutCoefficientsOfCombinedSlip_AllAreLeftOut) {
  const io::TyreFile file = io::read_tyre(kShort + "RBY1=10\nRVY1=0.3\n", "f.tir");
  EXPECT_THAT(file.missing_combined_slip, ElementsAre("RBX1", "RBX2", "RCX1", "RBY2", "RCY1"));
  EXPECT_EQ(file.tyre.RBY1, 0.0);
  EXPECT_EQ(file.tyre.RVY1, 0.0);
}

}  // namespace
}  // namespace eslabon
