#include "eslabon/io/files/file_hash.hpp"

#include <array>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "eslabon/core/fnv1a.hpp"

namespace eslabon::io {

namespace {

std::optional<struct stat> status_of_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status;
}

}  // namespace

std::optional<std::uint64_t> hash_of_file(const std::string& path) {
  if (!status_of_file(path)) return std::nullopt;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) return std::nullopt;
  std::array<char, 1 << 16> buffer;
  std::uint64_t hash = core::fnv1a("");
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get()))
    hash = core::fnv1a({buffer.data(), count}, hash);
  return std::ferror(file.get()) == 0 ? std::optional(hash) : std::nullopt;
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::optional<std::uint64_t> size_of_file(const std::string& path) {
  const auto status = status_of_file(path);
  if (!status) return std::nullopt;
  return static_cast<std::uint64_t>(status->st_size);
}

std::optional<std::string> state_of_file(const std::string& path) {
  const auto status = status_of_file(path);
  if (!status) return std::nullopt;
  return fmt::format("{} {} {}.{:09} {}", status->st_dev, status->st_ino, status->st_mtim.tv_sec,
                     status->st_mtim.tv_nsec, status->st_size);
}

}  // namespace eslabon::io
