#include <cstdio>
#include <numbers>

#include "bench.hpp"
#include "command_line.hpp"
#include "estimation_study.hpp"
#include "progress_bar.hpp"
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

}  // namespace

void run_estimation_bench(const EstimationBenchOptions& options) {
  const int seeds = read_numbers("--seeds", options.seeds, 1000).front();
  TextPage page(has_colour(STDOUT_FILENO));
  page.title("Experiments on the testbed", "[Seed003, §5], simulated");
  page.heading("Kinematics: motor at 1.8190 rad/s, readings every 10 ms for 20 s");
  page.append(kinematic_table(run_kinematic_experiment(1)));
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
  const DynamicExperiment experiment;
  page.heading(fmt::format(
      "Dynamics: let go with friction that no filter knows, gyroscopes every 10 ms, {} seeds", seeds));
  TextTable table({"filter", ">RMSE crank", ">worst", ">source", ">warned after", ">false alarms",
                   ">step p50", ">p99", ">p99.9", ">max"});
  ProgressBar bar;
  std::string histograms;
  for (std::size_t k = 0; k < kWays.size(); ++k) {
    const DynamicErrors errors = experiment.run(kWays[k], seeds);
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
    if (k == kSourceDekf || k == kSourceUkf)
      histograms += fmt::format("\n  {}\n{}", kWays[k].name, errors.step_times.text());
    bar.update(static_cast<double>(k + 1) / static_cast<double>(kWays.size()));
  }
  page.append(table.text());
  page.fact("Motion", fmt::format("it stops at {:.3f} s; errors are those before", experiment.stops_at()));
  page.heading("Times of steps, as in figure 7 of the source");
  page.append(histograms);
  std::fputs(page.text().c_str(), stdout);
}

}  // namespace eslabon::cli
