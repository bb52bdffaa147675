#include "eslabon/io/measurements/measurement_parser.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/files/csv_header.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"

namespace eslabon::io {

namespace {

constexpr std::string_view kTimeName = "t_ns", kTimeUnit = "ns", kTimeNameAndUnit = "t_ns [";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // spreadsheets begin files with it

/// Takes the first cell off a line.
std::string_view take_cell(std::string_view& line, bool& has_more) {
  const std::size_t comma = line.find(',');
  const std::string_view cell = line.substr(0, comma);
  has_more = comma != std::string_view::npos;
  line.remove_prefix(has_more ? comma + 1 : line.size());
  return cell;
}

std::size_t num_cells(std::string_view line) {
  return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
}

}  // namespace

std::string column_name(const sensing::SensorFacts& sensor, std::size_t channel) {
  return sensor.channels.size() == 1 ? sensor.name : sensor.channels[channel].name;
}

MeasurementParser::MeasurementParser(std::vector<sensing::SensorFacts> sensors, std::string source,
                                     Header header)
    : sensors_(std::move(sensors)),
      source_(std::move(source)),
      header_(header),
      num_filled_(sensors_.size()),
      row_(sensors_.size()) {
  if (header == Header::kAnyTime) take_standard_columns();
}

void MeasurementParser::take_standard_columns() {
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    order_.push_back(static_cast<int>(s));
    for (std::size_t c = 0; c < sensors_[s].channels.size(); ++c)
      columns_.push_back({column_name(sensors_[s], c), static_cast<int>(s), c});
  }
  expects_ = Expects::kRow;
}

bool MeasurementParser::has_sensor(int sensor) const {
  return std::find(order_.begin(), order_.end(), sensor) != order_.end();
}

template <class Text>
bool MeasurementParser::refuse(const Line& line, std::string_view column, Text text) const {
  if (line.why == nullptr) return false;
  core::ErrorText parts = text();
  parts.where = source_ + ":" + std::to_string(line.number);
  if (!column.empty()) parts.where += ", column " + core::quoted(column);
  *line.why = readable(parts);
  return false;
}

void MeasurementParser::parse(std::string_view line, std::int64_t number,
                              std::vector<sensing::Reading>& readings) {
  core::ErrorText why;
  if (!try_parse(line, number, readings, &why)) throw core::ModelError(why);
}

bool MeasurementParser::try_parse(std::string_view text, std::int64_t number,
                                  std::vector<sensing::Reading>& readings, core::ErrorText* why) {
  readings.clear();
  const Line line{number, why};
  const bool is_names = text.starts_with(kTimeName) || text.starts_with(kByteOrderMark);
  if (expects_ == Expects::kNames || (header_ == Header::kAnyTime && is_names)) {
    expects_ = Expects::kNames;
    has_own_names_ = true;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.starts_with(kTimeNameAndUnit)) {
      if (!parse_names_and_units(text, line)) return false;
      expects_ = Expects::kRow;
      return true;
    }
    if (!parse_names(text, line)) return false;
    expects_ = Expects::kUnits;
    return true;
  }
  if (expects_ == Expects::kRow) return parse_row(text, line, readings);
  expects_ = Expects::kNames;
  if (!parse_units(text, line)) return false;
  expects_ = Expects::kRow;
  return true;
}

bool MeasurementParser::parse_names(std::string_view text, const Line& line) {
  columns_.clear();
  order_.clear();
  bool has_more = false;
  const std::string_view first = take_cell(text, has_more);
  if (first != kTimeName)
    return refuse(line, {}, [&] {
      return core::ErrorText{
          .what = "no names of readings",
          .where = {},
          .expected = "'t_ns' and then the names of sensors",
          .actual = core::quoted(first),
          .next = "Begin with a line such as t_ns,gyro and one of units, as 'eslabon sense' writes them."};
    });
  while (has_more)
    if (!add_column(take_cell(text, has_more), line)) return false;
  return has_whole_sensors(line);
}

