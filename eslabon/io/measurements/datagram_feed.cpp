#include "eslabon/io/measurements/datagram_feed.hpp"

#include <utility>

namespace eslabon::io {

std::string DatagramSender::text() const {
  std::string text;
  for (const int shift : {24, 16, 8, 0})
    text += (text.empty() ? "" : ".") + std::to_string((address >> shift) & 0xffU);
  return text + ":" + std::to_string(port);
}

DatagramFeed::DatagramFeed(std::vector<sensing::SensorFacts> sensors, std::string source, Senders senders)
    : senders_(senders),
      standard_(sensors, source, MeasurementParser::Header::kAnyTime),
      feed_(std::move(sensors), std::move(source), MeasurementParser::Header::kAnyTime, kLongestDatagram) {}

bool DatagramFeed::takes(const DatagramSender& sender) const {
  if (senders_ == Senders::kFirst && report_.first) return sender == *report_.first;
  return sender == current_ || parsers_.size() < kMostSenders || parsers_.contains(sender);
}

void DatagramFeed::add(const DatagramSender& sender, std::size_t count) {
  if (!takes(sender)) {
    ++report_.passed_over;
    if (!report_.other) report_.other = sender;
    return;
  }
  ++report_.taken;
  turn_to(sender);
  feed_.add(count);
  feed_.end_line();
}

/// Lines are read as those of this sender.
void DatagramFeed::turn_to(const DatagramSender& sender) {
  if (sender == current_) return;
  const auto known = parsers_.find(sender);
  MeasurementParser parser = known == parsers_.end() ? standard_ : std::move(known->second);
  if (known != parsers_.end()) parsers_.erase(known);
  feed_.exchange_parser(parser);
  if (current_ && parser.has_own_names()) parsers_.emplace(*current_, std::move(parser));
  current_ = sender;
}

bool DatagramFeed::next(std::vector<sensing::Reading>& readings) {
  if (!feed_.next(readings)) return false;
  if (!report_.first) {
    report_.first = current_;
    if (senders_ == Senders::kFirst) parsers_.clear();
  }
  return true;
}

}  // namespace eslabon::io
