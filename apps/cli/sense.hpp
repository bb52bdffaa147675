#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds `eslabon sense`: what the sensors of a mechanism would have read in a recorded motion.
void add_sense_command(CLI::App& app);

}  // namespace eslabon::cli
