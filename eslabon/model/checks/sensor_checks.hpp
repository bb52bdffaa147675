#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

/// Checks of sensors. Private to layer model. Both throw core::ModelError.
namespace eslabon::model::detail {

/// Looks at the description by itself.
void check_sensor(const SensorDescription& description, bool is_planar);

/// Puts indices in the place of names; pulses become a resolution.
Sensor make_sensor(const SensorDescription& description, const Mechanism& mechanism,
                   const NameLookup& lookup);

}  // namespace eslabon::model::detail
