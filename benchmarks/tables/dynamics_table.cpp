#include "benchmarks/tables/dynamics_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace eslabon::benchmarks {

namespace {

constexpr int kMostCounted = 100;  // dyads or revolutes; under callgrind everything is fifty times as slow
// Of others than kGrowing, which take minutes to set up beyond.
constexpr int kMostDyadsOfAll = 100, kMostRevolutesOfAll = 50, kMostVansOfAll = 1;
constexpr int kFourBarsOfTrack = 20;
constexpr double kSemiRecursive17 = 12e-6;  // to reach with 17 dyads [s]
const std::vector<std::string> kGrowing{"groups", "semi-recursive"};
const std::string kOfVehicles = "clusters";

DynamicsRow subject(const std::string& family, int size, const std::string& model,
                    const std::map<int, double>& to_reach) {
  DynamicsRow row{.family = family, .size = size, .model = model};
  if (const auto found = to_reach.find(size); found != to_reach.end()) row.to_reach = found->second;
  return row;
}

std::vector<DynamicsRow> subjects(const DynamicsRequest& request) {
  // What is to be reached on the machine that the figures are of: 1, 17 and 40 dyads, 20 and 100 revolutes [s].
  static const std::map<int, double> dyads_to_reach{{1, 0.15e-6}, {17, 1.6e-6}, {40, 3.8e-6}};
  static const std::map<int, double> chains_to_reach{{20, 3e-6}, {100, 15e-6}};
  static const std::map<int, double> vans_to_reach{{1, 8e-6}}, trucks_to_reach{{1, 20e-6}};
  std::vector<DynamicsRow> rows;
  for (const int k : request.dyads)
    rows.push_back(subject("scalable-fourbar", k, fourbar_model(k), dyads_to_reach));
  for (const int n : request.chains) rows.push_back(subject("chain", n, chain_model(n), chains_to_reach));
  for (const int n : request.vans) rows.push_back(subject("van-like", n, van_model(n), vans_to_reach));
  if (!request.vans.empty()) {
    rows.push_back(subject("truck-like", 1, truck_model(), trucks_to_reach));
    rows.push_back(subject("delta", 1, delta_model(), {}));
    rows.push_back(subject("stewart", 1, stewart_model(), {}));
    rows.push_back(subject("four-bar-track", kFourBarsOfTrack, track_model(kFourBarsOfTrack), {}));
  }
  for (DynamicsRow& row : rows) row.is_counted = request.counts_instructions && row.size <= kMostCounted;
  return rows;
}

std::optional<OurCost> measure(const DynamicsRow& row, const BenchCase& at, const FormulationWay& way) {
  const bool is_small = row.size <= (row.is_chain()     ? kMostRevolutesOfAll
                                     : row.is_vehicle() ? kMostVansOfAll
                                                        : kMostDyadsOfAll);
  const bool is_growing = row.is_vehicle() ? way.formulation == kOfVehicles
                                           : std::ranges::find(kGrowing, way.formulation) != kGrowing.end();
  if (!is_small && !is_growing) return std::nullopt;
  const std::optional<double> seconds = measure_evaluation(at, way);
  if (!seconds) return std::nullopt;
  OurCost cost{*seconds};
  if (row.is_counted) cost.instructions = count_instructions(row.model, way);
  return cost;
}

std::optional<RivalCost> measure(const DynamicsRow& row, const BenchCase& at, const Rival& rival) {
  if (at.has_loops() && row.size > (row.is_vehicle() ? kMostVansOfAll : rival.most_dyads))
    return std::nullopt;
  RivalCost cost{ask_rival(rival, row.model, at)};
  if (row.is_counted) cost.instructions = count_instructions(row.model, rival);
  return cost;
}

/// Exponent of the time of a formulation over rows that count; nothing without two sizes.
template <class Counts>
std::optional<double> exponent(const DynamicsTable& table, const std::string& formulation,
                               const Counts& counts) {
  std::vector<double> sizes, times;
  for (const DynamicsRow& row : table.rows) {
    if (!counts(row)) continue;
    for (std::size_t w = 0; w < table.ways.size(); ++w)
      if (table.ways[w].formulation == formulation && row.ours[w]) {
        sizes.push_back(row.size);
        times.push_back(row.ours[w]->seconds);
      }
  }
  return fitted_exponent(sizes, times);
}

std::string instructions_cell(const std::optional<double>& count) {
  return count ? fmt::format("{:.0f}", *count) : "";
}

}  // namespace

