#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "benchmarks/tables/estimation_table.hpp"
#include "benchmarks/tables/findings.hpp"
#include "benchmarks/tables/references_table.hpp"
#include "benchmarks/tables/vehicle_figures.hpp"
#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::benchmarks {

namespace {

// Problems with published answers

/// "0.00041", "0.0335"
std::string seconds_text(double seconds) { return fmt::format("{:.3g}", seconds); }

Findings::Table problems_table(const ReferencesTable& measured) {
  Findings::Table table{{"problem", fmt::format("by, {} at", kReferenceIntegrator), ">error", ">accepted",
                         ">drift [J]", ">accepted", ">CPU [s]", ">published", "by", ">ratio"}};
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
      table.rows.push_back(std::exchange(cells, {}));
    }
    if (problem.published.empty()) {
      cells.insert(cells.end(), {"–", "–", "–"});
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

// The quarter vehicle

Findings::Table count_table(const std::vector<GrueblerTerm>& terms) {
  Findings::Table table{{"component", ">count", ">DOF", ">sum"}};
  int sum = 0;
  for (const GrueblerTerm& term : terms) {
    sum += term.sum();
    table.rows.push_back({term.components, std::to_string(term.count), std::to_string(term.freedoms),
                          std::to_string(term.sum())});
  }
  table.rows.push_back({"DOF by Grübler", "", "", std::to_string(sum)});
  return table;
}

Findings::Table drift_table(const std::vector<VehicleRun>& runs) {
  Findings::Table table{extended({">t [s]"}, runs, [](const VehicleRun& run) { return ">" + run.model; })};
  const std::size_t second = kVehicleRows / 5;
  for (std::size_t k = second; k <= kVehicleRows; k += second)
    table.rows.push_back(
        extended({fmt::format("{:g}", runs.front().rows[k].t)}, runs,
                 [k](const VehicleRun& run) { return fmt::format("{:.2e}", std::abs(run.rows[k].Phi3)); }));
  table.rows.push_back(extended(
      {"max"}, runs, [](const VehicleRun& run) { return fmt::format("{:.2e}", run.largest_drift()); }));
  return table;
}

Findings::Table differences_table(const VehicleFigures& figures) {
  std::vector<std::string> headings{"manoeuvre", "model"};
  for (std::size_t i = 0; i < kKnuckleNames.size(); ++i)
    headings.push_back(fmt::format(">{} [{}]", kKnuckleNames[i], kKnuckleUnits[i]));
  Findings::Table table{headings};
  for (const KnuckleDifference& difference : knuckle_differences(figures))
    table.rows.push_back(extended({difference.manoeuvre, difference.model}, difference.largest,
                                  [](double largest) { return fmt::format("{:.1e}", largest); }));
  return table;
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

Findings::Table errors_table(const std::vector<KinematicError>& errors) {
  Findings::Table table{{"", ">RMSE here", ">RMSE in the source"}};
  for (const KinematicError& error : errors)
    table.rows.push_back({error.what, shown(error.rmse, error.unit, "{:.3g} {}"),
                          error.published ? shown(*error.published, error.unit, "{:.2f} {}") : "–"});
  return table;
}

Findings::Table filters_table(const EstimationTable& measured) {
  Findings::Table table{{"filter", ">RMSE crank", ">worst", ">source", ">warned after", ">false alarms",
                         ">step p50", ">p99", ">p99.9", ">max"}};
  for (const auto& [way, published, errors] : measured.filters) {
    const auto time = [&times = errors.step_times](double p) {
      return fmt::format("{:.1f} µs", 1e6 * times.quantile(p).seconds());
    };
    table.rows.push_back({way.name, fmt::format("{:.3f}°", errors.mean_rmse * kDegrees),
                          fmt::format("{:.3f}°", errors.worst_rmse * kDegrees),
                          published ? fmt::format("{:.2f}°", *published * kDegrees) : "–",
                          errors.warned_after < 0.0 ? "never" : fmt::format("{:.2f} s", errors.warned_after),
                          fmt::format("{:.1f} %", 100.0 * errors.false_alarms), time(0.5), time(0.99),
                          time(0.999), time(1.0)});
  }
  return table;
}

}  // namespace

Findings findings(const ReferencesTable& measured) {
  Findings found{"Problems with published answers"};
  found.fact("Integrated",
             "by the formulation that 'auto' picks; the tolerance is relative and absolute, of a step");
  found.fact("Error", "the max over all quantities and all published instants");
  found.fact("Drift", "of the energy from its exact value, the max over 500 instants between rows");
  found.fact("CPU",
             "processor time of one thread for the motion, the best of several runs; published times are of "
             "other machines");
  found.gap();
  found.table(problems_table(measured));
  found.remark("ratio: their time divided by ours");
  found.gap();
  const std::size_t all = measured.size(), misses = missed(measured).size();
  found.fact("Accepted", misses == 0 ? fmt::format("all {} problems", all)
                                     : fmt::format("{} of {} problems", all - misses, all));
  return found;
}

Findings findings(const VehicleFigures& figures) {
  const VehicleCount& count = figures.count;
  Findings found{"Quarter of a robot vehicle (UPV paper)"};
  found.heading("Table 1: degrees of freedom by Grübler's count");
  found.table(count_table(count.terms));
  found.fact(
      "Bodies",
      fmt::format("the source counts {} with the chassis, times 6; its {} coordinates are the {} moving "
                  "bodies times 7, which is the same number",
                  count.bodies, count.coordinates, count.bodies - 1));
  found.fact("Coordinates", fmt::format("{}: positions and Euler parameters of {} bodies", count.coordinates,
                                        count.bodies - 1));
  found.fact("Equations", fmt::format("{} found, {} independent and kept", count.rows, count.rank));
  found.fact("Left out",
             fmt::format("{}, in the axes of their joints: {}", core::counted(count.redundant.size(), "row"),
                         fmt::join(count.redundant, "; ")));
  found.fact("DOF", fmt::format("{}: the travel of the wheel and its spin", count.freedoms));
  found.heading("Figure 25: |Φ3| [m], joint A along z, after a drop of 30 mm");
  found.table(drift_table(figures.drifts));
  found.fact("Models", fmt::format("multipliers in these coordinates, tolerances {:g} relative and absolute; "
                                   "stabilised: α = {:g}, β = {:g}",
                                   kVehicleTolerance, kVehicleBaumgarte.alpha, kVehicleBaumgarte.beta));
  found.heading("Figure 26: the knuckle, max differences from the semi-recursive run");
  found.table(differences_table(figures));
  found.fact("Models",
             fmt::format("by bdf, as above; the judge, in the place of ADAMS, in relative coordinates "
                         "by dopri5 with tolerances of {:g}",
                         kVehicleJudgeTolerance));
  found.fact("Manoeuvres",
             "drop: the road lies 30 mm lower from the start on; bump: 20 mm high, from 1 s to 1.3 s");
  return found;
}

Findings findings(const EstimationTable& measured) {
  Findings found{"Experiments on the testbed", "Torres-Moreno et al. 2016, §5, simulated"};
  found.heading("Kinematics: motor at 1.8190 rad/s, readings every 10 ms for 20 s");
  found.table(errors_table(measured.kinematics));
  found.fact("Rows",
             "what is measured beside what kinematics predict from the motor's constant speed, or from the "
             "crank's encoder of 1024 pulses; points and accelerations from the inertial units alone beside "
             "kinematics");
  found.fact(
      "Sensors",
      fmt::format(
          "angles {:g} deg and rates {:g} deg/s of noise, motor's speed ±{:g} rad/s; backlash and "
          "misalignment of the real linkage, which the source suspects behind its errors, are not simulated",
          kPitchNoise, kGyroscopeNoise, kSpeedDeviation));
  found.heading(
      fmt::format("Dynamics: released, with friction that no filter models, gyroscopes every 10 ms, {} seeds",
                  measured.seeds));
  found.table(filters_table(measured));
  found.fact("Motion", fmt::format("it stops at {:.3f} s; errors are those before", measured.stops_at));
  found.heading("Times of steps, as in figure 7 of the source");
  for (const FilterRow& filter : measured.filters)
    if (filter.published_rmse) {
      found.gap();
      found.remark(filter.way.name);
      found.lines(filter.errors.step_times.text());
    }
  return found;
}

}  // namespace eslabon::benchmarks
