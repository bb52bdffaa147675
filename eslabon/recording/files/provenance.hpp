#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/recording/files/requested_files.hpp"
#include "eslabon/report/report.hpp"

/// Where a result comes from: which program made it, by which command, from which files. CSV files have no place for it that every reader
/// of tables would pass over; it is in the JSON of results, in pages, in matrix files and journals, and in a file beside any result.
namespace eslabon::recording {

/// "eslabon 0.1.0, GCC 12.2.0, x86-64".
std::string build_text();
/// The same with the hash of the program's own file, which tells apart two builds of one version.
std::string exact_build_text();

/// What is known of a run: begun before it, asked afterwards.
class Provenance {
 public:
  Provenance() = default;
  /// `command`: the words that asked for the run.
  explicit Provenance(std::vector<std::string> command) : command_(std::move(command)) {}

  /// A file that will be read, hashed now, before anything can change it.
  void add_read(const NamedPath& file);
  /// A file that will be written.
  void add_written(const NamedPath& file);

  /// {version, compiler, architecture, command [word], inputs [{word, path, bytes, fnv1a}]}
  std::string json() const;
  /// The same in words, as "name: value".
  std::vector<std::pair<std::string, std::string>> lines() const;
  report::Table table() const;

  /// The object of a run that has ended, with the program's own hash, the status and the message of its end, and what it has written,
  /// outputs [{word, path, bytes, fnv1a}]. None where the run failed before it wrote anything.
  std::optional<std::string> record(int status, const std::string& message) const;

 private:
  struct Input {
    NamedPath named;
    std::optional<std::uint64_t> hash, bytes;
  };
  struct Output {
    NamedPath named;
    std::optional<std::string> state;  ///< what is there before the run
  };
  std::vector<std::string> command_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
};

}  // namespace eslabon::recording
