#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "bench_case.hpp"
#include "command_line.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "result_json.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>
#include <unistd.h>

// The page and the file of `eslabon bench kinematics`.
namespace eslabon::cli {

namespace {

/// The methods of [Seed001, §4.2.1] by its numbers.
struct SourceMethod {
  std::string number;
  std::string name;
};
const std::vector<SourceMethod>& source_methods() {
  static const std::vector<SourceMethod> methods{
      {"I", "global"}, {"II", "groups"}, {"III", "groups-tensor"}, {"IV", "sparse"}};
  return methods;
}

// Seconds of the source's own program for its run with 1 … 5 axles [Seed001, Cuadro 5.1, "Solución directa"].
constexpr std::array kSourceTruckSeconds{136.268, 253.283, 375.601, 543.629, 652.489};
constexpr int kMostSolvedDyads = 100'000;
constexpr int kMostDenseDyads = 400;  // a dense solution of more takes seconds

struct FourBarCost {
  int dyads;
  std::size_t method;  ///< of source_methods()
  SolutionCost cost;
};
struct TruckTime {
  int axles;
  std::size_t method;
  double seconds;
};

std::string method_heading(const SourceMethod& method) { return ">" + method.number + " " + method.name; }

std::string times_text(const std::vector<int>& dyads, const std::vector<FourBarCost>& costs) {
  std::vector<std::string> headings{">dyads", ">equations"};
  for (const SourceMethod& method : source_methods()) headings.push_back(method_heading(method));
  TextTable table(headings);
  for (const int k : dyads) {
    std::vector<std::string> cells{std::to_string(k), std::to_string(2 * k + 2)};
    for (std::size_t m = 0; m < source_methods().size(); ++m) {
      std::string cell = "–";
      for (const FourBarCost& cost : costs)
        if (cost.dyads == k && cost.method == m) cell = microseconds(cost.cost.seconds);
      cells.push_back(cell);
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string growth_text(const std::vector<FourBarCost>& costs) {
  std::string text;
  for (std::size_t m = 0; m < source_methods().size(); ++m) {
    std::vector<double> sizes, times;
    for (const FourBarCost& cost : costs)
      if (cost.method == m && cost.dyads >= kFromDyads) {
        sizes.push_back(cost.dyads);
        times.push_back(cost.cost.seconds);
      }
    if (sizes.size() < 2 || sizes.front() == sizes.back()) continue;
    text += fmt::format("{}{} dyads^{:.2f}", text.empty() ? "" : ", ", source_methods()[m].name,
                        fitted_exponent(sizes, times));
  }
  return text;
}

std::string shares_text(const std::vector<FourBarCost>& costs) {
  TextTable table({">dyads", "method", ">Jacobian", ">residual", ">solve", ">K and L", ">other"});
  for (const FourBarCost& cost : costs) {
    std::vector<std::string> cells{std::to_string(cost.dyads), source_methods()[cost.method].number + " " +
                                                                   source_methods()[cost.method].name};
    for (const double share :
         {cost.cost.jacobian, cost.cost.residual, cost.cost.solve, cost.cost.coefficients, cost.cost.other})
      cells.push_back(fmt::format("{:.0f} %", 100.0 * share));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string truck_text(const std::vector<int>& axles, const std::vector<TruckTime>& times) {
  std::vector<std::string> headings{">axles", ">source"};
  for (const SourceMethod& method : source_methods()) headings.push_back(method_heading(method));
  headings.emplace_back(">II, one solution");
  TextTable table(headings);
  for (const int n : axles) {
    std::vector<std::string> cells{
        std::to_string(n), fmt::format("{:.3f}", kSourceTruckSeconds[static_cast<std::size_t>(n - 1)])};
    std::string each;
    for (std::size_t m = 0; m < source_methods().size(); ++m)
      for (const TruckTime& time : times)
        if (time.axles == n && time.method == m) {
          cells.push_back(fmt::format("{:.3g}", time.seconds));
          if (source_methods()[m].name == "groups") each = microseconds(time.seconds / 400.0) + " µs";
        }
    cells.push_back(each);
    table.add_row(std::move(cells));
  }
  return table.text();
}

/// The table for programs: names, units, rows.
std::string table_csv(const std::vector<FourBarCost>& costs, const std::vector<TruckTime>& times) {
  std::string text =
      "mechanism,size,method,solution,run,source_run,jacobian,residual,solve,K_and_L,other\n"
      ",1,,s,s,s,1,1,1,1,1\n";
  for (const FourBarCost& c : costs)
    text += fmt::format("scalable-fourbar,{},{},{:.6g},,,{:.4g},{:.4g},{:.4g},{:.4g},{:.4g}\n", c.dyads,
                        source_methods()[c.method].name, c.cost.seconds, c.cost.jacobian, c.cost.residual,
                        c.cost.solve, c.cost.coefficients, c.cost.other);
  for (const TruckTime& time : times)
    text += fmt::format("truck-suspension,{},{},{:.6g},{:.6g},{},,,,,\n", time.axles,
                        source_methods()[time.method].name, time.seconds / 400.0, time.seconds,
                        kSourceTruckSeconds[static_cast<std::size_t>(time.axles - 1)]);
  return text;
}

/// All that was measured.
struct KinematicsMeasured {
  const KinematicsBenchOptions& options;
  const std::vector<int>&dyads, &axles;
  const std::vector<FourBarCost>& costs;
  const std::vector<TruckTime>& times;
};

std::string page_text(const KinematicsMeasured& measured, const PageStyle& style) {
  TextPage page(style);
  page.title("Efficiency of kinematics", "bench");
  page.fact("Methods",
            "I global (dense), II groups, III groups-tensor (velocity coefficients K and L), IV sparse; "
            "global ones in natural coordinates (Muñoz 2013, §4.2.1)");
  page.fact("Measured",
            "on one core, the best of several repeats; a solution is positions, velocities and accelerations "
            "with all "
            "checks of a motion, outputs not written");
  page.heading("Scalable four-bar, one solution [µs], crank advanced by 0.01 rad");
  page.append(times_text(measured.dyads, measured.costs));
  if (const std::string growth = growth_text(measured.costs); !growth.empty())
    page.append("  time from " + fmt::format("{:.0f}", kFromDyads) + " dyads on: " + growth + "\n");
  page.heading("Where the time goes");
  page.append(shares_text(measured.costs));
  page.append(
      "  operations are timed separately, as often as one solution performs them; where they add up to more "
      "than the whole, fractions are of their sum\n");
  page.heading("Truck suspension, 400 solutions [s]: 20 s in steps of 0.05 s");
  page.append(truck_text(measured.axles, measured.times));
  page.append("  source: its own program on its machine (Muñoz 2013, Cuadro 5.1)\n");
  if (measured.options.out) page.append("\n");
  if (measured.options.out) page.fact("Written", *measured.options.out);
  return page.text();
}

}  // namespace

void run_kinematics_bench(const KinematicsBenchOptions& options, const Presentation& presentation) {
  const std::vector<int> dyads = read_numbers("--dyads", options.dyads, kMostSolvedDyads);
  const std::vector<int> axles =
      read_numbers("--axles", options.axles, static_cast<int>(kSourceTruckSeconds.size()));
  std::vector<FourBarCost> costs;
  std::vector<TruckTime> times;
  // A file that cannot be written is better known before the work than after it.
  if (options.out) check_file(*options.out, "the table");
  ProgressBar bar;
  const double all = static_cast<double>((dyads.size() + axles.size()) * source_methods().size());
  double done = 0.0;
  for (const int k : dyads)
    for (std::size_t m = 0; m < source_methods().size(); ++m) {
      if (source_methods()[m].name != "global" || k <= kMostDenseDyads)
        costs.push_back({k, m, measure_scalable_fourbar(k, source_methods()[m].name)});
      bar.update(++done / all);
    }
  for (const int n : axles)
    for (std::size_t m = 0; m < source_methods().size(); ++m) {
      times.push_back({n, m, measure_truck_run(n, source_methods()[m].name)});
      bar.update(++done / all);
    }
  if (options.out) write_text_file(*options.out, "the table", table_csv(costs, times));

  presentation.show(
      stdout,
      [&](const PageStyle& style) {
        return page_text({options, dyads, axles, costs, times}, style);
      },
      [&] {
        return text_of({{"command", "bench kinematics"},
                        {"table", table_json(table_csv(costs, times))},
                        {"files", {{"table", or_null(options.out)}}}});
      });
}

}  // namespace eslabon::cli
