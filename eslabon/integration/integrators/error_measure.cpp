#include "eslabon/integration/integrators/error_measure.hpp"

#include <algorithm>
#include <cmath>

namespace eslabon::integration {

namespace {

constexpr double kPartOfPosition = 1e-2;
constexpr double kAnything = 1e30;
constexpr double kStill = 1e-6;  // of a scale, or of a scale in the time of the run

}  // namespace

void ErrorMeasure::see(const dynamics::Formulation& formulation, const MotionPoint& point, double span) {
  if (!is_started_) {
    scales_.assign(point.z.size(), 1.0);
    num_coordinates_ = static_cast<std::size_t>(formulation.num_integrated());
    formulation.read_scales(std::span(scales_).first(num_coordinates_));
    start_ = point.z;
    span_ = std::max(span_, span);
    moved_ = std::max(moved_, kStill);
    speed_ = std::max(speed_, kStill / span);
    is_started_ = true;
  }
  reach(point.z, point.z_dot);
  moved_ = moved_here_;
  speed_ = speed_here_;
}

void ErrorMeasure::reach(std::span<const double> z, std::span<const double> z_dot) {
  moved_here_ = moved_;
  speed_here_ = speed_;
  for (std::size_t k = 0; k < num_coordinates_; ++k) {
    moved_here_ = std::max(moved_here_, std::abs(z[k] - start_[k]) / scales_[k]);
    speed_here_ = std::max(speed_here_, std::abs(z_dot[k]) / scales_[k]);
  }
}

double ErrorMeasure::of_position(std::size_t k, double z) const {
  if (k >= num_coordinates_) return kAnything;
  const double allowed = options_.rtol * std::min(std::abs(z), scales_[k] * std::max(1.0, moved_here_)) +
                         options_.atol * scales_[k] * std::min(1.0, moved_here_);
  return std::max(allowed, least_ * scales_[k]);
}

double ErrorMeasure::of_rate(std::size_t k, double z, double z_dot) const {
  if (k >= num_coordinates_) return std::max(options_.rtol * std::abs(z_dot) + options_.atol, least_);  // (3)
  const double allowed =
      options_.rtol * std::abs(z_dot) + options_.atol * scales_[k] * std::min(1.0, speed_here_);
  return std::max({allowed, least_ * scales_[k], kPartOfPosition * of_position(k, z) / span_});
}

}  // namespace eslabon::integration
