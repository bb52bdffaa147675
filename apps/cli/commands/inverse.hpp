#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `inverse`.
void add_inverse_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
