#pragma once

#include <string>
#include <vector>

#include "eslabon/io/quantities/parameter_facts.hpp"
#include "eslabon/recording/files/provenance.hpp"
#include "eslabon/runs/start/mechanism_facts.hpp"

namespace eslabon::recording {

/// What a mechanism is, for programs: one JSON object. Its keys are a contract, docs/command-line.md lists them. `parameters`: of the file, or
/// keys of the family.
std::string mechanism_facts_json(const runs::MechanismFacts& facts,
                                 const std::vector<io::ParameterFact>& parameters,
                                 const Provenance& provenance);

}  // namespace eslabon::recording
