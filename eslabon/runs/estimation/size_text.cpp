#include "eslabon/runs/estimation/size_text.hpp"

#include <numbers>

#include <fmt/format.h>

namespace eslabon::runs {

std::string size_text(double value, const std::string& unit) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  if (unit == "rad") return fmt::format("{:.4g}°", value * kDegrees);
  if (unit == "rad/s") return fmt::format("{:.4g} °/s", value * kDegrees);
  return fmt::format("{:.4g} {}", value, unit);
}

}  // namespace eslabon::runs
