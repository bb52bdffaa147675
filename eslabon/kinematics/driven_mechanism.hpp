#pragma once

#include <span>
#include <string>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/kinematics/assembly.hpp"
#include "eslabon/kinematics/driver_motion.hpp"
#include "eslabon/kinematics/idle_spin.hpp"

namespace eslabon::kinematics {

/// A degree of freedom that moves nothing else, found where the mechanism stands, and how it is held.
struct HeldFreedom {
  model::BodyIndex body;  ///< that spins
  coordinates::HeldDirection direction;
};

/// An assembled mechanism with everything that moves it: the drivers as functions of time, and directions that hold the
/// degrees of freedom that nobody drives because they move nothing else. What is prescribed is, in this order, the
/// drivers and the held degrees of freedom. const after construction, safe to share between threads.
class DrivenMechanism {
 public:
  /// `assembly` is usable.
  /// Throws core::ModelError when a driver prescribes what the joints hold already, when degrees of freedom are left that no
  /// driver moves, or when the start position is singular; the message names the elements.
  DrivenMechanism(const model::Mechanism& mechanism, const structure::Structure& structure,
                  const AssemblyReport& assembly);

  const model::Mechanism& mechanism() const { return mechanism_; }
  const structure::Structure& structure() const { return structure_; }
  const coordinates::MechanismMotion& start() const { return start_; }
  const std::vector<coordinates::Prescribed>& prescribed() const { return prescribed_; }
  const std::vector<HeldFreedom>& held() const { return held_; }
  /// The drivers as functions of time, in their order.
  const std::vector<DriverMotion>& drivers() const { return drivers_; }

  /// Integrates what drivers prescribe up to `until` [s]: see DriverMotion::prepare. A Motion does.
  void prepare_drivers(double until) const;
  /// Prescribed values and their rates at time t; out: (prescribed).
  void evaluate(double t, std::span<coordinates::CoordinateValue> out) const;

 private:
  void check_rank();
  [[noreturn]] void throw_underdriven(const FreeMotions& motions, const std::vector<IdleSpin>& spins) const;

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  coordinates::MechanismMotion start_;
  std::vector<coordinates::Prescribed> prescribed_;
  std::vector<DriverMotion> drivers_;
  std::vector<HeldFreedom> held_;
};

}  // namespace eslabon::kinematics