DynamicsTable measure_dynamics(const DynamicsRequest& request, const Progress& progress) {
  if (request.counts_instructions) check_counting();
  DynamicsTable table{formulation_ways(), request.against, subjects(request)};
  const std::size_t all = table.rows.size() * (table.ways.size() + table.rivals.size());
  std::size_t done = 0;
  const auto tell = [&] { progress(static_cast<double>(++done) / static_cast<double>(all)); };
  for (DynamicsRow& row : table.rows) {
    const BenchCase at(row.model);
    for (const FormulationWay& way : table.ways) {
      row.ours.push_back(measure(row, at, way));
      tell();
    }
    for (const Rival& rival : table.rivals) {
      row.theirs.push_back(measure(row, at, rival));
      tell();
    }
  }
  return table;
}

std::size_t best_way(const DynamicsRow& row) {
  const auto seconds = [](const std::optional<OurCost>& cost) { return cost ? cost->seconds : HUGE_VAL; };
  return static_cast<std::size_t>(std::ranges::min_element(row.ours, {}, seconds) - row.ours.begin());
}

std::vector<Growth> growth(const DynamicsTable& table) {
  std::vector<Growth> found;
  for (const std::string& name : kGrowing)
    if (const auto p = exponent(
            table, name, [](const DynamicsRow& row) { return row.is_four_bar() && row.size >= kFromDyads; }))
      found.push_back({name, *p});
  if (const auto p =
          exponent(table, kOfVehicles, [](const DynamicsRow& row) { return row.family == "van-like"; }))
    found.push_back({kOfVehicles, *p, "suspensions"});
  return found;
}

std::vector<MissedTime> missed_times(const DynamicsTable& table) {
  std::vector<MissedTime> missed;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const DynamicsRow& row = table.rows[r];
    const double best = row.ours[best_way(row)]->seconds;
    if (row.to_reach && best > *row.to_reach) missed.push_back({r, "", best, *row.to_reach});
    if (!row.is_four_bar() || row.size != 17) continue;
    for (std::size_t w = 0; w < table.ways.size(); ++w)
      if (table.ways[w].name() == "semi-recursive" && row.ours[w] && row.ours[w]->seconds > kSemiRecursive17)
        missed.push_back({r, "semi-recursive", row.ours[w]->seconds, kSemiRecursive17});
  }
  return missed;
}

Agreement agreement(const DynamicsTable& table, std::size_t rival) {
  Agreement found;
  for (const DynamicsRow& row : table.rows) {
    if (!row.theirs[rival]) continue;
    const RivalAnswer& answer = row.theirs[rival]->answer;
    std::optional<double>& worst = row.is_chain()     ? found.chains
                                   : row.is_vehicle() ? found.vehicles
                                   : row.is_robot()   ? found.robots
                                                      : found.four_bars;
    worst = std::max(worst.value_or(0.0), answer.difference);
    if (answer.remark != "-" && std::ranges::find(found.remarks, answer.remark) == found.remarks.end())
      found.remarks.push_back(answer.remark);
  }
  return found;
}

std::string csv_text(const DynamicsTable& table) {
  std::string text =
      "mechanism,size,program,formulation,coordinates,evaluation,to_reach,instructions,difference\n"
      ",1,,,,s,s,1,1\n";
  for (const DynamicsRow& row : table.rows) {
    for (std::size_t w = 0; w < table.ways.size(); ++w)
      if (const std::optional<OurCost>& cost = row.ours[w])
        text += fmt::format("{},{},eslabon,{},{},{:.6g},{},{},\n", row.family, row.size,
                            table.ways[w].formulation, table.ways[w].kind, cost->seconds,
                            row.to_reach ? fmt::format("{:.6g}", *row.to_reach) : "",
                            instructions_cell(cost->instructions));
    for (std::size_t r = 0; r < table.rivals.size(); ++r)
      if (const std::optional<RivalCost>& cost = row.theirs[r])
        text +=
            fmt::format("{},{},{},,,{:.6g},,{},{:.3g}\n", row.family, row.size, table.rivals[r].name,
                        cost->answer.seconds, instructions_cell(cost->instructions), cost->answer.difference);
  }
  return text;
}

}  // namespace eslabon::benchmarks
