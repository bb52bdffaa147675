#include "eslabon/report/data/report_json.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/report/data/array_json.hpp"
#include "eslabon/report/data/mechanism_json.hpp"
#include "eslabon/report/data/motion_columns.hpp"
#include "eslabon/report/data/packed_numbers.hpp"
#include "eslabon/report/data/road_surface.hpp"
#include "eslabon/report/report_error.hpp"

namespace eslabon::report {

namespace {

using nlohmann::json;

std::string dumped(const json& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace); }

json numbers_json(std::span<const double> values, const NumberForm& form) {
  switch (form.kind) {
    case NumberForm::Kind::kSame:
      return {{"same", form.first}, {"count", form.count}};
    case NumberForm::Kind::kEven:
      return {{"from", form.first}, {"step", form.step}, {"count", form.count}};
    case NumberForm::Kind::kU8:
      return {{"u8", coded(values, form)}, {"least", form.first}, {"step", form.step}};
    case NumberForm::Kind::kU16:
      return {{"u16", coded(values, form)}, {"least", form.first}, {"step", form.step}};
    case NumberForm::Kind::kFloat:
      return {{"f32", coded(values, form)}};
    case NumberForm::Kind::kDouble:
      break;
  }
  return {{"f64", coded(values, form)}};
}

json times_json(std::span<const double> values, const std::string& what) {
  return numbers_json(values, form_of_times(values, what));
}

json values_json(std::span<const double> values, const std::string& what) {
  return numbers_json(values, form_of_channel(values, what));
}

/// Plain numbers, for lists that are short.
json list_json(const std::vector<double>& values, const std::string& what) {
  for (const double value : values)
    if (!std::isfinite(value)) fail_report(what, "finite numbers", core::number_text(value));
  return values;
}

json facts_json(const std::vector<Fact>& facts) {
  json out = json::array();
  for (const Fact& fact : facts) out.push_back({{"label", fact.label}, {"value", fact.value}});
  return out;
}

json channel_json(const Channel& channel) {
  const std::string what = "'" + channel.name + "'";
  json out{{"name", channel.name}, {"unit", channel.unit}, {"values", values_json(channel.values, what)}};
  if (!channel.sigma.empty()) out["sigma"] = values_json(channel.sigma, "the deviation of " + what);
  if (!channel.times.empty()) out["times"] = times_json(channel.times, "the instants of " + what);
  return out;
}

json poses_json(const PoseRows& rows, double tolerance, const std::string& what) {
  json out = json::array();
  for (std::size_t b = 0; b < body_count(rows); ++b) {
    const PoseColumns columns = pose_columns(rows, b);
    for (std::size_t k = 0; k < columns.size(); ++k)
      out.push_back(numbers_json(columns[k], form_of_pose(columns[k], k, tolerance, what)));
  }
  return out;
}

std::string_view name(Arrow::Kind kind) {
  switch (kind) {
    case Arrow::Kind::kReaction:
      return "reaction";
    case Arrow::Kind::kForce:
      return "force";
    case Arrow::Kind::kTorque:
      break;
  }
  return "torque";
}

json arrow_json(const Arrow& arrow) {
  json vector = json::array();
  std::vector<double> column(arrow.vector_W.size());
  for (int k = 0; k < 3; ++k) {
    std::transform(arrow.vector_W.begin(), arrow.vector_W.end(), column.begin(),
                   [k](const Eigen::Vector3d& a) { return a(k); });
    vector.push_back(values_json(column, "the arrow '" + arrow.name + "'"));
  }
  return {
      {"name", arrow.name},
      {"kind", name(arrow.kind)},
      {"place", {{"body", arrow.body.value()}, {"at", {arrow.p_BP_B(0), arrow.p_BP_B(1), arrow.p_BP_B(2)}}}},
      {"vector", std::move(vector)}};
}

/// Three columns of a vector of each instant.
json contact_columns(const Contact& contact, Eigen::Vector3d Contact::Instant::*of) {
  json out = json::array();
  std::vector<double> column(contact.instants.size());
  for (int k = 0; k < 3; ++k) {
    std::ranges::transform(contact.instants, column.begin(),
                           [&](const Contact::Instant& instant) { return (instant.*of)(k); });
    out.push_back(values_json(column, "the contact of '" + contact.name + "'"));
  }
  return out;
}

json contact_json(const Contact& contact) {
  return {{"name", contact.name},
          {"point", contact_columns(contact, &Contact::Instant::point_W)},
          {"load", contact_columns(contact, &Contact::Instant::load_W)},
          {"along", contact_columns(contact, &Contact::Instant::along_W)}};
}

std::string_view name(Mark::Kind kind) {
  switch (kind) {
    case Mark::Kind::kRejected:
      return "rejected";
    case Mark::Kind::kResampled:
      return "resampled";
    case Mark::Kind::kEvent:
      return "event";
    case Mark::Kind::kRestart:
      break;
  }
  return "restart";
}

json mark_json(const Mark& mark) {
  json out{{"t", mark.t}, {"kind", name(mark.kind)}, {"text", mark.text}};
  if (!mark.channel.empty()) out["channel"] = mark.channel;
  return out;
}

std::string_view name(Recording::Role role) {
  switch (role) {
    case Recording::Role::kMotion:
      return "motion";
    case Recording::Role::kTruth:
      return "truth";
    case Recording::Role::kEstimate:
      return "estimate";
    case Recording::Role::kReadings:
      break;
  }
  return "readings";
}

json recording_json(const Recording& recording, double tolerance) {
  const std::string what = "the recording '" + recording.name + "'";
  json out{{"name", recording.name},
           {"role", name(recording.role)},
           {"times", times_json(recording.times, "the instants of " + what)},
           {"channels", array_json<json>(recording.channels, channel_json)},
           {"arrows", array_json<json>(recording.arrows, arrow_json)},
           {"marks", array_json<json>(recording.marks, mark_json)}};
  if (!recording.contacts.empty()) out["contacts"] = array_json<json>(recording.contacts, contact_json);
  if (recording.motion)
    out["motion"] = {{"times", times_json(recording.motion->times, "the frames of " + what)},
                     {"poses", poses_json(pose_rows(*recording.motion), tolerance, "the bodies of " + what)}};
  return out;
}

json cloud_json(const Cloud& cloud, double tolerance) {
  const std::string what = "the particles of '" + cloud.name + "'";
  std::vector<double> times, counts, weights;
  for (const Cloud::Instant& instant : cloud.instants) {
    times.push_back(instant.t);
    counts.push_back(static_cast<double>(instant.weights.size()));
    const double largest =
        instant.weights.empty() ? 1.0 : *std::max_element(instant.weights.begin(), instant.weights.end());
    for (const double weight : instant.weights) weights.push_back(weight / largest);
  }
  return {{"name", cloud.name},
          {"times", times_json(times, "the instants of " + what)},
          {"counts", times_json(counts, "the numbers of " + what)},
          {"weights", numbers_json(weights, form_of_weights(weights, "the weights of " + what))},
          {"poses", poses_json(pose_rows(cloud), tolerance, what)}};
}

/// `tolerance`: of heights [m].
json road_json(const RoadSurface& surface, const tyres::Road& road, double tolerance) {
  const std::string what = "the road";
  const double at_origin =
      road.origin_W.z() + road.height - road.slope_x * road.origin_W.x() - road.slope_y * road.origin_W.y();
  json out{{"x", values_json(surface.x, what)},
           {"y", values_json(surface.y, what)},
           {"height", numbers_json(surface.height, form_of_lengths(surface.height, tolerance, what))},
           {"plane", {at_origin, road.slope_x, road.slope_y}},
           {"friction", road.friction}};
  if (road.friction_right) out["right"] = {{"friction", *road.friction_right}, {"below", road.origin_W.y()}};
  return out;
}

json group_json(const Group& group) {
  return {{"type", group.type},     {"assur", group.assur},      {"bodies", group.bodies},
          {"joints", group.joints}, {"inputs", group.inputs},    {"needs", group.needs},
          {"branch", group.branch}, {"unknowns", group.unknowns}};
}

json edge_json(const Edge& edge) {
  json out{
      {"joint", edge.joint}, {"bodies", edge.bodies}, {"freedoms", edge.freedoms}, {"inputs", edge.inputs}};
  if (edge.to) out["to"] = *edge.to;
  return out;
}

json structure_json(const StructurePart& part) {
  return {{"facts", facts_json(part.facts)},
          {"groups", array_json<json>(part.groups, group_json)},
          {"group_of_body", part.group_of_body},
          {"edges", array_json<json>(part.edges, edge_json)},
          {"redundant", part.redundant},
          {"idle", part.idle},
          {"branches", part.branches}};
}

json axis_json(const Axis& axis) {
  return {{"label", axis.label}, {"unit", axis.unit}, {"log", axis.is_log}};
}

json chart_json(const Chart& chart) {
  const std::string what = "the chart '" + chart.title + "'";
  json series = json::array();
  for (const Series& one : chart.series) {
    series.push_back({{"name", one.name}, {"x", list_json(one.x, what)}, {"y", list_json(one.y, what)}});
    if (!one.low.empty()) series.back()["low"] = list_json(one.low, what);
    if (!one.high.empty()) series.back()["high"] = list_json(one.high, what);
  }
  return {{"title", chart.title},
          {"kind", chart.kind == Chart::Kind::kBars ? "bars" : "lines"},
          {"x", axis_json(chart.x)},
          {"y", axis_json(chart.y)},
          {"series", std::move(series)}};
}

json table_json(const Table& table) {
  return {{"title", table.title},
          {"columns", array_json<json>(table.columns,
                                       [](const Table::Column& column) {
                                         return json{{"label", column.label}, {"unit", column.unit}};
                                       })},
          {"rows", table.rows}};
}

json cone_json(const Cone& cone) {
  json out{{"name", cone.name},
           {"at", {cone.at_W.x(), cone.at_W.y(), cone.at_W.z()}},
           {"radius", cone.radius},
           {"height", cone.height}};
  if (cone.is_hit) out["hit"] = true;
  return out;
}

}  // namespace

