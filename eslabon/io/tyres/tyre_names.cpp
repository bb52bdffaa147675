#include "eslabon/io/tyres/tyre_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace eslabon::io {

namespace {

using tyres::TyreSection;

// In the order of TyreSection.
constexpr std::array<std::string_view, 17> kSections{"MODEL",
                                                     "DIMENSION",
                                                     "OPERATING_CONDITIONS",
                                                     "INERTIA",
                                                     "VERTICAL",
                                                     "STRUCTURAL",
                                                     "VERTICAL_FORCE_RANGE",
                                                     "LONG_SLIP_RANGE",
                                                     "SLIP_ANGLE_RANGE",
                                                     "INCLINATION_ANGLE_RANGE",
                                                     "INFLATION_PRESSURE_RANGE",
                                                     "SCALING_COEFFICIENTS",
                                                     "LONGITUDINAL_COEFFICIENTS",
                                                     "OVERTURNING_COEFFICIENTS",
                                                     "LATERAL_COEFFICIENTS",
                                                     "ROLLING_COEFFICIENTS",
                                                     "ALIGNING_COEFFICIENTS"};
constexpr std::array<std::string_view, 6> kOtherSections{
    "MDI_HEADER", "UNITS", "SHAPE", "TIRE_CONDITIONS", "CONTACT_PATCH", "TURNSLIP_COEFFICIENTS"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOtherNames{
    {{"IP", "INFLPRES"}, {"IP_NOM", "NOMPRES"}}};

constexpr std::array<std::string_view, 37> kSettings{
    "FILE_TYPE",       "FILE_VERSION",      "FILE_FORMAT",    "PROPERTY_FILE_FORMAT",
    "FITTYP",          "TYRESIDE",          "USE_MODE",       "USER_SUB_ID",
    "N_TIRE_STATES",   "FUNCTION_NAME",     "ROAD_INCREMENT", "ROAD_DIRECTION",
    "HMAX_LOCAL",      "TIME_SWITCH_INTEG", "SWITCH_INTEG",   "BELT_DYNAMICS",
    "CONTACT_MODEL",   "MESSAGES",          "COMMENT",        "GRAVITY",
    "ELLIPS_SHIFT",    "ELLIPS_LENGTH",     "ELLIPS_HEIGHT",  "ELLIPS_ORDER",
    "ELLIPS_MAX_STEP", "ELLIPS_NWIDTH",     "ELLIPS_NLENGTH", "FREQ_LONG",
    "FREQ_LAT",        "FREQ_YAW",          "FREQ_WINDUP",    "DAMP_LONG",
    "DAMP_LAT",        "DAMP_YAW",          "DAMP_WINDUP",    "DAMP_RESIDUAL",
    "DAMP_VLOW"};

constexpr std::array kUnused{
    // The contact patch, and the belt's motions.
    UnusedCoefficient{"Q_RA1", 0.0}, UnusedCoefficient{"Q_RA2", 0.0}, UnusedCoefficient{"Q_RB1", 0.0},
    UnusedCoefficient{"Q_RB2", 0.0}, UnusedCoefficient{"Q_A1", 0.0}, UnusedCoefficient{"Q_A2", 0.0},
    UnusedCoefficient{"Q_BVX", 0.0}, UnusedCoefficient{"Q_BVT", 0.0}, UnusedCoefficient{"PCMZ1", 0.0},
    UnusedCoefficient{"Q_CAM", 0.0}, UnusedCoefficient{"MC_CONTOUR_A", 0.0},
    UnusedCoefficient{"MC_CONTOUR_B", 0.0},
    // Turn slip.
    UnusedCoefficient{"PDXP1", 0.0}, UnusedCoefficient{"PDXP2", 0.0}, UnusedCoefficient{"PDXP3", 0.0},
    UnusedCoefficient{"PKYP1", 0.0}, UnusedCoefficient{"PDYP1", 0.0}, UnusedCoefficient{"PDYP2", 0.0},
    UnusedCoefficient{"PDYP3", 0.0}, UnusedCoefficient{"PDYP4", 0.0}, UnusedCoefficient{"PHYP1", 0.0},
    UnusedCoefficient{"PHYP2", 0.0}, UnusedCoefficient{"PHYP3", 0.0}, UnusedCoefficient{"PHYP4", 0.0},
    UnusedCoefficient{"PECP1", 0.0}, UnusedCoefficient{"PECP2", 0.0}, UnusedCoefficient{"QDTP1", 0.0},
    UnusedCoefficient{"QCRP1", 0.0}, UnusedCoefficient{"QCRP2", 0.0}, UnusedCoefficient{"QBRP1", 0.0},
    UnusedCoefficient{"QDRP1", 0.0}, UnusedCoefficient{"LMP", 1.0},
    // Of PAC2002 alone.
    UnusedCoefficient{"LKG", 1.0}, UnusedCoefficient{"LIP", 1.0}, UnusedCoefficient{"LGYR", 1.0},
    UnusedCoefficient{"QTZ1", 0.0}, UnusedCoefficient{"MBELT", 0.0}, UnusedCoefficient{"PTX4", 0.0},
    UnusedCoefficient{"PTY3", 0.0}, UnusedCoefficient{"QPX1", 0.0}, UnusedCoefficient{"QPZ1", 0.0},
    UnusedCoefficient{"QPZ2", 0.0}, UnusedCoefficient{"BOTTOMING_RADIUS", 0.0},
    UnusedCoefficient{"DYNAMIC_STIFFNESS", 0.0}, UnusedCoefficient{"DYNAMIC_DAMPING", 0.0}};

}  // namespace

std::vector<std::string> tyre_sections() {
  std::vector<std::string> all(kSections.begin(), kSections.end());
  all.insert(all.end(), kOtherSections.begin(), kOtherSections.end());
  return all;
}

std::string_view section_name(TyreSection section) { return kSections[static_cast<std::size_t>(section)]; }

std::string_view known_coefficient_name(std::string_view name) {
  for (const auto& [other, known] : kOtherNames)
    if (name == other) return known;
  return name;
}

bool is_setting_of_other_programs(std::string_view name) {
  return std::ranges::find(kSettings, name) != kSettings.end();
}

const UnusedCoefficient* find_unused_coefficient(std::string_view name) {
  const auto found = std::ranges::find(kUnused, name, &UnusedCoefficient::name);
  return found == kUnused.end() ? nullptr : &*found;
}

std::vector<std::string> tyre_names() {
  std::vector<std::string> all;
  for (const tyres::Coefficient& one : tyres::coefficients()) all.emplace_back(one.name);
  for (const auto& [other, known] : kOtherNames) all.emplace_back(other);
  all.insert(all.end(), kSettings.begin(), kSettings.end());
  for (const UnusedCoefficient& one : kUnused) all.emplace_back(one.name);
  return all;
}

}  // namespace eslabon::io
