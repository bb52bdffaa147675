#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/tables/growth.hpp"
#include "benchmarks/tables/kinematics_cost.hpp"
#include "benchmarks/tables/progress.hpp"

/// The efficiency of kinematics by every method, as in [Seed001, §4.2 and §5.1].
namespace eslabon::benchmarks {

inline constexpr int kMostSolvedDyads = 100'000;
inline constexpr int kMostAxles = 5;  ///< that the source has times of

struct KinematicsRequest {
  std::vector<int> dyads;  ///< sizes of the scalable four-bar, 1 … kMostSolvedDyads
  std::vector<int> axles;  ///< sizes of the truck, 1 … kMostAxles
};

/// The methods of [Seed001, §4.2.1] by its numbers.
struct SourceMethod {
  std::string number;
  std::string name;
};
const std::vector<SourceMethod>& source_methods();
inline constexpr std::size_t kByGroups = 1;  ///< of source_methods()

/// One solution of the scalable four-bar.
struct FourBarRow {
  int dyads = 0;
  std::vector<std::optional<SolutionCost>> costs;  ///< (source_methods()) nothing: it would take seconds

  int equations() const { return 2 * dyads + 2; }
};

/// One run of the truck.
struct TruckRow {
  int axles = 0;
  double source_seconds = 0.0;  ///< of the source's own program on its machine
  std::vector<double> seconds;  ///< (source_methods())
};

struct KinematicsTable {
  std::vector<FourBarRow> four_bars;  ///< in the order of the request
  std::vector<TruckRow> trucks;       ///< the same
};

KinematicsTable measure_kinematics(const KinematicsRequest& request, const Progress& progress);

/// Of the scalable four-bar from kFromDyads on, by each method that was measured at two sizes.
std::vector<Growth> growth(const KinematicsTable& table);

/// The table for programs: names, units, rows.
std::string csv_text(const KinematicsTable& table);

}  // namespace eslabon::benchmarks
