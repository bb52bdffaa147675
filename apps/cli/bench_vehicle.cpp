#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "command_line.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "result_json.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include "vehicle_study.hpp"
#include <fmt/format.h>
#include <unistd.h>

#include "eslabon/io/result_writer.hpp"

// The page and the files of `eslabon bench quarter-vehicle`.
namespace eslabon::cli {

namespace {

using Rows = std::vector<VehicleRow>;

struct Manoeuvre {
  std::string name;
  std::string setting;  ///< of the file
};
const std::vector<Manoeuvre> kManoeuvres{{"drop", "drop=30 mm"}, {"bump", "bump=20 mm"}};

constexpr std::array kKnuckleNames{"y", "vy", "ay", "z", "vz", "az"};
constexpr std::array kKnuckleUnits{"m", "m/s", "m/s^2", "m", "m/s", "m/s^2"};

VehicleWay by_multipliers(const std::string& name, const std::string& integrator,
                          const dynamics::Baumgarte& baumgarte) {
  return {.name = name,
          .formulation = "multipliers",
          .coordinates = "reference-point",
          .integrator = integrator,
          .baumgarte = baumgarte};
}

/// The models of figure 25: its two by each of two integrators.
std::vector<VehicleWay> drift_ways() {
  std::vector<VehicleWay> ways;
  for (const char* integrator : {"bdf", "dopri5"}) {
    ways.push_back(by_multipliers(fmt::format("{}.unstabilised", integrator), integrator, {}));
    ways.push_back(by_multipliers(fmt::format("{}.stabilised", integrator), integrator, kVehicleBaumgarte));
  }
  return ways;
}

/// The three models of figure 26, the judge last.
std::vector<VehicleWay> motion_ways() {
  return {by_multipliers("unstabilised", "bdf", {}),
          by_multipliers("stabilised", "bdf", kVehicleBaumgarte),
          {.name = "semi-recursive",
           .formulation = "semi-recursive",
           .coordinates = "",
           .integrator = "dopri5",
           .tolerance = kVehicleJudgeTolerance}};
}

std::vector<io::ResultColumn> drift_columns() {
  std::vector<io::ResultColumn> columns;
  for (const VehicleWay& way : drift_ways()) columns.push_back({way.name, "m"});
  return columns;
}

std::vector<io::ResultColumn> motion_columns() {
  std::vector<io::ResultColumn> columns;
  for (const Manoeuvre& manoeuvre : kManoeuvres)
    for (const VehicleWay& way : motion_ways())
      for (std::size_t i = 0; i < kKnuckleNames.size(); ++i)
        columns.push_back(
            {fmt::format("{}.{}.{}", manoeuvre.name, way.name, kKnuckleNames[i]), kKnuckleUnits[i]});
  return columns;
}

void write_drift(const std::vector<Rows>& runs, io::ResultWriter& writer) {
  std::vector<double> values(runs.size());
  for (std::size_t k = 0; k < runs.front().size(); ++k) {
    for (std::size_t r = 0; r < runs.size(); ++r) values[r] = std::abs(runs[r][k].Phi3);
    writer.write_row(runs.front()[k].t, values);
  }
  writer.finish();
}

void write_motions(const std::vector<Rows>& runs, io::ResultWriter& writer) {
  std::vector<double> values;
  for (std::size_t k = 0; k < runs.front().size(); ++k) {
    values.clear();
    for (const Rows& rows : runs) values.insert(values.end(), rows[k].knuckle.begin(), rows[k].knuckle.end());
    writer.write_row(runs.front()[k].t, values);
  }
  writer.finish();
}

std::string count_text(const VehicleCount& count) {
  TextTable table({"component", ">count", ">DOF", ">sum"});
  int sum = 0;
  const auto add = [&](const std::string& name, int number, int freedoms) {
    sum += number * freedoms;
    table.add_row(
        {name, std::to_string(number), std::to_string(freedoms), std::to_string(number * freedoms)});
  };
  add("bodies", count.bodies, 6);
  add("revolute joints", count.revolutes, -5);
  add("fixed joints", count.fixed, -6);
  add("Euler parameters", count.bodies - 1, -1);
  table.add_row({"DOF by Grübler", "", "", std::to_string(sum)});
  return table.text();
}

double largest_drift(const Rows& run) {
  double largest = 0.0;
  for (const VehicleRow& row : run) largest = std::max(largest, std::abs(row.Phi3));
  return largest;
}

std::string drift_text(const std::vector<Rows>& runs) {
  std::vector<std::string> headings{">t [s]"};
  for (const VehicleWay& way : drift_ways()) headings.push_back(">" + way.name);
  TextTable table(headings);
  const std::size_t second = kVehicleRows / 5;
  for (std::size_t k = second; k <= kVehicleRows; k += second) {
    std::vector<std::string> cells{fmt::format("{:g}", runs.front()[k].t)};
    for (const Rows& rows : runs) cells.push_back(fmt::format("{:.2e}", std::abs(rows[k].Phi3)));
    table.add_row(std::move(cells));
  }
  std::vector<std::string> cells{"max"};
  for (const Rows& rows : runs) cells.push_back(fmt::format("{:.2e}", largest_drift(rows)));
  table.add_row(std::move(cells));
  return table.text();
}

/// Largest differences from the judge, of both manoeuvres.
std::string difference_text(const std::vector<Rows>& runs) {
  std::vector<std::string> headings{"manoeuvre", "model"};
  for (std::size_t i = 0; i < kKnuckleNames.size(); ++i)
    headings.push_back(fmt::format(">{} [{}]", kKnuckleNames[i], kKnuckleUnits[i]));
  TextTable table(headings);
  const std::vector<VehicleWay> ways = motion_ways();
  for (std::size_t m = 0; m < kManoeuvres.size(); ++m) {
    const Rows& judge = runs[(m + 1) * ways.size() - 1];
    for (std::size_t w = 0; w + 1 < ways.size(); ++w) {
      std::vector<std::string> cells{kManoeuvres[m].name, ways[w].name};
      for (std::size_t i = 0; i < kKnuckleNames.size(); ++i) {
        double largest = 0.0;
        for (std::size_t k = 0; k < judge.size(); ++k)
          largest =
              std::max(largest, std::abs(runs[m * ways.size() + w][k].knuckle[i] - judge[k].knuckle[i]));
        cells.push_back(fmt::format("{:.1e}", largest));
      }
      table.add_row(std::move(cells));
    }
  }
  return table.text();
}

std::string page_text(const VehicleCount& count, const std::vector<Rows>& drifts,
                      const std::vector<Rows>& motions, const std::vector<std::string>& files,
                      const PageStyle& style) {
  TextPage page(style);
  page.title("Quarter of a robot vehicle (UPV paper)", "bench");
  page.heading("Table 1: degrees of freedom by Grübler's count");
  page.append(count_text(count));
  page.fact(
      "Bodies",
      fmt::format("the source counts {} with the chassis, times 6; its {} coordinates are the {} moving "
                  "bodies times 7, which is the same number",
                  count.bodies, count.coordinates, count.bodies - 1));
  page.fact("Coordinates", fmt::format("{}: positions and Euler parameters of {} bodies", count.coordinates,
                                       count.bodies - 1));
  page.fact("Equations", fmt::format("{} found, {} independent and kept", count.rows, count.rank));
  page.fact("Left out",
            fmt::format("{}, in the axes of their joints: {}", counted(count.redundant.size(), "row"),
                        fmt::join(count.redundant, "; ")));
  page.fact("DOF", fmt::format("{}: the travel of the wheel and its spin", count.freedoms));
  page.heading("Figure 25: |Φ3| [m], joint A along z, after a drop of 30 mm");
  page.append(drift_text(drifts));
  page.fact("Models", fmt::format("multipliers in these coordinates, tolerances {:g} relative and absolute; "
                                  "stabilised: α = {:g}, β = {:g}",
                                  kVehicleTolerance, kVehicleBaumgarte.alpha, kVehicleBaumgarte.beta));
  page.heading("Figure 26: the knuckle, max differences from the semi-recursive run");
  page.append(difference_text(motions));
  page.fact("Models",
            fmt::format("by bdf, as above; the judge, in the place of ADAMS, in relative coordinates "
                        "by dopri5 with tolerances of {:g}",
                        kVehicleJudgeTolerance));
  page.fact("Manoeuvres",
            "drop: the road lies 30 mm lower from the start on; bump: 20 mm high, from 1 s to 1.3 s");
  for (const std::string& file : files) page.fact("Written", file);
  return page.text();
}

std::string vehicle_json(const VehicleCount& count, const std::vector<Rows>& drifts,
                         const std::vector<std::string>& files) {
  Json largest = Json::object();
  for (std::size_t k = 0; k < drifts.size(); ++k) largest[drift_ways()[k].name] = largest_drift(drifts[k]);
  return text_of({{"command", "bench quarter-vehicle"},
                  {"bodies", count.bodies},
                  {"coordinates", count.coordinates},
                  {"equations", count.rows},
                  {"independent", count.rank},
                  {"redundant", count.redundant},
                  {"freedoms", count.freedoms},
                  {"largest_drift", largest},
                  {"files", {{"tables", files}}}});
}

/// The folder, made where there is none.
std::filesystem::path open_folder(const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(name, error);
  if (std::filesystem::is_directory(name, error)) return name;
  throw CommandLineError({.what = "the folder could not be made",
                          .where = "--out",
                          .expected = "a folder, or a name for a new one",
                          .actual = "'" + name + "'",
                          .next = "Check that it is no file, and that its parent may be written to."});
}

}  // namespace

void run_vehicle_bench(const VehicleBenchOptions& options, const Presentation& presentation) {
  std::vector<std::string> files;
  std::optional<io::ResultWriter> drift_writer, motion_writer;
  if (options.out) {  // what cannot be written is better known before the work than after it
    const std::filesystem::path folder = open_folder(*options.out);
    files = {(folder / "figure25.csv").string(), (folder / "figure26.csv").string()};
    drift_writer.emplace(files[0], drift_columns());
    motion_writer.emplace(files[1], motion_columns());
  }
  const VehicleCount count = count_vehicle();
  ProgressBar bar;
  std::vector<Rows> drifts, motions;
  const auto show = [&] { bar.update(static_cast<double>(drifts.size() + motions.size()) / 10.0); };
  for (const VehicleWay& way : drift_ways()) {
    drifts.push_back(run_vehicle(kManoeuvres.front().setting, way));
    show();
  }
  for (const Manoeuvre& manoeuvre : kManoeuvres)
    for (const VehicleWay& way : motion_ways()) {
      motions.push_back(run_vehicle(manoeuvre.setting, way));
      show();
    }
  bar.clear();
  if (drift_writer) write_drift(drifts, *drift_writer);
  if (motion_writer) write_motions(motions, *motion_writer);
  presentation.show(
      stdout, [&](const PageStyle& style) { return page_text(count, drifts, motions, files, style); },
      [&] { return vehicle_json(count, drifts, files); });
}

}  // namespace eslabon::cli
