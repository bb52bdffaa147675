#include "eslabon/sensing/stream_log.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::sensing {

namespace {

constexpr std::array<std::string_view, kNumOutcomes> kNames = {
    "accepted",  "outlier", "failed",  "duplicate", "late", "clock doubted", "not finite",
    "saturated", "stuck",   "no room", "reordered", "gap",  "resynchronised"};
constexpr auto kTogether = core::Duration::from_nanoseconds(1'000'000'000);

std::string plural(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

std::string_view name(Outcome outcome) { return kNames[static_cast<std::size_t>(outcome)]; }

std::int64_t StreamCounts::dropped() const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < kNumOutcomes; ++k)
    if (is_drop(static_cast<Outcome>(k))) sum += by_outcome[k];
  return sum;
}

StreamLog::StreamLog(const std::vector<SensorFacts>& sensors, std::size_t capacity)
    : counts_(sensors.size()), events_(capacity), last_event_(sensors.size(), -1) {
  if (capacity == 0)
    throw core::ContractError({.what = "a log without room",
                               .where = "StreamLog",
                               .expected = "room for one event or more",
                               .actual = "0",
                               .next = "Give it a capacity."});
  for (const SensorFacts& facts : sensors) names_.push_back(facts.name);
}

StreamCounts StreamLog::total() const {
  StreamCounts sum;
  for (const StreamCounts& counts : counts_) {
    sum.received += counts.received;
    sum.handed_out += counts.handed_out;
    sum.missing += counts.missing;
    for (std::size_t k = 0; k < kNumOutcomes; ++k) sum.by_outcome[k] += counts.by_outcome[k];
  }
  return sum;
}

void StreamLog::add(core::Instant t, int sensor, Outcome kind, std::int64_t amount) {
  const auto place = static_cast<std::size_t>(sensor);
  ++counts_[place].by_outcome[static_cast<std::size_t>(kind)];
  if (kind == Outcome::kGap) counts_[place].missing += amount;
  if (listener_) listener_(t, sensor, kind, amount);
  if (kind == Outcome::kAccepted) return;
  const auto capacity = static_cast<std::int64_t>(events_.size());
  const std::int64_t last = last_event_[place];
  if (last >= 0 && last >= num_events_ - capacity && kind != Outcome::kResynchronised) {
    StreamEvent& event = events_[static_cast<std::size_t>(last % capacity)];
    // Times of dropped readings may be anything: no differences that could leave the range.
    const bool is_near =
        t >= event.first && t.nanoseconds() / 2 - event.last.nanoseconds() / 2 <= kTogether.nanoseconds() / 2;
    if (event.kind == kind && is_near) {
      event.last = std::max(event.last, t);
      event.amount += amount;
      ++event.count;
      return;
    }
  }
  events_[static_cast<std::size_t>(num_events_ % capacity)] = {t, t, sensor, kind, 1, amount};
  last_event_[place] = num_events_++;
  num_kept_ = std::min(num_kept_ + 1, events_.size());
}

const StreamEvent& StreamLog::event(std::size_t k) const {
  return events_[(static_cast<std::size_t>(num_events_) - num_kept_ + k) % events_.size()];
}

std::int64_t StreamLog::num_forgotten() const { return num_events_ - static_cast<std::int64_t>(num_kept_); }

std::string StreamLog::text(const StreamEvent& event) const {
  std::string text = names_[static_cast<std::size_t>(event.sensor)] + ": ";
  if (event.kind == Outcome::kGap)
    text += plural(event.count, "gap") + ", " + plural(event.amount, "reading") + " missing";
  else if (event.kind == Outcome::kResynchronised)
    text += "resynchronised, its times are shifted by " +
            core::number_text(core::Duration::from_nanoseconds(event.amount).seconds()) + " s";
  else
    text += plural(event.count, "reading") + " " + std::string(name(event.kind));
  text += ", " + core::number_text(event.first.seconds()) + " s";
  if (event.last > event.first) text += " … " + core::number_text(event.last.seconds()) + " s";
  return text;
}

}  // namespace eslabon::sensing
