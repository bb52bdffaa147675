#pragma once

#include <string_view>

namespace eslabon::live {

/// Asks the system to wake this thread on time and before others. Threads that it makes later inherit that.
/// What was granted: "real-time priority", "raised priority" or "no priority".
std::string_view prefer_this_thread();

}  // namespace eslabon::live
