#pragma once

#include <cstdint>

#include "eslabon/core/time/time.hpp"

namespace eslabon::estimation {

/// How long a filter was lost, and how many readings it did not expect. It is lost from the moment at which it has to begin anew, or to
/// believe itself less, until nothing of the kind has happened for `recovery`.
class LostTime {
 public:
  explicit LostTime(core::Duration recovery) : recovery_(recovery) {}

  /// The filter begins anew, or believes itself less, at t.
  void mark(core::Instant t) {
    is_marked_ = true;
    until_ = t + recovery_;
  }
  /// A reading that the filter has judged; strange: a good filter would see one of them in a million.
  void add_reading(bool is_strange) {
    ++judged_;
    strange_ += is_strange ? 1 : 0;
  }
  /// Time goes on by `step` to `now`; failed: the filter had to begin anew on the way.
  void advance(core::Instant now, core::Duration step, bool has_failed) {
    elapsed_ = elapsed_ + step;
    if (is_lost(now)) lost_ = lost_ + step;
    if (has_failed) failed_ = failed_ + step;
  }

  bool is_lost(core::Instant now) const { return is_marked_ && now <= until_; }
  core::Duration lost() const { return lost_; }
  core::Duration elapsed() const { return elapsed_; }
  std::int64_t num_judged() const { return judged_; }
  std::int64_t num_strange() const { return strange_; }
  /// In more than half of the steps; or for more than half of the time, or by more than half of the readings, of a run that lasts for
  /// longer than the recovery.
  bool is_mostly_lost() const {
    return failed_ * 2 > elapsed_ ||
           (elapsed_ > recovery_ && (lost_ * 2 > elapsed_ || 2 * strange_ > judged_));
  }

 private:
  core::Duration recovery_, lost_, elapsed_, failed_;
  core::Instant until_;
  bool is_marked_ = false;
  std::int64_t judged_ = 0, strange_ = 0;
};

}  // namespace eslabon::estimation
