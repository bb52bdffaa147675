#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eslabon/io/files/csv_header.hpp"
#include "eslabon/io/files/partial_file.hpp"
#include "eslabon/io/measurements/measurement_lines.hpp"
#include "eslabon/io/measurements/measurement_parser.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::io {

/// Writes a measurement file (docs/command-line.md) row by row. The file has its name only after finish(), see PartialFile. Memory
/// does not grow with the rows. Throws core::ModelError when the file cannot be written.
class MeasurementWriter {
 public:
  /// Begins with the names and units of all channels.
  /// Throws core::ContractError for a name or unit with a comma, a quote or a line break.
  MeasurementWriter(std::string path, std::vector<sensing::SensorFacts> sensors,
                    HeaderStyle style = HeaderStyle::kTwoRows);
  /// Writes to a file that is open already, such as the standard output, and closes it at the end; `name` is for messages.
  MeasurementWriter(std::FILE* file, std::string name, std::vector<sensing::SensorFacts> sensors,
                    HeaderStyle style = HeaderStyle::kTwoRows);

  /// One row: readings of one time, of each sensor one at most, in any order. Nothing for none. Does not allocate.
  /// Throws core::ContractError for readings of several times, a sensor twice or one that there is not.
  void write(std::span<const sensing::Reading> readings);
  void write(const sensing::Reading& reading) { write(std::span(&reading, 1)); }

  void flush() { file_.flush(); }
  /// Makes the file complete under its own name. Nothing can be written after that.
  void finish() { file_.finish(); }

 private:
  void write_header(HeaderStyle style);

  std::vector<sensing::SensorFacts> sensors_;
  std::vector<const sensing::Reading*> row_;  ///< (sensors) scratch of write
  PartialFile file_;
};

/// Reads a measurement file row by row; rows are in the order of arrival. Memory does not grow with the rows.
/// Every function throws core::ModelError for a file that cannot be read or a line that breaks a rule.
class MeasurementReader {
 public:
  /// Reads names and units. The sensors are those of the mechanism; the file may leave some out.
  MeasurementReader(const std::string& path, std::vector<sensing::SensorFacts> sensors);
  /// Reads what is open already, such as the standard input, and closes it at the end; `name` is for messages.
  MeasurementReader(std::FILE* file, std::string name, std::vector<sensing::SensorFacts> sensors);

  /// The readings of the next row, which may be none. False at the end of the file.
  bool read(std::vector<sensing::Reading>& readings);

  /// Whether the file has this sensor.
  bool has_sensor(int sensor) const { return parser_.has_sensor(sensor); }
  /// Of the row that was read last.
  std::int64_t line_number() const { return lines_.number(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  void read_header();
  bool next_line(std::string_view& line);
  [[noreturn]] void fail(const std::string& what, const std::string& expected, const std::string& actual,
                         const std::string& next) const;

  MeasurementParser parser_;
  MeasurementLines lines_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace eslabon::io
