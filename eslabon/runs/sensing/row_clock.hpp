#pragma once

#include "eslabon/core/time/time.hpp"

namespace eslabon::runs {

/// Says at which steps of a run a row is due: the first, and then every so often, at the first step that is not earlier.
class RowClock {
 public:
  RowClock(core::Instant begin, core::Duration every) : every_(every), next_(begin) {}
  bool is_due(core::Instant t) {
    if (t < next_) return false;
    while (next_ <= t) next_ = next_ + every_;
    return true;
  }

 private:
  core::Duration every_;
  core::Instant next_;
};

}  // namespace eslabon::runs
