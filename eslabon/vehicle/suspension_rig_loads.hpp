#pragma once

#include <optional>
#include <vector>

#include "eslabon/tyres/tyre_on_road.hpp"
#include "eslabon/vehicle/suspension_rig_sweep.hpp"

namespace eslabon::vehicle {

/// How far loads are swept, to both sides, on each wheel.
struct LoadRange {
  double force = 0.0;   ///< [N]
  double torque = 0.0;  ///< [N m]
};

/// Loads in the contact points of an axle while its wheel centres keep their heights, by the loaded equilibrium: lateral and longitudinal forces, wheels
/// locked, and aligning torques, on both wheels and opposite ones. Columns are what is imposed on the left wheel, angles, and the ways of centres and
/// contact points from `setting`, which is what else is imposed.
std::vector<KcSweep> load_sweeps(SuspensionRig& rig, std::size_t axle, const RigSetting& setting,
                                 bool is_steered, const LoadRange& range);

/// A tyre that carries a load, the wheel upright.
struct TyreUnderLoad {
  double deflection = 0.0;  ///< [m]
  double stiffness = 0.0;   ///< [N/m]; of one that carries none where it touches
};
TyreUnderLoad tyre_under_load(const tyres::FittedTyre& tyre, double load);
/// The tyres of a wheel, which carries `load`, side by side.
TyreUnderLoad tyres_under_load(const SuspensionRig& rig, std::size_t wheel, double load);

/// Where an axle carries its part of the vehicle's weight.
struct Standing {
  double load = 0.0;        ///< of each wheel [N]
  double travel = 0.0;      ///< of the wheel centres from where the vehicle is drawn [m]
  double deflection = 0.0;  ///< of the tyres, the left one [m]
  double ride_rate = 0.0;   ///< wheel and tyre in series, at both [N/m]
  /// How much higher the chassis is there than where it is drawn on free tyres [m].
  double ride_height() const { return -travel - deflection; }
};
/// By Newton's method on travel, both wheels alike. `load`: that each wheel is to carry [N]. Nothing where the axle does not get there.
std::optional<Standing> find_standing(SuspensionRig& rig, std::size_t axle, const RigSetting& setting,
                                      double load);

}  // namespace eslabon::vehicle
