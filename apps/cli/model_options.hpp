#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// Options that several commands have, in the same words.
namespace eslabon::cli {

void add_set_option(CLI::App& command, std::vector<std::string>& set);
void add_outputs_option(CLI::App& command, std::optional<std::string>& outputs);
void add_branch_option(CLI::App& command, std::optional<std::string>& branch);
void add_release_option(CLI::App& command, std::vector<std::string>& release);

}  // namespace eslabon::cli
