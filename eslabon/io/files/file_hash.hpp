#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// What tells the contents of files apart. All of ordinary files; none for what is no such file, or cannot be read.
namespace eslabon::io {

/// core::fnv1a of the bytes.
std::optional<std::uint64_t> hash_of_file(const std::string& path);
/// Its 16 digits.
std::string hash_text(std::uint64_t hash);

/// [bytes]
std::optional<std::uint64_t> size_of_file(const std::string& path);
/// Another text once the file was written or replaced.
std::optional<std::string> state_of_file(const std::string& path);

}  // namespace eslabon::io
