#pragma once

#include <vector>

namespace eslabon::report {

/// Values of an axis to pixels, linearly or by their logarithm.
struct AxisScale {
  bool is_log = false;
  double least = 0.0;
  double largest = 1.0;  ///< > least; both > 0 where is_log
  double from = 0.0;     ///< pixel of the least
  double to = 1.0;       ///< pixel of the largest

  /// Whether the value has a place on the axis at all.
  bool shows(double value) const { return !is_log || value > 0.0; }
  /// Its pixel; that of the nearer end beyond them.
  double operator()(double value) const;
};

/// Least and largest of the numbers that an axis is to show.
class AxisExtent {
 public:
  explicit AxisExtent(bool is_log) : is_log_(is_log) {}
  void add(double value);
  void add(const std::vector<double>& values);
  bool is_empty() const { return least_ > largest_; }
  bool is_above_zero() const { return is_empty() || (least_ >= 0.0 && largest_ > 0.0); }
  /// From the least to the largest and `part` of that more on both sides; never of no length.
  AxisScale scale(double part) const;

 private:
  bool is_log_;
  double least_ = 1.0;
  double largest_ = -1.0;  ///< below the least: empty
};

}  // namespace eslabon::report
