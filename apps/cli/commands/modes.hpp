#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `modes`.
void add_modes_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
