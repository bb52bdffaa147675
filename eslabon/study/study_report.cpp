#include "eslabon/study/study_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numbers>

#include <fmt/format.h>

namespace eslabon::study {

namespace {

using Value = std::function<std::optional<double>(const StudyTable::Point&)>;

/// From here on a quantity is drawn in log scale: largest by least.
constexpr double kWide = 20.0;

/// A unit as people read it, as the terminal does: degrees for angles.
struct ShownUnit {
  std::string name;
  double factor;  ///< from SI
};

ShownUnit shown_unit(const std::string& unit) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  if (unit == "rad") return {"°", kDegrees};
  if (unit == "rad/s") return {"°/s", kDegrees};
  return {unit == "1" ? "" : unit, 1.0};
}

/// Times that are all below a second in ms, as steps are.
ShownUnit shown_unit(const std::string& unit, double largest) {
  return unit == "s" && largest < 1.0 ? ShownUnit{"ms", 1e3} : shown_unit(unit);
}

constexpr double kMicroseconds = 1e6, kMilliseconds = 1e3;

std::optional<double> times(double factor, const std::optional<double>& value) {
  return value ? std::optional(factor * *value) : std::nullopt;
}

/// What the charts are drawn against.
class Sweep {
 public:
  explicit Sweep(const StudyTable& table) : table_(table) {
    std::size_t most = 1;
    for (std::size_t k = 0; k < table.axes.size(); ++k) {
      double largest = 0.0;
      for (const StudyTable::Point& point : table.points)
        largest = std::max(largest, std::abs(std::strtod(point.values[k].c_str(), nullptr)));
      units_.push_back(shown_unit(table.axes[k].unit, largest));
      std::vector<std::string> values;
      for (const StudyTable::Point& point : table.points) values.push_back(point.values[k]);
      std::ranges::sort(values);
      const auto count = static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
      if (table.axes[k].unit.empty() || count <= most) continue;  // texts have no place on an axis
      most = count;
      axis_ = k;
    }
  }

  report::Axis axis() const {
    if (!axis_) return {"point", "", false};
    std::vector<double> values;
    for (std::size_t p = 0; p < table_.points.size(); ++p) values.push_back(at(p));
    return {table_.axes[*axis_].name, units_[*axis_].name, is_wide(values)};
  }
  /// Where a point stands on it.
  double at(std::size_t point) const {
    return axis_ ? number(*axis_, table_.points[point]) : static_cast<double>(point + 1);
  }
  /// "filter = dekf, step = 0.006 s": the line to which a point belongs.
  std::string line_of(const StudyTable::Point& point) const {
    std::string name;
    for (std::size_t k = 0; k < table_.axes.size(); ++k) {
      if (axis_ == k) continue;
      const std::string& unit = units_[k].name;
      name += fmt::format("{}{} = {}{}", name.empty() ? "" : ", ", table_.axes[k].name, shown(k, point),
                          unit.empty() || unit == "°" ? unit : " " + unit);
    }
    return name.empty() ? "all points" : name;
  }
  /// A value of an axis for people.
  std::string shown(std::size_t axis, const StudyTable::Point& point) const {
    const std::string& text = point.values[axis];
    return table_.axes[axis].unit.empty() ? text : fmt::format("{:.6g}", number(axis, point));
  }
  const std::string& unit(std::size_t axis) const { return units_[axis].name; }
  static bool is_wide(const std::vector<double>& values) {
    if (values.empty()) return false;
    const auto [least, largest] = std::ranges::minmax(values);
    return least > 0.0 && largest >= kWide * least;
  }

 private:
  /// A value of an axis in the unit that is shown, to 15 digits: 5 ms, not 5.000000000000001.
  double number(std::size_t axis, const StudyTable::Point& point) const {
    const double value = units_[axis].factor * std::strtod(point.values[axis].c_str(), nullptr);
    return std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr);
  }

  const StudyTable& table_;
  std::vector<ShownUnit> units_;  ///< (axes)
  std::optional<std::size_t> axis_;
};

/// A line for each combination of what is not on the axis; points without the value are left out.
std::vector<report::Series> lines_of(const StudyTable& table, const Sweep& sweep, const Value& y,
                                     bool has_band) {
  std::vector<std::size_t> order(table.points.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  std::vector<report::Series> lines;
  for (const std::size_t p : order) {
    const std::string name = sweep.line_of(table.points[p]);
    if (std::ranges::find(lines, name, &report::Series::name) == lines.end())
      lines.push_back({name, {}, {}, {}, {}});
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t p) { return sweep.at(p); });
  for (const std::size_t p : order) {
    const StudyTable::Point& point = table.points[p];
    const std::optional<double> value = y(point);
    if (!value) continue;
    report::Series& line = *std::ranges::find(lines, sweep.line_of(point), &report::Series::name);
    line.x.push_back(sweep.at(p));
    line.y.push_back(*value);
    if (!has_band) continue;
    line.low.push_back(point.interval.low);
    line.high.push_back(point.interval.high);
  }
  std::erase_if(lines, [](const report::Series& line) { return line.x.empty(); });
  return lines;
}

