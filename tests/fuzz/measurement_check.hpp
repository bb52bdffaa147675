#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/measured_sensors.hpp"
#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/measurements/measurement_feed.hpp"
#include "eslabon/io/measurements/measurement_file.hpp"

namespace eslabon::test {

/// All readings of a stream, and what became of its lines.
struct FedReadings {
  std::vector<sensing::Reading> readings;
  io::FeedReport report;
};
/// The stream comes in pieces of this size; `longest` is for lines.
inline FedReadings fed_readings(std::string_view text, std::size_t piece, std::size_t longest) {
  io::MeasurementFeed feed(measured_sensors(), "fuzzed", io::MeasurementParser::Header::kOnce, longest);
  std::vector<sensing::Reading> all, row;
  while (!text.empty()) {
    const std::size_t count = std::min({piece, text.size(), feed.room().size()});
    std::copy_n(text.begin(), count, feed.room().begin());
    feed.add(count);
    text.remove_prefix(count);
    while (feed.next(row)) all.insert(all.end(), row.begin(), row.end());
  }
  feed.finish();
  return {all, feed.report()};
}

/// Readings of a file, up to where it breaks a rule.
inline std::vector<sensing::Reading> read_readings(std::string_view text, bool& is_whole,
                                                   std::string& fault) {
  std::vector<sensing::Reading> all, row;
  is_whole = !is_refused(
      [&] {
        std::FILE* const file = fmemopen(const_cast<char*>(text.data()), text.size(), "rb");
        io::MeasurementReader reader(file, "fuzz.csv", measured_sensors());
        while (reader.read(row)) all.insert(all.end(), row.begin(), row.end());
      },
      fault);
  return all;
}

inline bool are_same(const std::vector<sensing::Reading>& a, const std::vector<sensing::Reading>& b,
                     std::size_t count) {
  static const auto sensors = measured_sensors();
  for (std::size_t k = 0; k < count; ++k)
    if (!are_same(a[k], b[k], sensors[static_cast<std::size_t>(a[k].sensor)].channels.size())) return false;
  return true;
}

/// What is wrong with a stream where lines may be so long; empty if nothing is.
inline std::string find_stream_fault(std::string_view text, std::size_t longest, const FedReadings& whole) {
  const FedReadings cut = fed_readings(text, 7, longest);
  for (const std::string& message : whole.report.messages)
    if (std::string wrong = find_sentence_fault(message); !wrong.empty()) return wrong;
  if (whole.report.refused > whole.report.lines) return "more lines are refused than came";
  if (whole.report.lines != cut.report.lines || whole.report.refused != cut.report.refused ||
      whole.report.messages != cut.report.messages || whole.readings.size() != cut.readings.size())
    return "cut into pieces, the stream is another";
  if (!are_same(whole.readings, cut.readings, cut.readings.size()))
    return "cut into pieces, a reading is another";
  return "";
}

/// Whether a line has more characters than this.
inline bool has_longer_line(std::string_view text, std::size_t longest) {
  while (text.size() > longest) {
    const std::size_t end = text.find('\n');
    if (std::min(end, text.size()) > longest) return true;
    text.remove_prefix(end + 1);
  }
  return false;
}

/// A measurement file: a stream of the same bytes gives the same readings however it is cut, also where lines are too long for it, and the
/// file gives those before its first fault.
inline std::string find_measurement_fault(std::string_view text) {
  constexpr std::size_t kShort = 64;  // characters: so that some lines are too long
  if (text.empty()) return "";
  std::string fault;
  bool is_whole = false;
  const auto read = read_readings(text, is_whole, fault);
  if (!fault.empty()) return fault;
  const FedReadings fed = fed_readings(text, text.size(), io::MeasurementLines::kLongestLine);
  fault = find_stream_fault(text, io::MeasurementLines::kLongestLine, fed);
  if (fault.empty() && has_longer_line(text, kShort))
    fault = find_stream_fault(text, kShort, fed_readings(text, text.size(), kShort));
  if (!fault.empty()) return fault;
  if (is_whole && (fed.report.refused > 0 || fed.readings.size() != read.size()))
    return "the file is read, the stream is not";
  if (!is_whole && fed.report.refused == 0 && !fed.readings.empty())
    return "the file is refused, the stream is not";
  if (!are_same(fed.readings, read, std::min(fed.readings.size(), read.size())))
    return "file and stream differ in a reading";
  return "";
}

}  // namespace eslabon::test
