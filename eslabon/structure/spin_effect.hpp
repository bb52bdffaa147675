#pragma once

#include "eslabon/structure/idle_part.hpp"

namespace eslabon::structure {

/// Whether dynamics sees the spin of a part although it moves no other: a spring, damper, stop or load holds a point of it off the line or turns
/// it, its centre of mass is off the line, or the line is no principal axis of its inertia. Of a part of several links those are looked at that have
/// both points of the line: along which the others slide or turn is not known without a position.
bool does_spin_matter(const model::Mechanism& mechanism, const Topology& topology, const IdlePart& part);

}  // namespace eslabon::structure
