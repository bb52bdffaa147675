#include "eslabon/vehicle/manoeuvre_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "eslabon/core/text/error.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"
#include "eslabon/kinematics/variable_value.hpp"
#include "eslabon/model/mechanism_addition.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/vehicle/smooth_function.hpp"

namespace eslabon::vehicle {

namespace {

using model::MechanismAddition;
using model::TimeFunction;

constexpr const char* kArms = "manoeuvre.arms";
constexpr const char* kHolding = "manoeuvre.holding";
constexpr const char* kRollover = "manoeuvre.rollover";
constexpr const char* kStandstill = "manoeuvre.standstill";

TimeFunction off_from(const std::optional<double>& time) {
  constexpr double kFade = 0.1;  // s
  return time ? 1.0 - smooth_rise((TimeFunction::time() - *time) / kFade) : TimeFunction(1.0);
}

void add_drive(const VehicleLayout& layout, const ManoeuvrePlan& plan, MechanismAddition& addition) {
  SpeedControl control;
  control.speed = plan.speed;
  control.on = off_from(plan.drive_until);
  addition.states.push_back(control.state(layout.chassis));
  const double whole = layout.mass * layout.rolling_radius();
  for (const Wheel& wheel : layout.wheels()) {
    if (wheel.drive == 0.0) continue;
    LawArguments arguments;
    const TimeFunction acceleration = control.acceleration(arguments, layout.chassis);
    addition.loads.push_back({.name = "manoeuvre.drive." + wheel.spin,
                              .kind = model::LoadKind::kJointEffort,
                              .target = wheel.spin,
                              .components = {wheel.spin_sign * wheel.drive * whole * acceleration, 0.0, 0.0},
                              .variables = arguments.names()});
  }
}

void add_brakes(const VehicleLayout& layout, const ManoeuvrePlan& plan, MechanismAddition& addition) {
  constexpr double kRise = 0.2;  // s
  const double whole = layout.mass * layout.rolling_radius() * plan.deceleration;
  for (const Wheel& wheel : layout.wheels()) {
    if (wheel.brake == 0.0) continue;
    HoldingBrake brake;
    brake.spin = wheel.spin;
    brake.sign = wheel.spin_sign;
    brake.torque = wheel.brake * whole * smooth_rise((TimeFunction::time() - *plan.brake_from) / kRise);
    addition.states.push_back(brake.state(plan.speed > 0.0 ? 1.0 : -1.0));
    addition.loads.push_back(brake.load());
  }
}

/// Stands still: the speed falls to a hundredth of a walk.
void add_end(const VehicleLayout& layout, MechanismAddition& addition) {
  constexpr double kStanding = 0.02;  // m/s
  LawArguments arguments;
  const TimeFunction quantity = ahead(arguments, layout.chassis, "v") - kStanding;
  addition.events.push_back({.name = kStandstill,
                             .quantity = arguments.law(quantity),
                             .direction = model::PassageDirection::kFalling,
                             .ends_run = true});
}

/// Lies on its side: the chassis leans by 60 deg.
void add_rollover(const VehicleLayout& layout, MechanismAddition& addition) {
  constexpr double kLeast = 0.5;  // of the chassis' z that is upright
  LawArguments arguments;
  const TimeFunction upright = cos(arguments(layout.chassis.pitch())) * cos(arguments(layout.chassis.roll()));
  addition.events.push_back({.name = kRollover,
                             .quantity = arguments.law(upright - kLeast),
                             .direction = model::PassageDirection::kFalling,
                             .ends_run = true});
}

void add_end_of_steering(const VehicleLayout& layout, double lateral_acceleration,
                         MechanismAddition& addition) {
  LawArguments arguments;
  const TimeFunction heading = ahead(arguments, layout.chassis, "v") * arguments(layout.chassis.yaw_rate());
  addition.events.push_back({.name = "manoeuvre.cornering",
                             .quantity = arguments.law(abs(heading) - lateral_acceleration),
                             .direction = model::PassageDirection::kRising,
                             .ends_run = true});
}

/// Arms that turn the steering to where the hands are:
///   effort = k (q_w − q) − c q̇ + F_0,   q_w = straight on + h/ratio
/// with a constant F_0 that the start chooses: what the steering asks for straight on. As stiff as holds the front wheels within a fifth of a degree
/// where the whole load of the first axle pushes with an arm of 0.1 m. `hands`: h, a function of the arguments.
void add_arms(const VehicleLayout& layout, LawArguments& arguments, const TimeFunction& hands,
              MechanismAddition& addition) {
  constexpr double kArm = 0.1, kGravity = 9.81, kGive = 0.2 * std::numbers::pi / 180.0, kSettling = 6e-3;
  const Steering& steering = *layout.steering;
  const double load = layout.mass * kGravity / static_cast<double>(layout.axles.size());
  const double grip = load * kArm / kGive * steering.road_per_coordinate * steering.road_per_coordinate;
  addition.states.push_back({.name = kHolding,
                             .dimension = steering.turns ? core::kTorque : core::kForce,
                             .start = 0.0,
                             .size = load * kArm * std::abs(steering.road_per_coordinate),
                             .rate = {0.0, {}}});
  const TimeFunction wanted = steering.straight + (1.0 / steering.wheel_per_coordinate) * hands;
  const TimeFunction effort = grip * (wanted - arguments(steering.coordinate)) -
                              grip * kSettling * arguments(steering.rate) +
                              arguments(std::string(kHolding) + ".value");
  addition.loads.push_back({.name = kArms,
                            .kind = model::LoadKind::kJointEffort,
                            .target = steering.coordinate,
                            .components = {effort, 0.0, 0.0},
                            .variables = arguments.names()});
}

/// A driver who looks ahead.
void add_driver(const VehicleLayout& layout, const ManoeuvrePlan& plan, MechanismAddition& addition) {
  PreviewDriver driver;
  driver.steering_ratio = layout.steering->ratio();
  driver.wheelbase = layout.wheelbase;
  driver.middle = layout.middle;
  driver.understeer = plan.understeer;
  const TimeFunction along[] = {TimeFunction::argument(0) - layout.start.x()};
  const TimeFunction path = layout.start.y() + plan.side * plan.course->path.with_arguments(along);
  addition.states.push_back(driver.state(layout.chassis, path));
  LawArguments arguments;
  const TimeFunction hands = arguments(std::string(PreviewDriver::kState) + ".value");
  add_arms(layout, arguments, hands, addition);
}

void check_shares(const VehicleLayout& layout, double Wheel::*share, const char* word, const char* what) {
  for (const Wheel& wheel : layout.wheels())
    if (wheel.*share > 0.0) return;
  throw core::ModelError({.what = what,
                          .where = "vehicle, axles",
                          .expected = std::string("an axle with a share of '") + word + "'",
                          .actual = "none",
                          .next = std::string("Write '") + word + ": 1' for the axle that does."});
}

}  // namespace

std::optional<std::string> steering_effort(const VehicleLayout& layout, const ManoeuvrePlan& plan) {
  if (!layout.steering) return std::nullopt;
  return plan.course ? std::string(kArms) + ".effort" : layout.steering->driver + ".effort";
}

model::Mechanism manoeuvre_mechanism(const model::Mechanism& mechanism, const VehicleLayout& layout,
                                     const ManoeuvrePlan& plan) {
  check_shares(layout, &Wheel::drive, "drive", "nothing drives the vehicle");
  if (plan.brake_from) check_shares(layout, &Wheel::brake, "brake", "nothing brakes the vehicle");
  MechanismAddition addition;
  addition.road = plan.road;
  addition.start_speed = model::StartSpeed{layout.chassis_body, plan.speed};
  add_drive(layout, plan, addition);
  if (plan.brake_from) add_brakes(layout, plan, addition);
  add_rollover(layout, addition);
  if (plan.ends_at_standstill) add_end(layout, addition);
  if (plan.largest_acceleration > 0.0) add_end_of_steering(layout, plan.largest_acceleration, addition);
  if (plan.course) {
    add_driver(layout, plan, addition);
    return model::with_addition(model::without_drivers(mechanism, {layout.steering->driver}), addition);
  }
  if (layout.steering)
    addition.drivers.push_back(
        {layout.steering->driver,
         layout.steering->straight + (1.0 / layout.steering->wheel_per_coordinate) * plan.steering});
  return model::with_addition(mechanism, addition);
}

double coordinate_straight_on(const model::Mechanism& mechanism, const VehicleLayout& layout, double speed,
                              const tyres::Road& road) {
  ManoeuvrePlan plan;
  plan.speed = speed;
  plan.road = road;
  MechanismAddition addition;
  addition.road = road;
  addition.start_speed = model::StartSpeed{layout.chassis_body, speed};
  add_drive(layout, plan, addition);
  LawArguments arguments;
  add_arms(layout, arguments, 0.0, addition);
  const model::Mechanism free =
      model::with_addition(model::without_drivers(mechanism, {layout.steering->driver}), addition);
  const dynamics::DynamicModel model(kinematics::AssembledMechanism::assemble(free));
  return kinematics::value_of(free, model::find_variable(free, layout.steering->coordinate), model.start());
}

}  // namespace eslabon::vehicle
