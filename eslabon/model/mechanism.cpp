#include "eslabon/model/mechanism.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"

namespace eslabon::model {

void Mechanism::throw_out_of_range(const char* kind, std::size_t slot, std::size_t size) {
  throw core::ContractError({.what = "an index of another mechanism",
                             .where = std::string(kind) + " " + std::to_string(slot),
                             .expected = "an index below " + std::to_string(size),
                             .actual = std::to_string(slot),
                             .next = "Indices belong to the mechanism that gave them."});
}

std::optional<Mechanism::Element> Mechanism::find(std::string_view name) const {
  const auto found = elements_.find(std::string(name));
  if (found == elements_.end()) return std::nullopt;
  return found->second;
}

std::optional<PointIndex> Mechanism::find_point(BodyIndex body_index, std::string_view name) const {
  const std::vector<NamedPoint>& points = body(body_index).points;
  const auto found = std::ranges::find(points, name, &NamedPoint::name);
  if (found == points.end()) return std::nullopt;
  return PointIndex(static_cast<int>(found - points.begin()));
}

std::optional<AxisIndex> Mechanism::find_axis(BodyIndex body_index, std::string_view name) const {
  const std::vector<NamedAxis>& axes = body(body_index).axes;
  const auto found = std::ranges::find(axes, name, &NamedAxis::name);
  if (found == axes.end()) return std::nullopt;
  return AxisIndex(static_cast<int>(found - axes.begin()));
}

}  // namespace eslabon::model
