#pragma once

#include <string>

#include "eslabon/model/mechanism.hpp"

namespace eslabon::report {

/// The mechanism as `Mechanism` of viewer/src/report_data.ts, JSON in ASCII. Dampers are springs without coils; a sensor, a load on a body
/// is drawn at its point or frame, else at the centre of mass; traces are of the points whose coordinates are outputs.
std::string mechanism_json(const model::Mechanism& mechanism);

/// A typical length of the mechanism [m]: the median of how far bodies and rods extend, by the diagonal of the box around points, joints
/// and shape in the axes of each; 1 where nothing extends.
double typical_length(const model::Mechanism& mechanism);

}  // namespace eslabon::report
