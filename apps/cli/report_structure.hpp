#pragma once

#include "placement.hpp"

#include "eslabon/report/report.hpp"

namespace eslabon::cli {

/// What a page tells about the structure of a mechanism.
report::StructurePart structure_part(const model::Mechanism& mechanism, const structure::Structure& structure,
                                     const Placement& placement);

}  // namespace eslabon::cli
