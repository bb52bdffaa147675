#include "eslabon/io/mechanism/time_table.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/files/result_reader.hpp"
#include "eslabon/io/quantities/unit.hpp"

namespace eslabon::io {

namespace {

using Points = std::vector<core::CubicTable::Point>;

std::string shown_row(const Node& node) {
  return node.is_scalar()     ? "'" + node.text() + "'"
         : node.is_sequence() ? "a list of " + std::to_string(node.items().size())
                              : std::string(node.kind_name());
}

/// One table of the time, and where it stands.
class TimeTableReader {
 public:
  TimeTableReader(const Reading& reading, const Node& node, const std::string& element,
                  const std::string& field, const Dimension& dimension)
      : reading_(reading), node_(node), element_(element), field_(field), dimension_(dimension) {}

  Points read() const {
    const Node *table = node_.find("table"), *file = node_.find("file");
    for (const Entry& entry : node_.entries())
      if (const std::string& key = entry.key.text(); key != "table" && key != "file" && key != "column")
        reading_.fail(entry.key, element_, "unknown key '" + key + "' of '" + field_ + "'",
                      "'table', or 'file' and 'column'", "'" + key + "'", "Remove it.");
    if ((table == nullptr) == (file == nullptr))
      reading_.fail(node_, element_, "'" + field_ + "' is a map without a table",
                    "'table:' with rows [t, value], or 'file:' and 'column:' of a CSV file",
                    table != nullptr ? "both" : "neither", "Give one of the two.");
    return table != nullptr ? points_of(*table) : points_of_file(*file);
  }

 private:
  Points points_of(const Node& table) const {
    if (!table.is_sequence())
      reading_.fail(table, element_, "table is not a list", "rows [t, value]", shown_row(table),
                    "Write it as [[t, x], [t, x]].");
    Points points;
    for (const Node& row : table.items()) {
      if (!row.is_sequence() || row.items().size() != 2)
        reading_.fail(row, element_, "a row of the table is not a pair", "[t, value]", shown_row(row),
                      "Write two numbers per row.");
      points.emplace_back(reading_.number(row.items()[0], element_, "table", kTime),
                          reading_.number(row.items()[1], element_, field_, dimension_));
      if (points.size() > 1 && !(points.back().first > points[points.size() - 2].first))
        reading_.fail(row, element_, "rows of the table are not in order",
                      "times that increase from row to row",
                      shown_row(row.items()[0]) + " behind a time no less", "Sort the rows, each time once.");
    }
    if (points.size() < 2)
      reading_.fail(table, element_, "the table is too short", "at least 2 rows",
                    std::to_string(points.size()), "Give more rows.");
    return points;
  }

  Points points_of_file(const Node& file) const {
    const Node* column = node_.find("column");
    if (column == nullptr)
      reading_.fail(file, element_, "the column of the file is missing", "'column:' beside 'file:'", "none",
                    "Name one of its columns.");
    const std::string name = reading_.text(*column, element_, "column");
    const std::string path = reading_.path(file, element_, "file");
    const ResultTable results = results_of(file, path);
    const auto place = results.find(name);
    if (!place) {
      std::vector<std::string> names;
      for (const core::Column& one : results.columns) names.push_back(one.name);
      const auto nearest = core::nearest_name(name, names);
      reading_.fail(*column, element_, "no such column in '" + path + "'",
                    "one of " + core::quoted_list(names), "'" + name + "'",
                    nearest ? "Did you mean '" + *nearest + "'?" : "Name another one.");
    }
    const Unit unit = parse_unit(results.columns[*place].unit, path + ", column '" + name + "'");
    if (unit.dimension != dimension_)
      reading_.fail(*column, element_, "a column with a unit of the wrong kind",
                    "a column in a unit such as that of '" + example_text(dimension_) + "'",
                    "'" + name + "' in " + results.columns[*place].unit, "Name another column.");
    if (results.t.size() < 2)
      reading_.fail(file, element_, "the file is too short for a table", "at least 2 rows",
                    std::to_string(results.t.size()), "Give a longer one.");
    Points points;
    for (std::size_t row = 0; row < results.t.size(); ++row)
      points.emplace_back(results.t[row], unit.factor * results.values[*place][row]);
    reading_.add_data_file(path);
    return points;
  }

  ResultTable results_of(const Node& file, const std::string& path) const {
    try {
      return read_results(path);
    } catch (const core::DataError& error) {
      const core::ErrorText& text = error.text();
      reading_.fail(file, element_, "a file of data cannot be used",
                    "a CSV file with times 't' in s and columns with units, as results are written",
                    text.what + " [" + text.where + "], where " + text.expected + " is needed and " +
                        text.actual + " is",
                    "Give another file, or put it right.");
    }
  }

  const Reading& reading_;
  const Node& node_;
  const std::string& element_;
  const std::string& field_;
  const Dimension& dimension_;
};

}  // namespace

model::TimeFunction read_time_table(const Reading& reading, const Node& node, const std::string& element,
                                    const std::string& field, const Dimension& dimension) {
  return model::TimeFunction::table(std::make_shared<const core::CubicTable>(
                                        TimeTableReader(reading, node, element, field, dimension).read(),
                                        core::CubicTable::Ends::kNoValue),
                                    model::TimeFunction::time());
}

}  // namespace eslabon::io
