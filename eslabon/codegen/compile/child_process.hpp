#pragma once

#include <optional>
#include <string>
#include <vector>

namespace eslabon::codegen {

/// How a program that was called ended.
struct ChildEnd {
  bool has_started = false;
  bool is_good = false;  ///< it ended by itself, with status 0
  std::string says;      ///< what it wrote, to both of its outputs; the first 256 KiB
};

/// Calls a program with its arguments, without a shell and without anything to read, and waits for its end. `words`: its path, then the
/// arguments.
ChildEnd call_program(const std::vector<std::string>& words);

/// The file of a program: `name` itself when it has a '/', otherwise that of the first of the folders in `path`, apart by ':'.
std::optional<std::string> find_program(const std::string& name, const std::string& path);

}  // namespace eslabon::codegen
