#include "apps/cli/words/path_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <CLI/CLI.hpp>

namespace eslabon::cli {

namespace {

/// Words that name files to read. Every other FILE or DIR is taken for one that is written, which is the safe side for a new option.
constexpr std::array<std::string_view, 5> kRead{"MODEL", "STUDY", "RESULT", "--measurements", "--truth"};

bool is_read(const std::string& word) { return std::ranges::find(kRead, word) != kRead.end(); }

std::string word_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : option.get_name(false, false);
}

RequestedFiles the_request;  // of this program: it has one

}  // namespace

bool names_written_file(const CLI::Option& option) {
  if (is_read(word_of(option))) return false;
  const std::string type = option.get_type_name();
  const std::string_view kind = std::string_view(type).substr(0, type.find(':'));  // "FILE" of "FILE:words"
  return kind == "FILE" || kind == "DIR";
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

void check_request(const RequestedFiles& files) {
  the_request = files;
  recording::check_distinct(files);
}

void check_request_again(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written) {
  RequestedFiles files = the_request;
  std::erase_if(files.written, [&](const NamedPath& file) {
    return std::ranges::find(written, file.word, &NamedPath::word) != written.end();
  });
  files.read.insert(files.read.end(), read.begin(), read.end());
  files.written.insert(files.written.end(), written.begin(), written.end());
  recording::check_distinct(files);
}

}  // namespace eslabon::cli
