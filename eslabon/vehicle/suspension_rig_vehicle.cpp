#include "eslabon/vehicle/suspension_rig_vehicle.hpp"

#include <algorithm>

#include "eslabon/core/text/error.hpp"
#include "eslabon/model/mechanism_addition.hpp"
#include "eslabon/model/mechanism_variant.hpp"
#include "eslabon/tyres/tyre_on_road.hpp"

namespace eslabon::vehicle {

namespace {

using model::Mechanism;

/// The one revolute joint of a wheel, which the reader of vehicles has checked.
std::size_t spin_joint(const Mechanism& mechanism, model::BodyIndex wheel) {
  const auto joint = std::ranges::find_if(mechanism.joints(), [&](const model::Joint& one) {
    return one.type == model::JointType::kRevolute && (one.first() == wheel || one.second() == wheel);
  });
  return static_cast<std::size_t>(joint - mechanism.joints().begin());
}

RigWheel make_wheel(const Mechanism& mechanism, const std::vector<model::TyreIndex>& tyres, double side,
                    std::optional<double> radius) {
  const model::Tyre& first = mechanism.tyres()[tyres.front().slot()];
  const model::Joint& spin = mechanism.joints()[spin_joint(mechanism, first.center.body)];
  return {.name = first.name,
          .tyres = tyres,
          .wheel = first.center.body,
          .carrier = spin.first() == first.center.body ? spin.second() : spin.first(),
          .axis_B = first.axis_B,
          .side = side,
          .radius = radius ? *radius : tyres::unloaded_radius(first.fitted)};
}

}  // namespace

RigVehicle on_suspension_rig(const Mechanism& mechanism, std::optional<double> radius) {
  if (!mechanism.vehicle())
    throw core::ModelError({.what = "the mechanism is not a vehicle",
                            .where = "mechanism '" + mechanism.name() + "'",
                            .expected = "a section 'vehicle:' that names chassis and axles",
                            .actual = "none",
                            .next = "Add it, see docs/mechanism-file.md, Vehicle; or give the file of a part "
                                    "with tyres."});
  const model::Vehicle& vehicle = *mechanism.vehicle();
  RigVehicle rig{
      .mechanism = model::with_addition(model::without_dry_friction(mechanism), {.starts_at_rest = true}),
      .chassis = vehicle.chassis,
      .steering = {},
      .ratio = 1.0,
      .spins = {},
      .axles = {}};
  if (vehicle.steering) {
    const model::Driver& driver = mechanism.drivers()[vehicle.steering->driver.slot()];
    rig.steering = driver.target;
    rig.ratio = vehicle.steering->ratio;
    rig.mechanism = model::without_drivers(rig.mechanism, {driver.name});
  }
  for (std::size_t a = 0; a < vehicle.axles.size(); ++a) {
    const model::VehicleAxle& axle = vehicle.axles[a];
    rig.axles.push_back({.name = "axle " + std::to_string(a + 1),
                         .wheels = {make_wheel(mechanism, axle.left, 1.0, radius),
                                    make_wheel(mechanism, axle.right, -1.0, radius)},
                         .drive = axle.drive,
                         .brake = axle.brake});
    for (const auto& tyres : {axle.left, axle.right})
      for (const model::TyreIndex tyre : tyres) {
        const std::size_t joint = spin_joint(mechanism, mechanism.tyres()[tyre.slot()].center.body);
        const model::Variable spin{model::VariableKind::kJointPosition,
                                   model::JointIndex(static_cast<int>(joint)), 0};
        if (std::ranges::find(rig.spins, spin) == rig.spins.end()) rig.spins.push_back(spin);
      }
  }
  return rig;
}

}  // namespace eslabon::vehicle
