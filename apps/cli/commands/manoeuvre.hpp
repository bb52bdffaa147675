#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `manoeuvre`.
void add_manoeuvre_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
