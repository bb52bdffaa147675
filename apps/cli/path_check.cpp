#include "path_check.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "command_line.hpp"
#include "motion_output.hpp"
#include <CLI/CLI.hpp>
#include <unistd.h>

#include "eslabon/io/file_identity.hpp"

namespace eslabon::cli {

namespace {

/// Words that name files to read. Every other FILE or DIR is taken for one that is written, which is the safe side for a new option.
constexpr std::array<std::string_view, 5> kRead{"MODEL", "STUDY", "RESULT", "--measurements", "--truth"};

struct IdentifiedFile {
  NamedPath named;
  io::FileIdentity identity;
  bool is_stream = false;  ///< open already
};

std::vector<IdentifiedFile> identified(const std::vector<NamedPath>& files) {
  std::vector<IdentifiedFile> found;
  for (const NamedPath& file : files)
    if (file.path != kStdout && !file.path.starts_with("family:"))
      if (auto identity = io::identity_of(file.path)) found.push_back({file, *identity});
  return found;
}

void add_stream(std::vector<IdentifiedFile>& files, int descriptor, const std::string& name) {
  if (auto identity = io::identity_of(descriptor)) files.push_back({{name, ""}, *identity, true});
}

/// "'a.csv'", or where they have different names "'b.csv', which is 'a.csv'". Streams have none.
std::string names_of(const NamedPath& written, const NamedPath& other) {
  const std::string name = "'" + (written.path.empty() ? other.path : written.path) + "'";
  const bool is_one_name = written.path.empty() || other.path.empty() || written.path == other.path;
  return is_one_name ? name : name + ", which is '" + other.path + "'";
}

[[noreturn]] void fail(const std::string& what, const NamedPath& written, const NamedPath& other) {
  throw CommandLineError({.what = what,
                          .where = written.word,
                          .expected = "another file than that of " + other.word,
                          .actual = names_of(written, other),
                          .next = "Give each a file of its own."});
}

void check_identified(const std::vector<IdentifiedFile>& read, const std::vector<IdentifiedFile>& written) {
  const auto is_clash = [](const IdentifiedFile& a, const IdentifiedFile& b) {
    return a.identity == b.identity && !(a.is_stream && b.is_stream);
  };
  for (std::size_t k = 0; k < written.size(); ++k) {
    for (const IdentifiedFile& other : read)
      if (is_clash(written[k], other))
        fail("one file is both read and written", written[k].named, other.named);
    for (std::size_t j = 0; j < k; ++j)
      if (is_clash(written[k], written[j]))
        fail("one file is written twice", written[k].named, written[j].named);
  }
}

bool is_read(const std::string& word) { return std::ranges::find(kRead, word) != kRead.end(); }

std::string word_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : option.get_name(false, false);
}

RequestedFiles the_request;  // of this program: it has one

void check_files_and_streams(const RequestedFiles& files) {
  std::vector<IdentifiedFile> read = identified(files.read), written = identified(files.written);
  add_stream(read, STDIN_FILENO, "the standard input");
  add_stream(written, STDOUT_FILENO, "the standard output");
  add_stream(written, STDERR_FILENO, "the standard error");
  check_identified(read, written);
}

}  // namespace

bool names_written_file(const CLI::Option& option) {
  if (is_read(word_of(option))) return false;
  const std::string type = option.get_type_name();
  const std::string_view kind = std::string_view(type).substr(0, type.find(':'));  // "FILE" of "FILE:words"
  return kind == "FILE" || kind == "DIR";
}

void check_distinct(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written) {
  check_identified(identified(read), identified(written));
}

RequestedFiles requested_files(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  RequestedFiles files;
  for (const CLI::Option* option : command->get_options()) {
    const std::string word = word_of(*option);
    if (option->count() == 0 || !(is_read(word) || names_written_file(*option))) continue;
    for (const std::string& path : option->results())
      (is_read(word) ? files.read : files.written).push_back({word, path});
  }
  return files;
}

void check_request_again(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written) {
  RequestedFiles files = the_request;
  std::erase_if(files.written, [&](const NamedPath& file) {
    return std::ranges::find(written, file.word, &NamedPath::word) != written.end();
  });
  files.read.insert(files.read.end(), read.begin(), read.end());
  files.written.insert(files.written.end(), written.begin(), written.end());
  check_files_and_streams(files);
}

void check_request(const RequestedFiles& files) {
  the_request = files;
  check_files_and_streams(files);
}

}  // namespace eslabon::cli
