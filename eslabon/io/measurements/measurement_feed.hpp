#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/io/measurements/measurement_lines.hpp"
#include "eslabon/io/measurements/measurement_parser.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::io {

/// What came in, and what of it was refused.
struct FeedReport {
  std::int64_t lines = 0;
  std::int64_t readings = 0;
  std::int64_t refused = 0;  ///< lines
  /// The first that were refused and why, kMostMessages at most.
  std::vector<std::string> messages;
  static constexpr std::size_t kMostMessages = 5;
};

/// Readings from bytes as they come, from a pipe or in datagrams. A line that breaks a rule is refused, counted and passed over.
///
///   feed.add(bytes read into feed.room());
///   while (feed.next(readings)) …
class MeasurementFeed {
 public:
  /// `source` is for messages: "standard input"; `longest` is for lines [characters].
  MeasurementFeed(std::vector<sensing::SensorFacts> sensors, std::string source,
                  MeasurementParser::Header header, std::size_t longest = MeasurementLines::kLongestLine);

  /// Where bytes can be put after next has said that there are no more readings.
  std::span<char> room() { return lines_.room(); }
  void add(std::size_t count) { lines_.add(count); }
  /// What came last ends a line even without a line break: call it after each datagram.
  void end_line() { ends_ = true; }

  /// The readings of the next line that has any. False when more bytes are needed.
  bool next(std::vector<sensing::Reading>& readings);
  /// The stream is over; a line that was begun is refused, since nobody knows what is missing.
  void finish();

  /// From here on lines are read by `parser`, which becomes the one that read them before.
  void exchange_parser(MeasurementParser& parser) { std::swap(parser_, parser); }

  const FeedReport& report() const { return report_; }
  const MeasurementParser& parser() const { return parser_; }

 private:
  void refuse(std::string message);
  void refuse_line(const std::string& what, const std::string& expected, const std::string& actual);

  MeasurementParser parser_;
  MeasurementLines lines_;
  FeedReport report_;
  bool ends_ = false;
};

}  // namespace eslabon::io
