#include "benchmarks/tables/vehicle_figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::benchmarks {

namespace {

struct Manoeuvre {
  std::string name;
  std::string setting;  ///< of the file
};
const std::vector<Manoeuvre> kManoeuvres{{"drop", "drop=30 mm"}, {"bump", "bump=20 mm"}};

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

void write_drift(const std::vector<VehicleRun>& runs, io::ResultWriter& writer) {
  std::vector<double> values(runs.size());
  for (std::size_t k = 0; k < runs.front().rows.size(); ++k) {
    for (std::size_t r = 0; r < runs.size(); ++r) values[r] = std::abs(runs[r].rows[k].Phi3);
    writer.write_row(runs.front().rows[k].t, values);
  }
  writer.finish();
}

void write_motions(const std::vector<VehicleRun>& runs, io::ResultWriter& writer) {
  std::vector<double> values;
  for (std::size_t k = 0; k < runs.front().rows.size(); ++k) {
    values.clear();
    for (const VehicleRun& run : runs)
      values.insert(values.end(), run.rows[k].knuckle.begin(), run.rows[k].knuckle.end());
    writer.write_row(runs.front().rows[k].t, values);
  }
  writer.finish();
}

}  // namespace

double VehicleRun::largest_drift() const {
  double largest = 0.0;
  for (const VehicleRow& row : rows) largest = std::max(largest, std::abs(row.Phi3));
  return largest;
}

VehicleFigures run_vehicle_figures(const Progress& progress) {
  VehicleFigures figures{count_vehicle(), {}, {}};
  const std::size_t all = drift_ways().size() + kManoeuvres.size() * motion_ways().size();
  const auto run = [&](const Manoeuvre& manoeuvre, const VehicleWay& way, std::vector<VehicleRun>& runs) {
    runs.push_back({manoeuvre.name, way.name, run_vehicle(manoeuvre.setting, way)});
    progress(static_cast<double>(figures.drifts.size() + figures.motions.size()) / static_cast<double>(all));
  };
  for (const VehicleWay& way : drift_ways()) run(kManoeuvres.front(), way, figures.drifts);
  for (const Manoeuvre& manoeuvre : kManoeuvres)
    for (const VehicleWay& way : motion_ways()) run(manoeuvre, way, figures.motions);
  return figures;
}

std::vector<KnuckleDifference> knuckle_differences(const VehicleFigures& figures) {
  std::vector<KnuckleDifference> differences;
  const std::size_t models = motion_ways().size();
  for (std::size_t r = 0; r < figures.motions.size(); ++r) {
    const VehicleRun& run = figures.motions[r];
    const VehicleRun& judge = figures.motions[(r / models + 1) * models - 1];
    if (&run == &judge) continue;
    KnuckleDifference& difference = differences.emplace_back(KnuckleDifference{run.manoeuvre, run.model, {}});
    for (std::size_t k = 0; k < run.rows.size(); ++k)
      for (std::size_t i = 0; i < kKnuckleNames.size(); ++i)
        difference.largest[i] =
            std::max(difference.largest[i], std::abs(run.rows[k].knuckle[i] - judge.rows[k].knuckle[i]));
  }
  return differences;
}

std::filesystem::path open_folder(const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(name, error);
  if (std::filesystem::is_directory(name, error)) return name;
  throw core::ModelError({.what = "the folder could not be made",
                          .where = "",
                          .expected = "a folder, or a name for a new one",
                          .actual = "'" + name + "'",
                          .next = "Check that it is no file, and that its parent may be written to."});
}

VehicleFiles::VehicleFiles(const std::filesystem::path& folder)
    : names_{(folder / "figure25.csv").string(), (folder / "figure26.csv").string()},
      drifts_(names_[0], drift_columns()),
      motions_(names_[1], motion_columns()) {}

void VehicleFiles::write(const VehicleFigures& figures) {
  write_drift(figures.drifts, drifts_);
  write_motions(figures.motions, motions_);
}

}  // namespace eslabon::benchmarks
