#pragma once

#include "eslabon/vehicle/manoeuvre_figures.hpp"
#include "eslabon/vehicle/manoeuvre_series.hpp"

/// Figures of open-loop manoeuvres: what a vehicle answers to its steering. Private to layer vehicle.
namespace eslabon::vehicle {

/// Distance of the first axle's contact points to the mean of the others, as it stands in the first row [m].
double wheelbase_at_start(const ManoeuvreSeries& series, const VehicleLayout& layout);

void tell_step(const ManoeuvrePlan& plan, const ManoeuvreSeries& series, ManoeuvreFigures& out);
void tell_steady(const ManoeuvrePlan& plan, const VehicleLayout& layout, const ManoeuvreSeries& series,
                 ManoeuvreFigures& out);
void tell_dwell(const ManoeuvrePlan& plan, const ManoeuvreSeries& series, ManoeuvreFigures& out);
void tell_sweep(const ManoeuvrePlan& plan, const ManoeuvreSeries& series, ManoeuvreFigures& out);

}  // namespace eslabon::vehicle
