#pragma once

#include <compare>
#include <cstdint>

namespace eslabon::core {

/// A span of time in whole nanoseconds, ±292 years.
///
/// Integers, because  t ← t + 0.001  in doubles is wrong after the first step and the error grows with
/// the number of steps; k steps of h are here exactly k·h. Arithmetic that leaves the range throws
/// ContractError instead of wrapping.
class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration from_nanoseconds(std::int64_t ns) { return Duration(ns); }

  /// The nearest whole nanosecond, halves away from zero. The error is at most ½ ns plus the rounding
  /// of the double itself (1 ns at 10⁷ s).
  /// Throws ContractError when `seconds` is not finite or outside ±2⁶³ ns (9.22e9 s).
  static Duration from_seconds(double seconds);

  constexpr std::int64_t nanoseconds() const { return ns_; }
  /// [s], correctly rounded up to 2⁵³ ns (104 days). from_seconds gives the same Duration back up to 2²³ s
  /// (97 days), where neighbouring doubles are 1 ns apart.
  constexpr double seconds() const { return static_cast<double>(ns_) / 1e9; }

  Duration operator-() const;
  friend Duration operator+(Duration a, Duration b);
  friend Duration operator-(Duration a, Duration b);
  /// k steps of h, exactly.
  friend Duration operator*(Duration h, std::int64_t k);
  friend Duration operator*(std::int64_t k, Duration h) { return h * k; }
  friend constexpr auto operator<=>(Duration a, Duration b) = default;

 private:
  explicit constexpr Duration(std::int64_t ns) : ns_(ns) {}
  std::int64_t ns_ = 0;
};

/// A point on the time axis of a simulation, counted from its zero. Two instants have a difference but
/// no sum, hence a type of its own.
class Instant {
 public:
  constexpr Instant() = default;
  static constexpr Instant at(Duration since_zero) { return Instant(since_zero); }
  /// See Duration::from_seconds.
  static Instant from_seconds(double seconds) { return Instant(Duration::from_seconds(seconds)); }

  constexpr Duration since_zero() const { return since_zero_; }
  constexpr std::int64_t nanoseconds() const { return since_zero_.nanoseconds(); }
  constexpr double seconds() const { return since_zero_.seconds(); }

  friend Instant operator+(Instant t, Duration d) { return Instant(t.since_zero_ + d); }
  friend Instant operator-(Instant t, Duration d) { return Instant(t.since_zero_ - d); }
  friend Duration operator-(Instant a, Instant b) { return a.since_zero_ - b.since_zero_; }
  friend constexpr auto operator<=>(Instant a, Instant b) = default;

 private:
  explicit constexpr Instant(Duration since_zero) : since_zero_(since_zero) {}
  Duration since_zero_;
};

/// How a span is cut into steps:  until = whole · step + rest,  0 ≤ rest < step.
struct StepCount {
  std::int64_t whole;  ///< number of full steps
  Duration rest;       ///< what is left after them; zero when `until` is a multiple of `step`
};

/// Cuts [0, until] into steps. A span that is no multiple of the step is neither rounded nor refused: the
/// caller gets the rest and takes one last, shorter step of that length, so that every run ends at
/// `until` exactly.
/// Throws ContractError unless step > 0 and until ≥ 0.
[[nodiscard]] StepCount number_of_steps(Duration until, Duration step);

}  // namespace eslabon::core
