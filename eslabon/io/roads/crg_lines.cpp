#include "eslabon/io/roads/crg_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/plain_text.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"
#include "eslabon/io/quantities/quantity.hpp"

namespace eslabon::io {

namespace {

/// The names that a section may have; those of which nothing follows here are known too.
const std::map<std::string, std::vector<std::string>>& names_of_sections() {
  static const std::map<std::string, std::vector<std::string>> kNames{
      {"ROAD_CRG", {"REFERENCE_LINE_START_U",    "REFERENCE_LINE_START_X",   "REFERENCE_LINE_START_Y",
                    "REFERENCE_LINE_START_Z",    "REFERENCE_LINE_START_PHI", "REFERENCE_LINE_START_S",
                    "REFERENCE_LINE_START_B",    "REFERENCE_LINE_START_LON", "REFERENCE_LINE_START_LAT",
                    "REFERENCE_LINE_START_ALT",  "REFERENCE_LINE_END_U",     "REFERENCE_LINE_END_X",
                    "REFERENCE_LINE_END_Y",      "REFERENCE_LINE_END_Z",     "REFERENCE_LINE_END_PHI",
                    "REFERENCE_LINE_END_S",      "REFERENCE_LINE_END_B",     "REFERENCE_LINE_END_LON",
                    "REFERENCE_LINE_END_LAT",    "REFERENCE_LINE_END_ALT",   "REFERENCE_LINE_INCREMENT",
                    "REFERENCE_LINE_OFFSET_X",   "REFERENCE_LINE_OFFSET_Y",  "REFERENCE_LINE_OFFSET_Z",
                    "REFERENCE_LINE_OFFSET_PHI", "LONG_SECTION_V_RIGHT",     "LONG_SECTION_V_LEFT",
                    "LONG_SECTION_V_INCREMENT"}},
      {"ROAD_CRG_OPTS",
       {"BORDER_MODE_U",
        "BORDER_MODE_V",
        "BORDER_OFFSET_U",
        "BORDER_OFFSET_V",
        "BORDER_SMOOTH_UBEG",
        "BORDER_SMOOTH_UEND",
        "REFLINE_CONTINUATION",
        "REFLINE_SEARCH_FAR",
        "REFLINE_SEARCH_CLOSE",
        "REFLINE_SEARCH_U",
        "REFLINE_SEARCH_UFRAC",
        "WARN_MSGS",
        "WARN_CURV_LOCAL",
        "WARN_CURV_GLOBAL",
        "LOG_MSGS",
        "LOG_EVAL",
        "LOG_EVAL_FREQ",
        "LOG_HIST",
        "LOG_HIST_FREQ",
        "LOG_STAT",
        "LOG_STAT_FREQ",
        "CHECK_EPS",
        "CHECK_INC",
        "CHECK_TOL"}},
      {"ROAD_CRG_MODS", {"REFPOINT_X", "REFPOINT_Y", "REFPOINT_Z", "REFPOINT_PHI"}},
  };
  return kNames;
}

constexpr std::string_view kComment = "CT", kMapProjection = "ROAD_CRG_MPRO";  // of which nothing is read
constexpr double kLargest = 1e9;  // of any number: roads are on the earth
constexpr std::string_view kChannels = "KD_DEFINITION";

class Splitter {
 public:
  Splitter(std::string_view text, const std::string& file) : text_(text) { lines_.file = file; }

  CrgLines split() {
    while (!is_at_data_ && has_line()) read_header(next_line());
    if (!is_at_data_)
      refuse("a line that begins with '$$', and rows of numbers behind it", "the end of the file",
             "the file has no heights", "Check that this is a road, in a text format of OpenCRG.");
    if (width_ == 0)
      refuse("'#:LRFI' or '#:LDFI' in $KD_DEFINITION", "none", "the format of the numbers is missing",
             "Write it into that section.");
    if (lines_.channels.empty())
      refuse("lines such as 'D:long section at v = -1.5,m' in $KD_DEFINITION", "none",
             "there are no columns of heights", "Say what the columns are.");
    while (has_line()) read_row();
    return std::move(lines_);
  }

 private:
  bool has_line() const { return !text_.empty(); }
  std::string_view next_line() {
    ++line_;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view one = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (one.ends_with('\r')) one.remove_suffix(1);
    return one;
  }

  [[noreturn]] void refuse(std::string expected, std::string actual, std::string what,
                           std::string next) const {
    refuse_road({.what = std::move(what),
                 .where = lines_.place(line_) + (section_.empty() ? "" : ", $" + section_),
                 .expected = std::move(expected),
                 .actual = std::move(actual),
                 .next = std::move(next)});
  }

  void read_header(std::string_view whole) {
    if (whole.starts_with('*')) return;
    if (whole.starts_with("$$")) {
      section_.clear();
      is_at_data_ = true;
      return;
    }
    const std::string_view line = trimmed(whole.substr(0, whole.find('!')));
    if (line.starts_with('$')) {
      begin_section(trimmed(line.substr(1)));
      return;
    }
    if (line.empty() || section_ == kComment || section_ == kMapProjection) return;
    if (section_.empty())
      refuse("a section such as $ROAD_CRG before it", in_quotes(line), "a line outside of every section",
             "Make it a comment that begins with '*', or move it into its section.");
    if (section_ == kChannels)
      read_channel(line);
    else
      read_number(line);
  }

