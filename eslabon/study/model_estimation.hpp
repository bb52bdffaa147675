#pragma once

#include <string>
#include <vector>

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/runs/estimation/estimate_request.hpp"

namespace eslabon::study {

/// Gives the request what section 'estimation' of the model says: what the model does not know, and how fast to step. To be asked before the settings of
/// the user, which go before these. Throws io::FileError that names file, line and column.
void set_from_model(runs::EstimateRequest& request, const io::DescribedMechanism& loaded);

/// Names of the settings that the model gives.
std::vector<std::string> names_of_settings(const io::DescribedMechanism& loaded);

}  // namespace eslabon::study
