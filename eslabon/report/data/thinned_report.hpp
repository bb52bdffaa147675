#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/report/report.hpp"

namespace eslabon::report {

/// A report that was made smaller, and sentences that say how.
struct ThinnedReport {
  Report report;
  std::vector<std::string> warnings;
};

/// The report within the limits; nothing where it is so already. `other_bytes`: what the page takes beside recordings and particles.
/// Of particles instants are left out evenly. Of recordings rows are left out as kept_rows chooses them, the same part of each; frames
/// of a motion too. The sentences stand among the notes of the smaller report as well. Lists must fit together (check_report.hpp).
std::optional<ThinnedReport> thinned_report(const Report& report, double other_bytes,
                                            const SizeLimits& limits);

}  // namespace eslabon::report
