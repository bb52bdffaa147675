#pragma once

#include "eslabon/model/mechanism.hpp"

/// Robots whose loops are local: forms and masses are round figures of ours. Nothing drives them.
namespace eslabon::benchmarks {

/// Three arms on the ground and a platform on six rods without mass. 3 degrees of freedom.
model::Mechanism delta_robot();
/// A platform on six legs, each a cross, a slide with a spring and a ball, on a base that floats. 12 degrees of freedom.
model::Mechanism stewart_platform();
/// So many four-bars one on the other, each of a crank, a coupler and a rod, on a base that floats. 6 degrees of freedom and one each.
model::Mechanism four_bar_track(int four_bars);

}  // namespace eslabon::benchmarks
