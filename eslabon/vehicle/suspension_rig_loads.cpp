#include "eslabon/vehicle/suspension_rig_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/core/scalar/dual.hpp"
#include "eslabon/vehicle/suspension_rig_figures.hpp"

namespace eslabon::vehicle {

namespace {

using Kind = KcSweep::Kind;

constexpr int kSteps = 5;  // to each side

struct LoadCase {
  Kind kind;
  double PatchLoad::*load;
  double right;  ///< of the left one
};
constexpr std::array kCases{
    LoadCase{Kind::kLateral, &PatchLoad::lateral, 1.0},
    LoadCase{Kind::kLateralOpposite, &PatchLoad::lateral, -1.0},
    LoadCase{Kind::kLongitudinal, &PatchLoad::longitudinal, 1.0},
    LoadCase{Kind::kLongitudinalOpposite, &PatchLoad::longitudinal, -1.0},
    LoadCase{Kind::kAligning, &PatchLoad::aligning, 1.0},
    LoadCase{Kind::kAligningOpposite, &PatchLoad::aligning, -1.0},
};

}  // namespace

std::vector<KcSweep> load_sweeps(SuspensionRig& rig, std::size_t axle, const RigSetting& setting,
                                 bool is_steered, const LoadRange& range) {
  const RigPoint design = rig.design(setting);
  rig.look_at(design, setting);
  const std::array<WheelPlace, 2> start{rig.place(2 * axle), rig.place(2 * axle + 1)};
  std::vector<KcSweep> sweeps;
  for (const LoadCase& one : kCases) {
    const bool is_torque = one.load == &PatchLoad::aligning;
    const double last = is_torque ? range.torque : range.force;
    const auto loaded = [&](double load) {
      RigSetting out = setting;
      out.loads[2 * axle].*one.load += load;
      out.loads[2 * axle + 1].*one.load += one.right * load;
      return out;
    };
    KcSweep up{.kind = one.kind}, down{.kind = one.kind};
    const auto tell_into = [&](KcSweep& sweep) {
      return [&](double load) {
        Figures row;
        row.add(is_torque ? "torque" : "force", is_torque ? "N*m" : "N", load);
        for (std::size_t end = 0; end < 2; ++end) {
          const std::size_t k = 2 * axle + end;
          const WheelPlace place = rig.place(k);
          const WheelAngles angles = wheel_angles(place, rig.wheel(k).side);
          const std::string side = side_name(end);
          if (is_steered) row.add(side + "steer", "rad", angles.steer);
          row.add(side + "toe", "rad", angles.toe);
          row.add(side + "camber", "rad", angles.camber);
          row.add(side + "center_x", "m", place.center.x() - start[end].center.x());
          row.add(side + "center_y", "m", place.center.y() - start[end].center.y());
          row.add(side + "x", "m", place.contact.x() - start[end].contact.x());
          row.add(side + "y", "m", place.contact.y() - start[end].contact.y());
          if (rig.has_travel(k)) row.add(side + "load", "N", rig.wheel_load(k));
        }
        add_row(rig, row, sweep);
        return true;
      };
    };
    rig.look_at(design, setting);
    tell_into(up)(0.0);
    const std::string what = rig.vehicle().axles[axle].name + ", " + title_of(one.kind);
    const char* const unit = is_torque ? "N m" : "N";
    const double step = last / kSteps;
    follow(rig, design, steps_to(last, step), {loaded, tell_into(up), what, unit, 1.0}, up);
    follow(rig, design, steps_to(-last, step), {loaded, tell_into(down), what, unit, 1.0}, down);
    join(down, up);
    sweeps.push_back(std::move(up));
  }
  return sweeps;
}

TyreUnderLoad tyre_under_load(const tyres::FittedTyre& tyre, double load) {
  using Dual = core::Dual<double>;
  const double radius = tyres::unloaded_radius(tyre);
  const tyres::Road flat;
  const bool is_loaded = load > 0.0;
  TyreUnderLoad out{.deflection = 1e-3 * radius};
  for (int i = 0; i < 50; ++i) {
    Dual height(radius - out.deflection);
    height.derivative = 1.0;
    const tyres::WheelMotionOf<Dual> wheel{.center = {Dual(0.0), Dual(0.0), height},
                                           .axis = {Dual(0.0), Dual(1.0), Dual(0.0)},
                                           .velocity = core::Vector3<Dual>::Zero(),
                                           .w = core::Vector3<Dual>::Zero()};
    const Dual carried = tyres::tyre_on_road<Dual>(tyre, flat, wheel, {Dual(0.0), Dual(0.0)}).load;
    out.stiffness = -carried.derivative;
    if (!(out.stiffness > 0.0) || !is_loaded) break;
    const double step = (load - carried.value) / out.stiffness;
    out.deflection = std::clamp(out.deflection + step, 0.5 * out.deflection, 0.5 * radius);
    if (std::abs(step) < 1e-12 * radius) break;
  }
  if (!is_loaded) out.deflection = 0.0;
  return out;
}

TyreUnderLoad tyres_under_load(const SuspensionRig& rig, std::size_t k, double load) {
  const RigWheel& wheel = rig.wheel(k);
  TyreUnderLoad out;
  for (const model::TyreIndex tyre : wheel.tyres) {
    const TyreUnderLoad one = tyre_under_load(rig.model().mechanism().tyres()[tyre.slot()].fitted,
                                              load / static_cast<double>(wheel.tyres.size()));
    out.deflection = std::max(out.deflection, one.deflection);
    out.stiffness += one.stiffness;
  }
  return out;
}

std::optional<Standing> find_standing(SuspensionRig& rig, std::size_t axle, const RigSetting& setting,
                                      double load) {
  constexpr int kMostIterations = 40;
  constexpr double kLongestStep = 0.02;  // m
  constexpr double kGood = 1e-10;        // m
  const std::size_t left = 2 * axle, right = left + 1;
  RigSetting at = setting;
  RigPoint point = rig.design(at);
  std::vector<double> both(rig.num_wheels(), 0.0);
  both[left] = both[right] = 1.0;
  for (int i = 0; i < kMostIterations; ++i) {
    rig.look_at(point, at);
    const WheelRates rates = rig.rates(both, 0.0, true);
    const double rate = 0.5 * (rates[left].load + rates[right].load);
    const double miss = load - 0.5 * (rig.wheel_load(left) + rig.wheel_load(right));
    if (!(rate > 0.0)) return std::nullopt;
    const double step = std::clamp(miss / rate, -kLongestStep, kLongestStep);
    if (std::abs(step) < kGood) {
      const TyreUnderLoad tyre = tyres_under_load(rig, left, load);
      return Standing{.load = load,
                      .travel = at.travel[left],
                      .deflection = tyre.deflection,
                      .ride_rate = rate * tyre.stiffness / (rate + tyre.stiffness)};
    }
    at.travel[left] += step;
    at.travel[right] += step;
    const std::optional<RigPoint> next = rig.move(point, at);
    if (!next) return std::nullopt;
    point = *next;
  }
  return std::nullopt;
}

}  // namespace eslabon::vehicle
