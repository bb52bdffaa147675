#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace eslabon::io {

/// What makes two names mean one file. A file that is there has a device and a number; one that is not yet there is a name in a folder.
struct FileIdentity {
  std::uint64_t device = 0, number = 0;  ///< of the file, or of the folder that it would be in
  std::string name = {};                 ///< in that folder; empty for a file that is there

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Where a name leads: links are followed, also those to files that are not there yet. A name that leads to what has none, such as a pipe, and
/// one that leads nowhere stay as they are.
std::string resolved_path(const std::string& path);

/// The identity of an ordinary file, by any of its names. None for folders, devices, pipes and terminals: what several may write to.
std::optional<FileIdentity> identity_of(const std::string& path);
/// The same of what is open already.
std::optional<FileIdentity> identity_of(int descriptor);

}  // namespace eslabon::io
