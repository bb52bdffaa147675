#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `report`.
void add_report_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
