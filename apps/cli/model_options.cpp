#include "model_options.hpp"

#include <CLI/CLI.hpp>

namespace eslabon::cli {

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
  command.add_option("--set", set, "name=value: give a parameter of the file another value (repeatable)")
      ->allow_extra_args(false);
}

void add_outputs_option(CLI::App& command, std::optional<std::string>& outputs) {
  command.add_option("--outputs", outputs, "a,b,c: these outputs instead of those of the file");
}

void add_branch_option(CLI::App& command, std::optional<std::string>& branch) {
  command.add_option(
      "--branch", branch,
      "Start on this branch instead of that of the start values, e.g. --branch=+- (see 'eslabon info "
      "--branches')");
}

void add_release_option(CLI::App& command, std::vector<std::string>& release) {
  command.add_option("--release", release, "Let this driver go (repeatable); all lets every driver go")
      ->allow_extra_args(false);
}

}  // namespace eslabon::cli
