#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/measured_sensors.hpp"
#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/measurements/datagram_feed.hpp"

namespace eslabon::test {

/// Whose it is and what it holds.
struct Datagram {
  std::uint16_t sender = 0;
  std::string_view bytes;
};

/// Datagrams end with byte 0; the first byte of each tells the sender, one of four.
inline std::vector<Datagram> datagrams_in(std::string_view text) {
  std::vector<Datagram> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty()) continue;
    all.push_back({static_cast<std::uint16_t>(static_cast<unsigned char>(one[0]) % 4), one.substr(1)});
  }
  return all;
}

/// The readings of each sender; `only`: as if no other had sent anything.
struct SentReadings {
  std::array<std::vector<sensing::Reading>, 4> readings;
  io::FeedReport lines;
  io::DatagramReport report;
};
inline SentReadings sent_readings(const std::vector<Datagram>& datagrams, io::DatagramFeed::Senders senders,
                                  int only = -1) {
  io::DatagramFeed feed(measured_sensors(), "port 5005", senders);
  SentReadings sent;
  std::vector<sensing::Reading> row;
  for (const Datagram& datagram : datagrams) {
    if (only >= 0 && datagram.sender != only) continue;
    std::ranges::copy(datagram.bytes, feed.room().begin());
    feed.add({0x7f000001, datagram.sender}, datagram.bytes.size());
    auto& readings = sent.readings[datagram.sender];
    while (feed.next(row)) readings.insert(readings.end(), row.begin(), row.end());
  }
  sent.lines = feed.lines();
  sent.report = feed.report();
  return sent;
}

/// Datagrams of four senders: each gives the readings that it would give if it were alone, and of one alone no others are taken.
inline std::string find_datagram_fault(std::string_view text) {
  using Senders = io::DatagramFeed::Senders;
  const std::vector<Datagram> datagrams = datagrams_in(text);
  const SentReadings all = sent_readings(datagrams, Senders::kAll);
  const SentReadings first = sent_readings(datagrams, Senders::kFirst);
  for (const SentReadings* sent : {&all, &first}) {
    for (const std::string& message : sent->lines.messages)
      if (std::string wrong = find_sentence_fault(message); !wrong.empty()) return wrong;
    if (sent->report.taken + sent->report.passed_over != static_cast<std::int64_t>(datagrams.size()))
      return "a datagram is neither taken nor passed over";
  }
  if (all.report.passed_over != 0) return "a sender is passed over though all are asked for";
  const auto sensors = measured_sensors();
  for (int sender = 0; sender < 4; ++sender) {
    if (std::ranges::find(datagrams, sender, &Datagram::sender) == datagrams.end()) continue;
    const auto k = static_cast<std::size_t>(sender);
    const auto alone = sent_readings(datagrams, Senders::kAll, sender).readings[k];
    const bool is_same = std::ranges::equal(alone, all.readings[k], [&](const auto& a, const auto& b) {
      return are_same(a, b, sensors[static_cast<std::size_t>(a.sensor)].channels.size());
    });
    if (!is_same) return "a sender is understood otherwise because of another";
    const bool is_first = first.report.first && first.report.first->port == sender;
    if (first.readings[k].size() != (is_first ? all.readings[k].size() : 0))
      return "of the first sender alone other readings are taken";
  }
  return "";
}

}  // namespace eslabon::test
