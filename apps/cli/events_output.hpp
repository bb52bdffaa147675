#pragma once

#include <string>
#include <vector>

#include "eslabon/integration/simulation.hpp"

namespace eslabon::cli {

/// The file of --events: what happened in a run, when, and of which kind: `event`, `stop`, `friction` or `choice`. Throws
/// core::ModelError when it cannot be written.
void write_events(const std::string& path, const std::vector<integration::LogEntry>& log);

}  // namespace eslabon::cli
