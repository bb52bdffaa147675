#pragma once

#include "eslabon/io/mechanism/flow_text.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

/// Tyres, roads and vehicles as mechanism files have them.
namespace eslabon::io {

/// What a tyre is, beside its wheel.
void add_fitted_tyre(Entries& entries, const tyres::FittedTyre& tyre);

Entries road_entries(const tyres::Road& road);

/// What is what in a mechanism that has a vehicle.
Entries vehicle_entries(const model::Mechanism& mechanism);

}  // namespace eslabon::io
