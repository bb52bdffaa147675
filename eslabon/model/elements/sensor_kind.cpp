#include "eslabon/model/elements/sensor_kind.hpp"

#include <algorithm>

namespace eslabon::model {

std::optional<SensorKind> find_sensor_kind(std::string_view name) {
  const auto found = std::ranges::find(detail::kSensorKinds, name, &SensorKindFacts::name);
  if (found == detail::kSensorKinds.end()) return std::nullopt;
  return found->kind;
}

}  // namespace eslabon::model
