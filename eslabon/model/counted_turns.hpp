#pragma once

#include "eslabon/model/mechanism.hpp"

namespace eslabon::model {

/// Whether a mechanism is not where it was when one of its angles has made a turn: wheels in mesh are turned otherwise then, and what rolls
/// is elsewhere.
bool counts_turns(const Mechanism& mechanism);

}  // namespace eslabon::model
