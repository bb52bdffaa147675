#include "eslabon/io/roads/crg_file.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/io/files/file_error.hpp"
#include "eslabon/io/files/plain_text.hpp"
#include "eslabon/io/mechanism/document.hpp"
#include "eslabon/io/quantities/quantity.hpp"
#include "eslabon/io/roads/crg_lines.hpp"

namespace eslabon::io {

namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr double kLeastStep = 1e-6;   // m, from row to row and from column to column
constexpr double kLeastShare = 1e-6;  // of the way from row to row that is left at the inner edge of a bend
constexpr double kDefaultIncrement = 0.01;  // m, of rows and of columns [OpenCrg]

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

class CrgReader {
 public:
  CrgReader(std::string_view text, const std::string& file) : lines_(split_crg_text(text, file)) {}

  tyres::CrgGrid read() {
    check_options();
    sort_channels();
    check_rows();
    fill_grid();
    place();
    return std::move(grid_);
  }

 private:
  [[noreturn]] void refuse(int line, std::string what, std::string expected, std::string actual,
                           std::string next) const {
    refuse_road({.what = std::move(what),
                 .where = lines_.place(line),
                 .expected = std::move(expected),
                 .actual = std::move(actual),
                 .next = std::move(next)});
  }
  double number_or(const char* name, double otherwise) const {
    const auto number = lines_.find("ROAD_CRG", name);
    return number ? number->value : otherwise;
  }

  /// Borders keep the last height here, and the reference line goes on straight.
  void check_options() const {
    const auto must_be = [&](const char* name, double value, const char* meaning) {
      const auto number = lines_.find("ROAD_CRG_OPTS", name);
      if (number && number->value != value)
        refuse(number->line, std::string("'") + name + "' has a value that is not known here",
               core::number_text(value) + ", " + meaning, core::number_text(number->value),
               "Remove the line for a road that goes on like its border.");
    };
    must_be("BORDER_MODE_U", 2.0, "heights go on like those of the first and the last row");
    must_be("BORDER_MODE_V", 2.0, "heights go on like those of the outer columns");
    must_be("BORDER_OFFSET_U", 0.0, "no step at the border");
    must_be("BORDER_OFFSET_V", 0.0, "no step at the border");
    must_be("BORDER_SMOOTH_UBEG", 0.0, "the road begins as it is written");
    must_be("BORDER_SMOOTH_UEND", 0.0, "the road ends as it is written");
    must_be("REFLINE_CONTINUATION", 0.0, "the reference line goes on straight");
  }

  struct HeightColumn {
    double v;
    std::size_t channel;
  };

  void sort_channels() {
    for (std::size_t k = 0; k < lines_.channels.size(); ++k) {
      const CrgChannel& channel = lines_.channels[k];
      const std::string text = without_blanks(channel.text);
      if (!add_reference(text, k, channel) && !add_height(text, k, channel))
        refuse(channel.line, "a column that is not known",
               "'long section at v = NUMBER,m', 'long section N,m', 'reference line phi,rad', 'slope,m/m' or "
               "'banking,m/m'",
               in_quotes(channel.text), "Remove the column, or name it so.");
    }
    if (heights_.size() < 2)
      refuse(lines_.channels.front().line, "the grid has too few columns", "two columns of heights at least",
             std::to_string(heights_.size()), "Give the heights beside each other.");
    if (heights_.front().v > heights_.back().v) std::ranges::reverse(heights_);
    for (std::size_t k = 1; k < heights_.size(); ++k)
      if (!(heights_[k].v - heights_[k - 1].v >= kLeastStep))
        refuse(lines_.channels[heights_[k].channel].line, "the columns are not in order",
               "places v that increase from column to column",
               core::number_text(heights_[k].v) + " m beside " + core::number_text(heights_[k - 1].v) + " m",
               "Sort the columns, each place once.");
  }

