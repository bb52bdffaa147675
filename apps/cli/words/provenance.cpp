#include "apps/cli/words/provenance.hpp"

#include "apps/cli/words/command_line.hpp"
#include <CLI/CLI.hpp>

namespace eslabon::cli {

namespace {

constexpr const char* kProvenanceOption = "--provenance";

bool hashes_files = false;  // of this process

/// The first word of a command for a file that it writes; nullptr: there is none.
const CLI::Option* written_file(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (names_written_file(*option)) return option;
  return nullptr;
}

}  // namespace

recording::Provenance& provenance_of_run() {
  static recording::Provenance provenance;
  return provenance;
}

void begin_provenance(std::vector<std::string> words, const RequestedFiles& files, bool is_told) {
  provenance_of_run() = recording::Provenance(std::move(words));
  hashes_files = is_told;
  if (!is_told) return;
  for (const NamedPath& file : files.read) provenance_of_run().add_read(file);
  for (const NamedPath& file : files.written)
    if (file.word != kProvenanceOption) provenance_of_run().add_written(file);
}

void add_read(const std::vector<NamedPath>& files) {
  if (!hashes_files) return;
  for (const NamedPath& file : files) provenance_of_run().add_read(file);
}

void add_written(const std::vector<NamedPath>& files) {
  for (const NamedPath& file : files) provenance_of_run().add_written(file);
}

void write_provenance(const std::string& path, int status, const std::string& message) {
  if (const auto record = provenance_of_run().record(status, message))
    write_text_file(path, "the provenance", *record);
}

void add_provenance_option(CLI::App& app, std::optional<std::string>& file) {
  for (CLI::App* command : app.get_subcommands({})) {
    if (!command->get_subcommands({}).empty())
      add_provenance_option(*command, file);
    else if (const CLI::Option* other = written_file(*command))
      command
          ->add_option(kProvenanceOption, file,
                       "JSON file with the provenance of the results: version, build, command, hashes of "
                       "files read and written")
          ->type_name("FILE")
          ->group(other->get_group());
  }
}

}  // namespace eslabon::cli
