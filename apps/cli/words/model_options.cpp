#include "apps/cli/words/model_options.hpp"

#include "apps/cli/words/command_line.hpp"
#include "apps/cli/words/provenance.hpp"
#include "apps/cli/words/terminal_observer.hpp"
#include <CLI/CLI.hpp>

#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/study/model_estimation.hpp"

namespace eslabon::cli {

void note_part_files(const io::DescribedMechanism& loaded) {
  std::vector<NamedPath> parts;
  for (const std::string& path : loaded.part_files) parts.push_back({"part", path});
  for (const std::string& path : loaded.data_files) parts.push_back({"data", path});
  check_request_again(parts, {});
  add_read(parts);
}

io::DescribedMechanism read_described_model(const std::string& model, const io::ModelSettings& set) {
  io::DescribedMechanism loaded = io::load_described_model(model, set);
  note_part_files(loaded);
  runs::EstimateRequest request;
  study::set_from_model(request, loaded);
  return loaded;
}

io::DescribedMechanism load_described_model(const std::string& model, const io::ModelSettings& set) {
  io::DescribedMechanism loaded = cli::read_described_model(model, set);
  print_notes(loaded.doubts());
  return loaded;
}

model::Mechanism load_model(const std::string& model, const io::ModelSettings& set) {
  return cli::load_described_model(model, set).mechanism;
}

CLI::Option* add_text(CLI::App& command, const std::string& name, const char* value, std::string& text,
                      const std::string& help) {
  return command.add_option(name, text, help)->type_name(value);
}

CLI::Option* add_text(CLI::App& command, const std::string& name, const char* value,
                      std::optional<std::string>& text, const std::string& help) {
  return command.add_option(name, text, help)->type_name(value);
}

void add_model_word(CLI::App& command, std::string& model) {
  command
      .add_option("MODEL", model,
                  "A mechanism file, family:NAME,key=value…, or - for a file from the standard input")
      ->required();
}

void add_set_option(CLI::App& command, io::ModelSettings& settings) {
  command
      .add_option("--set", settings.set,
                  "Give a parameter of the file another value, e.g. 'crank=130 mm' (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->group(kModelOptions);
  command.add_option("--variant", settings.variant, "Take this variant of the file")
      ->type_name("NAME")
      ->group(kModelOptions);
}

void add_outputs_option(CLI::App& command, std::optional<std::string>& outputs) {
  command
      .add_option("--outputs", outputs, "Outputs to write instead of those of the file, e.g. crank.angle,A.q")
      ->type_name("NAMES")
      ->group(kModelOptions);
}

void add_branch_option(CLI::App& command, std::optional<std::string>& branch) {
  command
      .add_option(
          "--branch", branch,
          "Start on this branch instead of that of the start values, e.g. --branch=+- (see 'eslabon info "
          "--branches')")
      ->type_name("NAME")
      ->group(kModelOptions);
}

void add_release_option(CLI::App& command, std::vector<std::string>& release) {
  command.add_option("--release", release, "Release this driver (repeatable); all releases every driver")
      ->allow_extra_args(false)
      ->type_name("DRIVER")
      ->group(kModelOptions);
}

void add_header_option(CLI::App& command, std::optional<std::string>& header) {
  command
      .add_option(
          "--header", header,
          "'name [unit]': one header row in CSV files, as pandas and spreadsheets read it; without it "
          "a row of names and one of units")
      ->type_name("STYLE")
      ->group(kFileOptions);
}

io::HeaderStyle read_header(const std::optional<std::string>& header) {
  if (!header) return io::HeaderStyle::kTwoRows;
  if (*header == "name [unit]") return io::HeaderStyle::kNameAndUnit;
  throw CommandLineError({.what = "unknown kind of header",
                          .where = "--header",
                          .expected = "'name [unit]'",
                          .actual = io::in_quotes(*header),
                          .next = "Write --header 'name [unit]', or leave it out for two rows."});
}

void begin_group(CLI::App& command, const char* heading) { command.option_defaults()->group(heading); }

}  // namespace eslabon::cli
