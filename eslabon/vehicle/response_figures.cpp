#include "eslabon/vehicle/response_figures.hpp"

#include <array>
#include <complex>
#include <numbers>

#include <fmt/format.h>

namespace eslabon::vehicle {

namespace {

using Values = ManoeuvreSeries::Values;
constexpr double kPi = std::numbers::pi;

/// What a quantity does after a step of the steering wheel, ISO 7401: from the instant of half the angle to nine tenths of the steady value and to
/// the peak; by how much the peak is beyond the steady value.
struct StepAnswer {
  double steady = 0.0, response_time = 0.0, peak_time = 0.0, overshoot = 0.0;
};

StepAnswer step_answer(const ManoeuvreSeries& series, const Values& values, double half) {
  const double end = series.t().back();
  StepAnswer answer{.steady = series.mean(values, end - 0.5, end)};
  answer.response_time = series.crossing(values, 0.9 * answer.steady, half).value_or(end) - half;
  std::size_t peak = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] / answer.steady > values[peak] / answer.steady) peak = k;
  answer.peak_time = series.t()[peak] - half;
  answer.overshoot = values[peak] / answer.steady - 1.0;
  return answer;
}

/// ΣF_z on the left and on the right, of one axle.
std::array<Values, 2> loads(const ManoeuvreSeries& series, const std::vector<Wheel>& axle) {
  std::array<Values, 2> sides{Values(series.size()), Values(series.size())};
  for (const Wheel& wheel : axle) {
    const Values load = series.tyre(wheel, ".fz");
    Values& sum = sides[wheel.p_OC_B.y() > 0.0 ? 0 : 1];
    for (std::size_t k = 0; k < load.size(); ++k) sum[k] += load[k];
  }
  return sides;
}

double axle_x(const ManoeuvreSeries& series, const std::vector<Wheel>& axle) {
  double sum = 0.0;
  for (const Wheel& wheel : axle) sum += series.tyre(wheel, ".x").front();
  return sum / static_cast<double>(axle.size());
}

}  // namespace

double wheelbase_at_start(const ManoeuvreSeries& series, const VehicleLayout& layout) {
  if (layout.axles.size() < 2) return 0.0;
  double behind = 0.0;
  int carrying = 0;
  for (std::size_t a = 1; a < layout.axles.size(); ++a) {
    if (layout.axles[a].front().unit != 0) continue;
    behind += axle_x(series, layout.axles[a]);
    ++carrying;
  }
  return carrying == 0 ? 0.0 : axle_x(series, layout.axles.front()) - behind / carrying;
}

void tell_step(const ManoeuvrePlan& plan, const ManoeuvreSeries& series, ManoeuvreFigures& out) {
  const Values wheel = series.steering_wheel();
  const double start = wheel.front();
  const double half = series.crossing(wheel, start + 0.5 * plan.amplitude, 0.0).value_or(plan.begin);
  const StepAnswer yaw = step_answer(series, series.yaw_rate(), half);
  const StepAnswer lateral = step_answer(series, series.lateral(), half);
  const double sideslip = series.mean(series.sideslip(), series.t().back() - 0.5, series.t().back());
  out.add("steering_wheel_angle", "Angle of the steering wheel", plan.amplitude, "rad");
  out.add("steady_lateral_acceleration", "Steady lateral acceleration", lateral.steady, "m/s^2");
  out.add("steady_yaw_rate", "Steady yaw rate", yaw.steady, "rad/s");
  out.add("steady_sideslip", "Steady sideslip angle", sideslip, "rad");
  out.add("yaw_rate_gain", "Yaw-rate gain, by the steering wheel", yaw.steady / plan.amplitude, "1/s");
  out.add("lateral_acceleration_gain", "Lateral acceleration gain, by the steering wheel",
          lateral.steady / plan.amplitude, "m/s^2/rad");
  out.add("yaw_rate_response_time", "Response time of the yaw rate, to 90 %", yaw.response_time, "s");
  out.add("lateral_acceleration_response_time", "Response time of the lateral acceleration, to 90 %",
          lateral.response_time, "s");
  out.add("yaw_rate_peak_time", "Peak response time of the yaw rate", yaw.peak_time, "s");
  out.add("lateral_acceleration_peak_time", "Peak response time of the lateral acceleration",
          lateral.peak_time, "s");
  out.add("yaw_rate_overshoot", "Overshoot of the yaw rate", yaw.overshoot, "1");
  out.add("lateral_acceleration_overshoot", "Overshoot of the lateral acceleration", lateral.overshoot, "1");
  out.add("tb_value", "TB value: peak response time of the yaw rate, times steady sideslip",
          yaw.peak_time * std::abs(sideslip), "rad*s");
}

