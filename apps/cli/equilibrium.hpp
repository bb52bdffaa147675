#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds the sub-command `equilibrium`.
void add_equilibrium_command(CLI::App& app);

}  // namespace eslabon::cli
