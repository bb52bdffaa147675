#include "eslabon/report/charts/axis_scale.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::report {

namespace {

// What lies beyond is drawn at the end of the axis: steps between ticks must be numbers too.
constexpr double kFarthest = 1e290;
constexpr double kNearest = 1e-290;

}  // namespace

double AxisScale::operator()(double value) const {
  const double part = is_log ? std::log(std::max(value, least) / least) / std::log(largest / least)
                             : (value - least) / (largest - least);
  return from + (to - from) * std::clamp(part, 0.0, 1.0);
}

void AxisExtent::add(double value) {
  if (is_log_ && value <= 0.0) return;
  value = std::clamp(value, is_log_ ? kNearest : -kFarthest, kFarthest);
  const bool was_empty = is_empty();
  least_ = was_empty ? value : std::min(least_, value);
  largest_ = was_empty ? value : std::max(largest_, value);
}

void AxisExtent::add(const std::vector<double>& values) {
  for (const double value : values) add(value);
}

AxisScale AxisExtent::scale(double part) const {
  if (is_empty()) return {is_log_, is_log_ ? 0.1 : 0.0, is_log_ ? 10.0 : 1.0, 0.0, 1.0};
  if (is_log_) {
    const double ratio = largest_ / least_;
    const double factor = ratio > 1.0001 ? std::pow(ratio, part) : 2.0;
    return {true, least_ / factor, largest_ * factor, 0.0, 1.0};
  }
  const double far = std::max(std::abs(least_), std::abs(largest_));
  const bool is_flat = largest_ - least_ <= std::max(1e-12 * far, kNearest);
  const double more = !is_flat ? part * (largest_ - least_) : far > kNearest ? 0.1 * far : 1.0;
  return {false, least_ - more, largest_ + more, 0.0, 1.0};
}

}  // namespace eslabon::report
