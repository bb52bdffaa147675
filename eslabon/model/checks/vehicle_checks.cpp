#include "eslabon/model/checks/vehicle_checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/checks/value_checks.hpp"
#include "eslabon/model/elements/element_place.hpp"

namespace eslabon::model::detail {

namespace {

constexpr Place kVehiclePlace{kVehicleWord, ""};

std::string axle_text(std::size_t axle) { return "axle " + std::to_string(axle + 1); }

/// Shares of one torque, of all axles.
void check_shares(const VehicleDescription& vehicle, double VehicleAxleDescription::*share,
                  std::string_view word) {
  double sum = 0.0;
  for (std::size_t a = 0; a < vehicle.axles.size(); ++a) {
    const double part = vehicle.axles[a].*share;
    const std::string field = axle_text(a) + ", " + std::string(word);
    check_not_negative(part, "", kVehiclePlace, {field});
    sum += part;
  }
  constexpr double kRoundoff = 1e-9;
  if (sum != 0.0 && !(std::abs(sum - 1.0) <= kRoundoff))
    fail(kVehiclePlace, {},
         {"the axles' shares of '" + std::string(word) + "' do not give the whole",
          "numbers whose sum is 1, or 0 on every axle", "the sum " + core::rounded_text(sum),
          "Give each axle its part of the torque."});
}

/// The element that a text names, as an index of its own type; none where it is another one, or none.
template <class Index>
std::optional<Index> found_as(const Mechanism& mechanism, const std::string& name) {
  const auto element = mechanism.find(name);
  if (!element || !std::holds_alternative<Index>(*element)) return std::nullopt;
  return std::get<Index>(*element);
}

template <class Elements>
[[noreturn]] void fail_unknown(const std::string& name, const Elements& elements, std::string_view kind,
                               const Field& field) {
  std::vector<std::string> known;
  for (const auto& element : elements) known.push_back(element.name);
  const auto nearest = core::nearest_name(name, known);
  const std::string a_kind = "a " + std::string(kind);
  fail(kVehiclePlace, field,
       {"no such " + std::string(kind),
        known.empty() ? a_kind + "; the mechanism has none" : a_kind + ": " + core::quoted_list(known),
        core::quoted(name), nearest ? "Did you mean '" + *nearest + "'?" : "Use another name."});
}

/// A tyre whose wheel turns in one revolute joint.
TyreIndex tyre_of(const std::string& name, const Field& field, const Mechanism& mechanism) {
  const auto index = found_as<TyreIndex>(mechanism, name);
  if (!index) fail_unknown(name, mechanism.tyres(), kTyreWord, field);
  const BodyIndex wheel = mechanism.tyres()[index->slot()].center.body;
  std::vector<std::string> spins;
  for (const Joint& joint : mechanism.joints())
    if (joint.type == JointType::kRevolute && (joint.ends[0].body == wheel || joint.ends[1].body == wheel))
      spins.push_back(joint.name);
  if (spins.size() == 1) return *index;
  fail(kVehiclePlace, field,
       {"which joint a wheel spins in is not clear",
        "one revolute joint on '" + mechanism.body(wheel).name + "', the wheel of tyre " + core::quoted(name),
        spins.empty() ? "none" : core::quoted_list(spins),
        "Let the wheel turn in one revolute joint; attach other things to its carrier."});
}

}  // namespace

void check_vehicle(const VehicleDescription& vehicle, bool is_planar) {
  if (is_planar)
    fail(kVehiclePlace, {},
         {"a vehicle in a planar mechanism", "a mechanism in space, with z up", "'plane: xy'",
          "Leave 'plane' out, and hold the bodies in the plane by joints."});
  if (vehicle.axles.empty())
    fail(kVehiclePlace, {"axles"},
         {"a vehicle has no axle", "at least one, front to rear", "none",
          "Write '- {left: TYRE, right: TYRE}' for each axle."});
  if (vehicle.steering) {
    check_finite(vehicle.steering->ratio, "", kVehiclePlace, {"steering, ratio"});
    if (vehicle.steering->ratio == 0.0)
      fail(kVehiclePlace, {"steering, ratio"},
           {"the ratio of the steering is zero",
            "the angle of the steering wheel for 1 m, or 1 rad, of the driver's coordinate", "0",
            "Give it, negative where a positive coordinate steers to the right."});
  }
  for (std::size_t a = 0; a < vehicle.axles.size(); ++a)
    for (const bool is_left : {true, false})
      if ((is_left ? vehicle.axles[a].left : vehicle.axles[a].right).empty()) {
        const std::string field = axle_text(a) + (is_left ? ", left" : ", right");
        fail(kVehiclePlace, {field},
             {"an end of an axle has no tyre", "one tyre or more on either side", "none",
              "Name the tyre, or leave the axle out."});
      }
  check_shares(vehicle, &VehicleAxleDescription::drive, "drive");
  check_shares(vehicle, &VehicleAxleDescription::brake, "brake");
}

Vehicle make_vehicle(const VehicleDescription& description, const Mechanism& mechanism,
                     const NameLookup& lookup) {
  Vehicle vehicle{.chassis = lookup.moving_point(description.chassis, kVehiclePlace, {"chassis"}),
                  .steering = {},
                  .axles = {}};
  if (description.steering) {
    const auto driver = found_as<DriverIndex>(mechanism, description.steering->driver);
    if (!driver)
      fail_unknown(description.steering->driver, mechanism.drivers(), kDriverWord, {"steering, driver"});
    const Variable& target = mechanism.drivers()[driver->slot()].target;
    if (target.kind != VariableKind::kJointPosition)
      fail(kVehiclePlace, {"steering, driver"},
           {"a steering driver moves no joint", "a driver of a joint coordinate, the rack or the column",
            core::quoted(description.steering->driver) + ", which moves " +
                core::quoted(model::name(mechanism, target)),
            "Drive the joint that steers."});
    vehicle.steering = VehicleSteering{*driver, description.steering->ratio};
  }
  std::vector<TyreIndex> named;
  for (std::size_t a = 0; a < description.axles.size(); ++a) {
    const VehicleAxleDescription& axle = description.axles[a];
    VehicleAxle made{.left = {}, .right = {}, .drive = axle.drive, .brake = axle.brake};
    for (const bool is_left : {true, false}) {
      const std::string field = axle_text(a) + (is_left ? ", left" : ", right");
      for (const std::string& name : is_left ? axle.left : axle.right) {
        const TyreIndex tyre = tyre_of(name, {field}, mechanism);
        if (std::ranges::find(named, tyre) != named.end())
          fail(kVehiclePlace, {field},
               {"a tyre is named twice", "each tyre once", core::quoted(name), "Remove one of the two."});
        named.push_back(tyre);
        (is_left ? made.left : made.right).push_back(tyre);
      }
    }
    vehicle.axles.push_back(std::move(made));
  }
  return vehicle;
}

}  // namespace eslabon::model::detail
