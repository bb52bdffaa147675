#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/core/text/error.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::io {

/// Times of readings are within ±this [ns], 126 years.
inline constexpr std::int64_t kFarthestReading = 4'000'000'000'000'000'000;

/// Reads the lines of a measurement file (docs/command-line.md):
///   t_ns,gyro,imu.ax,imu.ay        names, in any order; sensors may be left out, not single channels of them
///   ns,rad/s,m/s^2,m/s^2           units
///   10000000,0.25,,                the imu gave no reading
/// After the names nothing is taken from the heap unless a line is refused.
class MeasurementParser {
 public:
  enum class Header {
    kOnce,     ///< the first two lines
    kAnyTime,  ///< whenever the sender begins again; until then the columns are those that `sense` writes, all channels in order
  };
  /// `source` is for messages: the name of the file.
  MeasurementParser(std::vector<sensing::SensorFacts> sensors, std::string source,
                    Header header = Header::kOnce);

  /// A line without its line break, and its number. Puts its readings in the place of what is in `readings`, in the order of the
  /// columns: none for names and units. Throws core::ModelError for a line that breaks a rule.
  /// Then nothing has changed, except that after wrong names or units only names are understood.
  void parse(std::string_view line, std::int64_t number, std::vector<sensing::Reading>& readings);
  /// The same, without an exception: whether the line keeps all rules. Where it does not, `why` gets what parse would throw, if it is given; without
  /// it a line that is refused costs little more than one that is read.
  bool try_parse(std::string_view line, std::int64_t number, std::vector<sensing::Reading>& readings,
                 core::ErrorText* why);

  const std::vector<sensing::SensorFacts>& sensors() const { return sensors_; }
  /// Whether names and units have been understood, or are not needed.
  bool has_header() const { return expects_ == Expects::kRow; }
  /// Whether a line of names came, understood or not: without one the columns are those that `sense` writes.
  bool has_own_names() const { return has_own_names_; }
  /// Of has_header: whether the file has this sensor.
  bool has_sensor(int sensor) const;
  const std::string& source() const { return source_; }

 private:
  enum class Expects { kNames, kUnits, kRow };
  struct Column {
    std::string name;
    int sensor = 0;
    std::size_t channel = 0;
  };
  /// What a message about the line at hand needs.
  struct Line {
    std::int64_t number = 0;
    core::ErrorText* why = nullptr;  ///< none: nobody wants a message
  };
  void take_standard_columns();
  // Whether the line keeps the rules.
  bool parse_names(std::string_view text, const Line& line);
  bool parse_names_and_units(std::string_view text, const Line& line);
  bool parse_units(std::string_view text, const Line& line);
  bool parse_row(std::string_view text, const Line& line, std::vector<sensing::Reading>& readings);
  bool parse_time(std::string_view cell, const Line& line, std::int64_t& t) const;
  bool parse_value(std::string_view cell, const Column& column, const Line& line, double& value) const;
  bool add_column(std::string_view name, const Line& line);
  bool has_whole_sensors(const Line& line) const;
  /// False. `text` gives the message without its place, and is asked only where somebody wants it.
  template <class Text>
  bool refuse(const Line& line, std::string_view column, Text text) const;

  std::vector<sensing::SensorFacts> sensors_;
  std::string source_;
  Header header_;
  Expects expects_ = Expects::kNames;
  bool has_own_names_ = false;
  std::vector<Column> columns_;          ///< without the time
  std::vector<int> order_;               ///< sensors in the order of their first columns
  std::vector<std::size_t> num_filled_;  ///< (sensors) channels that have a value in this row
  std::vector<sensing::Reading> row_;    ///< (sensors)
};

/// What stands over a column of a measurement file: "gyro", "imu.ax".
std::string column_name(const sensing::SensorFacts& sensor, std::size_t channel);

}  // namespace eslabon::io