bool MeasurementParser::parse_names_and_units(std::string_view text, const Line& line) {
  std::string names, units;
  bool has_more = true;
  while (has_more) {
    const std::string_view cell = take_cell(text, has_more);
    const auto column = split_header_cell(cell);
    if (!column)
      return refuse(line, {}, [&] {
        return core::ErrorText{.what = "a name without a unit",
                               .where = {},
                               .expected = "a unit behind each name, such as 't_ns [ns]'",
                               .actual = core::quoted(cell),
                               .next = "Write it behind the name, or all units into a second line."};
      });
    names += (names.empty() ? "" : ",") + column->name;
    units += (units.empty() ? "" : ",") + column->unit;
  }
  return parse_names(names, line) && parse_units(units, line);
}

/// The channel of this name, which no column before has.
bool MeasurementParser::add_column(std::string_view name, const Line& line) {
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    for (std::size_t c = 0; c < sensors_[s].channels.size(); ++c) {
      if (column_name(sensors_[s], c) != name) continue;
      if (std::ranges::find(columns_, name, &Column::name) != columns_.end())
        return refuse(line, name, [] {
          return core::ErrorText{.what = "a column appears twice",
                                 .where = {},
                                 .expected = "each name once",
                                 .actual = "it again",
                                 .next = "Remove one of the two."};
        });
      columns_.push_back({std::string(name), static_cast<int>(s), c});
      if (!has_sensor(static_cast<int>(s))) order_.push_back(static_cast<int>(s));
      return true;
    }
  }
  return refuse(line, name, [&] {
    constexpr std::size_t kLongestName = 200;  // what is longer is no misspelt name
    std::vector<std::string> known;
    for (const sensing::SensorFacts& sensor : sensors_)
      for (std::size_t c = 0; c < sensor.channels.size(); ++c) known.push_back(column_name(sensor, c));
    const auto near = core::nearest_name(name.substr(0, kLongestName), known);
    return core::ErrorText{.what = "a column of no sensor of the mechanism",
                           .where = {},
                           .expected = core::quoted_list(known),
                           .actual = core::quoted(name),
                           .next = near ? "Did you mean '" + *near + "'?"
                                        : "Remove the column, or add the sensor to the mechanism file."};
  });
}

bool MeasurementParser::has_whole_sensors(const Line& line) const {
  for (const int s : order_) {
    const sensing::SensorFacts& sensor = sensors_[static_cast<std::size_t>(s)];
    for (std::size_t c = 0; c < sensor.channels.size(); ++c) {
      const std::string name = column_name(sensor, c);
      if (std::ranges::find(columns_, name, &Column::name) == columns_.end())
        return refuse(line, name, [&] {
          return core::ErrorText{.what = "a sensor without all of its columns",
                                 .where = {},
                                 .expected = "all channels of '" + sensor.name + "'",
                                 .actual = "none with this name",
                                 .next = "Add the column, or remove the others of this sensor."};
        });
    }
  }
  return true;
}

bool MeasurementParser::parse_units(std::string_view text, const Line& line) {
  if (num_cells(text) != columns_.size() + 1)
    return refuse(line, {}, [&] {
      return core::ErrorText{.what = "a line with more or fewer columns than the names",
                             .where = {},
                             .expected = std::to_string(columns_.size() + 1) + " units",
                             .actual = std::to_string(num_cells(text)),
                             .next = "Put the units of the columns into the second line."};
    });
  bool has_more = false;
  const std::string_view first = take_cell(text, has_more);
  if (first != kTimeUnit)
    return refuse(line, kTimeName, [&] {
      return core::ErrorText{.what = "a time in the wrong unit",
                             .where = {},
                             .expected = "'ns'",
                             .actual = core::quoted(first),
                             .next = "Write times in whole nanoseconds."};
    });
  for (const Column& column : columns_) {
    const std::string_view unit = take_cell(text, has_more);
    const std::string wanted =
        core::si_unit(sensors_[static_cast<std::size_t>(column.sensor)].channels[column.channel].dimension);
    if (unit != wanted)
      return refuse(line, column.name, [&] {
        return core::ErrorText{.what = "readings in the wrong unit",
                               .where = {},
                               .expected = core::quoted(wanted),
                               .actual = core::quoted(unit),
                               .next = "Convert the readings, and write this unit into the second line."};
      });
  }
  return true;
}

