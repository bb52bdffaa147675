#pragma once

#include <string>
#include <vector>

/// No file of a request is lost to another one of it: all that are read and written are different files, by whatever names.
namespace eslabon::recording {

/// A file, and the word by which its user knows it.
struct NamedPath {
  std::string word;  ///< runs::field("out"), or what a program calls it: "MODEL"
  std::string path;
};

struct RequestedFiles {
  std::vector<NamedPath> read, written;
};

/// Whether the path means a file: families of mechanisms and standard streams, "-", are none.
bool is_file(const NamedPath& named);

/// Throws runs::RequestError, which tells both words, when a file of `written` is also one of `read`, or is written twice. The standard
/// input, output and error are among them where those are files; devices, pipes and terminals are no such files.
void check_distinct(const RequestedFiles& files);

}  // namespace eslabon::recording
