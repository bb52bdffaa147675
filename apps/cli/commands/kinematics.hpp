#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `kinematics`.
void add_kinematics_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
