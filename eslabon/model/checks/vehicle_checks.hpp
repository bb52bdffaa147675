#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

/// Checks of what is what in a vehicle. Private to layer model. Each throws core::ModelError.
namespace eslabon::model::detail {

void check_vehicle(const VehicleDescription& description, bool is_planar);
Vehicle make_vehicle(const VehicleDescription& description, const Mechanism& mechanism,
                     const NameLookup& lookup);

}  // namespace eslabon::model::detail
