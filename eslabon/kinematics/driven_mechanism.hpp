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
  /// `assembly` is usable. `until`: how long the drivers will be asked for [s].
  /// Throws core::ModelError when a driver prescribes what the joints hold already, when degrees of freedom are left that no
  /// driver moves, or when the start position is singular; the message names the elements.
  DrivenMechanism(const model::Mechanism& mechanism, const structure::Structure& structure,
                  const AssemblyReport& assembly, double until);

  const model::Mechanism& mechanism() const { return mechanism_; }
  const structure::Structure& structure() const { return structure_; }
  const coordinates::MechanismMotion& start() const { return start_; }
  const std::vector<coordinates::Prescribed>& prescribed() const { return prescribed_; }
  const std::vector<HeldFreedom>& held() const { return held_; }
  double until() const { return until_; }

  /// A step from t on in which no driver moves by more than about half a radian, or half the mechanism's size: steps of a
  /// motion that are longer could miss what the drivers do in between [s]. From their speeds at 2048 times of the run.
  double longest_step(double t) const;

  /// Prescribed values and their rates at time t; out: (prescribed).
  void evaluate(double t, std::span<coordinates::CoordinateValue> out) const;

 private:
  void check_rank();
  void sample_speeds();
  [[noreturn]] void throw_underdriven(const FreeMotions& motions, const std::vector<IdleSpin>& spins) const;

  const model::Mechanism& mechanism_;
  const structure::Structure& structure_;
  coordinates::MechanismMotion start_;
  double until_;
  std::vector<double>
      speeds_;  ///< (samples, or 1 when all are constant) of the fastest driver [rad/s] or sizes per second
  std::vector<coordinates::Prescribed> prescribed_;
  std::vector<DriverMotion> drivers_;
  std::vector<HeldFreedom> held_;
};

}  // namespace eslabon::kinematics
