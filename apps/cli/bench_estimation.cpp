#include <cstdio>
#include <numbers>

#include "bench.hpp"
#include "command_line.hpp"
#include "estimation_study.hpp"
#include "presentation.hpp"
#include "progress_bar.hpp"
#include "result_json.hpp"
#include "text_page.hpp"
#include "text_table.hpp"
#include <fmt/format.h>
#include <unistd.h>

// The page of `eslabon bench estimation`.
namespace eslabon::cli {

namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

std::string kinematic_table(const KinematicErrors& errors) {
  TextTable table({"", ">RMSE here", ">RMSE in the source"});
  const auto row = [&](const char* what, double here, const char* unit, const char* source) {
    table.add_row({what, fmt::format("{:.3g} {}", here, unit), source});
  };
  row("coupler angle, by motor", errors.coupler_angle * kDegrees, "deg", "0.82 deg");
  row("rocker angle, by motor", errors.rocker_angle * kDegrees, "deg", "1.00 deg");
  row("coupler rate, by motor", errors.coupler_rate * kDegrees, "deg/s", "1.75 deg/s");
  row("rocker rate, by motor", errors.rocker_rate * kDegrees, "deg/s", "1.79 deg/s");
  row("coupler angle, by encoder", errors.encoder_coupler_angle * kDegrees, "deg", "–");
  row("rocker angle, by encoder", errors.encoder_rocker_angle * kDegrees, "deg", "–");
  row("rocker's own encoder", errors.rocker_encoder * kDegrees, "deg", "–");
  row("P1 by IMUs, eq. (11)", errors.p1 * 1e3, "mm", "–");
  row("P2 by IMUs", errors.p2 * 1e3, "mm", "–");
  row("P3 by IMUs", errors.p3 * 1e3, "mm", "–");
  row("P3 x by eq. (10)", errors.p3_x_acceleration, "m/s²", "–");
  row("P3 y by eq. (10)", errors.p3_y_acceleration, "m/s²", "–");
  return table.text();
}

const std::vector<FilterWay> kWays{
    {"dekf, simple Jacobian, euler", "dekf", false, "euler"},
    {"dekf, euler", "dekf", true, "euler"},
    {"dekf", "dekf"},
    {"ukf, euler", "ukf", true, "euler"},
    {"ukf", "ukf"},
    {"cekf", "cekf"},
    {"error-ekf, simple Jacobian", "error-ekf", false, "heun"},
    {"error-ekf", "error-ekf"},
    {"error-ekf, force estimation", "error-ekf", true, "heun", true},
};

// Of kWays, the filters of the source.
constexpr std::size_t kSourceDekf = 0, kSourceUkf = 3;

/// What was found in both experiments.
struct EstimationFound {
  int seeds;
  KinematicErrors kinematics;
  double stops_at;                     ///< the linkage of the second [s]
  std::vector<DynamicErrors> filters;  ///< (kWays)
};

std::string filter_table(const EstimationFound& found) {
  TextTable table({"filter", ">RMSE crank", ">worst", ">source", ">warned after", ">false alarms",
                   ">step p50", ">p99", ">p99.9", ">max"});
  for (std::size_t k = 0; k < kWays.size(); ++k) {
    const DynamicErrors& errors = found.filters[k];
    const auto time = [&](double p) {
      return fmt::format("{:.1f} µs", 1e6 * errors.step_times.quantile(p).seconds());
    };
    table.add_row({kWays[k].name, fmt::format("{:.3f}°", errors.mean_rmse * kDegrees),
                   fmt::format("{:.3f}°", errors.worst_rmse * kDegrees),
                   k == kSourceDekf  ? "1.15°"
                   : k == kSourceUkf ? "1.16°"
                                     : "–",
                   errors.warned_after < 0.0 ? "never" : fmt::format("{:.2f} s", errors.warned_after),
                   fmt::format("{:.1f} %", 100.0 * errors.false_alarms), time(0.5), time(0.99), time(0.999),
                   time(1.0)});
  }
  return table.text();
}

std::string page_text(const EstimationFound& found, const PageStyle& style) {
  TextPage page(style);
  page.title("Experiments on the testbed", "Torres-Moreno et al. 2016, §5, simulated");
  page.heading("Kinematics: motor at 1.8190 rad/s, readings every 10 ms for 20 s");
  page.append(kinematic_table(found.kinematics));
  page.fact("Rows",
            "what is measured beside what kinematics predict from the motor's constant speed, or from the "
            "crank's encoder of 1024 "
            "pulses; points and accelerations from the inertial units alone beside kinematics");
  page.fact(
      "Sensors",
      fmt::format(
          "angles {:g} deg and rates {:g} deg/s of noise, motor's speed ±{:g} rad/s; backlash and "
          "misalignment of the real linkage, which the source suspects behind its errors, are not simulated",
          kPitchNoise, kGyroscopeNoise, kSpeedDeviation));
  page.heading(
      fmt::format("Dynamics: released, with friction that no filter models, gyroscopes every 10 ms, {} seeds",
                  found.seeds));
  page.append(filter_table(found));
  page.fact("Motion", fmt::format("it stops at {:.3f} s; errors are those before", found.stops_at));
  page.heading("Times of steps, as in figure 7 of the source");
  for (const std::size_t k : {kSourceDekf, kSourceUkf})
    page.append(fmt::format("\n  {}\n{}", kWays[k].name, found.filters[k].step_times.text()));
  return page.text();
}

std::string estimation_json(const EstimationFound& found) {
  const KinematicErrors& errors = found.kinematics;
  Json json{{"command", "bench estimation"}, {"seeds", found.seeds}, {"stops_at", found.stops_at}};
  json["kinematics"] = {{"coupler_angle", errors.coupler_angle},
                        {"rocker_angle", errors.rocker_angle},
                        {"coupler_rate", errors.coupler_rate},
                        {"rocker_rate", errors.rocker_rate},
                        {"encoder_coupler_angle", errors.encoder_coupler_angle},
                        {"encoder_rocker_angle", errors.encoder_rocker_angle},
                        {"rocker_encoder", errors.rocker_encoder},
                        {"p1", errors.p1},
                        {"p2", errors.p2},
                        {"p3", errors.p3},
                        {"p3_x_acceleration", errors.p3_x_acceleration},
                        {"p3_y_acceleration", errors.p3_y_acceleration}};
  json["filters"] = Json::array();
  for (std::size_t k = 0; k < kWays.size(); ++k) {
    const DynamicErrors& one = found.filters[k];
    json["filters"].push_back(
        {{"name", kWays[k].name},
         {"rmse", one.mean_rmse},
         {"worst_rmse", one.worst_rmse},
         {"warned_after", one.warned_after < 0.0 ? Json(nullptr) : Json(one.warned_after)},
         {"false_alarms", one.false_alarms},
         {"median_step", one.step_times.quantile(0.5).seconds()},
         {"largest_step", one.step_times.quantile(1.0).seconds()}});
  }
  return text_of(json);
}

}  // namespace

void run_estimation_bench(const EstimationBenchOptions& options, const Presentation& presentation) {
  const int seeds = read_count("--seeds", options.seeds, 1000);
  const DynamicExperiment experiment;
  EstimationFound found{seeds, run_kinematic_experiment(1), experiment.stops_at(), {}};
  ProgressBar bar;
  for (const FilterWay& way : kWays) {
    found.filters.push_back(experiment.run(way, seeds));
    bar.update(static_cast<double>(found.filters.size()) / static_cast<double>(kWays.size()));
  }
  presentation.show(
      stdout, [&](const PageStyle& style) { return page_text(found, style); },
      [&] { return estimation_json(found); });
}

}  // namespace eslabon::cli