std::string report_json(const Report& report, const std::string& made_by) {
  const double tolerance = position_tolerance(report);
  json small{{"format", 1},
             {"title", report.title},
             {"subtitle", report.subtitle},
             {"made_by", made_by},
             {"facts", facts_json(report.facts)},
             {"notes", report.notes},
             {"charts", array_json<json>(report.charts, chart_json)},
             {"tables", array_json<json>(report.tables, table_json)}};
  if (report.structure) small["structure"] = structure_json(*report.structure);
  if (const std::optional<RoadSurface> surface = road_surface(report))
    small["road"] = road_json(*surface, report.mechanism->road(), tolerance);
  if (!report.cones.empty()) small["cones"] = array_json<json>(report.cones, cone_json);
  std::string text = dumped(small);
  // The long lists are put together as text, one at a time, so that only one is in memory twice.
  text.pop_back();
  if (report.mechanism) text += ",\"mechanism\":" + mechanism_json(*report.mechanism);
  const auto add_list = [&text](std::string_view key, const auto& list, auto to_json) {
    text += ",\"";
    text += key;
    text += "\":[";
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (k > 0) text += ',';
      text += dumped(to_json(list[k]));
    }
    text += ']';
  };
  add_list("recordings", report.recordings, [&](const Recording& r) { return recording_json(r, tolerance); });
  add_list("clouds", report.clouds, [&](const Cloud& cloud) { return cloud_json(cloud, tolerance); });
  return text + '}';
}

}  // namespace eslabon::report
