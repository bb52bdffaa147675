#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/measured_sensors.hpp"
#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/measurement_feed.hpp"
#include "eslabon/io/measurement_file.hpp"

namespace eslabon::test {

/// All readings of a stream that comes in pieces of this size, and what became of its lines.
inline std::vector<sensing::Reading> fed_readings(std::string_view text, std::size_t piece,
                                                  io::FeedReport& report) {
  io::MeasurementFeed feed(measured_sensors(), "fuzzed", io::MeasurementParser::Header::kOnce);
  std::vector<sensing::Reading> all, row;
  while (!text.empty()) {
    const std::size_t count = std::min({piece, text.size(), feed.room().size()});
    std::copy_n(text.begin(), count, feed.room().begin());
    feed.add(count);
    text.remove_prefix(count);
    while (feed.next(row)) all.insert(all.end(), row.begin(), row.end());
  }
  feed.finish();
  report = feed.report();
  return all;
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

/// A measurement file: a stream of the same bytes gives the same readings however it is cut, and the file gives those before its first
/// fault.
inline std::string find_measurement_fault(std::string_view text) {
  if (text.empty()) return "";
  std::string fault;
  bool is_whole = false;
  const auto read = read_readings(text, is_whole, fault);
  if (!fault.empty()) return fault;
  io::FeedReport report, report_in_pieces;
  const auto fed = fed_readings(text, text.size(), report);
  const auto fed_in_pieces = fed_readings(text, 7, report_in_pieces);
  for (const std::string& message : report.messages)
    if (std::string wrong = find_sentence_fault(message); !wrong.empty()) return wrong;
  if (report.refused > report.lines) return "more lines are refused than came";
  if (report.lines != report_in_pieces.lines || report.refused != report_in_pieces.refused ||
      report.messages != report_in_pieces.messages || fed.size() != fed_in_pieces.size())
    return "cut into pieces, the stream is another";
  if (is_whole && (report.refused > 0 || fed.size() != read.size()))
    return "the file is read, the stream is not";
  if (!is_whole && report.refused == 0 && !fed.empty()) return "the file is refused, the stream is not";
  const auto sensors = measured_sensors();
  for (std::size_t k = 0; k < fed.size(); ++k) {
    const std::size_t channels = sensors[static_cast<std::size_t>(fed[k].sensor)].channels.size();
    if (!are_same(fed[k], fed_in_pieces[k], channels)) return "cut into pieces, a reading is another";
    if (k < read.size() && !are_same(fed[k], read[k], channels)) return "file and stream differ in a reading";
  }
  return "";
}

}  // namespace eslabon::test
