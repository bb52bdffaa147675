#pragma once

#include "eslabon/model/descriptions.hpp"
#include "eslabon/model/variables/name_lookup.hpp"

/// Checks of couplings. Private to layer model. check_… looks at the description by itself, make_… puts indices in the place of names.
/// Both throw core::ModelError.
namespace eslabon::model::detail {

void check_coupling(const CouplingDescription& description);

/// `mechanism`: with all its joints.
Coupling make_coupling(const CouplingDescription& description, const Mechanism& mechanism,
                       const NameLookup& lookup);

/// The coupling of a joint with a circle that rolls on a circle.
Coupling make_rolling(const Mechanism& mechanism, JointIndex joint);

}  // namespace eslabon::model::detail
