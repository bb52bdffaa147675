#include "eslabon/core/time/time.hpp"

#include <cmath>
#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"

namespace eslabon::core {

namespace {

std::string nanoseconds_text(std::int64_t ns) { return std::to_string(ns) + " ns"; }

[[noreturn]] void throw_out_of_range(const char* where, const std::string& got) {
  throw ContractError({.what = "a time leaves the range of 64-bit nanoseconds",
                       .where = where,
                       .expected = "a result within +-9.22e9 s",
                       .actual = got,
                       .next = "Check the unit: times are in seconds."});
}

}  // namespace

Duration Duration::from_seconds(double seconds) {
  if (!std::isfinite(seconds)) {
    throw ContractError({.what = "a time is not a number",
                         .where = "Duration::from_seconds",
                         .expected = "a finite number of seconds",
                         .actual = number_text(seconds) + " s",
                         .next = "Check the value that the time was computed from."});
  }
  const double ns = std::round(seconds * 1e9);
  // 2⁶³ is a double and the first one out of range; −2⁶³ is in range.
  if (!(ns >= -0x1.0p63 && ns < 0x1.0p63)) {
    throw_out_of_range("Duration::from_seconds", number_text(seconds) + " s");
  }
  return Duration(static_cast<std::int64_t>(ns));
}

Duration Duration::operator-() const { return Duration() - *this; }

Duration operator+(Duration a, Duration b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a.ns_, b.ns_, &sum)) {
    throw_out_of_range("Duration + Duration", nanoseconds_text(a.ns_) + " + " + nanoseconds_text(b.ns_));
  }
  return Duration(sum);
}

Duration operator-(Duration a, Duration b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a.ns_, b.ns_, &difference)) {
    throw_out_of_range("Duration - Duration", nanoseconds_text(a.ns_) + " - " + nanoseconds_text(b.ns_));
  }
  return Duration(difference);
}

Duration operator*(Duration h, std::int64_t k) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(h.ns_, k, &product)) {
    throw_out_of_range("Duration * count", nanoseconds_text(h.ns_) + " * " + std::to_string(k));
  }
  return Duration(product);
}

StepCount number_of_steps(Duration until, Duration step) {
  if (step <= Duration()) {
    throw ContractError({.what = "a step does not advance",
                         .where = "number_of_steps",
                         .expected = "step > 0 s",
                         .actual = number_text(step.seconds()) + " s",
                         .next = "Give a step of at least 1 ns."});
  }
  if (until < Duration()) {
    throw ContractError({.what = "a run ends before it starts",
                         .where = "number_of_steps",
                         .expected = "until >= 0 s",
                         .actual = number_text(until.seconds()) + " s",
                         .next = "Give an end time that is not negative."});
  }
  return {until.nanoseconds() / step.nanoseconds(),
          Duration::from_nanoseconds(until.nanoseconds() % step.nanoseconds())};
}

}  // namespace eslabon::core
