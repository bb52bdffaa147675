#include "model_options.hpp"

#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace eslabon::cli {

io::DescribedMechanism load_described_model(const std::string& model, const std::vector<std::string>& set) {
  io::DescribedMechanism loaded = io::load_described_model(model, set);
  for (const io::ParameterFact& parameter : loaded.parameters)
    if (!parameter.doubt.empty()) fmt::print(stderr, "eslabon: note: {}\n", parameter.doubt);
  return loaded;
}

model::Mechanism load_model(const std::string& model, const std::vector<std::string>& set) {
  return load_described_model(model, set).mechanism;
}

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