  bool add_reference(const std::string& text, std::size_t k, const CrgChannel& channel) {
    const auto is = [&](const char* one, std::optional<std::size_t>& place) {
      if (text != one) return false;
      if (place)
        refuse(channel.line, "a column comes twice", "each column of the reference line once",
               in_quotes(channel.text) + " again", "Remove one of the two.");
      place = k;
      return true;
    };
    return is("referencelinephi,rad", phi_) || is("referencelineslope,m/m", slope_) ||
           is("referencelinebanking,m/m", bank_);
  }

  bool add_height(const std::string& text, std::size_t k, const CrgChannel& channel) {
    constexpr std::string_view kSection = "longsection";
    if (!text.starts_with(kSection) || !text.ends_with(",m")) return false;
    std::string rest = text.substr(kSection.size(), text.size() - kSection.size() - 2);
    const bool is_by_place = rest.starts_with("atv=");
    if (is_by_place) rest.erase(0, 4);
    const std::optional<double> told = plain_number(rest);
    if (!told || !std::isfinite(*told)) return false;
    double number = *told;
    if (!is_by_place) {
      if (number != static_cast<double>(heights_.size() + 1))
        refuse(channel.line, "the columns are not in order",
               "long section " + std::to_string(heights_.size() + 1), in_quotes(channel.text),
               "Number them from 1, from the right to the left.");
      number = number_or("LONG_SECTION_V_RIGHT", 0.0) +
               (number - 1.0) * number_or("LONG_SECTION_V_INCREMENT", kDefaultIncrement);
    }
    heights_.push_back({number, k});
    return true;
  }

  void check_rows() {
    const std::size_t rows = lines_.rows.size();
    if (rows < 2)
      refuse(lines_.row_lines.empty() ? lines_.channels.back().line : lines_.row_lines.back(),
             "the road has too few rows", "two rows at least", std::to_string(rows), "Give more rows.");
    grid_.increment = number_or("REFERENCE_LINE_INCREMENT", kDefaultIncrement);
    if (!(grid_.increment >= kLeastStep))
      refuse(lines_.find("ROAD_CRG", "REFERENCE_LINE_INCREMENT")->line, "the rows have no distance",
             "'REFERENCE_LINE_INCREMENT' above 0 m", core::number_text(grid_.increment),
             "Give their distance.");
    const auto end = lines_.find("ROAD_CRG", "REFERENCE_LINE_END_U");
    if (!end) return;
    const double told = (end->value - number_or("REFERENCE_LINE_START_U", 0.0)) / grid_.increment + 1.0;
    if (!(std::abs(told - static_cast<double>(rows)) < 0.5))
      refuse(end->line, "the rows do not fill the reference line",
             core::number_text(std::round(told)) +
                 " rows from 'REFERENCE_LINE_START_U' to 'REFERENCE_LINE_END_U'",
             std::to_string(rows), "Put the end right, or give the rows that are missing.");
  }

  double value(std::size_t row, std::size_t channel, const char* what) const {
    const double x = lines_.rows[row][channel];
    if (std::isnan(x))
      refuse(lines_.row_lines[row], std::string("the ") + what + " of the reference line is missing",
             "a number", "none", "Give it.");
    return x;
  }

  /// What belongs to the way to a row stands in this row; the first is not used.
  void fill_grid() {
    const std::size_t rows = lines_.rows.size();
    double height = number_or("REFERENCE_LINE_START_Z", 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
      if (row > 0) {
        grid_.heading.push_back(phi_ ? value(row, *phi_, "heading")
                                     : number_or("REFERENCE_LINE_START_PHI", 0.0));
        height += grid_.increment *
                  (slope_ ? value(row, *slope_, "slope") : number_or("REFERENCE_LINE_START_S", 0.0));
      }
      grid_.reference.push_back(height);
      grid_.bank.push_back(bank_ ? value(row, *bank_, "bank") : number_or("REFERENCE_LINE_START_B", 0.0));
      add_heights(row);
    }
    for (const HeightColumn& column : heights_) grid_.v.push_back(column.v);
    check_bends();
    grid_.start_x = number_or("REFERENCE_LINE_START_X", 0.0);
    grid_.start_y = number_or("REFERENCE_LINE_START_Y", 0.0);
  }