void tell_steady(const ManoeuvrePlan& plan, const VehicleLayout& layout, const ManoeuvreSeries& series,
                 ManoeuvreFigures& out) {
  constexpr double kPart = 0.25;  // of a stage, at its end, is told
  const double wheelbase = wheelbase_at_start(series, layout);
  const double ratio = layout.steering->ratio();
  const Values wheel = series.steering_wheel(), speed = series.speed(), yaw = series.yaw_rate(),
               sideslip = series.sideslip(), roll = series.roll();
  FigureTable table{.key = "stages",
                    .title = "Stages of steady cornering",
                    .columns = {{"steering wheel", "rad"},
                                {"speed", "m/s"},
                                {"lateral acceleration", "m/s^2"},
                                {"yaw rate", "rad/s"},
                                {"radius", "m"},
                                {"sideslip", "rad"},
                                {"roll", "rad"},
                                {"understeer gradient", "rad*s^2/m"}},
                    .rows = {}};
  std::vector<std::array<Values, 2>> loads_of_axles;
  for (std::size_t a = 0; a < layout.axles.size(); ++a) {
    loads_of_axles.push_back(loads(series, layout.axles[a]));
    table.columns.push_back({fmt::format("load transfer, axle {}", a + 1), "1"});
  }
  // δ = L/R + K a_y of the front wheels: K between one stage and the next, first from straight ahead.
  double beyond_before = 0.0, acceleration_before = 0.0;
  const double straight = wheel.front();
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    const double to = plan.begin + plan.stage * static_cast<double>(k + 1), from = to - kPart * plan.stage;
    if (series.t().back() < to - 1e-9) break;
    const auto mean = [&](const Values& values) { return series.mean(values, from, to); };
    const double v = mean(speed) / std::cos(mean(sideslip)), r = mean(yaw), acceleration = v * r;
    const double beyond = (mean(wheel) - straight) / ratio - wheelbase * r / v;
    const double gradient = (beyond - beyond_before) / (acceleration - acceleration_before);
    std::vector<double> row{mean(wheel), v, acceleration, r, v / r, mean(sideslip), mean(roll), gradient};
    for (const auto& [left, right] : loads_of_axles)
      row.push_back((mean(right) - mean(left)) / (mean(right) + mean(left)));
    beyond_before = beyond;
    acceleration_before = acceleration;
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) {
    const std::vector<double>& first = table.rows.front();
    const std::vector<double>& last = table.rows.back();
    const double understeer = first[7];
    out.add("understeer_gradient", "Understeer gradient of the front wheels, from straight ahead", understeer,
            "rad*s^2/m");
    if (understeer > 0.0)
      out.add("characteristic_speed", "Characteristic speed", std::sqrt(wheelbase / understeer), "m/s");
    else if (understeer < 0.0)
      out.add("critical_speed", "Critical speed", std::sqrt(-wheelbase / understeer), "m/s");
    out.add("yaw_rate_gain", "Yaw-rate gain, by the steering wheel", first[3] / (first[0] - straight), "1/s");
    out.add("lateral_acceleration_gain", "Lateral acceleration gain, by the steering wheel",
            first[2] / (first[0] - straight), "m/s^2/rad");
    out.add("sideslip_gradient", "Sideslip gradient", first[5] / first[2], "rad*s^2/m");
    out.add("roll_gradient", "Roll gradient", first[6] / first[2], "rad*s^2/m");
    out.add("radius", "Radius of the first stage", first[4], "m");
    out.add("ackermann_radius", "Ackermann's radius for its steering angle",
            wheelbase / std::tan((first[0] - straight) / ratio), "m");
    out.add("largest_lateral_acceleration", "Lateral acceleration of the last stage", last[2], "m/s^2");
    for (std::size_t a = 0; a < layout.axles.size(); ++a)
      out.add(fmt::format("load_transfer_axle_{}", a + 1),
              fmt::format("Lateral load transfer of axle {} there, by its load", a + 1), last[8 + a], "1");
  }
  out.add("wheelbase", "Wheelbase", wheelbase, "m");
  out.add("steering_ratio", "Steering ratio, steering wheel by front wheels", ratio, "1");
  out.tables.push_back(std::move(table));
}

