#include "events_output.hpp"

#include <fstream>

#include <fmt/format.h>

#include "eslabon/core/error.hpp"
#include "eslabon/io/file_error.hpp"

namespace eslabon::cli {

namespace {

const char* word(integration::LogEntry::Kind kind) {
  using Kind = integration::LogEntry::Kind;
  switch (kind) {
    case Kind::kChoice:
      return "choice";
    case Kind::kStop:
      return "stop";
    case Kind::kFriction:
      return "friction";
    case Kind::kEvent:
      break;
  }
  return "event";
}

/// In the quotes of CSV.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace

void write_events(const std::string& path, const std::vector<integration::LogEntry>& log) {
  std::ofstream file(path);
  file << "t,kind,what\ns,,\n";
  for (const integration::LogEntry& entry : log)
    file << fmt::format("{:.17g},{},{}\n", entry.t, word(entry.kind), quoted(entry.text));
  file.close();
  if (!file)
    throw io::FileError({.what = "the events could not be written",
                         .where = path,
                         .expected = "a file that can be written",
                         .actual = "an error while writing",
                         .next = "Check the folder, and the space that is left."});
}

}  // namespace eslabon::cli
