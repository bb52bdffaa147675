#include "benchmarks/tables/findings.hpp"
#include "benchmarks/tables/vehicles_table.hpp"
#include <fmt/format.h>

namespace eslabon::benchmarks {

namespace {

std::string percent(double part) { return fmt::format("{:.3g} %", 100.0 * part); }

Findings::Table counts_table(const VehiclesTable& measured) {
  Findings::Table table{{""}};
  for (const MeasuredVehicle& vehicle : measured.vehicles) {
    table.headings.push_back(">" + vehicle.name);
    table.headings.emplace_back(">published");
  }
  const auto row = [&](std::string word, auto cell) {
    std::vector<std::string>& cells = table.rows.emplace_back(std::vector{std::move(word)});
    for (const MeasuredVehicle& vehicle : measured.vehicles) {
      cells.push_back(cell(vehicle.counts));
      cells.push_back(cell(vehicle.published->counts));
    }
  };
  const auto number = [](int VehicleCounts::*field) {
    return [field](const VehicleCounts& counts) { return fmt::format("{}", counts.*field); };
  };
  row("bodies, the ground too", number(&VehicleCounts::bodies));
  row("of them without mass", number(&VehicleCounts::massless));
  row("joints", number(&VehicleCounts::joints));
  row("rods", number(&VehicleCounts::rods));
  row("degrees of freedom", number(&VehicleCounts::freedoms));
  row("of them guided", number(&VehicleCounts::guided));
  row("cuts R + S + rods", [](const VehicleCounts& counts) {
    return fmt::format("{} + {} + {}", counts.revolute_cuts, counts.ball_cuts, counts.rods);
  });
  row("Φ_z^d, rows × rank",
      [](const VehicleCounts& counts) { return fmt::format("{} × {}", counts.rows, counts.rank); });
  row("Φ_z^d, not zero", [](const VehicleCounts& counts) { return percent(counts.density); });
  return table;
}

/// The times of a vehicle, those published scaled to as many evaluations.
Findings::Table steps_table(const MeasuredVehicle& vehicle, double seconds) {
  Findings::Table table{{"step", ">C++", ">BLAS", ">MA48"}};
  for (const ManoeuvreCost& cost : vehicle.costs)
    table.headings.push_back(fmt::format(">{}{}", cost.matrices, cost.has_tyres ? "" : ", no tyres"));
  const double scale = seconds / kPublishedManoeuvre;
  const auto cell = [](double value) { return fmt::format("{:.3f}", value); };
  for (std::size_t s = 1; s < dynamics::kNumSteps; ++s) {
    std::vector<std::string> cells{fmt::format("{} {}", s, dynamics::kStepNames[s])};
    for (const auto& published : vehicle.published->steps) cells.push_back(cell(scale * published[s - 1]));
    for (const ManoeuvreCost& cost : vehicle.costs) cells.push_back(cell(cost.steps[s]));
    table.rows.push_back(std::move(cells));
  }
  std::vector<std::string> totals{"all nine"},
      close{fmt::format("0 {}", dynamics::kStepNames[0]), "", "", ""};
  for (const double total : vehicle.published->totals) totals.push_back(cell(scale * total));
  for (const ManoeuvreCost& cost : vehicle.costs) {
    totals.push_back(cell(cost.total()));
    close.push_back(cell(cost.steps[0]));
  }
  table.rows.push_back(std::move(totals));
  table.rows.push_back(std::move(close));
  return table;
}

}  // namespace

Findings findings(const VehiclesTable& measured) {
  Findings found{"Large vehicles"};
  found.fact(
      "Measured",
      fmt::format(
          "manoeuvres of {:g} s by RK4 with steps of 1 ms, semi-recursive; processor time of one thread",
          measured.seconds));
  found.fact("Published", "Hidalgo and García de Jalón, one core of a Xeon 5160 of 3.0 GHz, 2012");
  found.heading("What they consist of");
  found.table(counts_table(measured));
  for (const MeasuredVehicle& vehicle : measured.vehicles) {
    found.heading(fmt::format("{}: {} evaluations [s]", vehicle.name, vehicle.costs.front().evaluations));
    found.fact("Manoeuvre", vehicle.manoeuvre);
    found.table(steps_table(vehicle, measured.seconds));
    found.gap();
    for (const TwinRun& run : vehicle.runs)
      found.fact(
          run.twin == "pairs" ? "Pairs alone" : "Lean twin",
          fmt::format("{:.1f} µs for an evaluation, the whole run in {:.2f} s: real-time factor {:.2f}",
                      1e6 * run.seconds / static_cast<double>(run.evaluations), run.seconds,
                      measured.seconds / run.seconds));
  }
  found.remark("steps: shares of the time on the wall, of the processor time of their run");
  found.remark(
      "no tyres: the same positions, evaluated without them; step 0 has no counterpart in the source's "
      "tables");
  found.remark("density: in the design position; the source's depends on a geometry that it does not give");
  return found;
}

}  // namespace eslabon::benchmarks
