#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/io/measurements/measurement_feed.hpp"
#include "eslabon/io/measurements/measurement_parser.hpp"
#include "eslabon/sensing/reading.hpp"

namespace eslabon::io {

/// Where a datagram came from.
struct DatagramSender {
  std::uint32_t address = 0;  ///< IPv4: 127.0.0.1 is 0x7f000001
  std::uint16_t port = 0;
  /// "127.0.0.1:5005"
  std::string text() const;
  friend auto operator<=>(const DatagramSender&, const DatagramSender&) = default;
};

/// Which datagrams were taken, and whose.
struct DatagramReport {
  std::int64_t taken = 0, passed_over = 0;
  std::optional<DatagramSender> first;  ///< who sent the first reading
  std::optional<DatagramSender> other;  ///< who sent the first datagram that was passed over
};

/// Readings from datagrams of whole lines. Each sender has names and units of its own: what one sends changes nothing in how another is
/// understood. Readings are those of the first sender that gave one, unless those of all are asked for.
///
///   feed.add(sender, bytes of one datagram read into feed.room());
///   while (feed.next(readings)) …
class DatagramFeed {
 public:
  enum class Senders { kFirst, kAll };
  static constexpr std::size_t kLongestDatagram = 65536;  ///< bytes; UDP knows none that are longer
  /// Of so many that sent names these are remembered; datagrams of more senders are passed over.
  static constexpr std::size_t kMostSenders = 4096;

  /// `source` is for messages: "port 5005".
  DatagramFeed(std::vector<sensing::SensorFacts> sensors, std::string source, Senders senders);

  /// Where the bytes of the next datagram can be put, after next has said that there are no more readings.
  std::span<char> room() { return feed_.room(); }
  void add(const DatagramSender& sender, std::size_t count);
  /// The readings of the next line that has any. False when another datagram is needed.
  bool next(std::vector<sensing::Reading>& readings);

  const FeedReport& lines() const { return feed_.report(); }
  const DatagramReport& report() const { return report_; }
  const std::vector<sensing::SensorFacts>& sensors() const { return standard_.sensors(); }

 private:
  bool takes(const DatagramSender& sender) const;
  void turn_to(const DatagramSender& sender);

  Senders senders_;
  MeasurementParser standard_;  ///< of who has sent no names
  MeasurementFeed feed_;        ///< its parser is that of `current_`
  std::optional<DatagramSender> current_;
  std::map<DatagramSender, MeasurementParser> parsers_;  ///< of the others that have sent names
  DatagramReport report_;
};

}  // namespace eslabon::io