  void begin_section(std::string_view name) {
    section_ = in_capitals(name);
    if (name.empty()) return;
    if (section_ == "ROAD_CRG_FILE")
      refuse("the heights in this file", "'$ROAD_CRG_FILE'", "heights in another file are not read",
             "Name that file instead.");
    std::vector<std::string> known{std::string(kComment), std::string(kChannels),
                                   std::string(kMapProjection)};
    for (const auto& [one, names] : names_of_sections()) known.push_back(one);
    if (std::ranges::find(known, section_) == known.end()) {
      const auto nearest = core::nearest_name(section_, known);
      const std::string typed = section_;
      section_.clear();
      refuse("one of " + core::joined(known, ", "), in_quotes(typed), "unknown section",
             nearest ? "Did you mean '" + *nearest + "'?" : "Check that this is a road.");
    }
    if (section_ != kComment && !seen_.insert(section_).second)
      refuse("each section once", "'" + section_ + "' again", "a section comes twice",
             "Remove one of the two.");
    if (section_ == "ROAD_CRG_MODS") lines_.numbers[section_];
  }

  void read_number(std::string_view line) {
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos)
      refuse("NAME = NUMBER", in_quotes(line), "a line without an equals sign",
             "Write the value behind '=', or make it a comment with '*'.");
    const std::string name = in_capitals(trimmed(line.substr(0, sign)));
    const std::string_view value = trimmed(line.substr(sign + 1));
    const std::vector<std::string>& known = names_of_sections().at(section_);
    if (std::ranges::find(known, name) == known.end()) {
      const auto nearest = core::nearest_name(name, known);
      if (section_ == "ROAD_CRG_MODS")
        refuse("one of " + core::joined(known, ", "), in_quotes(name), "a modifier is not known here",
               "Apply it first, and save the road that it makes.");
      refuse("a name of $" + section_, in_quotes(name), "unknown name",
             nearest ? "Did you mean '" + *nearest + "'?" : "Remove the line.");
    }
    const std::optional<double> number = plain_number(value);
    if (!number || !(std::abs(*number) <= kLargest))
      refuse("a number that is not beyond all roads", in_quotes(value), "'" + name + "' is not a number",
             "Write a number, with a point and no unit.");
    // Files of the format's own library name settings of its log twice.
    if (!lines_.numbers[section_].emplace(name, CrgNumber{*number, line_}).second &&
        section_ != "ROAD_CRG_OPTS")
      refuse("each name once", "'" + name + "' again", "a name comes twice", "Remove one of the two.");
  }

  void read_channel(std::string_view line) {
    if (line.starts_with("#:")) {
      const std::string format = in_capitals(trimmed(line.substr(2)));
      if (format != "LRFI" && format != "LDFI")
        refuse(
            "'LRFI' or 'LDFI'", in_quotes(format),
            format.size() == 4 && format[2] == 'B' ? "a road in binary numbers" : "unknown format of numbers",
            "Save the road as text.");
      width_ = format == "LRFI" ? 10 : 20;
    } else if (line.starts_with("D:")) {
      lines_.channels.push_back({std::string(trimmed(line.substr(2))), line_});
    } else if (!line.starts_with("U:")) {
      refuse("'#:', 'U:' or 'D:' at its begin", in_quotes(line), "a line that says nothing of the columns",
             "Remove it, or make it a comment with '*'.");
    }
  }

  /// A row is as many lines as its numbers fill, 80 characters each.
  void read_row() {
    std::vector<double> row;
    const int first = line_ + 1;
    const std::size_t count = lines_.channels.size(), per_line = 80 / width_;
    while (row.size() < count) {
      if (!has_line()) {
        ++line_;
        refuse(std::to_string(count) + " numbers in each row",
               std::to_string(row.size()) + " and the end of the file", "the last row is not whole",
               "Give the numbers that are missing.");
      }
      const std::string_view line = next_line();
      const bool is_behind_the_rows = row.empty() && trimmed(line).empty() &&
                                      text_.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
      if (is_behind_the_rows) {
        text_ = {};
        return;
      }
      const std::size_t here = std::min(per_line, count - row.size());
      for (std::size_t k = 0; k < here; ++k)
        row.push_back(cell(line.size() > k * width_ ? line.substr(k * width_, width_) : std::string_view()));
      if (line.size() > here * width_ && !trimmed(line.substr(here * width_)).empty())
        refuse(std::to_string(here) + " numbers of " + std::to_string(width_) + " characters",
               in_quotes(trimmed(line.substr(here * width_))) + " behind them", "a line is too long",
               "Write each number into its " + std::to_string(width_) + " characters.");
    }
    lines_.rows.push_back(std::move(row));
    lines_.row_lines.push_back(first);
  }

  double cell(std::string_view text) const {
    const std::string_view word = trimmed(text);
    if (word.find('*') != std::string_view::npos || in_capitals(word) == "NAN")
      return std::numeric_limits<double>::quiet_NaN();
    const std::optional<double> number = plain_number(word);
    if (!number || !(std::abs(*number) <= kLargest))
      refuse("a number in each " + std::to_string(width_) + " characters, or '*' where there is none",
             in_quotes(text), "a height is not a number", "Put the row right.");
    return *number;
  }

  std::string_view text_;
  CrgLines lines_;
  std::string section_;
  std::set<std::string> seen_;
  std::size_t width_ = 0;  ///< of a number; 0: not told yet
  int line_ = 0;
  bool is_at_data_ = false;
};

}  // namespace

std::optional<CrgNumber> CrgLines::find(const std::string& section, const std::string& name) const {
  const auto in_section = numbers.find(section);
  if (in_section == numbers.end()) return std::nullopt;
  const auto one = in_section->second.find(name);
  return one == in_section->second.end() ? std::nullopt : std::optional(one->second);
}

void refuse_road(core::ErrorText text) { throw FileError(readable(text)); }

CrgLines split_crg_text(std::string_view text, const std::string& file) {
  return Splitter(text, file).split();
}

}  // namespace eslabon::io