void tell_dwell(const ManoeuvrePlan& plan, const ManoeuvreSeries& series, ManoeuvreFigures& out) {
  constexpr double kLength = 1.0 / 0.7 + 0.5, kSecondPart = 0.5 / 0.7;  // s
  const Values yaw = series.yaw_rate();
  const double end = plan.begin + kLength;
  double peak = 0.0;  // the one after the steering wheel went to the other side
  for (std::size_t k = 0; k < series.size(); ++k)
    if (series.t()[k] >= plan.begin + kSecondPart && series.t()[k] <= end + 0.5)
      peak = std::min(peak, yaw[k]);
  const bool is_whole = series.t().back() >= end + 1.75;
  const double after_1 = std::abs(series.at(yaw, end + 1.0) / peak);
  const double after_2 = std::abs(series.at(yaw, end + 1.75) / peak);
  const double aside = series.at(series.y(), plan.begin + 1.07) - series.at(series.y(), plan.begin);
  out.add("steering_wheel_angle", "Amplitude of the steering wheel", plan.amplitude, "rad");
  out.add("yaw_rate_peak", "Second peak of the yaw rate", -peak, "rad/s");
  out.add("yaw_rate_ratio_1_00", "Yaw rate 1 s after the steering, by that peak", after_1, "1");
  out.add("yaw_rate_ratio_1_75", "Yaw rate 1.75 s after the steering, by that peak", after_2, "1");
  out.add("lateral_displacement_1_07", "Lateral displacement 1.07 s after the begin", aside, "m");
  const auto verdict = [&](const char* key, const char* label, bool passed, std::string text) {
    out.verdicts.push_back({key, label, passed && is_whole, is_whole ? std::move(text) : "it ends before"});
  };
  verdict("yaw_rate_1_00", "Yaw rate after 1 s at most 35 % of its peak", after_1 <= 0.35,
          fmt::format("{:.1f} %", 100.0 * after_1));
  verdict("yaw_rate_1_75", "Yaw rate after 1.75 s at most 20 % of its peak", after_2 <= 0.20,
          fmt::format("{:.1f} %", 100.0 * after_2));
  verdict("lateral_displacement", "Lateral displacement of 1.83 m after 1.07 s", aside >= 1.83,
          fmt::format("{:.2f} m", aside));
}

namespace {

/// The Fourier integral of what is there from a time on:  ∫ x(t) exp(−2πi f t) dt, trapezia: of a smooth x that begins and ends at zero they
/// converge faster than any power of the step.
std::complex<double> fourier(const Values& t, const Values& x, double from, double f) {
  std::complex<double> sum = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double before = k == 0 ? t[k] : t[k - 1], after = k + 1 == t.size() ? t[k] : t[k + 1];
    if (t[k] >= from)
      sum += 0.5 * (after - before) * (x[k] - x.front()) * std::polar(1.0, -2.0 * kPi * f * t[k]);
  }
  return sum;
}

}  // namespace

void tell_sweep(const ManoeuvrePlan& plan, const ManoeuvreSeries& series, ManoeuvreFigures& out) {
  const Values wheel = series.steering_wheel(), yaw = series.yaw_rate(), lateral = series.lateral();
  FigureTable table{.key = "frequency_response",
                    .title = "Answer to the steering wheel over the frequency",
                    .columns = {{"frequency", "Hz"},
                                {"yaw-rate gain", "1/s"},
                                {"yaw-rate phase", "rad"},
                                {"lateral acceleration gain", "m/s^2/rad"},
                                {"lateral acceleration phase", "rad"}},
                    .rows = {}};
  // Within the band that the steering excites well: its ends are left out.
  const double from = plan.sweep.from + 0.1, to = plan.sweep.to - 0.5;
  for (int k = 0; from + 0.1 * k <= to + 1e-9; ++k) {
    const double f = from + 0.1 * k;
    const std::complex<double> input = fourier(series.t(), wheel, 0.0, f);
    const std::complex<double> of_yaw = fourier(series.t(), yaw, 0.0, f) / input,
                               of_lateral = fourier(series.t(), lateral, 0.0, f) / input;
    table.rows.push_back({f, std::abs(of_yaw), std::arg(of_yaw), std::abs(of_lateral), std::arg(of_lateral)});
  }
  std::size_t peak = 0;
  std::optional<double> at_45;
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const std::vector<double>& row = table.rows[k];
    if (row[1] > table.rows[peak][1]) peak = k;
    if (k == 0 || at_45 || row[2] > -0.25 * kPi) continue;
    const std::vector<double>& before = table.rows[k - 1];
    at_45 = before[0] + (row[0] - before[0]) * (before[2] + 0.25 * kPi) / (before[2] - row[2]);
  }
  out.add("steering_wheel_angle", "Amplitude of the steering wheel", plan.amplitude, "rad");
  out.add("yaw_rate_gain_low", "Yaw-rate gain at the lowest frequency", table.rows.front()[1], "1/s");
  out.add("yaw_rate_gain_peak", "Max yaw-rate gain", table.rows[peak][1], "1/s");
  out.add("yaw_rate_peak_frequency", "Frequency of that", table.rows[peak][0], "Hz");
  out.add("yaw_rate_gain_ratio", "Max by the one at the lowest frequency",
          table.rows[peak][1] / table.rows.front()[1], "1");
  if (at_45) {
    out.add("yaw_rate_45_deg_frequency", "Frequency where the yaw rate is 45 deg behind", *at_45, "Hz");
    out.add("equivalent_time", "Equivalent time constant of that", 1.0 / (2.0 * kPi * *at_45), "s");
  }
  out.add("lateral_acceleration_gain_low", "Lateral acceleration gain at the lowest frequency",
          table.rows.front()[3], "m/s^2/rad");
  out.tables.push_back(std::move(table));
}

}  // namespace eslabon::vehicle
