#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/words/path_check.hpp"

#include "eslabon/recording/files/provenance.hpp"

namespace eslabon::cli {

/// Of this process: it has one command line.
recording::Provenance& provenance_of_run();

/// Begins it. `words`: the command line. Files that are read are hashed where `is_told`.
void begin_provenance(std::vector<std::string> words, const RequestedFiles& files, bool is_told);
/// Files that a file of the command line names, such as those of parts.
void add_read(const std::vector<NamedPath>& files);
/// Files that a word stands for, such as FILE.A.csv for FILE.csv.
void add_written(const std::vector<NamedPath>& files);
/// The file of --provenance; none where the run failed before it wrote anything.
void write_provenance(const std::string& path, int status, const std::string& message);

/// Adds the option --provenance to every command below this one that writes files.
void add_provenance_option(CLI::App& app, std::optional<std::string>& file);

}  // namespace eslabon::cli
