#pragma once

#include <string>
#include <vector>

#include "eslabon/io/quantities/parameter_table.hpp"

namespace eslabon::io {

/// A parameter of a mechanism as people see it: what can be set from outside.
struct ParameterFact {
  std::string name;
  std::string text;       ///< as written: "120 mm", "= crank/2"; from outside where it is set there
  double value = 0.0;     ///< SI
  std::string unit = {};  ///< of the value: "m"; "" for a bare number, which is SI of whatever it is used for
  double written_value = 0.0;     ///< in the unit that the file writes: 120; that of SI where it writes none
  std::string written_unit = {};  ///< "mm"
  std::string meaning = {};       ///< of a key of a family; otherwise ""
  /// A sentence where it was set to a number without unit while the file writes one that is not SI; otherwise "".
  std::string doubt = {};
};

/// The facts of the declared parameters, in their order; `overrides` are known names and `table` is made of both.
std::vector<ParameterFact> parameter_facts(const std::vector<ParameterText>& declared,
                                           const std::vector<ParameterText>& overrides,
                                           const ParameterTable& table);

}  // namespace eslabon::io
