#pragma once

#include <vector>

#include "eslabon/codegen/export_writer.hpp"
#include "eslabon/codegen/traced_kinematics.hpp"

namespace eslabon::codegen {

/// The state of forms in degrees of freedom: x = z, ż, then where positions were found last and the branches of groups.
struct FreedomArguments {
  /// Names them; drivers are the caller's, after the time.
  FreedomArguments(ExportWriter& writer, const TracedKinematics& kinematics);

  std::vector<coordinates::Coordinate> coordinates;  ///< (f)
  std::vector<core::Column> memory;                  ///< (positions, branches)
  TracedFreedoms freedoms;
  dynamics::TracedVector moving;  ///< (2 f) z and ż

  int num_freedoms() const { return static_cast<int>(coordinates.size()); }
  /// What becomes of the memory at these bodies.
  dynamics::TracedVector remembered(const TracedBodies& at) const;
};

}  // namespace eslabon::codegen
