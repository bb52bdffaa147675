#include "eslabon/io/measurements/measurement_file.hpp"

#include <cerrno>
#include <cmath>
#include <system_error>
#include <utility>

#include "eslabon/io/files/file_error.hpp"

namespace eslabon::io {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& actual,
                         const std::string& next) {
  throw core::ContractError(
      {.what = what, .where = "MeasurementWriter", .expected = expected, .actual = actual, .next = next});
}

void check_name(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.empty()) return;
  refuse("a column cannot have this name", "a text without commas, quotes and line breaks", "'" + text + "'",
         "Take names from layer model.");
}

std::vector<sensing::SensorFacts> checked(std::vector<sensing::SensorFacts> sensors) {
  for (const sensing::SensorFacts& sensor : sensors) {
    for (std::size_t c = 0; c < sensor.channels.size(); ++c) check_name(column_name(sensor, c));
  }
  return sensors;
}

std::FILE* open_to_read(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file != nullptr) return file;
  throw FileError({.what = "the readings could not be read",
                   .where = path,
                   .expected = "a file that can be opened",
                   .actual = std::generic_category().message(errno),
                   .next = "Check the name; 'eslabon sense' writes such files."});
}

}  // namespace

MeasurementWriter::MeasurementWriter(std::string path, std::vector<sensing::SensorFacts> sensors,
                                     HeaderStyle style)
    : sensors_(checked(std::move(sensors))), row_(sensors_.size()), file_(std::move(path), "the readings") {
  write_header(style);
}

MeasurementWriter::MeasurementWriter(std::FILE* file, std::string name,
                                     std::vector<sensing::SensorFacts> sensors, HeaderStyle style)
    : sensors_(checked(std::move(sensors))),
      row_(sensors_.size()),
      file_(file, std::move(name), "the readings") {
  write_header(style);
}

void MeasurementWriter::write_header(HeaderStyle style) {
  std::vector<NameAndUnit> columns{{"t_ns", "ns"}};
  for (const sensing::SensorFacts& sensor : sensors_)
    for (std::size_t c = 0; c < sensor.channels.size(); ++c)
      columns.push_back({column_name(sensor, c), core::si_unit(sensor.channels[c].dimension)});
  file_.append(header_text(columns, style));
}

void MeasurementWriter::write(std::span<const sensing::Reading> readings) {
  if (readings.empty()) return;
  if (!file_.is_open()) refuse("a row after the end", "rows before finish", "one after it", "Finish last.");
  row_.assign(sensors_.size(), nullptr);
  for (const sensing::Reading& reading : readings) {
    const auto sensor = static_cast<std::size_t>(reading.sensor);
    if (reading.sensor < 0 || sensor >= sensors_.size() || row_[sensor] != nullptr ||
        reading.t != readings[0].t)
      refuse("readings that make no row", "one reading per sensor, all of one time",
             "one of sensor " + std::to_string(reading.sensor) + " at " +
                 std::to_string(reading.t.nanoseconds()) + " ns",
             "Write them in rows of their own.");
    row_[sensor] = &reading;
  }
  file_.append(readings[0].t.nanoseconds());
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    for (std::size_t c = 0; c < sensors_[s].channels.size(); ++c) {
      file_.append(',');
      if (row_[s] == nullptr) continue;
      const double value = row_[s]->values[c];
      if (std::isnan(value))
        file_.append("nan");  // without the sign that some have
      else
        file_.append(value);
    }
  }
  file_.append('\n');
}

MeasurementReader::MeasurementReader(const std::string& path, std::vector<sensing::SensorFacts> sensors)
    : parser_(std::move(sensors), path), file_(open_to_read(path)) {
  read_header();
}

MeasurementReader::MeasurementReader(std::FILE* file, std::string name,
                                     std::vector<sensing::SensorFacts> sensors)
    : parser_(std::move(sensors), std::move(name)), file_(file) {
  read_header();
}

void MeasurementReader::read_header() {
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // lines_ is the only buffer
  std::vector<sensing::Reading> none;
  std::string_view line;
  while (!parser_.has_header()) {
    if (!next_line(line))
      fail("the names or units of the readings are missing", "a line of names and one of units",
           "the end of the file", "Let 'eslabon sense' write such a file and compare.");
    parser_.parse(line, lines_.number(), none);
  }
}

bool MeasurementReader::read(std::vector<sensing::Reading>& readings) {
  std::string_view line;
  readings.clear();
  if (!next_line(line)) return false;
  parser_.parse(line, lines_.number(), readings);
  return true;
}

bool MeasurementReader::next_line(std::string_view& line) {
  for (;;) {
    switch (lines_.next(line)) {
      case MeasurementLines::Kind::kLine:
        return true;
      case MeasurementLines::Kind::kTooLong:
        fail("a line that is too long",
             "at most " + std::to_string(MeasurementLines::kLongestLine) + " characters", "more",
             "Check that this is a measurement file.");
      case MeasurementLines::Kind::kNone:
        break;
    }
    const std::span<char> room = lines_.room();
    const std::size_t count = std::fread(room.data(), 1, room.size(), file_.get());
    lines_.add(count);
    if (count > 0) continue;
    if (std::ferror(file_.get()) != 0)
      fail("the readings could not be read", "a file that can be read",
           std::generic_category().message(errno), "Check that it is a file and may be read.");
    if (!lines_.is_within_line()) return false;
    static_cast<void>(lines_.last(line));
    fail("the last line is not complete", "a line break at its end", "the end of the file",
         "The file is truncated: remove the line, or add the line break if it is complete.");
  }
}

void MeasurementReader::fail(const std::string& what, const std::string& expected, const std::string& actual,
                             const std::string& next) const {
  throw FileError({.what = what,
                   .where = parser_.source() + ":" + std::to_string(lines_.number()),
                   .expected = expected,
                   .actual = actual,
                   .next = next});
}

}  // namespace eslabon::io
