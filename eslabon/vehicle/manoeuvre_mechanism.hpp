#pragma once

#include "eslabon/model/mechanism.hpp"
#include "eslabon/vehicle/manoeuvre_plan.hpp"
#include "eslabon/vehicle/vehicle_layout.hpp"

namespace eslabon::vehicle {

/// The mechanism that does what is planned: on the road of the manoeuvre, at its speed from the start, with a speed control on the spin joints of
/// the axles that drive, brakes on those that brake. Its steering driver follows the angle as a function of time; where there
/// is a course it is released, and a driver who looks ahead turns the steering by a stiff spring and a damper.
/// Throws core::ModelError, also where names of the mechanism are those of what is added.
model::Mechanism manoeuvre_mechanism(const model::Mechanism& mechanism, const VehicleLayout& layout,
                                     const ManoeuvrePlan& plan);

/// The variable that turns the steering there; none: nothing does.
std::optional<std::string> steering_effort(const VehicleLayout& layout, const ManoeuvrePlan& plan);

/// The coordinate of the steering with which the vehicle goes straight on in a steady state: the start of the file, unless something is not symmetrical, as
/// an axle that a Panhard rod pulls aside. Throws core::ModelError where there is no such state.
double coordinate_straight_on(const model::Mechanism& mechanism, const VehicleLayout& layout, double speed,
                              const tyres::Road& road);

}  // namespace eslabon::vehicle
