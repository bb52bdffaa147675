#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "eslabon/runs/run_observer.hpp"
#include "eslabon/vehicle/suspension_rig_figures.hpp"
#include "eslabon/vehicle/suspension_rig_loads.hpp"

namespace eslabon::vehicle {

/// What a vehicle is put through on a suspension rig.
struct KcRequest {
  double travel = 0.06;        ///< of the wheels in bump and in rebound [m]
  double travel_step = 0.005;  ///< [m]
  std::optional<double> steer =
      {};  ///< of the steering wheel, to both sides [rad]; none: as far as it goes, or wheels are at 35°
  PatchLoad load = {};  ///< on each wheel of the axle that is moved
  /// Of the sweeps of loads; none: 3 kN and 150 N m, and none of these sweeps where an axle does not give way to any load
  std::optional<double> force = {}, torque = {};
  bool standing = false;              ///< travel is counted from where axles carry their part of the weight
  std::optional<double> radius = {};  ///< of all tyres on the bench [m]; none: that of the free tyres
  std::optional<double> wheelbase = {};  ///< for figures that need one [m]; none: that of the vehicle
  std::optional<double> mass_center_height = {};  ///< above the road [m]; none: that of the vehicle
  bool turns_steering =
      false;  ///< the sign of the steering's ratio is that with which wheels turn to the left: of a part, which does not tell it
};

/// Throws runs::RequestError for what is out of range.
void check(const KcRequest& request);

/// What loads on both wheels of an axle do where nothing is moved: same way, or opposite ways.
struct KcCompliance {
  UnitLoad load = UnitLoad::kLateral;
  bool is_opposite = false;
  std::array<double, 2> toe{}, camber{};    ///< (left, right) [rad/N] or [rad/(N m)]
  std::array<double, 2> along{}, across{};  ///< of the wheel centre, x and y [m/N] or [m/(N m)]
};
/// "lateral", "braking", "driving", "aligning"
const char* name_of(UnitLoad load);

struct KcAxle {
  /// Of the figures where nothing is moved; nothing where there is none of this name.
  std::optional<double> find(const std::string& name) const;
  std::string name;
  std::array<std::string, 2> tyres;
  bool is_steered = false;
  bool has_travel = false;
  std::vector<core::Column> columns;  ///< of the figures where nothing is moved
  std::vector<double> figures;        ///< (columns)
  std::array<std::optional<SteerGeometry>, 2>
      locks;                              ///< at the ends of the steering: to the right, to the left
  std::vector<KcSweep> sweeps;            ///< those that there are
  std::vector<KcCompliance> compliances;  ///< none of an axle that does not give way to any load
  std::optional<Standing> standing;       ///< on the tyres; of vehicles with two axles that have travel
};

struct KcResult {
  std::string mechanism;
  KcRequest request;
  bool is_compliant = false;
  std::optional<double> wheelbase, mass_center_height;
  std::vector<std::string> notes;
  std::vector<KcAxle> axles;
};

/// Throws runs::RequestError, and core::ModelError for what is no vehicle or does not stand on the rig.
KcResult run_suspension_rig(const model::Mechanism& mechanism, const KcRequest& request,
                            runs::RunObserver& observer = runs::nobody());

}  // namespace eslabon::vehicle
