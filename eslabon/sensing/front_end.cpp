#include "eslabon/sensing/front_end.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::sensing {

namespace {

constexpr std::int64_t kFewest = 3;  // refused readings that show that a filter is lost

constexpr std::size_t kFewestRemembered = 16, kMostRemembered = 4096;

/// Two sets of values that differ have the same number once in 2⁶⁴ times: FNV-1a over words.
std::uint64_t fingerprint(const Reading& reading, std::size_t num_channels) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t k = 0; k < num_channels; ++k) {
    hash ^= std::bit_cast<std::uint64_t>(reading.values[k]);
    hash *= 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

core::Instant at(std::int64_t t) { return core::Instant::at(core::Duration::from_nanoseconds(t)); }

/// Times of which duplicates are recognised: those that may wait, and some before.
std::size_t num_remembered(const SensorFacts& facts, core::Duration window) {
  if (facts.period <= core::Duration()) return kFewestRemembered * 4;
  const auto waiting = static_cast<std::uint64_t>(window.nanoseconds() / facts.period.nanoseconds());
  return std::clamp<std::size_t>(2 * waiting + kFewestRemembered, kFewestRemembered, kMostRemembered);
}

void require(bool holds, const char* what, const char* expected, const std::string& actual) {
  if (holds) return;
  throw core::ContractError({.what = what,
                             .where = "FrontEnd",
                             .expected = expected,
                             .actual = actual,
                             .next = "Check the sensors and the options of the front end."});
}

std::string seconds_text(core::Duration span) { return core::number_text(span.seconds()) + " s"; }

constexpr auto kLongestSpan = core::Duration::from_nanoseconds(1'000'000'000'000'000'000);
bool is_span(core::Duration span) { return span >= core::Duration() && span <= kLongestSpan; }

core::Duration longest_period(const std::vector<SensorFacts>& sensors) {
  core::Duration longest;
  for (const SensorFacts& facts : sensors) longest = std::max(longest, facts.period);
  return longest;
}

}  // namespace

FrontEnd::FrontEnd(std::vector<SensorFacts> sensors, const FrontEndOptions& options)
    : sensors_(std::move(sensors)), options_(options), log_(sensors_, options.log_capacity) {
  require(is_span(options.window), "a window that is not a time span", "0 … 1e9 s",
          seconds_text(options.window));
  require(is_span(options.patience), "a patience that is not a time span", "0 … 1e9 s",
          seconds_text(options.patience));
  require(is_span(options.clocks.longest_gap) && is_span(options.clocks.most_ahead),
          "rules of clocks that are not time spans", "0 … 1e9 s",
          seconds_text(options.clocks.longest_gap) + " and " + seconds_text(options.clocks.most_ahead));
  require(options.clocks.agreeing >= 1 && options.stuck_after >= 2, "readings in a row that are too few",
          "agreeing >= 1 and stuck_after >= 2",
          std::to_string(options.clocks.agreeing) + " and " + std::to_string(options.stuck_after));
  require(options.most_refused > 0.0 && options.most_refused <= 1.0, "a share that is none",
          "0 < most_refused <= 1", core::number_text(options.most_refused));
  require(options.capacity >= 1, "a front end without room", "room for one reading or more", "0");
  for (const SensorFacts& facts : sensors_) check(facts);
  const core::Duration slowest = longest_period(sensors_);
  for (const SensorFacts& facts : sensors_)
    streams_.push_back({SensorClock(options.clocks, facts.period, options.window, slowest),
                        StuckWatch(facts, options.stuck_after),
                        std::vector<Remembered>(num_remembered(facts, options.window)), 0, 0, std::nullopt});
  waiting_.reserve(options.capacity);
}

