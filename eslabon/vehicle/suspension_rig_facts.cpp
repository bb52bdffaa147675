#include "eslabon/vehicle/suspension_rig_facts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/name_list.hpp"
#include "eslabon/io/files/partial_file.hpp"
#include "eslabon/recording/facts/json_parts.hpp"

namespace eslabon::vehicle {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr std::size_t kTableRows = 9;
constexpr double kFlat = 1e-4;      // deg or mm: a load does nothing
constexpr double kRoundoff = 1e-7;  // of what is drawn

/// How people are told a figure; `brief`: as the heading of a column.
struct Shown {
  const char* label;
  const char* brief;
  const char* unit;
  double factor;  ///< of the SI value
  int digits;     ///< behind the point
};

const Shown& shown(const std::string& figure) {
  static const std::map<std::string, Shown> kFigures{
      {"travel", {"travel", "travel", "mm", 1e3, 1}},
      {"roll", {"roll", "roll", "deg", 1.0 / kDegree, 2}},
      {"steering_wheel", {"steering wheel", "turn", "deg", 1.0 / kDegree, 1}},
      {"steering", {"rack", "rack", "mm", 1e3, 1}},
      {"steer", {"steer angle", "steer", "deg", 1.0 / kDegree, 3}},
      {"toe", {"toe", "toe", "deg", 1.0 / kDegree, 3}},
      {"camber", {"camber", "camber", "deg", 1.0 / kDegree, 3}},
      {"caster", {"caster", "caster", "deg", 1.0 / kDegree, 3}},
      {"kingpin", {"kingpin inclination", "kingpin", "deg", 1.0 / kDegree, 3}},
      {"scrub", {"scrub radius", "scrub", "mm", 1e3, 2}},
      {"trail", {"mechanical trail", "trail", "mm", 1e3, 2}},
      {"center_scrub", {"kingpin offset at wheel centre", "kingpin offset at wheel centre", "mm", 1e3, 2}},
      {"center_trail", {"caster offset at wheel centre", "caster offset at wheel centre", "mm", 1e3, 2}},
      {"x", {"contact point, x", "contact point, x", "mm", 1e3, 2}},
      {"y", {"contact point, y", "contact point, y", "mm", 1e3, 2}},
      {"load", {"wheel load", "load", "N", 1.0, 0}},
      {"toe_rate", {"toe by travel", "toe by travel", "deg/m", 1.0 / kDegree, 3}},
      {"camber_rate", {"camber by travel", "camber by travel", "deg/m", 1.0 / kDegree, 2}},
      {"front_arm", {"front view swing arm", "front view swing arm", "m", 1.0, 3}},
      {"side_arm", {"side view swing arm", "side view swing arm", "m", 1.0, 3}},
      {"wheel_rate", {"wheel rate", "rate", "N/mm", 1e-3, 2}},
      {"ride_rate", {"ride rate", "ride rate", "N/mm", 1e-3, 2}},
      {"tyre_deflection", {"tyre deflection", "tyre", "mm", 1e3, 2}},
      {"force", {"force", "force", "N", 1.0, 0}},
      {"torque", {"torque", "torque", "N m", 1.0, 0}},
      {"center_x", {"wheel centre, x", "x", "mm", 1e3, 3}},
      {"center_y", {"wheel centre, y", "y", "mm", 1e3, 3}},
      {"brake_angle", {"support angle, braking", "support angle, braking", "deg", 1.0 / kDegree, 2}},
      {"drive_angle", {"support angle, driving", "support angle, driving", "deg", 1.0 / kDegree, 2}},
      {"track", {"track", "track", "mm", 1e3, 2}},
      {"roll_center", {"roll centre height", "roll centre", "mm", 1e3, 2}},
      {"roll_rate", {"roll rate", "rate", "N m/deg", kDegree, 1}},
      {"total_roll_rate", {"roll rate with tyres", "roll rate with tyres", "N m/deg", kDegree, 1}},
      {"steering_ratio", {"steering ratio", "steering ratio", "", 1.0, 3}},
      {"anti_dive", {"anti-dive, braking", "anti-dive, braking", "%", 100.0, 1}},
      {"anti_lift_braking", {"anti-lift, braking", "anti-lift, braking", "%", 100.0, 1}},
      {"anti_lift_driving", {"anti-lift, driving", "anti-lift, driving", "%", 100.0, 1}},
      {"anti_squat", {"anti-squat, driving", "anti-squat, driving", "%", 100.0, 1}},
      {"ackermann_error", {"Ackermann error", "Ackermann", "deg", 1.0 / kDegree, 3}},
      {"curvature", {"curvature of the turn", "curvature of the turn", "1/m", 1.0, 4}},
  };
  return kFigures.at(figure);
}

/// "toe" of "left.toe", and which side.
std::string figure_of(const std::string& column) {
  const std::size_t dot = column.find('.');
  return dot == std::string::npos ? column : column.substr(dot + 1);
}

/// Without the sign of a zero.
std::string fixed(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string number(double value, const Shown& how) {
  if (std::abs(value) >= kLongestArm && std::string(how.unit) == "m") return "∞";
  return fixed(value * how.factor, how.digits);
}

report::Table design_table(const KcAxle& axle, bool is_part) {
  report::Table table{
      axle.name + ", nothing moved", {{"figure", ""}, {"unit", ""}, {"left", ""}, {"right", ""}}, {}};
  for (std::size_t c = 0; c < axle.columns.size(); ++c) {
    const std::string& name = axle.columns[c].name;
    const Shown& how = shown(figure_of(name));
    if (name.starts_with("right.") || name == "left.x" || name == "left.y" ||
        (is_part && name == "steering_ratio"))
      continue;
    std::vector<std::string> row{how.label, how.unit, number(axle.figures[c], how), ""};
    if (name.starts_with("left."))
      if (const auto right = axle.find("right." + figure_of(name))) row[3] = number(*right, how);
    table.rows.push_back(std::move(row));
  }
  constexpr const char* kLocks[2] = {"to the right", "to the left"};
  for (std::size_t lock = 0; lock < 2; ++lock)
    if (const auto& at = axle.locks[lock]) {
      if (at->ackermann)
        table.rows.push_back({std::string("Ackermann, full lock ") + kLocks[lock], "%",
                              fmt::format("{:.1f}", 100.0 * *at->ackermann), ""});
      if (at->curvature != 0.0)
        table.rows.push_back({std::string("turning circle ") + kLocks[lock], "m",
                              fmt::format("{:.2f}", 2.0 / std::abs(at->curvature)), ""});
    }
  if (const auto& standing = axle.standing) {
    const auto add = [&](const char* label, const char* unit, double value, int digits) {
      table.rows.push_back({label, unit, fixed(value, digits), ""});
    };
    add("on its tyres: wheel load", "N", standing->load, 0);
    add("on its tyres: travel", "mm", 1e3 * standing->travel, 2);
    add("on its tyres: tyre deflection", "mm", 1e3 * standing->deflection, 2);
    add("on its tyres: chassis goes up by", "mm", 1e3 * standing->ride_height(), 2);
    add("on its tyres: ride rate", "N/mm", 1e-3 * standing->ride_rate, 2);
  }
  return table;
}

/// `is_part`: of a part, the rack instead of a steering wheel.
std::vector<std::string> table_columns(KcSweep::Kind kind, bool is_part) {
  switch (kind) {
    case KcSweep::Kind::kTravel:
      return {"travel",       "left.toe",  "right.toe",       "left.camber",
              "right.camber", "left.load", "left.wheel_rate", "roll_center"};
    case KcSweep::Kind::kRoll:
      return {"travel",      "roll",         "left.toe",    "right.toe",
              "left.camber", "right.camber", "roll_center", "roll_rate"};
    case KcSweep::Kind::kSteer:
      return {is_part ? "steering" : "steering_wheel",
              "left.steer",
              "right.steer",
              "ackermann_error",
              "left.camber",
              "right.camber",
              "left.trail"};
    default:
      return {};
  }
}

/// Some of many rows: first, last, the one where nothing is moved, others evenly.
std::vector<std::size_t> some_rows(std::size_t count, std::size_t design) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < count; ++k) rows.push_back(k);
  if (count <= kTableRows) return rows;
  const auto side = [&](std::size_t from, std::size_t to, std::vector<std::size_t>& out) {
    const std::size_t n = (kTableRows - 1) / 2;
    for (std::size_t i = 0; i < n; ++i) out.push_back(from + (to - from) * i / n);
  };
  std::vector<std::size_t> chosen;
  side(0, design, chosen);
  side(design, count - 1, chosen);
  chosen.push_back(count - 1);
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

report::Table sweep_table(const KcAxle& axle, const KcSweep& sweep, bool is_part) {
  report::Table table{axle.name + ", " + name_of(sweep.kind), {}, {}};
  std::vector<std::vector<double>> columns;
  std::vector<const Shown*> how;
  for (const std::string& name : table_columns(sweep.kind, is_part)) {
    auto values = sweep.find(name);
    if (!values) continue;
    const Shown& as = shown(figure_of(name));
    const std::string side = name.starts_with("left.") ? " L" : name.starts_with("right.") ? " R" : "";
    table.columns.push_back({as.brief + side, as.unit});
    columns.push_back(std::move(*values));
    how.push_back(&as);
  }
  for (const std::size_t r : some_rows(sweep.rows.size(), sweep.design)) {
    std::vector<std::string> row;
    for (std::size_t c = 0; c < columns.size(); ++c) row.push_back(number(columns[c][r], *how[c]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Table compliance_table(const KcAxle& axle) {
  report::Table table{axle.name + ", compliances by 1 kN or 100 N m on each wheel",
                      {{"load", ""},
                       {"toe L", "deg"},
                       {"toe R", "deg"},
                       {"camber L", "deg"},
                       {"camber R", "deg"},
                       {"x L", "mm"},
                       {"y L", "mm"}},
                      {}};
  for (const KcCompliance& one : axle.compliances) {
    const double unit = one.load == UnitLoad::kAligning ? 100.0 : 1e3;
    const auto angle = [&](double value) { return fixed(value * unit / kDegree, 4); };
    const auto way = [&](double value) { return fixed(value * unit * 1e3, 4); };
    table.rows.push_back({one.is_opposite ? "– opposite" : name_of(one.load), angle(one.toe[0]),
                          angle(one.toe[1]), angle(one.camber[0]), angle(one.camber[1]), way(one.along[0]),
                          way(one.across[0])});
  }
  return table;
}

/// "lateral", "– opposite"
std::string load_label(KcSweep::Kind kind) {
  const std::string name = name_of(kind);
  return name.ends_with("_opposite") ? "– opposite" : name;
}

/// The ends of the sweeps of loads.
report::Table load_table(const KcAxle& axle) {
  report::Table table{axle.name + ", under loads on each wheel",
                      {{"load", ""},
                       {"on L", ""},
                       {"toe L", "deg"},
                       {"toe R", "deg"},
                       {"camber L", "deg"},
                       {"camber R", "deg"},
                       {"x L", "mm"},
                       {"y L", "mm"}},
                      {}};
  for (const KcSweep& sweep : axle.sweeps) {
    if (!is_loaded(sweep.kind)) continue;
    for (const std::size_t r : {std::size_t{0}, sweep.rows.size() - 1}) {
      const std::string& imposed = sweep.columns.front().name;
      const Shown& as = shown(imposed);
      std::vector<std::string> row{r == 0 ? load_label(sweep.kind) : "",
                                   number(sweep.rows[r].front(), as) + " " + as.unit};
      for (const char* name :
           {"left.toe", "right.toe", "left.camber", "right.camber", "left.center_x", "left.center_y"})
        row.push_back(number(sweep.find(name, r).value_or(0.0), shown(figure_of(name))));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

/// One plot: columns of a sweep over what is imposed; nothing where the sweep has none of them.
void add_chart(const KcAxle& axle, const KcSweep& sweep, bool is_part, const char* title,
               const std::vector<std::string>& names, report::Report& report) {
  const std::string x = sweep.kind == KcSweep::Kind::kRoll               ? "roll"
                        : sweep.kind == KcSweep::Kind::kSteer && is_part ? "steering"
                                                                         : sweep.columns.front().name;
  const Shown& x_how = shown(x);
  const auto x_values = sweep.find(x);
  report::Chart chart{.title = axle.name + ", " + title_of(sweep.kind) + ": " + title,
                      .kind = report::Chart::Kind::kLines,
                      .x = {x_how.label, x_how.unit, false},
                      .y = {},
                      .series = {}};
  for (const std::string& name : names) {
    const auto values = sweep.find(name);
    if (!values || sweep.rows.size() < 2) continue;
    const Shown& how = shown(figure_of(name));
    chart.y = {title, how.unit, false};
    report::Series series{.name = name.starts_with("left.")    ? std::string(how.label) + ", left"
                                  : name.starts_with("right.") ? std::string(how.label) + ", right"
                                                               : how.label,
                          .x = {},
                          .y = {},
                          .low = {},
                          .high = {}};
    for (std::size_t r = 0; r < values->size(); ++r) {
      series.x.push_back((*x_values)[r] * x_how.factor);
      const double y = (*values)[r] * how.factor;
      series.y.push_back(std::abs(y) < kRoundoff ? 0.0 : y);
    }
    chart.series.push_back(std::move(series));
  }
  const bool is_flat =
      is_loaded(sweep.kind) && std::ranges::all_of(chart.series, [](const report::Series& series) {
        const auto [least, most] = std::ranges::minmax(series.y);
        return most - least < kFlat;
      });
  if (!chart.series.empty() && !is_flat) report.charts.push_back(std::move(chart));
}

void add_charts(const KcAxle& axle, const KcSweep& sweep, bool is_part, report::Report& report) {
  const auto add = [&](const char* title, const std::vector<std::string>& names) {
    add_chart(axle, sweep, is_part, title, names, report);
  };
  if (sweep.kind == KcSweep::Kind::kSteer) {
    add("steer angles", {"left.steer", "right.steer"});
    add("Ackermann error", {"ackermann_error"});
    add("camber", {"left.camber", "right.camber"});
    add("scrub radius, trail", {"left.scrub", "right.scrub", "left.trail", "right.trail"});
    if (!is_part) add("steering ratio", {"steering_ratio"});
    return;
  }
  add("toe", {"left.toe", "right.toe"});
  add("camber", {"left.camber", "right.camber"});
  if (is_loaded(sweep.kind)) {
    add("way of the wheel centre", {"left.center_x", "left.center_y"});
    return;
  }
  add("wheel load", {"left.load", "right.load"});
  add("roll centre height", {"roll_center"});
  if (sweep.kind == KcSweep::Kind::kRoll) {
    add("roll rate", {"roll_rate", "total_roll_rate"});
    return;
  }
  add("wheel and ride rate", {"left.wheel_rate", "left.ride_rate"});
  add("caster, kingpin", {"left.caster", "left.kingpin"});
  add("scrub radius, trail", {"left.scrub", "left.trail"});
  add("way of the contact point", {"left.x", "left.y"});
  add("support angles", {"left.brake_angle", "left.drive_angle"});
}

}  // namespace

std::vector<report::Fact> kc_facts(const KcResult& result) {
  std::vector<report::Fact> facts;
  std::vector<std::string> axles;
  for (const KcAxle& axle : result.axles) axles.push_back(axle.name + (axle.is_steered ? " (steered)" : ""));
  facts.push_back({"Axles", core::conjunction(axles)});
  facts.push_back(
      {"Rig",
       fmt::format("chassis held, wheels locked to their carriers, tyres taken off; wheel centres ±{:g} mm; "
                   "contact points on the radius of {}",
                   1e3 * result.request.travel,
                   result.request.radius ? fmt::format("{:g} mm", 1e3 * *result.request.radius)
                                         : std::string("the free tyres"))});
  const PatchLoad& load = result.request.load;
  if (result.request.standing) facts.push_back({"Start", "where axles carry their part of the weight"});
  if (load.longitudinal != 0.0 || load.lateral != 0.0 || load.aligning != 0.0)
    facts.push_back({"Loads", fmt::format("on each wheel {:g} N along, {:g} N across, {:g} N m aligning",
                                          load.longitudinal, load.lateral, load.aligning)});
  if (result.wheelbase) facts.push_back({"Wheelbase", fmt::format("{:.4g} m", *result.wheelbase)});
  if (result.mass_center_height)
    facts.push_back(
        {"Mass centre", fmt::format("{:.4g} m above the contact points", *result.mass_center_height)});
  facts.push_back(
      {"Compliance", result.is_compliant ? "by equilibrium" : "none: joints alone lead the wheels"});
  return facts;
}

std::vector<report::Table> kc_tables(const KcResult& result, const KcAxle& axle) {
  const bool is_part = result.request.turns_steering;
  std::vector<report::Table> tables{design_table(axle, is_part)};
  for (const KcSweep& sweep : axle.sweeps)
    if (!is_loaded(sweep.kind)) tables.push_back(sweep_table(axle, sweep, is_part));
  if (!axle.compliances.empty()) tables.push_back(compliance_table(axle));
  if (std::ranges::any_of(axle.sweeps, is_loaded, &KcSweep::kind)) tables.push_back(load_table(axle));
  return tables;
}

report::Report kc_report(const KcResult& result, const model::Mechanism& mechanism) {
  report::Report report{.title = result.mechanism,
                        .subtitle = "on the suspension rig",
                        .facts = kc_facts(result),
                        .notes = result.notes,
                        .mechanism = mechanism,
                        .recordings = {},
                        .clouds = {},
                        .structure = {},
                        .charts = {},
                        .tables = {}};
  report::Recording recording{.name = "suspension rig",
                              .role = report::Recording::Role::kMotion,
                              .times = {},
                              .channels = {},
                              .motion = report::Motion{},
                              .arrows = {},
                              .marks = {}};
  for (const KcAxle& axle : result.axles)
    for (const KcSweep& sweep : axle.sweeps) {
      add_charts(axle, sweep, result.request.turns_steering, report);
      if (is_loaded(sweep.kind)) continue;  // wheels go by some mm at most
      constexpr double kFrame = 0.1;        // s
      const double begin = static_cast<double>(recording.times.size()) * kFrame;
      recording.marks.push_back({.t = begin,
                                 .kind = report::Mark::Kind::kEvent,
                                 .text = axle.name + ", " + name_of(sweep.kind),
                                 .channel = ""});
      for (const auto& frame : sweep.frames) {
        recording.times.push_back(static_cast<double>(recording.times.size()) * kFrame);
        recording.motion->times.push_back(recording.times.back());
        recording.motion->X_WB.push_back(frame);
      }
    }
  for (const KcAxle& axle : result.axles)
    for (report::Table& table : kc_tables(result, axle)) report.tables.push_back(std::move(table));
  if (!recording.times.empty()) report.recordings.push_back(std::move(recording));
  return report;
}

namespace {

std::string kc_file(const std::string& out, std::size_t axle, KcSweep::Kind kind) {
  const std::string stem = out.ends_with(".csv") ? out.substr(0, out.size() - 4) : out;
  return fmt::format("{}.axle{}.{}.csv", stem, axle + 1, name_of(kind));
}

std::string csv_text(const KcSweep& sweep, const std::string& file, io::HeaderStyle header) {
  std::vector<io::NameAndUnit> columns;
  for (const core::Column& column : sweep.columns) columns.push_back({column.name, column.unit});
  std::string text = io::header_text(columns, header);
  for (const std::vector<double>& row : sweep.rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!std::isfinite(row[c]))
        throw core::ModelError(
            {.what = "a figure has no value",
             .where = file + ", column '" + sweep.columns[c].name + "'",
             .expected = "finite numbers",
             .actual = fmt::format("{} at {:.6g} {}", row[c], row[0], sweep.columns[0].unit),
             .next = "Take a smaller range."});
      text += fmt::format("{:.17g}{}", row[c], c + 1 < row.size() ? "," : "\n");
    }
  return text;
}

}  // namespace

std::vector<std::string> kc_files(const std::string& out, std::size_t axles) {
  std::vector<std::string> files;
  for (std::size_t a = 0; a < axles; ++a)
    for (const KcSweep::Kind kind : kSweepKinds) files.push_back(kc_file(out, a, kind));
  return files;
}

std::vector<std::string> write_kc_files(const std::string& out, const KcResult& result,
                                        io::HeaderStyle header) {
  std::vector<std::string> files;
  for (std::size_t a = 0; a < result.axles.size(); ++a)
    for (const KcSweep& sweep : result.axles[a].sweeps) {
      files.push_back(kc_file(out, a, sweep.kind));
      io::write_text_file(files.back(), "the sweep", csv_text(sweep, files.back(), header));
    }
  return files;
}

std::string kc_json(const KcResult& result, const std::vector<std::string>& files,
                    const recording::Provenance& provenance) {
  Json json = recording::result_of<Json>("kc", result.mechanism);
  json["wheelbase"] = recording::or_null<Json>(result.wheelbase);
  json["mass_center_height"] = recording::or_null<Json>(result.mass_center_height);
  json["compliant"] = result.is_compliant;
  json["axles"] = Json::array();
  const auto columns_json = [](const std::vector<core::Column>& columns) {
    Json list = Json::array();
    for (const core::Column& column : columns) list.push_back({{"name", column.name}, {"unit", column.unit}});
    return list;
  };
  for (const KcAxle& axle : result.axles) {
    Json one = {
        {"name", axle.name}, {"left", axle.tyres[0]}, {"right", axle.tyres[1]}, {"steered", axle.is_steered}};
    one["figures"] = Json::object();
    for (std::size_t c = 0; c < axle.columns.size(); ++c)
      one["figures"][axle.columns[c].name] = axle.figures[c];
    one["locks"] = Json::array();
    for (const auto& lock : axle.locks)
      one["locks"].push_back(
          lock ? Json{{"ackermann", recording::or_null<Json>(lock->ackermann)},
                      {"ackermann_error", lock->error},
                      {"turning_circle",
                       lock->curvature != 0.0 ? Json(2.0 / std::abs(lock->curvature)) : Json(nullptr)}}
               : Json(nullptr));
    one["sweeps"] = Json::array();
    for (const KcSweep& sweep : axle.sweeps)
      one["sweeps"].push_back({{"kind", name_of(sweep.kind)},
                               {"columns", columns_json(sweep.columns)},
                               {"rows", sweep.rows},
                               {"ends", sweep.ends}});
    one["compliances"] = Json::array();
    for (const KcCompliance& by : axle.compliances)
      one["compliances"].push_back({{"load", name_of(by.load)},
                                    {"opposite", by.is_opposite},
                                    {"toe", by.toe},
                                    {"camber", by.camber},
                                    {"x", by.along},
                                    {"y", by.across}});
    one["standing"] = axle.standing ? Json{{"load", axle.standing->load},
                                           {"travel", axle.standing->travel},
                                           {"tyre_deflection", axle.standing->deflection},
                                           {"ride_height", axle.standing->ride_height()},
                                           {"ride_rate", axle.standing->ride_rate}}
                                    : Json(nullptr);
    json["axles"].push_back(std::move(one));
  }
  json["notes"] = result.notes;
  json["files"] = files;
  return recording::json_text(std::move(json), provenance);
}

}  // namespace eslabon::vehicle
