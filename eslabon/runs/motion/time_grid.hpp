#pragma once

#include <cstdint>
#include <string_view>

#include "eslabon/core/time/time.hpp"

namespace eslabon::runs {

/// The instants of the rows of a run: 0, h, 2 h, … and the end.
class TimeGrid {
 public:
  /// `field`: of the request, where h comes from. Throws RequestError for more than 10⁸ rows.
  TimeGrid(core::Duration until, core::Duration step, std::string_view field);
  std::int64_t rows() const { return 1 + count_.whole + (count_.rest > core::Duration() ? 1 : 0); }
  /// Time of row k [s].
  double operator[](std::int64_t k) const { return (k > count_.whole ? until_ : step_ * k).seconds(); }
  double until() const { return until_.seconds(); }
  double step() const { return step_.seconds(); }

 private:
  core::Duration until_, step_;
  core::StepCount count_;
};

/// Throws RequestError unless the time is positive.
void require_positive(std::string_view field, core::Duration time);
/// A thousandth of the run, at least 1 ns: from row to row where nothing else is said.
core::Duration thousandth_of(core::Duration until);

}  // namespace eslabon::runs
