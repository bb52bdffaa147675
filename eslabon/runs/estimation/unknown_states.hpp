#pragma once

#include <string>
#include <vector>

#include "eslabon/runs/estimation/estimate_request.hpp"

namespace eslabon::runs {

/// What the values of an unknown measure: one dimension, or of a bias those of its channels. Throws RequestError for names that the mechanism
/// does not have.
std::vector<core::Dimension> dimensions_of(const UnknownRequest& unknown, const model::Mechanism& mechanism);

/// Adds what the request estimates beside the motion of a mechanism with so many degrees of freedom; `sensors`: those in use. Throws
/// RequestError.
void add_unknowns(const EstimateRequest& request, const model::Mechanism& mechanism,
                  const std::vector<estimation::FilterSensor>& sensors, int num_freedoms,
                  estimation::MechanismSystemOptions& options);

}  // namespace eslabon::runs
