#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/recording/pages/report_recorder.hpp"
#include "eslabon/runs/start/placement.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::recording {

/// What is said about a run on its page, beside what it recorded.
struct RunStory {
  std::string subtitle;  ///< "simulated by null-space, rk4; 8 s"
  std::vector<report::Fact> facts;
  std::vector<std::string> notes;
  std::optional<std::string> failure;  ///< why it ended before its time, a sentence
  std::vector<report::Chart> charts = {};
  std::vector<report::Table> tables = {};  ///< above that of the outputs
  std::vector<report::Cone> cones = {};    ///< on the road
};

/// The report of a run that moved a mechanism: what it recorded, the mechanism and its structure. The recorder is empty afterwards.
report::Report motion_report(const model::Mechanism& mechanism, const structure::Structure& structure,
                             ReportRecorder& recorder, RunStory story);

/// What is known about a mechanism where a recording begins: its branch and rank there; at its start values when the recording does not
/// tell where bodies are.
runs::Placement placement_of(const model::Mechanism& mechanism, const structure::Structure& structure,
                             const report::Recording& recording);

/// The recording of a mechanism that stands where it is assembled; nothing where that is not known.
std::optional<report::Recording> start_recording(
    const std::optional<coordinates::MechanismMotion>& assembled);

}  // namespace eslabon::recording
