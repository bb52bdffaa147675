#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds `eslabon estimate`: the motion of a mechanism from readings of its sensors.
void add_estimate_command(CLI::App& app);

}  // namespace eslabon::cli
