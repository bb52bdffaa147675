#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

/// Checks of couplings. Private to layer model. check_… looks at the description by itself, make_… puts indices in the place of names.
/// Both throw core::ModelError.
namespace eslabon::model::detail {

/// `place`: the coupling, or the stop that limits one.
void check_coupling(const CouplingDescription& description, const Place& place);

/// `mechanism`: with all its joints.
Coupling make_coupling(const CouplingDescription& description, const Place& place, const Mechanism& mechanism,
                       const NameLookup& lookup);

/// The coupling of a joint with a circle that rolls on a circle.
Coupling make_rolling(const Mechanism& mechanism, JointIndex joint);

}  // namespace eslabon::model::detail
