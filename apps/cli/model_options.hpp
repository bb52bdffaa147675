#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/model_source.hpp"

namespace CLI {
class App;
}

/// Options that several commands have, in the same words.
namespace eslabon::cli {

/// The mechanism of the word MODEL with the settings of --set. A setting that looks as if its unit had been forgotten gets a note on
/// stderr.
model::Mechanism load_model(const std::string& model, const std::vector<std::string>& set);
/// The same with what can be set.
io::DescribedMechanism load_described_model(const std::string& model, const std::vector<std::string>& set);

void add_set_option(CLI::App& command, std::vector<std::string>& set);
void add_outputs_option(CLI::App& command, std::optional<std::string>& outputs);
void add_branch_option(CLI::App& command, std::optional<std::string>& branch);
void add_release_option(CLI::App& command, std::vector<std::string>& release);

}  // namespace eslabon::cli
