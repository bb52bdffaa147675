#pragma once

#include <string>
#include <vector>

#include "eslabon/integration/simulation.hpp"

namespace eslabon::recording {

/// What happened in a run, when, and of which kind, `event`, `stop`, `friction` or `choice`: the text of a CSV file.
std::string event_table(const std::vector<integration::LogEntry>& log);

}  // namespace eslabon::recording
