#pragma once

#include <string>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::kinematics {

/// Throws core::ModelError for a mechanism with a disc that rolls without slipping on a plane, which `task` ("statics is") does not take:
/// its velocities are constrained, its positions are not.
void refuse_rolling_discs(const model::Mechanism& mechanism, const std::string& task);

}  // namespace eslabon::kinematics
