#include "eslabon/sensing/stream_clock.hpp"

#include <algorithm>

namespace eslabon::sensing {

namespace {

/// Whole distances below 2⁶³ for |a|, |b| ≤ kFarthestTime.
std::int64_t bounded(std::int64_t t) { return std::clamp(t, -kFarthestTime, kFarthestTime); }

}  // namespace

SensorClock::SensorClock(const ClockRules& rules, core::Duration period, core::Duration window,
                         core::Duration slowest)
    : longest_gap_(std::max(rules.longest_gap, 2 * slowest).nanoseconds()),
      most_ahead_(std::max(rules.most_ahead, 2 * slowest).nanoseconds()),
      window_(window.nanoseconds()),
      slowest_(slowest.nanoseconds()),
      agreeing_(rules.agreeing),
      period_(period.nanoseconds()),
      has_period_(period.nanoseconds() > 0) {}

std::int64_t SensorClock::time(std::int64_t raw) const {
  std::int64_t t = 0;
  if (__builtin_add_overflow(bounded(raw), shift_, &t)) return shift_ > 0 ? kFarthestTime : -kFarthestTime;
  return bounded(t);
}

std::optional<std::int64_t> SensorClock::doubted() const {
  if (run_.direction != Direction::kAhead) return std::nullopt;
  return time(run_.last);
}

/// Others that were silent long before this sensor was heard last say nothing about its clock.
bool SensorClock::is_alone(const Others& others) const {
  return !others.newest || (newest_ && *newest_ - *others.newest > most_ahead_);
}

bool SensorClock::is_ahead(std::int64_t t, const Others& others) const {
  if (!newest_) return others.newest && t - *others.newest > longest_gap_;
  const std::int64_t step = t - *newest_;
  if (is_alone(others)) return step > longest_gap_;
  const std::int64_t lead = std::min(step, t - *others.newest);
  if (lead > longest_gap_) return true;
  const bool others_agree =
      others.doubted && *others.doubted <= t + most_ahead_ && *others.doubted >= t - most_ahead_;
  return lead > most_ahead_ && !others_agree;
}

SensorClock::Verdict SensorClock::judge(std::int64_t raw, const Others& others, bool repeats) {
  const std::int64_t t = time(raw);
  if (repeats || (others.settled && t < *others.settled)) return decide_back(raw, t, others);
  if (is_ahead(t, others)) return decide_ahead(raw, t, others);
  return believe(raw);
}

/// One more reading that says so, or the first.
void SensorClock::extend(Direction direction, std::int64_t raw, const Others& others) {
  const std::int64_t step = raw - run_.last;
  const bool goes_on = has_period_ ? step >= period_ / 2 && step <= 3 * period_ + period_ / 2
                                   : step > 0 && step <= longest_gap_;
  if (run_.direction == direction && goes_on) {
    run_.last = raw;
    ++run_.count;
    return;
  }
  run_ = {direction, 1, raw, raw, 0, others.newest, others.settled.value_or(0)};
  if (newest_) run_.target = bounded(*newest_ + std::max<std::int64_t>(period_, 1));
  if (others.newest && (!newest_ || *others.newest - run_.target > window_ + period_))
    run_.target = *others.newest;
}

SensorClock::Verdict SensorClock::decide_back(std::int64_t raw, std::int64_t t, const Others& others) {
  const std::int64_t lateness = others.settled ? *others.settled - t : 0;
  const bool goes_back = newest_ && raw <= newest_raw_;
  const std::int64_t slow_line = others.has_jumped ? 0 : newest_ ? most_ahead_ : longest_gap_;
  if (!goes_back && lateness <= slow_line) {
    run_ = {};
    return Verdict::kLate;
  }
  extend(Direction::kBack, raw, others);
  if (run_.count < agreeing_) return Verdict::kLate;
  if (goes_back) return resynchronise(raw, others);
  // Readings that were held up come faster than time goes on.
  const std::int64_t span = raw - run_.first, progress = *others.settled - run_.settled_at_start;
  const bool is_clear =
      progress >= span - progress && (others.has_jumped || std::max(lateness, span) > longest_gap_);
  return is_clear ? resynchronise(raw, others) : Verdict::kLate;
}

SensorClock::Verdict SensorClock::decide_ahead(std::int64_t raw, std::int64_t t, const Others& others) {
  extend(Direction::kAhead, raw, others);
  if (run_.count < agreeing_) return Verdict::kDoubted;
  const std::int64_t step = newest_ ? t - *newest_ : longest_gap_ + 1;
  if (is_alone(others) || std::min(step, t - *others.newest) > longest_gap_)
    return resynchronise(raw, others);
  const std::int64_t span = raw - run_.first;
  const std::int64_t progress = run_.others_at_start ? *others.newest - *run_.others_at_start : 0;
  if (progress > 0 && progress >= span - progress) return resynchronise(raw, others);
  return span >= 2 * slowest_ ? believe(raw) : Verdict::kDoubted;
}

SensorClock::Verdict SensorClock::believe(std::int64_t raw) {
  run_ = {};
  const std::int64_t t = time(raw);
  if (newest_ && t <= *newest_) return Verdict::kGood;  // put in its place
  if (!has_period_ && newest_) period_ = std::min(t - *newest_, longest_gap_);
  newest_ = t;
  newest_raw_ = raw;
  return Verdict::kGood;
}

SensorClock::Verdict SensorClock::resynchronise(std::int64_t raw, const Others& others) {
  shift_ = run_.target - run_.first;
  // Never late at once: nothing would say again that the clock has jumped.
  if (others.settled) shift_ = std::max(shift_, *others.settled - raw);
  believe(raw);
  return Verdict::kResynchronised;
}

}  // namespace eslabon::sensing
