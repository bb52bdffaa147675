#include "eslabon/io/files/file_identity.hpp"

#include <filesystem>
#include <system_error>

#include <sys/stat.h>

namespace eslabon::io {

namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as Linux follows

FileIdentity identity_of_file(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino), {}};
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// What the last name of a path is a link to, and so on, until there is nothing of that name.
fs::path end_of_links(fs::path path) {
  std::error_code error;
  for (int k = 0; k < kMostLinks && fs::is_symlink(path, error); ++k) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : folder_of(path) / target;
  }
  return path;
}

}  // namespace

std::string resolved_path(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return end_of_links(path).string();
  if (!fs::is_regular_file(status)) return path;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  if (path.empty()) return std::nullopt;
  struct stat status {};
  if (stat(path.c_str(), &status) == 0)
    return S_ISREG(status.st_mode) ? std::optional(identity_of_file(status)) : std::nullopt;
  const fs::path target = resolved_path(path);
  FileIdentity identity;
  if (stat(folder_of(target).c_str(), &status) == 0) {
    identity = identity_of_file(status);
    identity.name = target.filename().string();
  } else {
    identity.name = target.lexically_normal().string();
  }
  return identity;
}

std::optional<FileIdentity> identity_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return identity_of_file(status);
}

}  // namespace eslabon::io
