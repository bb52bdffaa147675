#include "eslabon/io/measurement_parser.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "eslabon/core/error.hpp"
#include "eslabon/core/nearest_name.hpp"
#include "eslabon/io/csv_header.hpp"
#include "eslabon/io/readable_error.hpp"

namespace eslabon::io {

namespace {

constexpr std::string_view kTimeName = "t_ns", kTimeUnit = "ns", kTimeNameAndUnit = "t_ns [";

/// Takes the first cell off a line.
std::string_view take_cell(std::string_view& line, bool& has_more) {
  const std::size_t comma = line.find(',');
  const std::string_view cell = line.substr(0, comma);
  has_more = comma != std::string_view::npos;
  line.remove_prefix(has_more ? comma + 1 : line.size());
  return cell;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

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

void MeasurementParser::parse(std::string_view line, std::int64_t number,
                              std::vector<sensing::Reading>& readings, Refusal refusal) {
  readings.clear();
  refusal_ = refusal;
  const bool is_names = line.starts_with(kTimeName) || line.starts_with("\xEF\xBB\xBF");
  if (expects_ == Expects::kNames || (header_ == Header::kAnyTime && is_names)) {
    expects_ = Expects::kNames;
    has_own_names_ = true;
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // spreadsheets begin files with this mark
    if (line.starts_with(kTimeNameAndUnit)) {
      parse_names_and_units(line, number);
      expects_ = Expects::kRow;
      return;
    }
    parse_names(line, number);
    expects_ = Expects::kUnits;
  } else if (expects_ == Expects::kUnits) {
    expects_ = Expects::kNames;
    parse_units(line, number);
    expects_ = Expects::kRow;
  } else {
    parse_row(line, number, readings);
  }
}

void MeasurementParser::parse_names(std::string_view line, std::int64_t number) {
  columns_.clear();
  order_.clear();
  bool has_more = false;
  const std::string_view first = take_cell(line, has_more);
  if (first != kTimeName)
    fail(number, {}, "no names of readings", "'t_ns' and then the names of sensors", quoted(first),
         "Begin with a line such as t_ns,gyro and one of units, as 'eslabon sense' writes them.");
  while (has_more) {
    const std::string_view name = take_cell(line, has_more);
    columns_.push_back(find_column(name, number));
    const int sensor = columns_.back().sensor;
    if (!has_sensor(sensor)) order_.push_back(sensor);
  }
  check_complete(number);
}

void MeasurementParser::parse_names_and_units(std::string_view line, std::int64_t number) {
  std::string names, units;
  bool has_more = true;
  while (has_more) {
    const std::string_view cell = take_cell(line, has_more);
    const auto column = split_header_cell(cell);
    if (!column)
      fail(number, {}, "a name without a unit", "a unit behind each name, such as 't_ns [ns]'", quoted(cell),
           "Write it behind the name, or all units into a second line.");
    names += (names.empty() ? "" : ",") + column->name;
    units += (units.empty() ? "" : ",") + column->unit;
  }
  parse_names(names, number);
  parse_units(units, number);
}

/// The channel of this name, which no column before has.
MeasurementParser::Column MeasurementParser::find_column(std::string_view name, std::int64_t number) const {
  std::vector<std::string> known;
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    for (std::size_t c = 0; c < sensors_[s].channels.size(); ++c) {
      known.push_back(column_name(sensors_[s], c));
      if (known.back() != name) continue;
      for (const Column& column : columns_)
        if (column.name == name)
          fail(number, name, "a column that is there twice", "each name once", "it again",
               "Remove one of the two.");
      return {known.back(), static_cast<int>(s), c};
    }
  }
  constexpr std::size_t kLongestName = 200;  // what is longer is no misspelt name
  const auto near = core::nearest_name(name.substr(0, kLongestName), known);
  fail(
      number, name, "a column of no sensor of the mechanism", core::quoted_list(known), quoted(name),
      near ? "Did you mean '" + *near + "'?" : "Remove the column, or add the sensor to the mechanism file.");
}

void MeasurementParser::check_complete(std::int64_t number) const {
  for (const int s : order_) {
    const sensing::SensorFacts& sensor = sensors_[static_cast<std::size_t>(s)];
    for (std::size_t c = 0; c < sensor.channels.size(); ++c) {
      const std::string name = column_name(sensor, c);
      if (std::none_of(columns_.begin(), columns_.end(), [&](const Column& one) { return one.name == name; }))
        fail(number, name, "a sensor without all of its columns", "all channels of '" + sensor.name + "'",
             "none with this name", "Add the column, or remove the others of this sensor.");
    }
  }
}

void MeasurementParser::parse_units(std::string_view line, std::int64_t number) {
  if (num_cells(line) != columns_.size() + 1)
    fail(number, {}, "a line of another length than that of the names",
         std::to_string(columns_.size() + 1) + " units", std::to_string(num_cells(line)),
         "Put the units of the columns into the second line.");
  bool has_more = false;
  const std::string_view first = take_cell(line, has_more);
  if (first != kTimeUnit)
    fail(number, kTimeName, "a time in another unit", "'ns'", quoted(first),
         "Write times in whole nanoseconds.");
  for (const Column& column : columns_) {
    const std::string_view unit = take_cell(line, has_more);
    const std::string& wanted =
        sensors_[static_cast<std::size_t>(column.sensor)].channels[column.channel].unit;
    if (unit != wanted)
      fail(number, column.name, "readings in another unit", quoted(wanted), quoted(unit),
           "Convert the readings, and write this unit into the second line.");
  }
}

void MeasurementParser::parse_row(std::string_view line, std::int64_t number,
                                  std::vector<sensing::Reading>& readings) {
  if (num_cells(line) != columns_.size() + 1)
    fail(number, {}, "a line of another length than that of the names",
         std::to_string(columns_.size() + 1) + " cells", std::to_string(num_cells(line)),
         "Leave cells without a reading empty, but keep their commas.");
  bool has_more = false;
  const auto t =
      core::Instant::at(core::Duration::from_nanoseconds(parse_time(take_cell(line, has_more), number)));
  std::fill(num_filled_.begin(), num_filled_.end(), 0u);
  for (const Column& column : columns_) {
    const std::string_view cell = take_cell(line, has_more);
    if (cell.empty()) continue;
    const auto sensor = static_cast<std::size_t>(column.sensor);
    row_[sensor].values[column.channel] = parse_value(cell, column, number);
    ++num_filled_[sensor];
  }
  for (const Column& column : columns_) {
    const auto sensor = static_cast<std::size_t>(column.sensor);
    const std::size_t filled = num_filled_[sensor], all = sensors_[sensor].channels.size();
    if (filled != 0 && filled != all)
      fail(number, {}, "a sensor with half a reading",
           "all " + std::to_string(all) + " channels of '" + sensors_[sensor].name + "' or none",
           std::to_string(filled), "Fill the other cells, or empty these.");
  }
  for (const int s : order_) {
    const auto sensor = static_cast<std::size_t>(s);
    if (num_filled_[sensor] == 0) continue;
    row_[sensor].t = t;
    row_[sensor].sensor = s;
    readings.push_back(row_[sensor]);
  }
}

std::int64_t MeasurementParser::parse_time(std::string_view cell, std::int64_t number) const {
  std::int64_t t = 0;
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), t);
  const bool is_whole = result.ptr == cell.data() + cell.size() && !cell.empty();
  if (result.ec == std::errc() && is_whole && t >= -kFarthestReading && t <= kFarthestReading) return t;
  const bool is_large = is_whole && result.ec != std::errc::invalid_argument;
  fail(number, kTimeName, is_large ? "a time out of range" : "a time that is no whole number",
       is_large ? "nanoseconds within +-4e18" : "a whole number of nanoseconds", quoted(cell),
       "Count nanoseconds from the start of the measurement.");
}

double MeasurementParser::parse_value(std::string_view cell, const Column& column,
                                      std::int64_t number) const {
  double value = 0.0;
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (result.ec == std::errc() && result.ptr == cell.data() + cell.size()) return value;
  const bool is_large = result.ec == std::errc::result_out_of_range;
  fail(number, column.name, is_large ? "a reading out of range" : "a reading that is no number",
       is_large ? "a number that a double can hold" : "a number such as -0.25 or 1e-3, nan, inf or nothing",
       quoted(cell), "Correct the cell, or leave it empty where there is no reading.");
}

void MeasurementParser::fail(std::int64_t number, std::string_view column, std::string_view what,
                             std::string_view expected, std::string_view actual,
                             std::string_view next) const {
  if (refusal_ == Refusal::kBare) throw core::ModelError({std::string(what), {}, {}, {}, {}});
  std::string where = source_ + ":" + std::to_string(number);
  if (!column.empty()) where += ", column " + quoted(column);
  throw readable(core::ModelError(
      {std::string(what), where, std::string(expected), std::string(actual), std::string(next)}));
}

}  // namespace eslabon::io
