#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

/// Adds the sub-commands `completion` and `man`, which tell what all the others are.
void add_reference_commands(CLI::App& app);

}  // namespace eslabon::cli
