#include "eslabon/vehicle/manoeuvre_facts.hpp"

#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eslabon/core/text/number_text.hpp"
#include "eslabon/recording/facts/json_parts.hpp"

namespace eslabon::vehicle {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// A unit of figures as engineers read it, and by what the value is divided.
std::pair<std::string, double> shown_unit(const std::string& unit) {
  if (unit == "rad") return {"deg", kDegree};
  if (unit == "rad/s") return {"deg/s", kDegree};
  if (unit == "rad*s") return {"deg*s", kDegree};
  if (unit == "rad*s^2/m") return {"deg/(m/s^2)", kDegree};
  if (unit == "m/s^2/rad") return {"(m/s^2)/deg", 1.0 / kDegree};
  if (unit == "1") return {"", 1.0};
  return {unit, 1.0};
}

std::string number(double value, int digits = 4) { return core::rounded_text(value, digits); }

report::Chart chart_of(const FigureTable& table, std::string title, std::size_t x,
                       const std::vector<std::size_t>& ys, std::string y_label) {
  const auto axis = [&](std::size_t c, std::string label) {
    const std::string& unit = table.columns[c].unit;
    return report::Axis{std::move(label), unit == "1" ? "" : unit};
  };
  report::Chart chart{.title = std::move(title),
                      .kind = report::Chart::Kind::kLines,
                      .x = axis(x, table.columns[x].name),
                      .y = axis(ys.front(), std::move(y_label)),
                      .series = {}};
  for (const std::size_t y : ys) {
    report::Series series{.name = table.columns[y].name, .x = {}, .y = {}, .low = {}, .high = {}};
    for (const std::vector<double>& row : table.rows) {
      series.x.push_back(row[x]);
      series.y.push_back(row[y]);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::vector<report::Chart> charts_of(const ManoeuvreSummary& summary) {
  std::vector<report::Chart> charts;
  for (const FigureTable& table : summary.figures.tables) {
    if (table.rows.empty()) continue;
    if (table.key == "frequency_response") {
      charts.push_back(chart_of(table, "Yaw-rate gain by the steering wheel", 0, {1}, "gain"));
      charts.push_back(chart_of(table, "Lateral acceleration gain by the steering wheel", 0, {3}, "gain"));
      charts.push_back(chart_of(table, "Phase", 0, {2, 4}, "phase"));
    } else if (table.key == "stages") {
      charts.push_back(chart_of(table, "Steering wheel over lateral acceleration", 2, {0}, "angle"));
      charts.push_back(chart_of(table, "Sideslip and roll over lateral acceleration", 2, {5, 6}, "angle"));
      std::vector<std::size_t> transfers;
      for (std::size_t c = 8; c < table.columns.size(); ++c) transfers.push_back(c);
      charts.push_back(chart_of(table, "Load transfer of axles by their load", 2, transfers, "part"));
    }
  }
  return charts;
}

}  // namespace

std::vector<report::Fact> manoeuvre_facts(const ManoeuvreSummary& summary) {
  std::vector<report::Fact> facts;
  facts.push_back({"Manoeuvre", summary.title +
                                    (summary.direction.empty() ? "" : ", to the " + summary.direction) +
                                    fmt::format(", at {} km/h", number(3.6 * summary.speed))});
  for (const Verdict& verdict : summary.figures.verdicts)
    facts.push_back({verdict.passed ? "Passed" : "NOT PASSED", verdict.label + ": " + verdict.text});
  return facts;
}

std::vector<FigureCells> figure_cells(const ManoeuvreSummary& summary) {
  std::vector<FigureCells> all;
  FigureCells figures{
      .title = "Figures", .columns = {{"figure", ""}, {"value", ""}, {"unit", ""}}, .rows = {}};
  for (const Figure& figure : summary.figures.figures) {
    const auto& [unit, factor] = shown_unit(figure.unit);
    figures.rows.push_back({figure.label, number(figure.value / factor), unit});
  }
  all.push_back(std::move(figures));
  for (const FigureTable& table : summary.figures.tables) {
    FigureCells cells{.title = table.title, .columns = {}, .rows = {}};
    for (const core::Column& column : table.columns)
      cells.columns.push_back({column.name, shown_unit(column.unit).first});
    for (const std::vector<double>& row : table.rows) {
      std::vector<std::string> texts;
      for (std::size_t c = 0; c < row.size(); ++c)
        texts.push_back(number(row[c] / shown_unit(table.columns[c].unit).second));
      cells.rows.push_back(std::move(texts));
    }
    all.push_back(std::move(cells));
  }
  return all;
}

recording::RunStory story_of(const ManoeuvreSummary& summary, double seconds,
                             recording::ReportRecorder& recorder) {
  recording::RunStory story = recording::story_of(summary.simulation, seconds, recorder);
  story.subtitle = summary.title + (summary.direction.empty() ? "" : ", to the " + summary.direction) + "; " +
                   story.subtitle;
  std::vector<report::Fact> facts = manoeuvre_facts(summary);
  facts.insert(facts.end(), story.facts.begin(), story.facts.end());
  story.facts = std::move(facts);
  story.notes.insert(story.notes.begin(), summary.notes.begin(), summary.notes.end());
  story.charts = charts_of(summary);
  for (FigureCells& cells : figure_cells(summary))
    story.tables.push_back({std::move(cells.title), std::move(cells.columns), std::move(cells.rows)});
  for (const Cone& cone : summary.cones)
    story.cones.push_back({.name = cone.name,
                           .at_W = {cone.at.x(), cone.at.y(), summary.road_height},
                           .radius = Cone::kRadius,
                           .height = Cone::kHeight,
                           .is_hit = cone.is_hit});
  return story;
}

std::string manoeuvre_json(const ManoeuvreSummary& summary, const recording::WrittenRun& written,
                           const recording::Provenance& provenance) {
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(recording::simulation_json(summary.simulation, written, provenance));
  json["command"] = "manoeuvre";
  json["manoeuvre"] = summary.manoeuvre;
  json["direction"] = summary.direction.empty() ? Json(nullptr) : Json(summary.direction);
  json["speed"] = summary.speed;
  json["friction"] = summary.friction;
  json["figures"] = Json::array();
  for (const Figure& figure : summary.figures.figures)
    json["figures"].push_back(
        {{"name", figure.key}, {"value", figure.value}, {"unit", figure.unit}, {"text", figure.label}});
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : summary.figures.verdicts)
    json["verdicts"].push_back(
        {{"name", verdict.key}, {"passed", verdict.passed}, {"text", verdict.label + ": " + verdict.text}});
  json["tables"] = Json::array();
  for (const FigureTable& table : summary.figures.tables) {
    Json columns = Json::array();
    for (const core::Column& column : table.columns)
      columns.push_back({{"name", column.name}, {"unit", column.unit}});
    json["tables"].push_back({{"name", table.key}, {"columns", columns}, {"rows", table.rows}});
  }
  json["cones"] = Json::array();
  for (const Cone& cone : summary.cones)
    json["cones"].push_back(
        {{"name", cone.name}, {"x", cone.at.x()}, {"y", cone.at.y()}, {"hit", cone.is_hit}});
  return recording::json_text(json);
}

}  // namespace eslabon::vehicle