void add_chart(report::Report& report, const StudyTable& table, const Sweep& sweep, const std::string& title,
               report::Axis y_axis, const Value& y, bool has_band = false) {
  report::Chart chart{title, report::Chart::Kind::kLines, sweep.axis(), std::move(y_axis),
                      lines_of(table, sweep, y, has_band)};
  if (!chart.series.empty()) report.charts.push_back(std::move(chart));
}

std::string text_of(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : "–";
}

report::Table points_of(const StudyTable& table, const Sweep& sweep) {
  report::Table points;
  points.title = "points";
  points.columns.push_back({"point", ""});
  for (std::size_t k = 0; k < table.axes.size(); ++k)
    points.columns.push_back({table.axes[k].name, sweep.unit(k)});
  for (const char* label : {"converged", "tries", "failed", "rate", "rate, low", "rate, high"})
    points.columns.push_back({label, ""});
  for (const core::Column& output : table.outputs)
    points.columns.push_back({"RMSE of " + output.name, shown_unit(output.unit).name});
  points.columns.push_back({"time per simulated second", "ms"});
  points.columns.push_back({"time per step", "µs"});
  for (std::size_t p = 0; p < table.points.size(); ++p) {
    const StudyTable::Point& point = table.points[p];
    std::vector<std::string> row{std::to_string(p + 1)};
    for (std::size_t k = 0; k < table.axes.size(); ++k) row.push_back(sweep.shown(k, point));
    for (const std::size_t count : {point.converged, point.tries, point.failed})
      row.push_back(std::to_string(count));
    for (const double part : {point.rate, point.interval.low, point.interval.high})
      row.push_back(fmt::format("{:.3f}", part));
    for (std::size_t k = 0; k < point.rmse.size(); ++k)
      row.push_back(text_of(times(shown_unit(table.outputs[k].unit).factor, point.rmse[k])));
    row.push_back(text_of(times(kMilliseconds, point.per_simulated_second)));
    row.push_back(text_of(times(kMicroseconds, point.per_step)));
    points.rows.push_back(std::move(row));
  }
  return points;
}

}  // namespace

void add_study(report::Report& report, const StudyTable& table) {
  const Sweep sweep(table);
  std::size_t tries = 0, converged = 0, failed = 0;
  for (const StudyTable::Point& point : table.points) {
    tries += point.tries;
    converged += point.converged;
    failed += point.failed;
  }
  report.facts.push_back({"Study", fmt::format("{} points, {} tries, of which {} converged",
                                               table.points.size(), tries, converged)});
  report.facts.push_back({"Bands", "Wilson's 95 % intervals for the probability of converging"});
  if (failed > 0)
    report.notes.push_back(
        fmt::format("{} of {} tries could not be run and count as not converged.", failed, tries));
  add_chart(
      report, table, sweep, "Probability of converging", {"probability", "", false},
      [](const StudyTable::Point& point) {
        return point.tries > 0 ? std::optional(point.rate) : std::nullopt;
      },
      true);
  for (std::size_t k = 0; k < table.outputs.size(); ++k) {
    const ShownUnit unit = shown_unit(table.outputs[k].unit);
    std::vector<double> values;
    for (const StudyTable::Point& point : table.points)
      if (point.rmse[k]) values.push_back(*point.rmse[k]);
    add_chart(report, table, sweep, "Error of " + table.outputs[k].name + " where it converged",
              {"RMSE of " + table.outputs[k].name, unit.name, Sweep::is_wide(values)},
              [k, &unit](const StudyTable::Point& point) { return times(unit.factor, point.rmse[k]); });
  }
  add_chart(report, table, sweep, "Cost of a step", {"time per step", "µs", true},
            [](const StudyTable::Point& point) { return times(kMicroseconds, point.per_step); });
  add_chart(report, table, sweep, "Cost of a simulated second", {"time per simulated second", "ms", true},
            [](const StudyTable::Point& point) { return times(kMilliseconds, point.per_simulated_second); });
  report.tables.push_back(points_of(table, sweep));
}

report::Report study_report(const StudyPlan& plan, const std::vector<core::Column>& outputs,
                            const std::vector<PointSummary>& summaries, const std::string& note) {
  const std::string& model = plan.study().model;
  report::Report report;
  report.title = plan.study().title;
  report.subtitle =
      "study of " + (model.starts_with("family:") ? model : std::filesystem::path(model).filename().string());
  if (!note.empty()) report.notes.push_back(note);
  add_study(report, study_table(plan, outputs, summaries));
  return report;
}

}  // namespace eslabon::study
