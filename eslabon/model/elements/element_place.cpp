#include "eslabon/model/elements/element_place.hpp"

#include <algorithm>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"

namespace eslabon::model::detail {

namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool may_stand_in_name(char c) { return is_ascii_letter(c) || is_digit(c) || c == '-' || is_beyond_ascii(c); }

/// Number of bytes that follow the first byte of a UTF-8 character; −1 for a byte that cannot be the first.
int bytes_after(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first < 0xE0) return 1;
  if (first >= 0xE0 && first < 0xF0) return 2;
  if (first >= 0xF0 && first < 0xF5) return 3;
  return -1;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    int left = bytes_after(static_cast<unsigned char>(text[i]));
    if (left < 0) return false;
    for (; left > 0; --left) {
      ++i;
      if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

/// A character, in quotes that no name can hold.
std::string shown(char c) { return "\"" + std::string(1, c) + "\""; }

void check_name(std::string_view name, const Place& place, const Field& field) {
  const std::string next = "Choose another name.";
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos && dot > 0) {
    check_name(name.substr(0, dot), place, field);
    if (dot + 1 == name.size())
      fail(place, field, {"a name ends with a dot", "a name after the dot", "nothing", next});
    return check_name(name.substr(dot + 1), place, field);
  }
  if (name.empty()) fail(place, field, {"a name is empty", "a name of at least one letter", "nothing", next});
  const auto wrong = std::ranges::find_if_not(name, may_stand_in_name);
  if (wrong != name.end())
    fail(place, field,
         {"a name holds a character that names cannot have", "letters, digits, '_' and '-'", shown(*wrong),
          next});
  if (is_digit(name.front()) || name.front() == '-')
    fail(place, field,
         {"a name begins with a character that names cannot begin with", "a letter or '_' first",
          shown(name.front()), next});
  if (!is_utf8(name))
    fail(place, field, {"a name is not text", "UTF-8", "bytes that are not", "Save the file as UTF-8."});
}

}  // namespace

std::string to_text(const Place& place, const Field& field) {
  std::string text(place.kind);
  if (place.kind != kGroundWord && place.kind != kRoadWord && place.kind != kStartWord &&
      place.kind != kVehicleWord)
    text += " " + core::quoted(place.name);
  if (!field.key.empty()) text += ", " + std::string(field.key);
  if (!field.name.empty()) text += " " + core::quoted(field.name);
  return text;
}

void fail(const Place& place, const Field& field, Fault fault) {
  throw core::ModelError({.what = std::move(fault.what),
                          .where = to_text(place, field),
                          .expected = std::move(fault.expected),
                          .actual = std::move(fault.actual),
                          .next = std::move(fault.next)});
}

void check_element_name(const Place& place) {
  check_name(place.name, place, {});
  if (place.name == kGroundWord)
    fail(place, {},
         {"a name is reserved", "any name but 'ground', the body that does not move", "'ground'",
          "Choose another name."});
}

void check_marker_name(const Place& place, const Field& field) { check_name(field.name, place, field); }

}  // namespace eslabon::model::detail
