#include "eslabon/io/mechanism/flow_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::io {

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else
      out += c;
  }
  return out + "\"";
}

std::string word(const std::string& name) {
  const bool is_plain = std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
  });
  const bool starts_well =
      !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
  const bool means_nothing = name == "null" || name == "Null" || name == "NULL";
  return is_plain && starts_well && !means_nothing ? name : double_quoted(name);
}

std::string flow_map(const Entries& entries) {
  std::string out;
  for (const auto& [key, value] : entries)
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", key, value);
  return "{" + out + "}";
}

std::string angle_text(double angle) {
  constexpr double kSurelyRadians = 12.0;
  return core::number_text(angle) + (std::abs(angle) > kSurelyRadians ? " rad" : "");
}

void add_nonzero(Entries& entries, const char* key, double value) {
  if (value != 0.0) entries.emplace_back(key, core::number_text(value));
}

}  // namespace eslabon::io
