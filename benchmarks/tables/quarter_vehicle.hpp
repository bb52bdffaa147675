#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/dynamics/formulations/formulation.hpp"

/// The quarter vehicle of [Seed002]: what is counted in it, and its runs.
namespace eslabon::benchmarks {

inline constexpr double kVehicleTolerance = 1e-8;  ///< relative and absolute [Seed002, §3]
inline constexpr dynamics::Baumgarte kVehicleBaumgarte{50.0, 0.5};
inline constexpr int kVehicleRows = 500;                 ///< after the start, over 5 s
inline constexpr double kVehicleRowTime = 0.01;          ///< from row to row [s]
inline constexpr double kVehicleJudgeTolerance = 1e-11;  ///< of the semi-recursive run

/// Components of one kind, and what each adds to the degrees of freedom.
struct GrueblerTerm {
  std::string components;
  int count = 0;
  int freedoms = 0;

  int sum() const { return count * freedoms; }
};

/// What is counted in the vehicle.
struct VehicleCount {
  std::vector<GrueblerTerm> terms;  ///< of Grübler's count
  int bodies = 0;                   ///< with the chassis
  int coordinates = 0, rows = 0, rank = 0, freedoms = 0;
  std::vector<std::string> redundant;  ///< the rows that repeat others, by joint
};
VehicleCount count_vehicle();

/// A way of running it.
struct VehicleWay {
  std::string name;  ///< "unstabilised"
  std::string formulation;
  std::string coordinates;  ///< empty: the formulation's own
  std::string integrator;
  double tolerance = kVehicleTolerance;  ///< of a step
  std::optional<dynamics::Baumgarte> baumgarte = {};
};

/// What is seen at an instant.
struct VehicleRow {
  double t = 0.0;                      ///< [s]
  std::array<double, 6> knuckle = {};  ///< y, vy, ay, z, vz, az of its centre of mass [m, m/s, m/s²]
  /// In reference-point coordinates: the third equation of joint A, which keeps it from moving along z [m]; otherwise 0.
  double Phi3 = 0.0;
};

/// A run of 5 s, with the parameters of the file set: "drop=30 mm". (kVehicleRows + 1), the start first.
/// Throws core::ModelError when it ends before its time.
std::vector<VehicleRow> run_vehicle(const std::string& setting, const VehicleWay& way);

}  // namespace eslabon::benchmarks
