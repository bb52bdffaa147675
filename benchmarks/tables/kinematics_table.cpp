#include "benchmarks/tables/kinematics_table.hpp"

#include <array>

#include <fmt/format.h>

namespace eslabon::benchmarks {

namespace {

// Seconds of the source's own program for its run with 1 … 5 axles [Seed001, Cuadro 5.1, "Solución directa"].
constexpr std::array<double, kMostAxles> kSourceTruckSeconds{136.268, 253.283, 375.601, 543.629, 652.489};
constexpr int kMostDenseDyads = 400;  // a dense solution of more takes seconds

std::optional<SolutionCost> four_bar_cost(int dyads, const std::string& method) {
  if (method == "global" && dyads > kMostDenseDyads) return std::nullopt;
  return measure_scalable_fourbar(dyads, method);
}

}  // namespace

const std::vector<SourceMethod>& source_methods() {
  static const std::vector<SourceMethod> methods{
      {"I", "global"}, {"II", "groups"}, {"III", "groups-tensor"}, {"IV", "sparse"}};
  return methods;
}

KinematicsTable measure_kinematics(const KinematicsRequest& request, const Progress& progress) {
  KinematicsTable table;
  const std::size_t all = (request.dyads.size() + request.axles.size()) * source_methods().size();
  std::size_t done = 0;
  const auto tell = [&] { progress(static_cast<double>(++done) / static_cast<double>(all)); };
  for (const int dyads : request.dyads) {
    FourBarRow& row = table.four_bars.emplace_back(FourBarRow{dyads, {}});
    for (const SourceMethod& method : source_methods()) {
      row.costs.push_back(four_bar_cost(dyads, method.name));
      tell();
    }
  }
  for (const int axles : request.axles) {
    TruckRow& row = table.trucks.emplace_back(
        TruckRow{axles, kSourceTruckSeconds.at(static_cast<std::size_t>(axles - 1)), {}});
    for (const SourceMethod& method : source_methods()) {
      row.seconds.push_back(measure_truck_run(axles, method.name));
      tell();
    }
  }
  return table;
}

std::vector<Growth> growth(const KinematicsTable& table) {
  std::vector<Growth> found;
  for (std::size_t m = 0; m < source_methods().size(); ++m) {
    std::vector<double> sizes, times;
    for (const FourBarRow& row : table.four_bars)
      if (row.costs[m] && row.dyads >= kFromDyads) {
        sizes.push_back(row.dyads);
        times.push_back(row.costs[m]->seconds);
      }
    if (const auto exponent = fitted_exponent(sizes, times))
      found.push_back({source_methods()[m].name, *exponent});
  }
  return found;
}

std::string csv_text(const KinematicsTable& table) {
  std::string text =
      "mechanism,size,method,solution,run,source_run,jacobian,residual,solve,K_and_L,other\n"
      ",1,,s,s,s,1,1,1,1,1\n";
  for (const FourBarRow& row : table.four_bars)
    for (std::size_t m = 0; m < row.costs.size(); ++m)
      if (const std::optional<SolutionCost>& cost = row.costs[m])
        text += fmt::format("scalable-fourbar,{},{},{:.6g},,,{:.4g},{:.4g},{:.4g},{:.4g},{:.4g}\n", row.dyads,
                            source_methods()[m].name, cost->seconds, cost->jacobian, cost->residual,
                            cost->solve, cost->coefficients, cost->other);
  for (const TruckRow& row : table.trucks)
    for (std::size_t m = 0; m < row.seconds.size(); ++m)
      text +=
          fmt::format("truck-suspension,{},{},{:.6g},{:.6g},{},,,,,\n", row.axles, source_methods()[m].name,
                      row.seconds[m] / kTruckSolutions, row.seconds[m], row.source_seconds);
  return text;
}

}  // namespace eslabon::benchmarks
