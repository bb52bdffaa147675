#pragma once

#include <vector>

namespace eslabon::runs {

/// A span of time in which the readings did not tell the motion.
struct UnobservedSpan {
  double from = 0.0, until = 0.0;  ///< [s]
};

/// Collects them from row to row.
class UnobservedSpans {
 public:
  void add(double t, bool is_observed) {
    if (!is_observed) {
      if (was_observed_)
        list_.push_back({t, t});
      else
        list_.back().until = t;
    }
    was_observed_ = is_observed;
  }
  const std::vector<UnobservedSpan>& list() const { return list_; }
  /// In all [s].
  double length() const {
    double sum = 0.0;
    for (const UnobservedSpan& span : list_) sum += span.until - span.from;
    return sum;
  }

 private:
  std::vector<UnobservedSpan> list_;
  bool was_observed_ = true;
};

}  // namespace eslabon::runs
