#pragma once

#include <string>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// Throws core::ModelError for a mechanism with auxiliary states, which `task` ("statics and linearisation") does not take.
void refuse_auxiliary_states(const model::Mechanism& mechanism, const std::string& task);

}  // namespace eslabon::dynamics
