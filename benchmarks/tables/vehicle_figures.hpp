#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/tables/progress.hpp"
#include "benchmarks/tables/quarter_vehicle.hpp"

#include "eslabon/io/files/result_writer.hpp"

/// Table 1 and figures 25 and 26 of [Seed002].
namespace eslabon::benchmarks {

/// Of VehicleRow::knuckle.
inline constexpr std::array kKnuckleNames{"y", "vy", "ay", "z", "vz", "az"};
inline constexpr std::array kKnuckleUnits{"m", "m/s", "m/s^2", "m", "m/s", "m/s^2"};

struct VehicleRun {
  std::string manoeuvre;         ///< "drop", "bump"
  std::string model;             ///< the name of its VehicleWay
  std::vector<VehicleRow> rows;  ///< (kVehicleRows + 1)

  /// The max of |Φ3| [m].
  double largest_drift() const;
};

struct VehicleFigures {
  VehicleCount count;               ///< table 1
  std::vector<VehicleRun> drifts;   ///< figure 25: with and without stabilisation, by each of two integrators
  std::vector<VehicleRun> motions;  ///< figure 26: three models in each manoeuvre, the judge last
};
VehicleFigures run_vehicle_figures(const Progress& progress);

/// How far the knuckle of a model is from that of the judge, the max of each column.
struct KnuckleDifference {
  std::string manoeuvre, model;
  std::array<double, 6> largest = {};  ///< as VehicleRow::knuckle
};
/// Of figure 26, all but the judge.
std::vector<KnuckleDifference> knuckle_differences(const VehicleFigures& figures);

/// The folder, made where there is none. Throws core::ModelError where that cannot be.
std::filesystem::path open_folder(const std::string& name);

/// The figures as data. The files are begun before the work: what cannot be written is better known before it.
class VehicleFiles {
 public:
  /// figure25.csv and figure26.csv in a folder that exists.
  explicit VehicleFiles(const std::filesystem::path& folder);
  void write(const VehicleFigures& figures);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  io::ResultWriter drifts_, motions_;
};

}  // namespace eslabon::benchmarks
