#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/kinematics/assembly/assembled_mechanism.hpp"
#include "eslabon/kinematics/drivers/driver_motion.hpp"
#include "eslabon/kinematics/freedoms/idle_spin.hpp"

namespace eslabon::kinematics {

/// A degree of freedom that moves nothing else, found where the mechanism stands, and how it is held.
struct HeldFreedom {
  model::BodyIndex body;  ///< that spins
  coordinates::HeldDirection direction;
};

/// Degrees of freedom are left that no driver moves: a fault of what is to be moved by drivers alone.
class UnderdrivenError : public core::ModelError {
 public:
  using ModelError::ModelError;
};

/// An assembled mechanism with everything that moves it: the drivers as functions of time, and directions that hold the
/// degrees of freedom that nobody drives because they move nothing else. What is prescribed is, in this order, the
/// drivers and the held degrees of freedom. A value that shares what it holds, as AssembledMechanism does; safe to share between threads.
class DrivenMechanism {
 public:
  /// Throws core::ModelError when a driver prescribes what the joints hold already, when degrees of freedom are left that no
  /// driver moves (UnderdrivenError), or when the start position is singular; the message names the elements.
  explicit DrivenMechanism(AssembledMechanism assembled);
  /// The same of copies: see AssembledMechanism::from.
  DrivenMechanism(const model::Mechanism& mechanism, const structure::Structure& structure,
                  const AssemblyReport& assembly)
      : DrivenMechanism(AssembledMechanism::from(mechanism, structure, assembly)) {}

  const AssembledMechanism& assembled() const { return parts_->assembled; }
  const model::Mechanism& mechanism() const { return parts_->assembled.mechanism(); }
  const structure::Structure& structure() const { return parts_->assembled.structure(); }
  const coordinates::MechanismMotion& start() const { return parts_->assembled.assembly().bodies; }
  const std::vector<coordinates::Prescribed>& prescribed() const { return parts_->prescribed; }
  const std::vector<HeldFreedom>& held() const { return parts_->held; }
  /// The drivers as functions of time, in their order.
  const std::vector<DriverMotion>& drivers() const { return parts_->drivers; }

  /// Integrates what drivers prescribe up to `until` [s]: see DriverMotion::prepare. A Motion does.
  void prepare_drivers(double until) const;
  /// Prescribed values and their rates at time t; out: (prescribed). False where a driver has none.
  [[nodiscard]] bool evaluate(double t, std::span<coordinates::CoordinateValue> out) const;
  /// The same for callers who must have them; throws as DriverMotion::value_at does.
  void evaluate_or_throw(double t, std::span<coordinates::CoordinateValue> out) const;

 private:
  struct Parts {
    AssembledMechanism assembled;
    std::vector<coordinates::Prescribed> prescribed;
    std::vector<DriverMotion> drivers;
    std::vector<HeldFreedom> held;
  };
  void check_rank(Parts& parts) const;
  [[noreturn]] void throw_underdriven(const FreeMotions& motions, const std::vector<IdleSpin>& spins) const;

  std::shared_ptr<const Parts> parts_;
};

}  // namespace eslabon::kinematics
