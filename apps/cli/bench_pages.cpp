#include "bench_pages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numbers>
#include <utility>

#include "result_json.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>

#include "eslabon/recording/table_json.hpp"

namespace eslabon::cli {

namespace {

using namespace benchmarks;

/// "0.12", "22.6", "1234"
std::string microseconds(double seconds) {
  const double us = 1e6 * seconds;
  return fmt::format("{:.{}f}", us, us < 10.0 ? 2 : us < 1000.0 ? 1 : 0);
}

/// "groups dyads^1.02, sparse dyads^1.10"
std::string growth_text(const std::vector<Growth>& all) {
  std::string text;
  for (const auto& [name, exponent] : all)
    text += fmt::format("{}{} dyads^{:.2f}", text.empty() ? "" : ", ", name, exponent);
  return text;
}

/// The cells, and one more for each of a list.
template <class List, class Text>
std::vector<std::string> extended(std::vector<std::string> cells, const List& list, Text text) {
  for (const auto& one : list) cells.push_back(text(one));
  return cells;
}

// Kinematics

std::string method_name(const SourceMethod& method) { return method.number + " " + method.name; }
std::string method_heading(const SourceMethod& method) { return ">" + method_name(method); }

std::string solutions_text(const KinematicsTable& measured) {
  TextTable table(extended({">dyads", ">equations"}, source_methods(), method_heading));
  for (const FourBarRow& row : measured.four_bars)
    table.add_row(extended({std::to_string(row.dyads), std::to_string(row.equations())}, row.costs,
                           [](const auto& cost) { return cost ? microseconds(cost->seconds) : "–"; }));
  return table.text();
}

std::string shares_text(const KinematicsTable& measured) {
  TextTable table({">dyads", "method", ">Jacobian", ">residual", ">solve", ">K and L", ">other"});
  for (const FourBarRow& row : measured.four_bars)
    for (std::size_t m = 0; m < row.costs.size(); ++m)
      if (const std::optional<SolutionCost>& cost = row.costs[m])
        table.add_row(
            extended({std::to_string(row.dyads), method_name(source_methods()[m])},
                     std::array{cost->jacobian, cost->residual, cost->solve, cost->coefficients, cost->other},
                     [](double share) { return fmt::format("{:.0f} %", 100.0 * share); }));
  return table.text();
}

std::string trucks_text(const KinematicsTable& measured) {
  std::vector<std::string> headings = extended({">axles", ">source"}, source_methods(), method_heading);
  headings.emplace_back(">II, one solution");
  TextTable table(headings);
  for (const TruckRow& row : measured.trucks) {
    std::vector<std::string> cells =
        extended({std::to_string(row.axles), fmt::format("{:.3f}", row.source_seconds)}, row.seconds,
                 [](double seconds) { return fmt::format("{:.3g}", seconds); });
    cells.push_back(microseconds(row.seconds[kByGroups] / kTruckSolutions) + " µs");
    table.add_row(std::move(cells));
  }
  return table.text();
}

// Dynamics

/// "four-bar, 17 dyads"
std::string title(const DynamicsRow& row) {
  const auto size = static_cast<std::size_t>(row.size);
  return row.is_chain() ? "chain, " + counted(size, "revolute") : "four-bar, " + counted(size, "dyad");
}

std::string best_text(const DynamicsTable& measured) {
  std::vector<std::string> headings{"mechanism", ">eslabon", "by", ">to reach"};
  for (const Rival& rival : measured.rivals) headings.insert(headings.end(), {">" + rival.title, ">ratio"});
  TextTable table(headings);
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
    table.add_row(std::move(cells));
  }
  return table.text();
}

/// A line for each name, a column for each mechanism; `cell(row, n)` of the name n.
template <class Cell>
std::string sizes_text(const std::vector<DynamicsRow>& rows, const std::vector<std::string>& names,
                       Cell cell) {
  TextTable table(extended({"k dyads, n revolutes"}, rows, [](const DynamicsRow& row) {
    return fmt::format(">{}={}", row.is_chain() ? "n" : "k", row.size);
  }));
  for (std::size_t n = 0; n < names.size(); ++n)
    table.add_row(extended({names[n]}, rows, [&](const DynamicsRow& row) { return cell(row, n); }));
  return table.text();
}

std::string times_text(const DynamicsTable& measured) {
  return sizes_text(measured.rows, extended({}, measured.ways, std::mem_fn(&FormulationWay::name)),
                    [](const DynamicsRow& row, std::size_t n) {
                      return row.ours[n] ? microseconds(row.ours[n]->seconds) : "–";
                    });
}

/// Empty where none are counted.
std::string instructions_text(const DynamicsTable& measured) {
  std::vector<DynamicsRow> rows;
  std::ranges::copy_if(measured.rows, std::back_inserter(rows), &DynamicsRow::is_counted);
  if (rows.empty()) return "";
  const auto text = [](const auto& cost) { return cost ? fmt::format("{:.0f}", *cost->instructions) : "–"; };
  return sizes_text(rows,
                    extended(extended({}, measured.ways, std::mem_fn(&FormulationWay::name)), measured.rivals,
                             std::mem_fn(&Rival::title)),
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
  for (const auto& [name, exponent] : growth(measured))
    if (exponent > kLinear)
      miss(fmt::format("{} grows as dyads^{:.2f}, to reach {:.1f} at most", name, exponent, kLinear));
  return text;
}

/// "in chains by 1.2e-13, in four-bars by 3.1e-12; fastest with CG, sparse"
std::string agreement_text(const Agreement& found) {
  std::string text;
  for (const auto& [what, worst] :
       {std::pair("chains", found.chains), std::pair("four-bars", found.four_bars)})
    if (worst) text += fmt::format("{}in {} by {:.1e}", text.empty() ? "" : ", ", what, *worst);
  if (!found.remarks.empty()) text += fmt::format("; fastest with {}", fmt::join(found.remarks, " or "));
  return text;
}

// Problems with published answers

/// "0.00041", "0.0335"
std::string seconds_text(double seconds) { return fmt::format("{:.3g}", seconds); }

std::string problems_text(const ReferencesTable& measured) {
  TextTable table({"problem", fmt::format("by, {} at", kReferenceIntegrator), ">error", ">accepted",
                   ">drift [J]", ">accepted", ">CPU [s]", ">published", "by", ">ratio"});
  for (const SolvedReference& solved : measured) {
    const auto& [problem, result] = solved;
    const bool is_complete = solved.is_complete();
    std::vector<std::string> cells{
        problem.name,
        fmt::format("{}, {:g}", result.formulation, problem.tolerance),
        is_complete ? fmt::format("{:.1e} {}", result.error, result.unit) : "stopped",
        fmt::format("{:.0e}", problem.accepted),
        problem.energy ? fmt::format("{:.1e}", *result.drift) : "–",
        problem.energy ? fmt::format("{:.1e}", problem.energy->accepted) : "–",
        is_complete ? seconds_text(result.seconds) : "–"};
    for (const PublishedTime& time : problem.published) {
      cells.resize(7);  // the columns of the problem itself
      cells.insert(cells.end(), {seconds_text(time.seconds), time.program,
                                 is_complete ? fmt::format("{:.0f}", solved.ratio(time)) : "–"});
      table.add_row(std::exchange(cells, {}));
    }
    if (problem.published.empty()) {
      cells.insert(cells.end(), {"–", "–", "–"});
      table.add_row(std::move(cells));
    }
  }
  return table.text();
}

// The quarter vehicle

std::string count_text(const std::vector<GrueblerTerm>& terms) {
  TextTable table({"component", ">count", ">DOF", ">sum"});
  int sum = 0;
  for (const GrueblerTerm& term : terms) {
    sum += term.sum();
    table.add_row({term.components, std::to_string(term.count), std::to_string(term.freedoms),
                   std::to_string(term.sum())});
  }
  table.add_row({"DOF by Grübler", "", "", std::to_string(sum)});
  return table.text();
}

std::string drift_text(const std::vector<VehicleRun>& runs) {
  TextTable table(extended({">t [s]"}, runs, [](const VehicleRun& run) { return ">" + run.model; }));
  const std::size_t second = kVehicleRows / 5;
  for (std::size_t k = second; k <= kVehicleRows; k += second)
    table.add_row(extended({fmt::format("{:g}", runs.front().rows[k].t)}, runs, [k](const VehicleRun& run) {
      return fmt::format("{:.2e}", std::abs(run.rows[k].Phi3));
    }));
  table.add_row(extended({"max"}, runs,
                         [](const VehicleRun& run) { return fmt::format("{:.2e}", run.largest_drift()); }));
  return table.text();
}

std::string differences_text(const VehicleFigures& figures) {
  std::vector<std::string> headings{"manoeuvre", "model"};
  for (std::size_t i = 0; i < kKnuckleNames.size(); ++i)
    headings.push_back(fmt::format(">{} [{}]", kKnuckleNames[i], kKnuckleUnits[i]));
  TextTable table(headings);
  for (const KnuckleDifference& difference : knuckle_differences(figures))
    table.add_row(extended({difference.manoeuvre, difference.model}, difference.largest,
                           [](double largest) { return fmt::format("{:.1e}", largest); }));
  return table.text();
}

// Estimation

constexpr double kDegrees = 180.0 / std::numbers::pi;

/// "0.82 deg" of an angle in rad, "0.31 mm" of a length in m.
std::string shown(double value, const std::string& unit, const char* format) {
  static const std::map<std::string, std::pair<double, const char*>> units{{"rad", {kDegrees, "deg"}},
                                                                           {"rad/s", {kDegrees, "deg/s"}},
                                                                           {"m", {1e3, "mm"}},
                                                                           {"m/s²", {1.0, "m/s²"}}};
  const auto& [scale, name] = units.at(unit);
  return fmt::format(fmt::runtime(format), value * scale, name);
}

std::string errors_text(const std::vector<KinematicError>& errors) {
  TextTable table({"", ">RMSE here", ">RMSE in the source"});
  for (const KinematicError& error : errors)
    table.add_row({error.what, shown(error.rmse, error.unit, "{:.3g} {}"),
                   error.published ? shown(*error.published, error.unit, "{:.2f} {}") : "–"});
  return table.text();
}

std::string filters_text(const EstimationTable& measured) {
  TextTable table({"filter", ">RMSE crank", ">worst", ">source", ">warned after", ">false alarms",
                   ">step p50", ">p99", ">p99.9", ">max"});
  for (const auto& [way, published, errors] : measured.filters) {
    const auto time = [&times = errors.step_times](double p) {
      return fmt::format("{:.1f} µs", 1e6 * times.quantile(p).seconds());
    };
    table.add_row({way.name, fmt::format("{:.3f}°", errors.mean_rmse * kDegrees),
                   fmt::format("{:.3f}°", errors.worst_rmse * kDegrees),
                   published ? fmt::format("{:.2f}°", *published * kDegrees) : "–",
                   errors.warned_after < 0.0 ? "never" : fmt::format("{:.2f} s", errors.warned_after),
                   fmt::format("{:.1f} %", 100.0 * errors.false_alarms), time(0.5), time(0.99), time(0.999),
                   time(1.0)});
  }
  return table.text();
}

}  // namespace

std::string bench_page(const KinematicsTable& measured, const std::optional<std::string>& out,
                       const PageStyle& style) {
  TextPage page(style);
  page.title("Efficiency of kinematics", "bench");
  page.fact("Methods",
            "I global (dense), II groups, III groups-tensor (velocity coefficients K and L), IV sparse; "
            "global ones in natural coordinates (Muñoz 2013, §4.2.1)");
  page.fact("Measured",
            "on one core, the best of several repeats; a solution is positions, velocities and accelerations "
            "with all checks of a motion, outputs not written");
  page.heading("Scalable four-bar, one solution [µs], crank advanced by 0.01 rad");
  page.append(solutions_text(measured));
  if (const std::string text = growth_text(growth(measured)); !text.empty())
    page.append(fmt::format("  time from {} dyads on: {}\n", kFromDyads, text));
  page.heading("Where the time goes");
  page.append(shares_text(measured));
  page.append(
      "  operations are timed separately, as often as one solution performs them; where they add up to more "
      "than the whole, fractions are of their sum\n");
  page.heading("Truck suspension, 400 solutions [s]: 20 s in steps of 0.05 s");
  page.append(trucks_text(measured));
  page.append("  source: its own program on its machine (Muñoz 2013, Cuadro 5.1)\n");
  if (out) page.append("\n");
  if (out) page.fact("Written", *out);
  return page.text();
}

std::string bench_page(const DynamicsTable& measured, const std::optional<std::string>& out,
                       const PageStyle& style) {
  TextPage page(style);
  page.title("Efficiency of dynamics", "bench");
  page.fact("Measured",
            "one evaluation, from given positions and velocities to accelerations; processor time of one "
            "thread, the best of several repeats");
  page.heading("Best formulation, one evaluation [µs]");
  page.append(best_text(measured));
  if (!measured.rivals.empty()) page.append("  ratio: their time divided by ours\n");
  page.heading("Every formulation, one evaluation [µs]");
  page.append(times_text(measured));
  page.append(
      "  –: refused by the formulation, or left out: beyond 100 dyads and 50 revolutes there are groups\n"
      "  and semi-recursive alone\n");
  if (const std::string text = instructions_text(measured); !text.empty()) {
    page.heading("Instructions of one evaluation, by callgrind");
    page.append(text);
  }
  page.append("\n");
  if (const std::string text = growth_text(growth(measured)); !text.empty())
    page.fact("Growth", fmt::format("of time from {} dyads on: {}", kFromDyads, text));
  const std::string missed = missed_text(measured);
  page.fact("To reach", missed.empty() ? "nothing missed" : "missed: " + missed);
  for (std::size_t r = 0; r < measured.rivals.size(); ++r)
    page.fact(measured.rivals[r].title,
              measured.rivals[r].version + "; accelerations differ from ours, relative to the max of ours, " +
                  agreement_text(agreement(measured, r)));
  if (std::ranges::find(measured.rivals, "mujoco", &Rival::name) != measured.rivals.end())
    page.fact("", "MuJoCo's loops are soft and leave out what velocities do; they are compared at rest");
  if (out) page.fact("Written", *out);
  return page.text();
}

std::string bench_page(const ReferencesTable& measured, const std::optional<std::string>& out,
                       const PageStyle& style) {
  TextPage page(style);
  page.title("Problems with published answers", "bench");
  page.fact("Integrated",
            "by the formulation that 'auto' picks; the tolerance is relative and absolute, of a step");
  page.fact("Error", "the max over all quantities and all published instants");
  page.fact("Drift", "of the energy from its exact value, the max over 500 instants between rows");
  page.fact("CPU",
            "processor time of one thread for the motion, the best of several runs; published times are of "
            "other machines");
  page.append("\n" + problems_text(measured));
  page.append("  ratio: their time divided by ours\n\n");
  const std::size_t all = measured.size(), misses = missed(measured).size();
  page.fact("Accepted", misses == 0 ? fmt::format("all {} problems", all)
                                    : fmt::format("{} of {} problems", all - misses, all));
  if (out) page.fact("Written", *out);
  return page.text();
}

std::string bench_page(const VehicleFigures& figures, const std::vector<std::string>& files,
                       const PageStyle& style) {
  const VehicleCount& count = figures.count;
  TextPage page(style);
  page.title("Quarter of a robot vehicle (UPV paper)", "bench");
  page.heading("Table 1: degrees of freedom by Grübler's count");
  page.append(count_text(count.terms));
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
  page.append(drift_text(figures.drifts));
  page.fact("Models", fmt::format("multipliers in these coordinates, tolerances {:g} relative and absolute; "
                                  "stabilised: α = {:g}, β = {:g}",
                                  kVehicleTolerance, kVehicleBaumgarte.alpha, kVehicleBaumgarte.beta));
  page.heading("Figure 26: the knuckle, max differences from the semi-recursive run");
  page.append(differences_text(figures));
  page.fact("Models",
            fmt::format("by bdf, as above; the judge, in the place of ADAMS, in relative coordinates "
                        "by dopri5 with tolerances of {:g}",
                        kVehicleJudgeTolerance));
  page.fact("Manoeuvres",
            "drop: the road lies 30 mm lower from the start on; bump: 20 mm high, from 1 s to 1.3 s");
  for (const std::string& file : files) page.fact("Written", file);
  return page.text();
}

std::string bench_page(const EstimationTable& measured, const PageStyle& style) {
  TextPage page(style);
  page.title("Experiments on the testbed", "Torres-Moreno et al. 2016, §5, simulated");
  page.heading("Kinematics: motor at 1.8190 rad/s, readings every 10 ms for 20 s");
  page.append(errors_text(measured.kinematics));
  page.fact("Rows",
            "what is measured beside what kinematics predict from the motor's constant speed, or from the "
            "crank's encoder of 1024 pulses; points and accelerations from the inertial units alone beside "
            "kinematics");
  page.fact(
      "Sensors",
      fmt::format(
          "angles {:g} deg and rates {:g} deg/s of noise, motor's speed ±{:g} rad/s; backlash and "
          "misalignment of the real linkage, which the source suspects behind its errors, are not simulated",
          kPitchNoise, kGyroscopeNoise, kSpeedDeviation));
  page.heading(
      fmt::format("Dynamics: released, with friction that no filter models, gyroscopes every 10 ms, {} seeds",
                  measured.seeds));
  page.append(filters_text(measured));
  page.fact("Motion", fmt::format("it stops at {:.3f} s; errors are those before", measured.stops_at));
  page.heading("Times of steps, as in figure 7 of the source");
  for (const FilterRow& filter : measured.filters)
    if (filter.published_rmse)
      page.append(fmt::format("\n  {}\n{}", filter.way.name, filter.errors.step_times.text()));
  return page.text();
}

std::string bench_json(const std::string& command, const std::string& csv,
                       const std::optional<std::string>& out) {
  return text_of({{"command", command},
                  {"table", Json::parse(recording::table_json(csv))},
                  {"files", {{"table", or_null(out)}}}});
}

std::string bench_json(const VehicleFigures& figures, const std::vector<std::string>& files) {
  const VehicleCount& count = figures.count;
  Json largest = Json::object();
  for (const VehicleRun& run : figures.drifts) largest[run.model] = run.largest_drift();
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

std::string bench_json(const EstimationTable& measured) {
  Json json{{"command", "bench estimation"}, {"seeds", measured.seeds}, {"stops_at", measured.stops_at}};
  for (const KinematicError& error : measured.kinematics) json["kinematics"][error.name] = error.rmse;
  json["filters"] = Json::array();
  for (const auto& [way, published, errors] : measured.filters)
    json["filters"].push_back(
        {{"name", way.name},
         {"rmse", errors.mean_rmse},
         {"worst_rmse", errors.worst_rmse},
         {"warned_after", errors.warned_after < 0.0 ? Json(nullptr) : Json(errors.warned_after)},
         {"false_alarms", errors.false_alarms},
         {"median_step", errors.step_times.quantile(0.5).seconds()},
         {"largest_step", errors.step_times.quantile(1.0).seconds()}});
  return text_of(json);
}

}  // namespace eslabon::cli
