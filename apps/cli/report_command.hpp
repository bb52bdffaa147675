#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds the sub-command `report`.
void add_report_command(CLI::App& app);

}  // namespace eslabon::cli
