#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `kc`.
void add_kc_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