void FrontEnd::check(const SensorFacts& facts) const {
  require(!facts.channels.empty() && facts.channels.size() <= kMostChannels,
          "a sensor with no or too many channels", "1 … 9 channels",
          std::to_string(facts.channels.size()) + " of '" + facts.name + "'");
  require(is_span(facts.period), "a sensor with a period that is not a time span", "0 … 1e9 s",
          seconds_text(facts.period) + " of '" + facts.name + "'");
  for (const Channel& channel : facts.channels)
    require(channel.noise >= 0.0 && channel.resolution >= 0.0 && channel.range > 0.0,
            "a channel with noise, resolution or range that make no sense",
            "noise >= 0, resolution >= 0 and range > 0",
            core::number_text(channel.noise) + ", " + core::number_text(channel.resolution) + " and " +
                core::number_text(channel.range) + " of '" + channel.name + "'");
}

bool FrontEnd::comes_later(const Waiting& a, const Waiting& b) {
  return a.t != b.t ? a.t > b.t : a.order > b.order;
}

const FrontEnd::Remembered* FrontEnd::recall(const Stream& stream, std::int64_t t) const {
  for (std::size_t k = 0; k < stream.num_recent; ++k)
    if (stream.recent[k].t == t) return &stream.recent[k];
  return nullptr;
}

SensorClock::Others FrontEnd::others_of(std::size_t sensor) const {
  SensorClock::Others others{std::nullopt, std::nullopt, settled_, false};
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    others.has_jumped = others.has_jumped || streams_[k].clock.shift() != 0;
    if (k == sensor) continue;
    others.newest = std::max(others.newest, streams_[k].clock.newest());
    others.doubted = std::max(others.doubted, streams_[k].clock.doubted());
  }
  return others;
}

void FrontEnd::receive(const Reading& reading) {
  require(reading.sensor >= 0 && static_cast<std::size_t>(reading.sensor) < sensors_.size(),
          "a reading of an unknown sensor", "a position in the list of sensors",
          std::to_string(reading.sensor));
  const auto sensor = static_cast<std::size_t>(reading.sensor);
  ++log_.counts(reading.sensor).received;
  const std::int64_t raw = reading.t.nanoseconds();
  if (raw > kFarthestTime || raw < -kFarthestTime)
    return log_.add(reading.t, reading.sensor, Outcome::kClockDoubted);
  Stream& stream = streams_[sensor];
  const Remembered* known = recall(stream, stream.clock.time(raw));
  if (known != nullptr && known->values == fingerprint(reading, sensors_[sensor].channels.size()))
    return log_.add(reading.t, reading.sensor, Outcome::kDuplicate);
  switch (stream.clock.judge(raw, others_of(sensor), known != nullptr)) {
    case SensorClock::Verdict::kLate:
      return log_.add(reading.t, reading.sensor, known != nullptr ? Outcome::kDuplicate : Outcome::kLate);
    case SensorClock::Verdict::kDoubted:
      return log_.add(reading.t, reading.sensor, Outcome::kClockDoubted);
    case SensorClock::Verdict::kResynchronised:
      log_.add(reading.t, reading.sensor, Outcome::kResynchronised, stream.clock.shift());
      break;
    case SensorClock::Verdict::kGood:
      break;
  }
  enqueue(sensor, stream.clock.time(raw), reading);
}

/// Its time is good.
void FrontEnd::enqueue(std::size_t sensor, std::int64_t t, const Reading& reading) {
  Stream& stream = streams_[sensor];
  stream.recent[stream.next_recent] = {t, fingerprint(reading, sensors_[sensor].channels.size())};
  stream.next_recent = (stream.next_recent + 1) % stream.recent.size();
  stream.num_recent = std::min(stream.num_recent + 1, stream.recent.size());
  if (!has_room()) return log_.add(at(t), reading.sensor, Outcome::kNoRoom);
  if (newest_ && t < *newest_) log_.add(at(t), reading.sensor, Outcome::kReordered);
  waiting_.push_back({t, order_++, reading});
  waiting_.back().reading.t = at(t);
  std::push_heap(waiting_.begin(), waiting_.end(), comes_later);
  newest_ = std::max(newest_, std::optional(t));
  settled_ = std::max(settled_, std::optional(*newest_ - options_.window.nanoseconds()));
}

