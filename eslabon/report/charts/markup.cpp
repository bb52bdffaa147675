#include "eslabon/report/charts/markup.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace eslabon::report {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: the text is no UTF-8 here
};

/// The character that begins at `text`, which is not empty [RFC3629, §4]: the shortest form only, no halves of surrogate pairs.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])) : 0u;
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80u) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0u ? 4 : lead >= 0xe0u ? 3 : 2;
  if (lead < 0xc2u || lead > 0xf4u) return {};
  std::uint32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0u) != 0x80u) return {};
    code = code << 6 | (byte(k) & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80u, 0x800u, 0x10000u};
  if (code < kLeast[bytes] || code > 0x10ffffu || (code >= 0xd800u && code <= 0xdfffu)) return {};
  return {code, bytes};
}

/// [XML2008, production 2]
bool is_known_to_xml(std::uint32_t code) {
  if (code < 0x20u) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xfffeu && code != 0xffffu;
}

}  // namespace

std::string escaped_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.bytes == 0 || !is_known_to_xml(character.code))
      out += kReplacement;
    else if (character.code == '&')
      out += "&amp;";
    else if (character.code == '<')
      out += "&lt;";
    else if (character.code == '>')
      out += "&gt;";
    else if (character.code == '"')
      out += "&quot;";
    else if (character.code == '\'')
      out += "&#39;";
    else
      out += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes == 0 ? 1 : character.bytes);
  }
  return out;
}

std::string escaped_json(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  std::size_t begin = 0;
  while (begin < json.size()) {
    const std::size_t end = json.find_first_of("<>&", begin);
    out += json.substr(begin, end - begin);
    if (end == std::string_view::npos) break;
    out += json[end] == '<' ? "\\u003c" : json[end] == '>' ? "\\u003e" : "\\u0026";
    begin = end + 1;
  }
  return out;
}

}  // namespace eslabon::report
