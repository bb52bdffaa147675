#include "eslabon/vehicle/manoeuvre_request.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::vehicle {

namespace {

using enum ManoeuvreKind;

constexpr double kKmh = 1.0 / 3.6;

constexpr std::array<ManoeuvreFacts, 12> kManoeuvres{{
    {kBumps, "bumps", "straight on over bumps", false, false, {30.0 * kKmh}, {30.0 * kKmh}},
    {kSlalom, "slalom", "slalom between 7 cones", true, true, {60.0 * kKmh}, {50.0 * kKmh}},
    {kStepSteer, "step-steer", "step steer, ISO 7401", true, true, {80.0 * kKmh, 4.0}, {80.0 * kKmh, 2.0}},
    {kSteadyCornering,
     "steady-cornering",
     "steady cornering at constant speed, ISO 4138",
     true,
     true,
     {80.0 * kKmh, 4.0},
     {80.0 * kKmh, 2.0}},
    {kDoubleLaneChange,
     "double-lane-change",
     "double lane change, ISO 3888-1",
     true,
     true,
     {80.0 * kKmh},
     {40.0 * kKmh}},
    {kObstacleAvoidance,
     "obstacle-avoidance",
     "obstacle avoidance, ISO 3888-2",
     true,
     true,
     {50.0 * kKmh},
     {25.0 * kKmh}},
    {kSineWithDwell,
     "sine-with-dwell",
     "sine with dwell, FMVSS 126",
     true,
     true,
     {80.0 * kKmh, 3.0},
     {80.0 * kKmh, 1.0}},
    {kSweptSine, "swept-sine", "swept sine, ISO 7401", true, true, {80.0 * kKmh, 2.0}, {80.0 * kKmh, 1.0}},
    {kBraking,
     "braking",
     "braking on a straight road",
     false,
     false,
     {100.0 * kKmh, {}, 5.0},
     {60.0 * kKmh, {}, 5.0}},
    {kBrakingInTurn,
     "braking-in-turn",
     "braking in a turn, ISO 7975",
     true,
     true,
     {80.0 * kKmh, 4.0, 4.0},
     {50.0 * kKmh, 2.0, 3.0}},
    {kBrakingOnSplitFriction,
     "braking-on-split-friction",
     "braking on split friction, ISO 14512",
     false,
     true,
     {80.0 * kKmh, {}, 4.0},
     {50.0 * kKmh, {}, 3.0}},
    {kParking, "parking", "parking beside the kerb", true, true, {1.0}, {1.0}},
}};

void check_positive(std::string_view name, const std::optional<double>& value, const char* unit,
                    const char* example) {
  if (!value || (*value > 0.0 && std::isfinite(*value))) return;
  throw runs::RequestError({.what = "a number of the manoeuvre is not positive",
                            .where = runs::field(name),
                            .expected = std::string("a number above 0, in ") + unit,
                            .actual = runs::quoted_number(*value),
                            .next = "Write, for example, " + runs::field(name) + " " + example + "."});
}

/// For what only some manoeuvres have.
void check_belongs(const ManoeuvreRequest& request, std::string_view name, bool is_given, bool belongs,
                   const char* what, auto has) {
  if (!is_given || belongs) return;
  std::vector<std::string> others;
  for (const ManoeuvreFacts& facts : kManoeuvres)
    if (has(facts)) others.emplace_back(facts.name);
  throw runs::RequestError({.what = "the manoeuvre '" + request.manoeuvre + "' " + what,
                            .where = runs::field(name),
                            .expected = "one that does: " + core::quoted_list(others),
                            .actual = core::quoted(request.manoeuvre),
                            .next = "Leave " + runs::field(name) + " out, or take another manoeuvre."});
}

}  // namespace

std::span<const ManoeuvreFacts> manoeuvres() { return kManoeuvres; }

std::vector<std::string> manoeuvre_names() {
  std::vector<std::string> names;
  for (const ManoeuvreFacts& facts : kManoeuvres) names.emplace_back(facts.name);
  return names;
}

const ManoeuvreFacts& facts_of(const std::string& name) {
  runs::require_known("manoeuvre", "unknown manoeuvre", name, manoeuvre_names());
  return *std::ranges::find(kManoeuvres, std::string_view(name), &ManoeuvreFacts::name);
}

void check(const ManoeuvreRequest& request) {
  const ManoeuvreFacts& facts = facts_of(request.manoeuvre);
  runs::require_known("direction", "unknown direction", request.direction, {"left", "right"});
  check_positive("speed", request.speed, "m/s", "'80 km/h'");
  check_positive("steering", request.steering, "rad at the steering wheel", "'45 deg'");
  check_positive("lateral_acceleration", request.lateral_acceleration, "m/s^2", "4");
  check_positive("deceleration", request.deceleration, "m/s^2", "5");
  check_positive("friction", request.friction, "parts of that of the tyres", "0.8");
  check_positive("friction_right", request.friction_right, "parts of that of the tyres", "0.2");
  const auto takes_angle = [](const ManoeuvreFacts& one) {
    return one.light.lateral_acceleration || one.kind == kParking;
  };
  const auto takes_acceleration = [](const ManoeuvreFacts& one) {
    return one.light.lateral_acceleration.has_value();
  };
  const auto brakes = [](const ManoeuvreFacts& one) { return one.light.deceleration.has_value(); };
  const auto is_split = [](const ManoeuvreFacts& one) { return one.kind == kBrakingOnSplitFriction; };
  const auto is_mirrored = [](const ManoeuvreFacts& one) { return one.may_be_mirrored; };
  check_belongs(request, "steering", request.steering.has_value(), takes_angle(facts),
                "takes no angle of the steering wheel", takes_angle);
  check_belongs(request, "lateral_acceleration", request.lateral_acceleration.has_value(),
                takes_acceleration(facts), "takes no lateral acceleration", takes_acceleration);
  check_belongs(request, "deceleration", request.deceleration.has_value(), brakes(facts), "does not brake",
                brakes);
  check_belongs(request, "friction_right", request.friction_right.has_value(), is_split(facts),
                "has no split road", is_split);
  check_belongs(request, "direction", request.direction == "right", facts.may_be_mirrored,
                "has neither left nor right", is_mirrored);
  if (request.steering && request.lateral_acceleration)
    throw runs::RequestError(
        {.what = "two fields tell the angle of the steering wheel",
         .where = runs::field("lateral_acceleration"),
         .expected = runs::field("steering") + " or " + runs::field("lateral_acceleration"),
         .actual = "both",
         .next = "Leave one of them out."});
}

}  // namespace eslabon::vehicle
