#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace eslabon::integration {

/// How an iteration ended.
enum class Verdict { kConverged, kSlow, kFailed };

/// The largest of absolute values.
inline double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// The largest of absolute values does not see a NaN; this does.
inline bool is_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// Watches Newton's corrections in a step, with a tangent that may be old.
class NewtonWatch {
 public:
  static constexpr int kMostIterations = 15;
  static constexpr int kMostTangents = 3;  // in a step

  void begin(bool has_new_tangent) {
    before_ = 0.0;
    is_old_ = false;
    if (has_new_tangent) rate_ = kGoodRate;
  }

  /// A correction of ż by `size`, where velocities are about `speed`, and the step and the largest position are these. Says how it ended,
  /// or nothing when it goes on.
  std::optional<Verdict> look(double size, double speed, double h, double position) {
    is_old_ = false;
    if (!std::isfinite(size)) return Verdict::kSlow;
    last_correction_ = speed > 0.0 ? size / speed : 0.0;
    if (size == 0.0) return Verdict::kConverged;
    if (before_ > 0.0) {
      rate_ = size / before_;
      if (rate_ > kGoodRate) {
        // Corrections that do not fall any more are roundoff of the accelerations when they are small beside the velocities, or when
        // positions do not notice them: a mechanism that comes to rest has no velocities to compare with.
        if (last_correction_ <= kRoundoff || h * size <= 1e-13 * (1.0 + position)) return Verdict::kConverged;
        is_old_ = true;
        if (rate_ >= 0.9) return Verdict::kSlow;
      }
    }
    // What is left after this correction: rate + rate² + … of it.
    const double left = rate_ < 1.0 ? rate_ / (1.0 - rate_) * size : size;
    before_ = size;
    if (std::max(left, 1e-3 * size) <= kTolerance * speed) return Verdict::kConverged;
    return std::nullopt;
  }

  /// Whether the tangent should be made anew: corrections fall to more than 0.3 in an iteration.
  bool is_old() const { return is_old_; }
  /// Relative size of the last correction.
  double last_correction() const { return last_correction_; }

 private:
  static constexpr double kTolerance = 1e-12;  // of ż
  static constexpr double kRoundoff = 1e-8;    // of ż: below this, corrections that do not fall are roundoff
  static constexpr double kGoodRate = 0.3;

  double before_ = 0.0;      ///< size of the last correction; 0: there is none
  double rate_ = kGoodRate;  ///< at which corrections fall
  double last_correction_ = 0.0;
  bool is_old_ = false;
};

}  // namespace eslabon::integration
