#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eslabon/tyres/magic_formula.hpp"

/// Names in .tir files beside those of coefficients.
namespace eslabon::io {

/// Sections that there may be, in the order of most files.
std::vector<std::string> tyre_sections();

/// The section where files have a coefficient.
std::string_view section_name(tyres::TyreSection section);

/// The name of a coefficient by which it is known here, where another program has one of its own: IP is INFLPRES.
std::string_view known_coefficient_name(std::string_view name);

/// Settings of other programs, and words that say what the file is: read, and not looked at.
bool is_setting_of_other_programs(std::string_view name);

/// Numbers that no equation here reads, and what they are when they change nothing.
struct UnusedCoefficient {
  std::string_view name;
  double neutral;
};
const UnusedCoefficient* find_unused_coefficient(std::string_view name);

/// Every name that there may be outside [UNITS].
std::vector<std::string> tyre_names();

}  // namespace eslabon::io
