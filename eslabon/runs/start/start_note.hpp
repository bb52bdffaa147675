#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/kinematics/assembly/given_start.hpp"

namespace eslabon::runs {

/// "rocker.angle from 105° to 104.6°, crank.P.x from 1 m to 1.02 m and 3 more"; "" when nothing moved.
std::string shifts_text(const std::vector<kinematics::StartShift>& shifts);

/// A sentence about start values that moved so that the loops close; "" where none did, or where a branch was asked for, on which they
/// may all be different.
std::string start_shifts_note(const model::Mechanism& mechanism, const coordinates::MechanismMotion& bodies,
                              const std::optional<std::string>& branch);

}  // namespace eslabon::runs
