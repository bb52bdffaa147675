#pragma once

#include <string>
#include <vector>

#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/quantities/parameter_facts.hpp"

namespace eslabon::io {

/// The parameters of a file, with their values and as people see them.
struct ReadParameters {
  ParameterTable table;
  std::vector<ParameterFact> facts;
};

/// Section 'parameters'. `replaced`: values from outside. `chain`: the instance that the file is read for, for messages.
ReadParameters read_parameters(const Document& document, const std::vector<ParameterText>& replaced,
                               const std::string& chain = "");

}  // namespace eslabon::io
