#pragma once

#include "eslabon/io/mechanism/flow_text.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

/// Tyres and roads as mechanism files have them.
namespace eslabon::io {

/// What a tyre is, beside its wheel.
void add_fitted_tyre(Entries& entries, const tyres::FittedTyre& tyre);

Entries road_entries(const tyres::Road& road);

}  // namespace eslabon::io
