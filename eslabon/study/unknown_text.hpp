#pragma once

#include <string>

#include "eslabon/runs/estimation/estimate_request.hpp"

namespace eslabon::study {

/// "force:wheel.W.z,sigma=200 N,walk=1000 N": kind and name, then how far off the start may be, how far it walks in 1 s, and where it starts.
/// The mechanism tells in which units. Throws core::ModelError.
runs::UnknownRequest read_unknown(const std::string& text, const model::Mechanism& mechanism);

}  // namespace eslabon::study
