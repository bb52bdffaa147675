#pragma once

#include "eslabon/model/mechanism.hpp"

/// Vehicles with the topology of those of [Seed004, §5], without tyres: what matters to the time of an evaluation is how many links there are
/// and how loops hang together, and the source prints no numbers of them. Forms and masses are round figures of ours.
namespace eslabon::benchmarks {

/// A van: a chassis that floats, in front double wishbones steered by a rack, behind a rigid axle on two limbs, a drop link and two
/// telescopic dampers; four coil springs. 17 degrees of freedom, 15 rows of loops. `sets`: so many of these suspensions, one behind the
/// other, on one chassis.
model::Mechanism van_like(int sets);
/// A truck and its semi-trailer on five rigid axles of that kind, four dampers, the front axle steered by kingpins and a tie rod: 40 degrees of
/// freedom, 19 rows of loops.
model::Mechanism truck_like();

}  // namespace eslabon::benchmarks
