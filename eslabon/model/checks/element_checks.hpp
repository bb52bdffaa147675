#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

/// Checks of drivers, springs, dampers, bushings, stops and loads. Private to layer model. check_… looks at the
/// description by itself, make_… puts indices in the place of names. Each throws core::ModelError.
namespace eslabon::model::detail {

void check_driver(const DriverDescription& description);
void check_spring(const SpringDescription& description);
void check_damper(const DamperDescription& description);
void check_bushing(const BushingDescription& description, bool is_planar);
void check_stop(const StopDescription& description);
void check_state(const StateDescription& description);
void check_load(const LoadDescription& description, bool is_planar);

Driver make_driver(const DriverDescription& description, const NameLookup& lookup);
Spring make_spring(const SpringDescription& description, const Mechanism& mechanism,
                   const NameLookup& lookup);
Damper make_damper(const DamperDescription& description, const Mechanism& mechanism,
                   const NameLookup& lookup);
Bushing make_bushing(const BushingDescription& description, const Mechanism& mechanism,
                     const NameLookup& lookup);
Stop make_stop(const StopDescription& description, const Mechanism& mechanism, const NameLookup& lookup);
/// Without its rate.
AuxiliaryState make_state(const StateDescription& description);
/// What `field` of an element has: the force of a spring, the rate of an auxiliary state.
ForceLaw make_law(const LawDescription& description, const Place& place, std::string_view field,
                  const Mechanism& mechanism, const NameLookup& lookup);
Load make_load(const LoadDescription& description, const Mechanism& mechanism, const NameLookup& lookup);

/// "position", "speed" or "acceleration": the key of the function of a driver.
std::string_view level_key(DriverLevel level);

}  // namespace eslabon::model::detail