  /// Rows do not cross each other at the edges of the grid.
  void check_bends() const {
    const auto bend = [&](std::size_t way) {  // before this way
      return way == 0 || way == grid_.heading.size() ? 0.0 : grid_.heading[way] - grid_.heading[way - 1];
    };
    for (std::size_t way = 0; way < grid_.heading.size(); ++way) {
      const double before = bend(way), after = bend(way + 1);
      const double turn = std::tan(0.5 * before) + std::tan(0.5 * after);
      const double widest = std::max(grid_.v.front() * turn, grid_.v.back() * turn);
      if (!(std::max(std::abs(before), std::abs(after)) < 1.5) ||
          !(grid_.increment - widest >= kLeastShare * grid_.increment))
        refuse(lines_.row_lines[way + 1], "rows of the road cross each other",
               "bends that are wider than the road, of 1.5 rad at most from row to row",
               "a bend of " + core::rounded_text(std::max(std::abs(before), std::abs(after)), 4) + " rad",
               "Give a narrower road, or headings that are smoother.");
    }
  }

  void add_heights(std::size_t row) {
    std::vector<double> z;
    for (const HeightColumn& column : heights_) z.push_back(lines_.rows[row][column.channel]);
    // What is missing, from the middle outwards on either side.
    const std::size_t middle = z.size() / 2;
    const auto known = std::ranges::find_if(z, [](double x) { return !std::isnan(x); });
    if (known == z.end())
      refuse(lines_.row_lines[row], "a row without any height", "one at least", "none", "Remove the row.");
    if (std::isnan(z[middle])) {
      std::size_t nearest = static_cast<std::size_t>(known - z.begin());
      for (std::size_t k = nearest; k < z.size(); ++k)
        if (!std::isnan(z[k]) &&
            std::max(k, middle) - std::min(k, middle) < std::max(nearest, middle) - std::min(nearest, middle))
          nearest = k;
      z[middle] = z[nearest];
    }
    for (std::size_t k = middle; k-- > 0;)
      if (std::isnan(z[k])) z[k] = z[k + 1];
    for (std::size_t k = middle + 1; k < z.size(); ++k)
      if (std::isnan(z[k])) z[k] = z[k - 1];
    grid_.z.insert(grid_.z.end(), z.begin(), z.end());
  }

  /// The begin of the reference line goes to the reference point.
  void place() {
    const bool has_modifiers = lines_.numbers.contains("ROAD_CRG_MODS");
    if (has_modifiers && lines_.numbers.at("ROAD_CRG_MODS").empty()) return;
    const auto wanted = [&](const char* name) {
      const auto number = lines_.find("ROAD_CRG_MODS", name);
      return number ? number->value : 0.0;
    };
    const tyres::CrgSurface as_written(grid_);
    const double turn = wanted("REFPOINT_PHI") - grid_.heading.front();
    const double lift = wanted("REFPOINT_Z") - as_written.at(grid_.start_x, grid_.start_y).height;
    grid_.start_x = wanted("REFPOINT_X");
    grid_.start_y = wanted("REFPOINT_Y");
    for (double& heading : grid_.heading) heading += turn;
    for (double& height : grid_.reference) height += lift;
  }

  CrgLines lines_;
  tyres::CrgGrid grid_;
  std::optional<std::size_t> phi_, slope_, bank_;
  std::vector<HeightColumn> heights_;
};

}  // namespace

tyres::CrgGrid read_crg(std::string_view text, const std::string& file_name) {
  return CrgReader(text, file_name).read();
}

tyres::CrgGrid read_crg_file(const std::filesystem::path& path) {
  return reading_file([&] { return read_crg(read_large_file_text(path, kMostBytes), path.string()); });
}

}  // namespace eslabon::io
