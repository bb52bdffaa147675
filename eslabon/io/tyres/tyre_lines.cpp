#include "eslabon/io/tyres/tyre_lines.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/plain_text.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"
#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::io {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
/// The line up to its comment; quotes hide the signs of comments.
std::string_view without_comment(std::string_view line) {
  bool is_quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '\'') is_quoted = !is_quoted;
    if (!is_quoted && (line[k] == '$' || line[k] == '!')) return line.substr(0, k);
  }
  return line;
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

class Splitter {
 public:
  Splitter(std::string file, const std::vector<std::string>& sections) : sections_(sections) {
    lines_.file = std::move(file);
  }

  TyreLines split(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark of UTF-8
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      add(trimmed(without_comment(text.substr(0, end))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(lines_);
  }

 private:
  void add(std::string_view line) {
    if (line.empty()) return;
    if (line.front() == '[') return begin_section(line);
    if (section_.empty())
      return refuse_line(line, "a section such as '[UNITS]' first", "Write the sections' headings.");
    if (line.front() == '{') return begin_table(line);
    const std::size_t sign = line.find('=');
    if (sign != std::string_view::npos)
      return add_entry(trimmed(line.substr(0, sign)), trimmed(line.substr(sign + 1)));
    if (is_table_) return add_row(line);
    refuse_line(line, "NAME = VALUE",
                "Write an equals sign between name and value, or '$' before a comment.");
  }

  void begin_section(std::string_view line) {
    if (line.back() != ']') refuse_line(line, "a name in brackets, such as '[UNITS]'", "Close the bracket.");
    section_ = in_capitals(trimmed(line.substr(1, line.size() - 2)));
    is_table_ = false;
    if (std::ranges::find(sections_, section_) == sections_.end()) {
      const auto nearest = core::nearest_name(section_, sections_);
      refuse_tyre(
          {.what = "unknown section " + in_quotes(section_),
           .where = here(),
           .expected = "a section of a Magic Formula tyre",
           .actual = in_quotes(line),
           .next = nearest ? "Did you mean '" + *nearest + "'?" : "Take it out if it is not needed."});
    }
    const auto [first, is_new] = lines_of_sections_.emplace(section_, line_);
    if (!is_new)
      refuse_tyre({.what = "the section '" + section_ + "' comes twice",
                   .where = here(),
                   .expected = "each section once",
                   .actual = "the first on line " + std::to_string(first->second),
                   .next = "Join the two, or take one out."});
  }

  void begin_table(std::string_view line) {
    if (line.back() != '}')
      refuse_line(line, "names in braces, such as '{radial width}'", "Close the brace.");
    is_table_ = true;
  }

  void add_entry(std::string_view name, std::string_view value) {
    if (!is_name(name))
      refuse_line(name, "a name of letters, digits and '_' before the equals sign", "Put the name right.");
    TyreEntry entry{section_, in_capitals(name), std::string(value), false, line_};
    if (value.empty())
      refuse_tyre({.what = "'" + entry.name + "' has no value",
                   .where = here(),
                   .expected = "NAME = VALUE",
                   .actual = "nothing after the equals sign",
                   .next = "Write its value, or take the line out."});
    if (value.front() == '\'') {
      if (value.size() < 2 || value.back() != '\'' || value.find('\'', 1) != value.size() - 1)
        refuse_line(value, "one text in single quotes", "Close the quotes.");
      entry.value = trimmed(value.substr(1, value.size() - 2));
      entry.is_quoted = true;
    }
    // MASS is a unit in one section and a mass in another.
    const auto [first, is_new] =
        lines_of_names_.emplace((section_ == "UNITS" ? "unit " : "") + entry.name, line_);
    if (!is_new)
      refuse_tyre({.what = "'" + entry.name + "' comes twice",
                   .where = here(),
                   .expected = "each name once",
                   .actual = "the first on line " + std::to_string(first->second),
                   .next = "Take one of the two lines out."});
    lines_.entries.push_back(std::move(entry));
  }

  void add_row(std::string_view line) {
    TyreRow row{section_, {}, line_};
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
      row.cells.emplace_back(line.substr(0, end));
      line = trimmed(line.substr(end));
    }
    lines_.rows.push_back(std::move(row));
  }

  [[noreturn]] void refuse_line(std::string_view line, const std::string& expected,
                                const std::string& next) const {
    refuse_tyre({.what = "a line cannot be read",
                 .where = here(),
                 .expected = expected,
                 .actual = in_quotes(line),
                 .next = next});
  }

  std::string here() const { return lines_.place(line_); }

  const std::vector<std::string>& sections_;
  TyreLines lines_;
  std::string section_;
  bool is_table_ = false;
  int line_ = 0;
  std::map<std::string, int> lines_of_sections_, lines_of_names_;
};

}  // namespace

void refuse_tyre(core::ErrorText text) { throw FileError(readable(text)); }

TyreLines split_tyre_text(std::string_view text, const std::string& file,
                          const std::vector<std::string>& sections) {
  if (text.size() > kMostBytes)
    refuse_tyre({.what = "the file is too large",
                 .where = file,
                 .expected = "at most " + std::to_string(kMostBytes) + " bytes",
                 .actual = std::to_string(text.size()) + " bytes",
                 .next = "Tyre files are small: check that this is the right file."});
  return Splitter(file, sections).split(text);
}

}  // namespace eslabon::io
