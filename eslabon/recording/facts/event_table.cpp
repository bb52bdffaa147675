#include "eslabon/recording/facts/event_table.hpp"

#include <fmt/format.h>

namespace eslabon::recording {

namespace {

const char* kind_word(integration::LogEntry::Kind kind) {
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
std::string in_csv_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace

std::string event_table(const std::vector<integration::LogEntry>& log) {
  std::string text = "t,kind,what\ns,,\n";
  for (const integration::LogEntry& entry : log)
    text += fmt::format("{:.17g},{},{}\n", entry.t, kind_word(entry.kind), in_csv_quotes(entry.text));
  return text;
}

}  // namespace eslabon::recording
