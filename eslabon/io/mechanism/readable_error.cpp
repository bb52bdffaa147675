#include "eslabon/io/mechanism/readable_error.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace eslabon::io {

namespace {

/// Length of the UTF-8 character at the start of a text; 0 for bytes that are not a whole one.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
  if (length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0U) != 0x80U) return 0;
  return length;
}

bool is_printable(char character) { return character >= 0x20 && character < 0x7F; }

/// One part of a message, whatever the file quoted in it holds: one line, whole characters, and no longer
/// than people read. What is too long loses its middle.
std::string readable(std::string_view text) {
  constexpr std::size_t kHead = 360, kTail = 120;
  const bool is_long = text.size() > kHead + kTail;
  if (!is_long && std::ranges::all_of(text, is_printable)) return std::string(text);
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    if (is_long && k >= kHead && k < text.size() - kTail) {
      if (!out.ends_with("…")) out += "…";
      k = text.size() - kTail;
    }
    const std::size_t length = character_length(text.substr(k));
    if (text[k] == '\n' || text[k] == '\t')
      out += text[k] == '\n' ? "\\n" : "\\t";
    else if (length > 1 || is_printable(text[k]))
      out += text.substr(k, length);
    k += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace

core::ErrorText readable(const core::ErrorText& text) {
  return {.what = readable(text.what),
          .where = readable(text.where),
          .expected = readable(text.expected),
          .actual = readable(text.actual),
          .next = readable(text.next)};
}

core::ModelError readable(const core::ModelError& error) { return core::ModelError(readable(error.text())); }

}  // namespace eslabon::io
