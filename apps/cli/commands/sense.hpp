#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds `eslabon sense`: what the sensors of a mechanism would have read in a recorded motion.
void add_sense_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
