#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `flatten`.
void add_flatten_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
