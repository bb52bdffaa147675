#pragma once

#include "eslabon/report/report.hpp"
#include "eslabon/runs/start/placement.hpp"

namespace eslabon::recording {

/// What a page tells about the structure of a mechanism. Names of fields of requests in its texts are as runs::field writes them.
report::StructurePart structure_part(const model::Mechanism& mechanism, const structure::Structure& structure,
                                     const runs::Placement& placement);

/// What is known before anything moves: title, mechanism, structure with what the placement tells.
report::Report report_of(const model::Mechanism& mechanism, const structure::Structure& structure,
                         const runs::Placement& placement);

}  // namespace eslabon::recording
