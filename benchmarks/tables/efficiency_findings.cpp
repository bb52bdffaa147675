#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include "benchmarks/tables/dynamics_table.hpp"
#include "benchmarks/tables/findings.hpp"
#include "benchmarks/tables/kinematics_table.hpp"
#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::benchmarks {

namespace {

/// "0.12", "22.6", "1234"
std::string microseconds(double seconds) {
  const double us = 1e6 * seconds;
  return fmt::format("{:.{}f}", us, us < 10.0 ? 2 : us < 1000.0 ? 1 : 0);
}

/// "groups dyads^1.02, clusters suspensions^1.01"
std::string growth_text(const std::vector<Growth>& all) {
  std::string text;
  for (const Growth& one : all)
    text += fmt::format("{}{} {}^{:.2f}", text.empty() ? "" : ", ", one.name, one.of, one.exponent);
  return text;
}

// Kinematics

std::string method_name(const SourceMethod& method) { return method.number + " " + method.name; }
std::string method_heading(const SourceMethod& method) { return ">" + method_name(method); }

Findings::Table solutions_table(const KinematicsTable& measured) {
  Findings::Table table{extended({">dyads", ">equations"}, source_methods(), method_heading)};
  for (const FourBarRow& row : measured.four_bars)
    table.rows.push_back(extended({std::to_string(row.dyads), std::to_string(row.equations())}, row.costs,
                                  [](const auto& cost) { return cost ? microseconds(cost->seconds) : "–"; }));
  return table;
}

Findings::Table shares_table(const KinematicsTable& measured) {
  Findings::Table table{{">dyads", "method", ">Jacobian", ">residual", ">solve", ">K and L", ">other"}};
  for (const FourBarRow& row : measured.four_bars)
    for (std::size_t m = 0; m < row.costs.size(); ++m)
      if (const std::optional<SolutionCost>& cost = row.costs[m])
        table.rows.push_back(
            extended({std::to_string(row.dyads), method_name(source_methods()[m])},
                     std::array{cost->jacobian, cost->residual, cost->solve, cost->coefficients, cost->other},
                     [](double share) { return fmt::format("{:.0f} %", 100.0 * share); }));
  return table;
}

Findings::Table trucks_table(const KinematicsTable& measured) {
  std::vector<std::string> headings = extended({">axles", ">source"}, source_methods(), method_heading);
  headings.emplace_back(">II, one solution");
  Findings::Table table{headings};
  for (const TruckRow& row : measured.trucks) {
    std::vector<std::string> cells =
        extended({std::to_string(row.axles), fmt::format("{:.3f}", row.source_seconds)}, row.seconds,
                 [](double seconds) { return fmt::format("{:.3g}", seconds); });
    cells.push_back(microseconds(row.seconds[kByGroups] / kTruckSolutions) + " µs");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Dynamics

/// "four-bar, 17 dyads"
std::string title(const DynamicsRow& row) {
  const auto size = static_cast<std::size_t>(row.size);
  if (row.is_vehicle())
    return row.size == 1 ? row.family : row.family + ", " + core::counted(size, "suspension");
  if (row.is_robot()) return row.size == 1 ? row.family : row.family + ", " + core::counted(size, "four-bar");
  return row.is_chain() ? "chain, " + core::counted(size, "revolute")
                        : "four-bar, " + core::counted(size, "dyad");
}

Findings::Table best_table(const DynamicsTable& measured) {
  std::vector<std::string> headings{"mechanism", ">eslabon", "by", ">to reach"};
  for (const Rival& rival : measured.rivals) headings.insert(headings.end(), {">" + rival.title, ">ratio"});
  Findings::Table table{headings};
  for (const DynamicsRow& row : measured.rows) {
    const std::size_t best = best_way(row);
    const double ours = row.ours[best]->seconds;
    std::vector<std::string> cells{title(row), microseconds(ours), measured.ways[best].name(),
                                   row.to_reach ? microseconds(*row.to_reach) : ""};
    for (const auto& theirs : row.theirs) {
      const double ratio = theirs ? theirs->answer.seconds / ours : 0.0;
      cells.push_back(theirs ? microseconds(theirs->answer.seconds) : "–");
      cells.push_back(theirs ? fmt::format("{:.{}f}", ratio, ratio < 10.0 ? 1 : 0) : "");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// A line for each name, a column for each mechanism; `cell(row, n)` of the name n.
template <class Cell>
Findings::Table sizes_table(const std::vector<DynamicsRow>& rows, const std::vector<std::string>& names,
                            Cell cell) {
  Findings::Table table{extended({"k dyads, n revolutes, v suspensions"}, rows, [](const DynamicsRow& row) {
    if (row.is_robot()) return ">" + (row.size == 1 ? row.family : std::string("track"));
    if (row.is_vehicle()) return row.family == "van-like" ? fmt::format(">v={}", row.size) : ">truck";
    return fmt::format(">{}={}", row.is_chain() ? "n" : "k", row.size);
  })};
  for (std::size_t n = 0; n < names.size(); ++n)
    table.rows.push_back(extended({names[n]}, rows, [&](const DynamicsRow& row) { return cell(row, n); }));
  return table;
}

Findings::Table times_table(const DynamicsTable& measured) {
  return sizes_table(measured.rows, extended({}, measured.ways, std::mem_fn(&FormulationWay::name)),
                     [](const DynamicsRow& row, std::size_t n) {
                       return row.ours[n] ? microseconds(row.ours[n]->seconds) : "–";
                     });
}

/// Without rows where none are counted.
Findings::Table instructions_table(const DynamicsTable& measured) {
  std::vector<DynamicsRow> rows;
  std::ranges::copy_if(measured.rows, std::back_inserter(rows), &DynamicsRow::is_counted);
  if (rows.empty()) return {};
  const auto text = [](const auto& cost) { return cost ? fmt::format("{:.0f}", *cost->instructions) : "–"; };
  return sizes_table(rows,
                     extended(extended({}, measured.ways, std::mem_fn(&FormulationWay::name)),
                              measured.rivals, std::mem_fn(&Rival::title)),
                     [&](const DynamicsRow& row, std::size_t n) {
                       return n < row.ours.size() ? text(row.ours[n]) : text(row.theirs[n - row.ours.size()]);
                     });
}

std::string missed_text(const DynamicsTable& measured) {
  std::string text;
  const auto miss = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  for (const MissedTime& missed : missed_times(measured))
    miss(fmt::format("{}{}: {} µs, to reach {} µs", title(measured.rows[missed.row]),
                     missed.formulation.empty() ? "" : " by " + missed.formulation,
                     microseconds(missed.seconds), microseconds(missed.to_reach)));
  for (const Growth& one : growth(measured))
    if (one.exponent > kLinear)
      miss(fmt::format("{} grows as {}^{:.2f}, to reach {:.1f} at most", one.name, one.of, one.exponent,
                       kLinear));
  return text;
}

/// "in chains by 1.2e-13, in four-bars by 3.1e-12; fastest with CG, sparse"
std::string agreement_text(const Agreement& found) {
  std::string text;
  for (const auto& [what, worst] :
       {std::pair("chains", found.chains), std::pair("four-bars", found.four_bars),
        std::pair("vehicles", found.vehicles), std::pair("robots", found.robots)})
    if (worst) text += fmt::format("{}in {} by {:.1e}", text.empty() ? "" : ", ", what, *worst);
  if (!found.remarks.empty()) text += fmt::format("; fastest with {}", fmt::join(found.remarks, " or "));
  return text;
}

}  // namespace

Findings findings(const KinematicsTable& measured) {
  Findings found{"Efficiency of kinematics"};
  found.fact("Methods",
             "I global (dense), II groups, III groups-tensor (velocity coefficients K and L), IV sparse; "
             "global ones in natural coordinates (Muñoz 2013, §4.2.1)");
  found.fact(
      "Measured",
      "on one core, the best of several repeats; a solution is positions, velocities and accelerations "
      "with all checks of a motion, outputs not written");
  found.heading("Scalable four-bar, one solution [µs], crank advanced by 0.01 rad");
  found.table(solutions_table(measured));
  if (const std::string text = growth_text(growth(measured)); !text.empty())
    found.remark(fmt::format("time from {} dyads on: {}", kFromDyads, text));
  found.heading("Where the time goes");
  found.table(shares_table(measured));
  found.remark(
      "operations are timed separately, as often as one solution performs them; where they add up to more "
      "than the whole, fractions are of their sum");
  found.heading("Truck suspension, 400 solutions [s]: 20 s in steps of 0.05 s");
  found.table(trucks_table(measured));
  found.remark("source: its own program on its machine (Muñoz 2013, Cuadro 5.1)");
  return found;
}

Findings findings(const DynamicsTable& measured) {
  Findings found{"Efficiency of dynamics"};
  found.fact("Measured",
             "one evaluation, from given positions and velocities to accelerations; processor time of one "
             "thread, the best of several repeats");
  found.heading("Best formulation, one evaluation [µs]");
  found.table(best_table(measured));
  if (!measured.rivals.empty()) found.remark("ratio: their time divided by ours");
  found.heading("Every formulation, one evaluation [µs]");
  found.table(times_table(measured));
  found.remark(
      "–: refused by the formulation, or left out: beyond 100 dyads and 50 revolutes there are groups and");
  found.remark("semi-recursive alone, beyond one suspension clusters");
  if (Findings::Table table = instructions_table(measured); !table.rows.empty()) {
    found.heading("Instructions of one evaluation, by callgrind");
    found.table(std::move(table));
  }
  found.gap();
  if (const std::string text = growth_text(growth(measured)); !text.empty())
    found.fact("Growth", fmt::format("of time from {} dyads on: {}", kFromDyads, text));
  const std::string missed = missed_text(measured);
  found.fact("To reach", missed.empty() ? "nothing missed" : "missed: " + missed);
  for (std::size_t r = 0; r < measured.rivals.size(); ++r)
    found.fact(measured.rivals[r].title,
               measured.rivals[r].version +
                   "; accelerations differ from ours, relative to the max of ours, " +
                   agreement_text(agreement(measured, r)));
  if (std::ranges::find(measured.rivals, "mujoco", &Rival::name) != measured.rivals.end())
    found.fact("", "MuJoCo's loops are soft and leave out what velocities do; they are compared at rest");
  return found;
}

}  // namespace eslabon::benchmarks
