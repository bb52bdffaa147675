#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/tables/progress.hpp"

#include "eslabon/dynamics/formulations/step_timer.hpp"

/// The two vehicles of [Seed004, §5.1]: what they consist of, and where the time of their manoeuvres goes.
namespace eslabon::benchmarks {

inline constexpr double kLongestManoeuvre = 60.0;   ///< s
inline constexpr double kManoeuvreStep = 1e-3;      ///< of RK4 [s], four evaluations each
inline constexpr double kPublishedManoeuvre = 5.0;  ///< s
inline constexpr std::size_t kNumPublishedSteps = dynamics::kNumSteps - 1;

struct VehiclesRequest {
  double seconds = kPublishedManoeuvre;  ///< of each manoeuvre, to kLongestManoeuvre
};

/// What a vehicle consists of, and the matrix Φ_z^d of its loops.
struct VehicleCounts {
  int bodies = 0;  ///< with the ground
  int massless = 0;
  int joints = 0;  ///< but rods
  int rods = 0;
  int guided = 0;  ///< coordinates that a driver moves
  int revolute_cuts = 0, ball_cuts = 0;
  int rows = 0, rank = 0;  ///< of Φ_z^d, with six rows for each cut revolute
  int freedoms = 0;        ///< guided ones too
  double density = 0.0;    ///< part of Φ_z^d that is not zero, in the design position
};

/// What the evaluations of a manoeuvre took.
struct ManoeuvreCost {
  std::string matrices;  ///< "dense", "sparse"
  bool has_tyres = true;
  long evaluations = 0;
  /// (steps of dynamics::SemiRecursiveStep) [s]
  std::array<double, dynamics::kNumSteps> steps = {};

  /// Of the nine steps of the source [s].
  double total() const;
};

/// A published table: C++, BLAS, sparse.
struct PublishedVehicle {
  VehicleCounts counts;
  std::array<std::array<double, kNumPublishedSteps>, 3> steps;  ///< of 20 000 evaluations [s]
  std::array<double, 3> totals;
};

/// A manoeuvre from its start to its end.
struct TwinRun {
  std::string twin;      ///< "pairs", "lean"
  double seconds = 0.0;  ///< of the processor
  long evaluations = 0;
};

struct MeasuredVehicle {
  std::string name;       ///< "van"
  std::string manoeuvre;  ///< in words
  const PublishedVehicle* published = nullptr;
  VehicleCounts counts = {};
  std::vector<ManoeuvreCost> costs = {};
  std::vector<TwinRun> runs = {};  ///< of the manoeuvre, nothing timed within
};

struct VehiclesTable {
  double seconds = 0.0;  ///< of each manoeuvre
  std::vector<MeasuredVehicle> vehicles;
};

VehiclesTable measure_vehicles(const VehiclesRequest& request, const Progress& progress);

/// The table for programs: names, units, rows.
std::string csv_text(const VehiclesTable& table);

}  // namespace eslabon::benchmarks
