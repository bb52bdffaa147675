#include "eslabon/report/check_report.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/report/report_error.hpp"

namespace eslabon::report {

namespace {

void check_size(std::size_t actual, std::size_t expected, const std::string& kind, const std::string& what) {
  if (actual != expected) fail_report(what, std::to_string(expected) + " " + kind, std::to_string(actual));
}

void check_finite(double value, const std::string& what) {
  if (!std::isfinite(value)) fail_report(what, "a finite number", core::number_text(value));
}

void check_position(int position, int least, std::size_t count, const std::string& kind,
                    const std::string& what) {
  if (position < least || position >= static_cast<int>(count))
    fail_report(
        what, kind + " from " + std::to_string(least) + " to " + std::to_string(static_cast<int>(count) - 1),
        std::to_string(position));
}

void check_times(const std::vector<double>& times, const std::string& what) {
  for (std::size_t k = 1; k < times.size(); ++k)
    if (times[k] < times[k - 1])
      fail_report("the instants of " + what, "times that do not decrease",
                  core::number_text(times[k]) + " after " + core::number_text(times[k - 1]));
}

void check_channel(const Channel& channel, std::size_t rows, const std::string& of) {
  const std::string what = "'" + channel.name + "' of " + of;
  if (!channel.times.empty()) rows = channel.times.size();
  check_size(channel.values.size(), rows, "values", what);
  if (!channel.sigma.empty()) check_size(channel.sigma.size(), rows, "deviations", what);
  check_times(channel.times, what);
}

/// `bodies`: those that move; none: any number, but the same everywhere.
void check_poses(const std::vector<std::vector<core::Pose<double>>>& X_WB, std::optional<std::size_t>& bodies,
                 const std::string& what) {
  for (const auto& row : X_WB) {
    if (!bodies) bodies = row.size();
    check_size(row.size(), *bodies, "bodies", what);
  }
}

void check_recording(const Recording& recording, std::optional<std::size_t>& bodies) {
  const std::string what = "the recording '" + recording.name + "'";
  check_times(recording.times, what);
  for (const Channel& channel : recording.channels) check_channel(channel, recording.times.size(), what);
  std::size_t frames = 0;
  if (recording.motion) {
    frames = recording.motion->times.size();
    check_times(recording.motion->times, what);
    if (frames == 0) fail_report("the motion of " + what, "at least one frame");
    check_size(recording.motion->X_WB.size(), frames, "frames", what);
    check_poses(recording.motion->X_WB, bodies, what);
  }
  for (const Arrow& arrow : recording.arrows) {
    const std::string name = "the arrow '" + arrow.name + "' of " + what;
    if (!recording.motion) fail_report(name, "a motion beside it");
    check_size(arrow.vector_W.size(), frames, "frames", name);
    check_position(arrow.body.value(), 0, bodies.value_or(0) + 1, "a body", name);
    for (const double x : arrow.p_BP_B) check_finite(x, name);
  }
  for (const Contact& contact : recording.contacts) {
    const std::string name = "the contact of '" + contact.name + "' of " + what;
    if (!recording.motion) fail_report(name, "a motion beside it");
    check_size(contact.instants.size(), frames, "frames", name);
  }
  for (const Mark& mark : recording.marks) check_finite(mark.t, "the instant of a mark of " + what);
}

void check_cloud(const Cloud& cloud, std::optional<std::size_t>& bodies) {
  const std::string what = "the particles of '" + cloud.name + "'";
  double before = -HUGE_VAL;
  for (const Cloud::Instant& instant : cloud.instants) {
    if (instant.t < before) check_times({before, instant.t}, what);
    before = instant.t;
    check_size(instant.X_WB.size(), instant.weights.size(), "positions", what);
    check_poses(instant.X_WB, bodies, what);
    double largest = 0.0;
    for (const double weight : instant.weights) {
      if (!(weight >= 0.0) || std::isinf(weight))
        fail_report("the weights of " + what, "finite numbers that are not negative",
                    core::number_text(weight));
      largest = std::max(largest, weight);
    }
    if (!instant.weights.empty() && largest == 0.0)
      fail_report("the weights of " + what, "one above 0 at each instant",
                  "none at " + core::number_text(instant.t) + " s");
  }
}

void check_structure(const StructurePart& part, std::size_t bodies, std::size_t joints) {
  const std::string what = "the structure";
  const std::size_t groups = part.groups.size();
  check_size(part.group_of_body.size(), bodies, "bodies", what);
  for (const int group : part.group_of_body) check_position(group, -1, groups, "a group", what);
  for (const Group& group : part.groups) {
    for (const int body : group.bodies) check_position(body, 0, bodies, "a body", what);
    for (const int joint : group.joints) check_position(joint, 0, joints, "a joint", what);
    for (const int needed : group.needs) check_position(needed, -1, groups, "a group", what);
  }
  for (const Edge& edge : part.edges) {
    check_position(edge.joint, 0, joints, "a joint", what);
    for (const int body : edge.bodies) check_position(body, 0, bodies, "a body", what);
    if (edge.to) check_position(*edge.to, 0, bodies, "a body", what);
  }
}

}  // namespace

void check_chart(const Chart& chart) {
  for (const Series& series : chart.series) {
    const std::string what = "'" + series.name + "' of the chart '" + chart.title + "'";
    const std::size_t count = series.y.size();
    check_size(series.x.size(), count + (chart.kind == Chart::Kind::kBars ? 1 : 0), "abscissae", what);
    check_size(series.low.size(), series.high.size(), "lower limits", what);
    if (!series.high.empty()) check_size(series.high.size(), count, "upper limits", what);
    for (const std::vector<double>* list : {&series.x, &series.y, &series.low, &series.high})
      for (const double value : *list) check_finite(value, what);
  }
}

void check_report(const Report& report) {
  std::optional<std::size_t> bodies;
  if (report.mechanism) bodies = report.mechanism->bodies().size() - 1;
  for (const Recording& recording : report.recordings) {
    check_recording(recording, bodies);
    if (!recording.contacts.empty())
      check_size(recording.contacts.size(), report.mechanism ? report.mechanism->tyres().size() : 0, "tyres",
                 "the contacts of the recording '" + recording.name + "'");
  }
  for (const Cloud& cloud : report.clouds) check_cloud(cloud, bodies);
  if (report.structure && !report.mechanism) fail_report("the structure", "a mechanism beside it");
  if (report.structure)
    check_structure(*report.structure, report.mechanism->bodies().size(), report.mechanism->joints().size());
  for (const Chart& chart : report.charts) check_chart(chart);
  for (const Cone& cone : report.cones)
    if (!cone.at_W.allFinite() || !(cone.radius > 0.0) || !(cone.height > 0.0))
      fail_report("the cone '" + cone.name + "'", "a place, a radius and a height above 0");
  for (const Table& table : report.tables)
    for (const auto& row : table.rows)
      check_size(row.size(), table.columns.size(), "cells", "a row of the table '" + table.title + "'");
}

}  // namespace eslabon::report
