#include "eslabon/io/measurements/measurement_feed.hpp"

#include <utility>

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {

MeasurementFeed::MeasurementFeed(std::vector<sensing::SensorFacts> sensors, std::string source,
                                 MeasurementParser::Header header, std::size_t longest)
    : parser_(std::move(sensors), std::move(source), header), lines_(longest) {}

bool MeasurementFeed::next(std::vector<sensing::Reading>& readings) {
  std::string_view line;
  for (;;) {
    auto kind = lines_.next(line);
    if (kind == MeasurementLines::Kind::kNone && ends_) {
      ends_ = false;
      kind = lines_.last(line);
    }
    if (kind == MeasurementLines::Kind::kNone) return false;
    ++report_.lines;
    if (kind == MeasurementLines::Kind::kTooLong) {
      refuse_line("a line that is too long", "at most " + std::to_string(lines_.longest()) + " characters",
                  "more");
      continue;
    }
    const bool is_told = report_.messages.size() < FeedReport::kMostMessages;
    core::ErrorText why;
    if (!parser_.try_parse(line, lines_.number(), readings, is_told ? &why : nullptr)) {
      refuse(core::to_sentence(why));
      continue;
    }
    report_.readings += static_cast<std::int64_t>(readings.size());
    if (!readings.empty()) return true;
  }
}

void MeasurementFeed::finish() {
  if (!lines_.is_within_line()) return;
  std::string_view line;
  if (lines_.last(line) == MeasurementLines::Kind::kNone) return;
  ++report_.lines;
  refuse_line("the last line is not complete", "a line break at its end", "the end of the readings");
}

void MeasurementFeed::refuse(std::string message) {
  ++report_.refused;
  if (report_.messages.size() < FeedReport::kMostMessages) report_.messages.push_back(std::move(message));
}

void MeasurementFeed::refuse_line(const std::string& what, const std::string& expected,
                                  const std::string& actual) {
  refuse(core::to_sentence({.what = what,
                            .where = parser_.source() + ":" + std::to_string(lines_.number()),
                            .expected = expected,
                            .actual = actual,
                            .next = "Look at what sends the readings."}));
}

}  // namespace eslabon::io
