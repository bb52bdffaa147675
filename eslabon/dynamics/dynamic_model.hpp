#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/dynamics/forces/applied_forces.hpp"
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"
#include "eslabon/kinematics/drivers/driver_motion.hpp"

namespace eslabon::dynamics {

/// An assembled mechanism with everything that acts on it. What drivers prescribe stays prescribed: they give whatever effort
/// it takes. A value that shares what it holds: copies cost nothing, and whoever has one (a formulation, a run, an instrument) keeps all
/// of it alive. Safe to share between threads.
class DynamicModel {
 public:
  /// Throws core::ModelError for what cannot be simulated.
  explicit DynamicModel(kinematics::AssembledMechanism assembled);
  /// The same of copies: see AssembledMechanism::from.
  DynamicModel(const model::Mechanism& mechanism, const structure::Structure& structure,
               const kinematics::AssemblyReport& assembly)
      : DynamicModel(kinematics::AssembledMechanism::from(mechanism, structure, assembly)) {}

  const kinematics::AssembledMechanism& assembled() const { return parts_->assembled; }
  const model::Mechanism& mechanism() const { return parts_->assembled.mechanism(); }
  const structure::Structure& structure() const { return parts_->assembled.structure(); }
  /// (bodies) where they start and how they move there, as drivers and start rates say.
  const coordinates::MechanismMotion& start() const { return parts_->start; }
  /// What forces know there: angles beyond ±π where start values or drivers say so, and nothing rests on a stop.
  const ForceMemory& start_memory() const { return parts_->start_memory; }
  const AppliedForces& forces() const { return parts_->forces; }
  /// Of this model from now on: copies, and what was made from it before, go without.
  void add_force(UserForce force);

  /// The drivers as what is prescribed, in their order.
  const std::vector<coordinates::Prescribed>& prescribed() const { return parts_->prescribed; }
  /// Integrates what they prescribe up to `until` [s]: see kinematics::DriverMotion::prepare. A Simulation does.
  void prepare_drivers(double until) const;
  /// Their values and rates; out: (prescribed). False where one has none.
  [[nodiscard]] bool evaluate_drivers(double t, std::span<coordinates::CoordinateValue> out) const {
    for (std::size_t i = 0; i < parts_->drivers.size(); ++i)
      if (!parts_->drivers[i].evaluate(t, out[i])) return false;
    return true;
  }
  /// The same for callers who must have them; throws as kinematics::DriverMotion::value_at does.
  void evaluate_drivers_or_throw(double t, std::span<coordinates::CoordinateValue> out) const;
  /// What is said of the first driver that has no value at t; nothing where all have one. Slow.
  std::optional<core::ErrorText> why_no_drivers(double t) const;
  /// What is said of a driver whose speed jumps between these times, which no finite force can do, or that has no value there.
  std::optional<core::ErrorText> find_driver_jump(double t0, double t1) const;

 private:
  struct Parts {
    explicit Parts(kinematics::AssembledMechanism from);
    void find_start_velocities();

    kinematics::AssembledMechanism assembled;
    coordinates::MechanismMotion start;
    AppliedForces forces;
    ForceMemory start_memory;
    std::vector<coordinates::Prescribed> prescribed;
    std::vector<kinematics::DriverMotion> drivers;
  };

  std::shared_ptr<const Parts> parts_;
};

}  // namespace eslabon::dynamics
