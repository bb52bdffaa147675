#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `equilibrium`.
void add_equilibrium_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
