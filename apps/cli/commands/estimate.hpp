#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds `eslabon estimate`: the motion of a mechanism from readings of its sensors.
void add_estimate_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
