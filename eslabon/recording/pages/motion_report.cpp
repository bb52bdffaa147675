#include "eslabon/recording/pages/motion_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/recording/facts/output_table.hpp"
#include "eslabon/recording/pages/force_arrows.hpp"
#include "eslabon/recording/pages/report_structure.hpp"

namespace eslabon::recording {

report::Report motion_report(const model::Mechanism& mechanism, const structure::Structure& structure,
                             ReportRecorder& recorder, RunStory story) {
  const auto left_out = recorder.note();
  report::Recording recording = recorder.take();
  report::Report report = report_of(mechanism, structure, placement_of(mechanism, structure, recording));
  report.subtitle = std::move(story.subtitle);
  report.facts.insert(report.facts.end(), story.facts.begin(), story.facts.end());
  if (story.failure) report.notes.insert(report.notes.begin(), "The run ended early: " + *story.failure);
  report.notes.insert(report.notes.end(), story.notes.begin(), story.notes.end());
  if (left_out) report.notes.push_back(*left_out);
  report.charts = std::move(story.charts);
  report.tables = std::move(story.tables);
  report.cones = std::move(story.cones);
  remove_idle_arrows(recording.arrows);
  if (const std::size_t marks = recording.marks.size(); marks > ReportRecorder::kMostMarks) {
    recording.marks.resize(ReportRecorder::kMostMarks);
    report.notes.push_back(fmt::format("Of {} events the first {} are marked, up to {:.9g} s.", marks,
                                       ReportRecorder::kMostMarks, recording.marks.back().t));
  }
  if (!recording.times.empty()) report.recordings.push_back(std::move(recording));
  add_output_tables(report);
  return report;
}

runs::Placement placement_of(const model::Mechanism& mechanism, const structure::Structure& structure,
                             const report::Recording& recording) {
  if (!recording.motion) return runs::find_placement(mechanism, structure, false);
  coordinates::MechanismMotion bodies(mechanism.bodies().size());
  const std::vector<core::Pose<double>>& X_WB = recording.motion->X_WB.front();
  for (std::size_t b = 1; b < bodies.size(); ++b) bodies[b].X_WB = X_WB[b - 1];
  return runs::placement_at(mechanism, structure, bodies);
}

std::optional<report::Recording> start_recording(
    const std::optional<coordinates::MechanismMotion>& assembled) {
  if (!assembled) return std::nullopt;
  ReportRecorder recorder("start position", report::Recording::Role::kMotion, {});
  recorder.add_row(0.0, {});
  recorder.add_frame(*assembled);
  return recorder.take();
}

}  // namespace eslabon::recording
