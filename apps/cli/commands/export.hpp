#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `export`.
void add_export_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
