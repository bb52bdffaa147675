#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// No file of a request is lost to another one of it: all that are read and written are different files, by whatever names.
namespace eslabon::cli {

/// A file, and the word of the command line that names it.
struct NamedPath {
  std::string word;  ///< "--out", "MODEL"
  std::string path;
};

/// Throws CommandLineError, which tells both words, when a file of `written` is also one of `read`, or is written twice. Devices, pipes and
/// terminals are no such files, nor is "-".
void check_distinct(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written);

/// The files that the words of a command name, by the definitions of its options: who adds an option for a FILE need not think of this.
struct RequestedFiles {
  std::vector<NamedPath> read, written;
};
/// Whether the option is for a file or folder that is written.
bool names_written_file(const CLI::Option& option);
RequestedFiles requested_files(const CLI::App& app);

/// check_distinct for them, and for the standard input, output and error where those are files.
void check_request(const RequestedFiles& files);
/// The same once more where a word stands for other files than it says, as --out for several: `written` take the place of those of the same
/// words. `read`: what is read beside the request.
void check_request_again(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written);

}  // namespace eslabon::cli
