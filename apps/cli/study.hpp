#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

/// `eslabon study`: filters tried many times over, on true motions and readings that are drawn anew.
void add_study_command(CLI::App& app);

}  // namespace eslabon::cli
