#include "eslabon/vehicle/manoeuvre_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/vehicle/smooth_function.hpp"

namespace eslabon::vehicle {

namespace {

using model::TimeFunction;
using enum ManoeuvreKind;

constexpr double kSettle = 0.5;  // s, straight on before anything happens
constexpr double kPi = std::numbers::pi;

TimeFunction rise(double begin, double length) {
  return smooth_rise((TimeFunction::time() - begin) / length);
}

tyres::RoadBump bump(const char* name, double at, bool on_left, bool on_right) {
  return {.name = name,
          .shape = tyres::BumpShape::kSine,
          .begin = at,
          .length = 2.0,
          .height = 0.04,
          .on_left = on_left,
          .on_right = on_right};
}

/// Both wheels, then the left ones, then the right ones.
void plan_bumps(ManoeuvrePlan& plan, const VehicleLayout& layout) {
  const double front = layout.start.x() + layout.front;
  plan.begin = 5.0 / plan.speed;
  plan.road.bumps = {bump("both", front + 5.0, true, true), bump("left", front + 17.0, true, false),
                     bump("right", front + 29.0, false, true)};
  plan.until = (41.0 + layout.length()) / plan.speed;
}

void plan_slalom(ManoeuvrePlan& plan, const VehicleLayout& layout) {
  constexpr int kCones = 7;
  const bool is_heavy = layout.mass > ManoeuvreFacts::kHeavy;
  plan.spacing = is_heavy ? 60.0 : 36.0;           // m
  const double clearance = is_heavy ? 0.5 : 0.35;  // m
  plan.course = slalom_course(kCones, plan.spacing, plan.spacing + 10.0,
                              0.5 * layout.largest_width() + Cone::kRadius + clearance);
  plan.until = (plan.course->end + plan.spacing + layout.length()) / plan.speed;
}

void plan_lanes(ManoeuvrePlan& plan, const VehicleLayout& layout) {
  constexpr double kBefore = 20.0;  // m
  const double width = layout.largest_width();
  // The path turns while the vehicle is still in the lane, as far as the width of the lane lets it.
  plan.course =
      plan.kind == kDoubleLaneChange
          ? lane_course(double_lane_change(width), kBefore, {.width = width, .before = 8.0, .after = 9.0})
          : lane_course(obstacle_avoidance(width), kBefore,
                        {.width = width, .before = 2.5, .after = 3.0, .clearance = 0.5});
  plan.until = (plan.course->end + 5.0 + layout.length()) / plan.speed;
  if (plan.kind == kObstacleAvoidance) plan.drive_until = (kBefore + 2.0) / plan.speed;
}

void plan_step(ManoeuvrePlan& plan) {
  constexpr double kRise = 0.2;  // s: from 10 % to 90 % in 0.1 s
  plan.begin = kSettle;
  plan.steering = plan.side * plan.amplitude * rise(kSettle, kRise);
  plan.until = kSettle + 5.0;
  plan.every = 0.005;
}

/// One angle after the other, each until nothing changes any more.
void plan_steady(ManoeuvrePlan& plan, const VehicleLayout& layout) {
  constexpr double kRise = 1.0;  // s
  // At low speeds it is the way that counts: relaxation lengths, and the circle that the rear axle finds.
  plan.stage = kRise + std::max(4.0, 8.0 * layout.wheelbase / plan.speed);
  plan.stages = {0.125, 0.25, 0.5, 0.75, 1.0};
  plan.begin = kSettle;
  double before = 0.0;
  for (std::size_t k = 0; k < plan.stages.size(); ++k) {
    plan.steering = plan.steering + plan.side * plan.amplitude * (plan.stages[k] - before) *
                                        rise(kSettle + static_cast<double>(k) * plan.stage, kRise);
    before = plan.stages[k];
  }
  plan.until = kSettle + plan.stage * static_cast<double>(plan.stages.size());
  plan.every = plan.until / 2000.0 > 0.02 ? 0.05 : 0.02;
}

/// A sine of 0.7 Hz that waits 0.5 s at its second peak; the drive is off from its begin.
void plan_dwell(ManoeuvrePlan& plan) {
  constexpr double kFrequency = 0.7, kDwell = 0.5;
  const TimeFunction tau = max(TimeFunction::time() - kSettle, 0.0);
  const double peak = 0.75 / kFrequency;
  // The time stands still for the dwell, then goes on; at the end the angle is 0 and stays so.
  const TimeFunction clock = min(min(tau, peak) + max(tau - peak - kDwell, 0.0), 1.0 / kFrequency);
  // sin begins with a slope: the first hundredths of a second are rounded off.
  plan.steering = plan.side * plan.amplitude * rise(kSettle, 0.05) * sin(2.0 * kPi * kFrequency * clock) *
                  (1.0 - rise(kSettle + 1.0 / kFrequency + kDwell - 0.05, 0.05));
  plan.begin = kSettle;
  plan.drive_until = kSettle;
  plan.until = kSettle + 1.0 / kFrequency + kDwell + 3.0;
  plan.every = 0.005;
}

void plan_sweep(ManoeuvrePlan& plan) {
  const TimeFunction tau = TimeFunction::time() - kSettle;
  const double T = plan.sweep.length;
  const TimeFunction phase =
      2.0 * kPi * (plan.sweep.from * tau + (0.5 * (plan.sweep.to - plan.sweep.from) / T) * pow(tau, 2.0));
  plan.steering =
      plan.side * plan.amplitude * rise(kSettle, 1.0) * (1.0 - rise(kSettle + T - 0.5, 0.5)) * sin(phase);
  plan.begin = kSettle;
  plan.until = kSettle + T + 4.0;
  plan.every = 0.01;
}

void plan_braking(ManoeuvrePlan& plan, double deceleration) {
  plan.deceleration = deceleration;
  plan.begin = kSettle;
  if (plan.kind == kBrakingInTurn) {
    constexpr double kRise = 1.0, kSteady = 5.0;  // s
    plan.steering = plan.side * plan.amplitude * rise(kSettle, kRise);
    plan.begin = kSettle + kRise + kSteady;
  }
  plan.brake_from = plan.begin;
  plan.drive_until = plan.begin;
  plan.ends_at_standstill = true;
  plan.until = plan.begin + 3.0 * plan.speed / deceleration + 20.0;
}

/// Two arcs of one radius, the wheels turned on the way from one to the other: the vehicle goes backwards, with a trailer ahead, and sideways by
/// 2 R (1 − cos θ).
void plan_parking(ManoeuvrePlan& plan, const VehicleLayout& layout) {
  constexpr double kTurn = 1.5;  // s from lock to lock
  const double speed = plan.speed;
  const double steer = plan.amplitude / layout.steering->ratio();
  const double radius = layout.wheelbase / std::tan(steer);
  const double aside = layout.width + 0.5;
  const double angle = std::acos(std::max(0.0, 1.0 - 0.5 * aside / radius));
  const double arc = radius * angle / speed;  // s
  const double lock = plan.amplitude * plan.side;
  // Backwards and to the left: the wheels stand to the left first, as they do ahead.
  if (backs_up(plan.kind, layout)) plan.speed = -speed;
  plan.begin = kSettle;
  const double second = kSettle + std::max(arc, kTurn), end = second + std::max(arc, kTurn);
  plan.steering = lock * rise(kSettle, kTurn) - 2.0 * lock * rise(second, kTurn) + lock * rise(end, kTurn);
  plan.until = end + kTurn + 1.0 +
               (layout.trailers.empty() ? 0.0 : 1.5 * layout.length() / speed);  // until all has followed
  plan.every = plan.until > 20.0 ? 0.05 : 0.02;
}

}  // namespace

bool backs_up(ManoeuvreKind kind, const VehicleLayout& layout) {
  return kind == kParking && layout.trailers.empty();
}

tyres::Road level_road(const ManoeuvreRequest& request, const tyres::Road& of_file) {
  tyres::Road road;
  road.origin_W = of_file.origin_W;
  road.height = of_file.height;
  road.friction = request.friction.value_or(of_file.friction);
  if (facts_of(request.manoeuvre).kind == kBrakingOnSplitFriction) {
    constexpr double kSlippery = 0.3;
    road.friction_right = request.friction_right.value_or(kSlippery * road.friction);
    if (request.direction == "right") std::swap(road.friction, *road.friction_right);
  }
  return road;
}

ManoeuvrePlan slow_steering(const VehicleLayout& layout, double speed, double lateral_acceleration,
                            const tyres::Road& road) {
  constexpr double kRate =
      13.5 * kPi / 180.0;  // rad/s of the steering wheel, with 16 by 1 from it to the wheels
  constexpr double kRatio = 16.0, kSoftening = 0.2, kMost = 40.0;
  const double rate = kRate * layout.steering->ratio() / kRatio;
  ManoeuvrePlan plan;
  plan.kind = kStepSteer;
  plan.speed = speed;
  plan.road = road;
  plan.begin = kSettle;
  plan.steering = rate * soft_ramp(TimeFunction::time() - kSettle, kSoftening);
  plan.largest_acceleration = lateral_acceleration;
  plan.until = kMost;
  plan.every = 0.02;
  return plan;
}

ManoeuvrePlan plan_of(const ManoeuvreRequest& request, const VehicleLayout& layout, const tyres::Road& road,
                      double amplitude) {
  const ManoeuvreFacts& facts = facts_of(request.manoeuvre);
  ManoeuvrePlan plan;
  plan.kind = facts.kind;
  plan.side = request.direction == "right" ? -1.0 : 1.0;
  const ManoeuvreDefaults& defaults = facts.defaults(layout.mass);
  plan.speed = request.speed.value_or(defaults.speed);
  plan.amplitude = amplitude;
  plan.road = road;
  switch (facts.kind) {
    case kBumps:
      plan_bumps(plan, layout);
      break;
    case kSlalom:
      plan_slalom(plan, layout);
      break;
    case kStepSteer:
      plan_step(plan);
      break;
    case kSteadyCornering:
      plan_steady(plan, layout);
      break;
    case kDoubleLaneChange:
    case kObstacleAvoidance:
      plan_lanes(plan, layout);
      break;
    case kSineWithDwell:
      plan_dwell(plan);
      break;
    case kSweptSine:
      plan_sweep(plan);
      break;
    case kBraking:
    case kBrakingInTurn:
    case kBrakingOnSplitFriction:
      plan_braking(plan, request.deceleration.value_or(*defaults.deceleration));
      break;
    case kParking:
      plan_parking(plan, layout);
      break;
  }
  return plan;
}

}  // namespace eslabon::vehicle