void FrontEnd::advance(core::Instant now) {
  const std::int64_t t = std::clamp(now.nanoseconds(), -kFarthestTime, kFarthestTime);
  settled_ = std::max(settled_, std::optional(t - options_.window.nanoseconds()));
}

void FrontEnd::flush() { settled_ = std::max(settled_, newest_); }

bool FrontEnd::next(core::Instant until, Reading& out) {
  while (!waiting_.empty() && waiting_.front().t <= *settled_ && waiting_.front().t <= until.nanoseconds()) {
    std::pop_heap(waiting_.begin(), waiting_.end(), comes_later);
    const Waiting oldest = waiting_.back();
    waiting_.pop_back();
    const auto sensor = static_cast<std::size_t>(oldest.reading.sensor);
    note_gap(sensor, oldest.t);
    if (const auto fault = fault_of(sensor, oldest.reading)) {
      log_.add(oldest.reading.t, oldest.reading.sensor, *fault);
      continue;
    }
    ++log_.counts(oldest.reading.sensor).handed_out;
    out = oldest.reading;
    return true;
  }
  return false;
}

void FrontEnd::note_gap(std::size_t sensor, std::int64_t t) {
  Stream& stream = streams_[sensor];
  const std::int64_t period = sensors_[sensor].period.nanoseconds();
  if (stream.handed_out && period > 0) {
    const std::int64_t step = t - *stream.handed_out;
    if (step > period + period / 2)
      log_.add(at(t), static_cast<int>(sensor), Outcome::kGap, (step - (period + 1) / 2) / period);
  }
  stream.handed_out = t;
}

/// What is wrong with its values, which come in the order of time.
std::optional<Outcome> FrontEnd::fault_of(std::size_t sensor, const Reading& reading) {
  const SensorFacts& facts = sensors_[sensor];
  const auto values = std::span(reading.values).first(facts.channels.size());
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
    return Outcome::kNotFinite;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::abs(values[k]) >= facts.channels[k].range) return Outcome::kSaturated;
  if (streams_[sensor].stuck.see(reading)) return Outcome::kStuck;
  return std::nullopt;
}

bool FrontEnd::judge(const Reading& reading, std::span<const double> predicted) {
  if (!streams_[static_cast<std::size_t>(reading.sensor)].stuck.compare(predicted)) return true;
  --log_.counts(reading.sensor).handed_out;
  log_.add(reading.t, reading.sensor, Outcome::kStuck);
  return false;
}

void FrontEnd::count(const Reading& reading, Outcome outcome) {
  require(outcome <= Outcome::kFailed, "an outcome that no filter decides", "accepted, outlier or failed",
          std::string(name(outcome)));
  log_.add(reading.t, reading.sensor, outcome);
  if (outcome != Outcome::kAccepted && !refused_since_) refused_since_ = reading.t;
  if (refused_since_) ++(outcome == Outcome::kAccepted ? num_believed_ : num_refused_);
}

bool FrontEnd::should_reopen(core::Instant now) {
  if (!refused_since_ || now < *refused_since_ || now - *refused_since_ <= options_.patience) return false;
  const bool is_lost = num_refused_ >= kFewest &&
                       static_cast<double>(num_refused_) >
                           options_.most_refused * static_cast<double>(num_refused_ + num_believed_);
  if (is_lost)
    refused_since_ = now;
  else
    refused_since_.reset();
  num_refused_ = num_believed_ = 0;
  return is_lost;
}

std::optional<core::Instant> FrontEnd::settled() const {
  if (!settled_) return std::nullopt;
  return at(*settled_);
}

std::size_t FrontEnd::num_waiting(int sensor) const {
  return static_cast<std::size_t>(std::count_if(
      waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return one.reading.sensor == sensor; }));
}

}  // namespace eslabon::sensing