bool MeasurementParser::parse_row(std::string_view text, const Line& line,
                                  std::vector<sensing::Reading>& readings) {
  if (num_cells(text) != columns_.size() + 1)
    return refuse(line, {}, [&] {
      return core::ErrorText{.what = "a line with more or fewer columns than the names",
                             .where = {},
                             .expected = std::to_string(columns_.size() + 1) + " cells",
                             .actual = std::to_string(num_cells(text)),
                             .next = "Leave cells without a reading empty, but keep their commas."};
    });
  bool has_more = false;
  std::int64_t nanoseconds = 0;
  if (!parse_time(take_cell(text, has_more), line, nanoseconds)) return false;
  std::fill(num_filled_.begin(), num_filled_.end(), 0u);
  for (const Column& column : columns_) {
    const std::string_view cell = take_cell(text, has_more);
    if (cell.empty()) continue;
    const auto sensor = static_cast<std::size_t>(column.sensor);
    if (!parse_value(cell, column, line, row_[sensor].values[column.channel])) return false;
    ++num_filled_[sensor];
  }
  for (const Column& column : columns_) {
    const auto sensor = static_cast<std::size_t>(column.sensor);
    const std::size_t filled = num_filled_[sensor], all = sensors_[sensor].channels.size();
    if (filled != 0 && filled != all)
      return refuse(line, {}, [&] {
        return core::ErrorText{
            .what = "a sensor with half a reading",
            .where = {},
            .expected = "all " + std::to_string(all) + " channels of '" + sensors_[sensor].name + "' or none",
            .actual = std::to_string(filled),
            .next = "Fill the other cells, or empty these."};
      });
  }
  for (const int s : order_) {
    const auto sensor = static_cast<std::size_t>(s);
    if (num_filled_[sensor] == 0) continue;
    row_[sensor].t = core::Instant::at(core::Duration::from_nanoseconds(nanoseconds));
    row_[sensor].sensor = s;
    readings.push_back(row_[sensor]);
  }
  return true;
}

bool MeasurementParser::parse_time(std::string_view cell, const Line& line, std::int64_t& t) const {
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), t);
  const bool is_whole = result.ptr == cell.data() + cell.size() && !cell.empty();
  if (result.ec == std::errc() && is_whole && t >= -kFarthestReading && t <= kFarthestReading) return true;
  const bool is_large = is_whole && result.ec != std::errc::invalid_argument;
  return refuse(line, kTimeName, [&] {
    return core::ErrorText{
        .what = is_large ? "a time out of range" : "a time that is not a whole number",
        .where = {},
        .expected = is_large ? "nanoseconds within +-4e18" : "a whole number of nanoseconds",
        .actual = core::quoted(cell),
        .next = "Count nanoseconds from the start of the measurement."};
  });
}

bool MeasurementParser::parse_value(std::string_view cell, const Column& column, const Line& line,
                                    double& value) const {
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (result.ec == std::errc() && result.ptr == cell.data() + cell.size()) return true;
  const bool is_large = result.ec == std::errc::result_out_of_range;
  return refuse(line, column.name, [&] {
    return core::ErrorText{.what = is_large ? "a reading out of range" : "a reading that is not a number",
                           .where = {},
                           .expected = is_large ? "a number that a double can hold"
                                                : "a number such as -0.25 or 1e-3, nan, inf or nothing",
                           .actual = core::quoted(cell),
                           .next = "Correct the cell, or leave it empty where there is no reading."};
  });
}

}  // namespace eslabon::io
