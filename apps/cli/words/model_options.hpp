#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/files/csv_header.hpp"
#include "eslabon/io/mechanism/model_source.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// Options that several commands have, in the same words.
namespace eslabon::cli {

/// The mechanism of the word MODEL with the settings of --set and --variant. A setting that looks as if its unit had been forgotten gets a note on
/// stderr.
model::Mechanism load_model(const std::string& model, const io::ModelSettings& set);
/// The files of its parts belong to the provenance of the run; one of them that is also to be written is an error.
void note_part_files(const io::DescribedMechanism& loaded);
/// The same with what can be set, without the notes. What it says to filters is checked, whoever reads it.
io::DescribedMechanism read_described_model(const std::string& model, const io::ModelSettings& set);
/// The same with the notes.
io::DescribedMechanism load_described_model(const std::string& model, const io::ModelSettings& set);

/// Headings of --help, in the order in which commands add their options.
inline constexpr const char* kFileOptions = "Files";
inline constexpr const char* kTimeOptions = "Time";
inline constexpr const char* kMethodOptions = "Method";
inline constexpr const char* kModelOptions = "Mechanism";

/// An option with one value: `value` is what help calls it, "FILE".
CLI::Option* add_text(CLI::App& command, const std::string& name, const char* value, std::string& text,
                      const std::string& help);
CLI::Option* add_text(CLI::App& command, const std::string& name, const char* value,
                      std::optional<std::string>& text, const std::string& help);

/// The word MODEL.
void add_model_word(CLI::App& command, std::string& model);
/// --set and --variant.
void add_set_option(CLI::App& command, io::ModelSettings& settings);
void add_outputs_option(CLI::App& command, std::optional<std::string>& outputs);
void add_branch_option(CLI::App& command, std::optional<std::string>& branch);
void add_release_option(CLI::App& command, std::vector<std::string>& release);

/// The header of CSV files: read_header() says what it means.
void add_header_option(CLI::App& command, std::optional<std::string>& header);
io::HeaderStyle read_header(const std::optional<std::string>& header);

/// Options that are added from here on are of this heading.
void begin_group(CLI::App& command, const char* heading);

}  // namespace eslabon::cli
