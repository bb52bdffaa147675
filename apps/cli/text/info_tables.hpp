#pragma once

#include <string>
#include <vector>

#include "eslabon/io/quantities/parameter_facts.hpp"
#include "eslabon/model/mechanism.hpp"

/// Tables of `info` about what a file prescribes; "" where there is nothing to tell. `most_rows`: as of TextTable.
namespace eslabon::cli {

/// What --set takes, in the units of the file.
std::string parameter_table(const std::vector<io::ParameterFact>& parameters, std::size_t most_rows);
/// Which coordinate each driver moves, and how.
std::string driver_table(const model::Mechanism& mechanism, std::size_t most_rows);
/// Where each load acts, and its components.
std::string load_table(const model::Mechanism& mechanism, std::size_t most_rows);
/// Where each auxiliary state starts, and how fast it changes.
std::string state_table(const model::Mechanism& mechanism, std::size_t most_rows);

}  // namespace eslabon::cli
