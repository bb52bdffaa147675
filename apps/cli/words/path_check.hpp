#pragma once

#include <vector>

#include "eslabon/recording/files/requested_files.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// Which files the words of a command line name: all that are read and written are different ones.
namespace eslabon::cli {

using recording::NamedPath;
using recording::RequestedFiles;

/// By the definitions of the options of the command: who adds an option for a FILE need not think of this.
RequestedFiles requested_files(const CLI::App& app);
/// Whether the option is for a file or folder that is written.
bool names_written_file(const CLI::Option& option);

/// recording::check_distinct for them.
void check_request(const RequestedFiles& files);
/// The same once more where a word stands for other files than it says, as --out for several: `written` take the place of those of the same
/// words. `read`: what is read beside the request.
void check_request_again(const std::vector<NamedPath>& read, const std::vector<NamedPath>& written);

}  // namespace eslabon::cli
