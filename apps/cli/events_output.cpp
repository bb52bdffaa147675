#include "events_output.hpp"

#include "command_line.hpp"
#include <fmt/format.h>

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
  std::string text = "t,kind,what\ns,,\n";
  for (const integration::LogEntry& entry : log)
    text += fmt::format("{:.17g},{},{}\n", entry.t, word(entry.kind), quoted(entry.text));
  write_text_file(path, "the events", text);
}

}  // namespace eslabon::cli
