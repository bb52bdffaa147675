#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "path_check.hpp"
#include "result_json.hpp"

#include "eslabon/report/report.hpp"

/// Where a result comes from: which program made it, by which command, from which files. CSV files have no place for it that every reader
/// of tables would pass over; it is in the objects of --json, in pages, in matrix files and journals, and beside any result with --provenance FILE.
namespace eslabon::cli {

/// 16 digits of core::fnv1a.
std::string hash_text(std::uint64_t hash);
/// Of the bytes of an ordinary file; none for what is no such file, or cannot be read.
std::optional<std::uint64_t> hash_of_file(const std::string& path);

/// "eslabon 0.1.0, GCC 12.2.0, x86-64".
std::string build_text();
/// The same with the hash of the program's own file, which tells apart two builds of one version.
std::string exact_build_text();

/// What is known of this run before it begins. One for the process, as its command line is.
class Provenance {
 public:
  /// Of this process.
  static Provenance& of_run();

  /// `words`: the command line. Files that are read are hashed now, before anything can change them, where `is_told`.
  void begin(std::vector<std::string> words, const RequestedFiles& files, bool is_told);
  /// A file that a word stands for, such as FILE.A.csv of FILE.csv.
  void add_written(const NamedPath& file);

  /// {version, compiler, architecture, command [word], inputs [{word, path, bytes, fnv1a}]}
  Json json() const;
  /// The same in words, as "name: value".
  std::vector<std::pair<std::string, std::string>> lines() const;
  report::Table table() const;

  /// --provenance: the object, with the program's own hash, how the run ended and what it has written, [{word, path, bytes, fnv1a}]. Nothing where the
  /// run failed before it wrote anything.
  void write(const std::string& path, int status, const std::string& message) const;

 private:
  struct Input {
    NamedPath named;
    std::optional<std::uint64_t> hash;
    std::optional<std::uint64_t> bytes;
  };
  struct Output {
    NamedPath named;
    std::string state;  ///< what is there before the run
  };
  std::vector<std::string> words_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
};

/// Adds the option --provenance to every command below this one that writes files.
void add_provenance_option(CLI::App& app, std::optional<std::string>& file);

}  // namespace eslabon::cli
