#pragma once

#include <span>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/dynamics/applied_forces.hpp"
#include "eslabon/kinematics/assembly.hpp"
#include "eslabon/kinematics/driver_motion.hpp"

namespace eslabon::dynamics {

/// An assembled mechanism with everything that acts on it. What drivers prescribe stays prescribed: they give whatever effort
/// it takes. const but for add_force; safe to share between threads.
class DynamicModel {
 public:
  /// `mechanism` and `structure` must outlive it; `assembly` is usable.
  /// Throws core::ModelError for what cannot be simulated.
  DynamicModel(const model::Mechanism& mechanism, const structure::Structure& structure,
               const kinematics::AssemblyReport& assembly);

  const model::Mechanism& mechanism() const { return mechanism_; }
  const structure::Structure& structure() const { return structure_; }
  /// (bodies) where they start and how they move there, as drivers and start rates say.
  const coordinates::MechanismMotion& start() const { return start_; }
  /// What forces know there: angles beyond ±π where start values or drivers say so, and nothing rests on a stop.
  const ForceMemory& start_memory() const { return start_memory_; }
  const AppliedForces& forces() const { return forces_; }
  void add_force(UserForce force) { forces_.add(std::move(force)); }

  /// The drivers as what is prescribed, in their order.
  const std::vector<coordinates::Prescribed>& prescribed() const { return prescribed_; }
  /// Integrates what they prescribe up to `until` [s]: see kinematics::DriverMotion::prepare. A Simulation does.
  void prepare_drivers(double until) const;
  /// Their values and rates; out: (prescribed).
  void evaluate_drivers(double t, std::span<coordinates::CoordinateValue> out) const {
    for (std::size_t i = 0; i < drivers_.size(); ++i) out[i] = drivers_[i].evaluate(t);
  }
  /// Throws core::ModelError when the speed of a driver jumps between these times: no finite force can do that.
  void check_drivers(double t0, double t1) const;

 private:
  void find_start_velocities();

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  coordinates::MechanismMotion start_;
  AppliedForces forces_;
  ForceMemory start_memory_;
  std::vector<coordinates::Prescribed> prescribed_;
  std::vector<kinematics::DriverMotion> drivers_;
};

}  // namespace eslabon::dynamics
