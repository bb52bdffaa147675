#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `simulate`.
void add_simulate_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
