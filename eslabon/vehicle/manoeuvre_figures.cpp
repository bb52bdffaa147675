#include "eslabon/vehicle/manoeuvre_figures.hpp"

#include <numbers>

#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/vehicle/manoeuvre_series.hpp"
#include "eslabon/vehicle/response_figures.hpp"

namespace eslabon::vehicle {

namespace {

using Values = ManoeuvreSeries::Values;
using Eigen::Vector2d;

/// The outline of a chassis or a trailer, and the way that it went.
struct Track {
  double width, front, rear;
  Values x, y, heading;

  /// Distance of a point to the outline where this is at (x, y) and looks along the heading; 0 within.
  double distance(const Vector2d& place, double angle, const Vector2d& point) const {
    const Vector2d by = point - place;
    const double along = by.x() * std::cos(angle) + by.y() * std::sin(angle);
    const double across = by.y() * std::cos(angle) - by.x() * std::sin(angle);
    const double dx = std::max({rear - along, along - front, 0.0});
    const double dy = std::max(std::abs(across) - 0.5 * width, 0.0);
    return std::hypot(dx, dy);
  }
};

std::vector<Track> tracks_of(const VehicleLayout& layout, const ManoeuvreSeries& series) {
  std::vector<Track> tracks{
      {layout.width, layout.front, layout.rear, series.x(), series.y(), series.heading()}};
  for (const Trailer& one : layout.trailers)
    tracks.push_back({one.width, one.front, one.rear, series.x(one), series.y(one), series.heading(one)});
  return tracks;
}

/// The nearest that an outline comes to each cone, from its edge to the edge of the base; between rows it goes straight on.
void find_clearances(const Track& track, const Course& course, std::vector<double>& nearest) {
  constexpr double kStep = 0.02;  // m
  const double reach = std::hypot(std::max(track.front, -track.rear), track.width) + 1.0;
  for (std::size_t k = 1; k < track.x.size(); ++k) {
    const Vector2d from(track.x[k - 1], track.y[k - 1]), to(track.x[k], track.y[k]);
    const int steps = 1 + static_cast<int>((to - from).norm() / kStep);
    for (std::size_t c = 0; c < course.cones.size(); ++c) {
      const Vector2d& cone = course.cones[c].at;
      if ((to - cone).norm() > reach + (to - from).norm()) continue;
      for (int s = 0; s < steps; ++s) {
        const double u = static_cast<double>(s) / steps;
        const Vector2d place = from + u * (to - from);
        const double angle = track.heading[k - 1] + u * (track.heading[k] - track.heading[k - 1]);
        nearest[c] = std::min(nearest[c], track.distance(place, angle, cone) - Cone::kRadius);
      }
    }
  }
}

void tell_course(const ManoeuvrePlan& plan, const VehicleLayout& layout, const ManoeuvreSeries& series,
                 ManoeuvreFigures& out) {
  std::vector<double> gaps(plan.course->cones.size(), 1e9);
  const std::vector<Track> tracks = tracks_of(layout, series);
  for (const Track& track : tracks) find_clearances(track, *plan.course, gaps);
  std::vector<std::string> hit;
  double least = 1e9;
  for (std::size_t c = 0; c < gaps.size(); ++c) {
    least = std::min(least, gaps[c]);
    out.hit_cones.push_back(gaps[c] <= 0.0);
    if (gaps[c] <= 0.0) hit.push_back(plan.course->cones[c].name);
  }
  double off = 0.0;
  const Values x = series.x(), y = series.y(), heading = series.heading(), wheel = series.steering_wheel();
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::array<double, 1> at{x[k] + layout.middle * std::cos(heading[k])};
    off = std::max(off, std::abs(y[k] + layout.middle * std::sin(heading[k]) -
                                 plan.course->path.evaluate(0.0, std::span<const double>(at))));
  }
  double rate = 0.0;
  for (std::size_t k = 1; k < wheel.size(); ++k)
    rate = std::max(rate, std::abs(wheel[k] - wheel[k - 1]) / (series.t()[k] - series.t()[k - 1]));
  out.add("cones", "Cones", static_cast<double>(gaps.size()), "1");
  if (plan.spacing > 0.0) out.add("cone_spacing", "Distance from cone to cone", plan.spacing, "m");
  out.add("cones_hit", "Cones hit", static_cast<double>(hit.size()), "1");
  out.add("least_clearance", "Min clearance of a cone", least, "m");
  out.add("largest_path_deviation", "Max distance of the middle of the axles to the path", off, "m");
  out.add("largest_steering_wheel_angle", "Max angle of the steering wheel", largest(wheel), "rad");
  out.add("largest_steering_wheel_rate", "Max rate of the steering wheel", rate, "rad/s");
  out.add("speed_at_the_end", "Speed at the end", series.speed().back(), "m/s");
  const bool came_through = std::ranges::all_of(
      tracks, [&](const Track& track) { return track.x.back() + track.rear > plan.course->end; });
  out.verdicts.push_back({"cones", "All cones stand", hit.empty() && came_through,
                          !hit.empty()   ? "hit: " + core::listed(hit)
                          : came_through ? fmt::format("nearest {:.2f} m", least)
                                         : fmt::format("it ends {:.1f} m after the begin", x.back())});
}

/// When brakes bite, how far and how long it goes until it stands, ECE R13: mean fully developed deceleration between 0.8 and 0.1 of the speed.
void tell_braking(const ManoeuvrePlan& plan, const VehicleLayout& layout, const ManoeuvreSeries& series,
                  ManoeuvreFigures& out) {
  const double begin = plan.begin;
  const Values speed = series.speed(), x = series.x(), y = series.y(), yaw = series.yaw_rate();
  Values way(series.size());
  for (std::size_t k = 1; k < way.size(); ++k)
    way[k] = way[k - 1] + std::hypot(x[k] - x[k - 1], y[k] - y[k - 1]);
  const double v0 = series.at(speed, begin), s0 = series.at(way, begin);
  const double distance = way.back() - s0;
  out.add("speed", "Speed as brakes begin", v0, "m/s");
  out.add("stopping_distance", "Stopping distance", distance, "m");
  out.add("stopping_time", "Stopping time", series.t().back() - begin, "s");
  out.add("mean_deceleration", "Mean deceleration by the distance", v0 * v0 / (2.0 * distance), "m/s^2");
  const auto fast = series.crossing(speed, 0.8 * v0, begin), slow = series.crossing(speed, 0.1 * v0, begin);
  if (fast && slow)
    out.add("mean_fully_developed_deceleration", "Mean fully developed deceleration",
            (0.64 - 0.01) * v0 * v0 / (2.0 * (series.at(way, *slow) - series.at(way, *fast))), "m/s^2");
  double slip = 0.0;
  std::string first;
  for (const Wheel& wheel : layout.wheels()) {
    const Values kappa = series.tyre(wheel, ".slip");
    for (std::size_t k = 0; k < kappa.size(); ++k)
      if (speed[k] > 0.1 * v0) slip = std::min(slip, kappa[k]);
  }
  out.add("largest_braking_slip", "Max braking slip above a tenth of the speed", -slip, "1");
  out.verdicts.push_back(
      {"standstill", "Stands at the end", speed.back() < 0.05, fmt::format("{:.3f} m/s", speed.back())});
  if (plan.kind == ManoeuvreKind::kBraking) return;
  const double heading = series.at(series.heading(), begin);
  out.add("yaw_rate_after_1_s", "Yaw rate 1 s after the brakes", series.at(yaw, begin + 1.0), "rad/s");
  out.add("largest_sideslip_while_braking", "Sideslip angle 1 s after the brakes",
          series.at(series.sideslip(), begin + 1.0), "rad");
  if (plan.kind == ManoeuvreKind::kBrakingInTurn) {
    // Beside it the yaw rate of a vehicle that stays on its circle while it gets slower.
    const double r0 = series.at(yaw, begin);
    out.add("radius", "Radius before the brakes", v0 / r0, "m");
    out.add("lateral_acceleration", "Lateral acceleration before the brakes", v0 * r0, "m/s^2");
    out.add("yaw_rate_ratio_1_s", "Yaw rate 1 s after the brakes, by that of a vehicle on its circle",
            series.at(yaw, begin + 1.0) / (r0 * series.at(speed, begin + 1.0) / v0), "1");
  } else {
    out.add("lateral_deviation", "Distance from its straight line at the end", y.back() - series.at(y, begin),
            "m");
    out.add("heading_deviation", "Turn of the vehicle at the end", series.heading().back() - heading, "rad");
  }
}

void tell_bumps(const VehicleLayout& layout, const ManoeuvreSeries& series, ManoeuvreFigures& out) {
  const Values vertical = series.vertical(), pitch = series.pitch(), roll = series.roll();
  double square = 0.0;
  for (const double a : vertical) square += a * a;
  out.add("largest_vertical_acceleration", "Max vertical acceleration of the chassis' point",
          largest(vertical), "m/s^2");
  out.add("rms_vertical_acceleration", "Root mean square of it",
          std::sqrt(square / static_cast<double>(vertical.size())), "m/s^2");
  out.add("pitch_range", "Range of pitch", std::ranges::max(pitch) - std::ranges::min(pitch), "rad");
  out.add("roll_range", "Range of roll", std::ranges::max(roll) - std::ranges::min(roll), "rad");
  double least = 1e12, most = 0.0, in_the_air = 0.0;
  for (const Wheel& wheel : layout.wheels()) {
    const Values load = series.tyre(wheel, ".fz");
    least = std::min(least, std::ranges::min(load) / load.front());
    most = std::max(most, std::ranges::max(load) / load.front());
    for (std::size_t k = 1; k < load.size(); ++k)
      if (load[k] == 0.0) in_the_air += series.t()[k] - series.t()[k - 1];
  }
  out.add("least_tyre_load", "Min load of a tyre, by its load before", least, "1");
  out.add("largest_tyre_load", "Max load of a tyre, by its load before", most, "1");
  out.add("time_in_the_air", "Time that wheels are off the road, all together", in_the_air, "s");
}

/// Where it comes to, and the circle that it could turn on: the contact point that is farthest from the centre of the turn where the steering wheel is
/// turned most.
void tell_parking(const ManoeuvrePlan& plan, const VehicleLayout& layout, const ManoeuvreSeries& series,
                  const core::ResultTable& rows, ManoeuvreFigures& out) {
  const Values yaw = series.yaw_rate(), speed = series.speed(), x = series.x(), y = series.y();
  out.add("steering_wheel_angle", "Angle of the steering wheel", plan.amplitude, "rad");
  out.add("aside", "Way to the side", y.back(), "m");
  out.add("length_used", "Way along the kerb", std::ranges::max(x) - std::ranges::min(x) + layout.length(),
          "m");
  out.add("heading_at_the_end", "Turn of the vehicle left at the end", series.heading().back(), "rad");
  std::size_t most = 0;
  for (std::size_t k = 0; k < yaw.size(); ++k)
    if (std::abs(yaw[k]) > std::abs(yaw[most])) most = k;
  const double across = speed[most] * std::tan(series.sideslip()[most]) * (speed[most] < 0.0 ? -1.0 : 1.0);
  const Vector2d center(-across / yaw[most], speed[most] / yaw[most]);
  double circle = 0.0;
  for (const Wheel& wheel : layout.wheels())
    if (wheel.unit == 0)
      circle = std::max(circle, (Vector2d(wheel.p_OC_B.x(), plan.side * wheel.p_OC_B.y()) - center).norm());
  out.add("turning_circle", "Turning circle of the outer tyre's middle, diameter", 2.0 * circle, "m");
  out.add("rear_axle_radius", "Radius of the circle of the chassis' point", center.norm(), "m");
  const std::string effort = layout.steering->driver + ".effort";
  if (const auto column = rows.find(effort))
    out.add("largest_steering_torque", "Max torque at the steering wheel, without friction and assistance",
            largest(rows.values[*column]) / std::abs(layout.steering->wheel_per_coordinate), "N*m");
}

/// What is told of every manoeuvre.
void tell_peaks(const VehicleLayout& layout, const ManoeuvreSeries& series, ManoeuvreFigures& out) {
  double transfer = 0.0, least = 1e12;
  Values left(series.size()), right(series.size());
  for (const Wheel& wheel : layout.wheels()) {
    const Values load = series.tyre(wheel, ".fz");
    Values& sum = wheel.p_OC_B.y() > 0.0 ? left : right;
    for (std::size_t k = 0; k < load.size(); ++k) {
      sum[k] += load[k];
      least = std::min(least, load[k]);
    }
  }
  for (std::size_t k = 0; k < left.size(); ++k)
    if (left[k] + right[k] > 0.0)
      transfer = std::max(transfer, std::abs(right[k] - left[k]) / (right[k] + left[k]));
  const double upright = std::cos(series.pitch().back()) * std::cos(series.roll().back());
  out.verdicts.push_back({"upright", "Stays on its wheels", upright > 0.51,
                          upright > 0.51 ? fmt::format("peak of roll {:.1f} deg",
                                                       largest(series.roll()) * 180.0 / std::numbers::pi)
                                         : fmt::format("rolls over at {:.2f} s", series.t().back())});
  out.add("peak_lateral_acceleration", "Peak of the lateral acceleration", largest(series.lateral()),
          "m/s^2");
  const Values yaw = series.yaw_rate(), heading = series.heading();
  out.add("peak_yaw_rate", "Peak of the yaw rate", largest(yaw), "rad/s");
  constexpr double kTurning = 1e-6;  // rad/s
  for (std::size_t k = 0; k < layout.trailers.size(); ++k) {
    const Trailer& trailer = layout.trailers[k];
    const std::string of = core::quoted(trailer.names.body), key = fmt::format("_{}", k + 1);
    if (const double most = largest(yaw); most > kTurning)
      out.add("rearward_amplification" + key, "Peak of the yaw rate of " + of + ", by that of the chassis",
              largest(series.yaw_rate(trailer)) / most, "1");
    Values bend = series.heading(trailer);
    for (std::size_t i = 0; i < bend.size(); ++i) bend[i] -= heading[i];
    out.add("peak_articulation" + key, "Peak of the angle between " + of + " and the chassis", largest(bend),
            "rad");
  }
  out.add("peak_sideslip", "Peak of the sideslip angle", largest(series.sideslip()), "rad");
  out.add("peak_roll", "Peak of the roll angle", largest(series.roll()), "rad");
  out.add("peak_load_transfer", "Peak of the lateral load transfer, by the load", transfer, "1");
  out.add("smallest_tyre_load", "Min load of a tyre", least, "N");
}

}  // namespace

ManoeuvreFigures figures_of(const ManoeuvrePlan& plan, const VehicleLayout& layout,
                            const core::ResultTable& rows) {
  const ManoeuvreSeries series(plan, layout, rows);
  ManoeuvreFigures out;
  switch (plan.kind) {
    using enum ManoeuvreKind;
    case kBumps:
      tell_bumps(layout, series, out);
      break;
    case kSlalom:
    case kDoubleLaneChange:
    case kObstacleAvoidance:
      tell_course(plan, layout, series, out);
      break;
    case kStepSteer:
      tell_step(plan, series, out);
      break;
    case kSteadyCornering:
      tell_steady(plan, layout, series, out);
      break;
    case kSineWithDwell:
      tell_dwell(plan, series, out);
      break;
    case kSweptSine:
      tell_sweep(plan, series, out);
      break;
    case kBraking:
    case kBrakingInTurn:
    case kBrakingOnSplitFriction:
      tell_braking(plan, layout, series, out);
      break;
    case kParking:
      tell_parking(plan, layout, series, rows, out);
      break;
  }
  tell_peaks(layout, series, out);
  return out;
}

}  // namespace eslabon::vehicle
