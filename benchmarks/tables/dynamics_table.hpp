#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/tables/formulation_way.hpp"
#include "benchmarks/tables/growth.hpp"
#include "benchmarks/tables/other_programs.hpp"
#include "benchmarks/tables/progress.hpp"

/// The efficiency of dynamics: one evaluation of accelerations by every formulation, beside other programs.
namespace eslabon::benchmarks {

inline constexpr int kMostEvaluatedDyads = 1000;
inline constexpr int kMostEvaluatedRevolutes = 1000;
inline constexpr int kMostEvaluatedVans = 100;
inline constexpr double kLinear = 1.1;  ///< the largest exponent that is called linear

struct DynamicsRequest {
  std::vector<int> dyads;   ///< sizes of the scalable four-bar, 1 … kMostEvaluatedDyads
  std::vector<int> chains;  ///< sizes of the chain of revolutes in space, 1 … kMostEvaluatedRevolutes
  std::vector<int> vans =
      {};  ///< suspensions of the van-like vehicle, 1 … kMostEvaluatedVans; with any the truck-like one and robots too
  std::vector<Rival> against = {};  ///< measured in the same run
  bool counts_instructions = false;
};

/// What one evaluation costs us.
struct OurCost {
  double seconds = 0.0;
  std::optional<double> instructions = {};  ///< where they are counted
};
/// And a rival.
struct RivalCost {
  RivalAnswer answer;
  std::optional<double> instructions = {};  ///< where they are counted
};

/// One evaluation of a mechanism.
struct DynamicsRow {
  std::string
      family;  ///< "scalable-fourbar", "chain", "van-like", "truck-like", "delta", "stewart", "four-bar-track"
  int size = 0;
  std::string model = {};               ///< of BenchCase
  std::optional<double> to_reach = {};  ///< by the best of ours, on the machine that the figures are of [s]
  bool is_counted = false;              ///< whether instructions are
  std::vector<std::optional<OurCost>> ours = {};      ///< (ways) nothing: refused, or left out
  std::vector<std::optional<RivalCost>> theirs = {};  ///< (rivals) nothing: left out

  bool is_chain() const { return family == "chain"; }
  bool is_vehicle() const { return family == "van-like" || family == "truck-like"; }
  bool is_robot() const { return family == "delta" || family == "stewart" || family == "four-bar-track"; }
  bool is_four_bar() const { return !is_chain() && !is_vehicle() && !is_robot(); }
};

struct DynamicsTable {
  std::vector<FormulationWay> ways;
  std::vector<Rival> rivals;  ///< those of the request
  std::vector<DynamicsRow>
      rows;  ///< four-bars, then chains, then vehicles and robots, in the order of the request
};

/// Throws core::ModelError where another program is missing: check_counting(), rival_program().
DynamicsTable measure_dynamics(const DynamicsRequest& request, const Progress& progress);

/// Of DynamicsTable::ways, the fastest of ours.
std::size_t best_way(const DynamicsRow& row);

/// Of the scalable four-bar from kFromDyads on, by the formulations that are to be linear, and of the van-like vehicle, by "clusters".
std::vector<Growth> growth(const DynamicsTable& table);

/// A time that was to be reached and was not.
struct MissedTime {
  std::size_t row = 0;
  std::string formulation;  ///< empty: the best of ours
  double seconds = 0.0;
  double to_reach = 0.0;
};
std::vector<MissedTime> missed_times(const DynamicsTable& table);

/// How far the accelerations of a rival are from ours, by the largest of ours, and how it was set.
struct Agreement {
  std::optional<double> chains, four_bars, vehicles, robots;  ///< the worst
  std::vector<std::string> remarks;                           ///< each once
};
Agreement agreement(const DynamicsTable& table, std::size_t rival);

/// The table for programs: names, units, rows.
std::string csv_text(const DynamicsTable& table);

}  // namespace eslabon::benchmarks
