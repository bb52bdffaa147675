#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds the sub-command `modes`.
void add_modes_command(CLI::App& app);

}  // namespace eslabon::cli
