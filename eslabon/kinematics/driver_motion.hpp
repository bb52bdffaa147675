#pragma once

#include <vector>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/model/driver.hpp"

namespace eslabon::kinematics {

/// The motion that one driver prescribes, as a function of time on [0, until]:
///   kPosition        x(t) = f(t),                           ẋ, ẍ by dual numbers of second order        (1)
///   kSpeed           x(t) = x₀ + ∫₀ᵗ f(s) ds,               ẋ = f, ẍ = f'                                (2)
///   kAcceleration    x(t) = x₀ + v₀ t + ∫₀ᵗ (t − s) f(s) ds                                              (3)
/// A constant f is integrated in closed form; any other by Gauss–Lobatto panels that are halved until they
/// agree to roundoff, so kinks (abs, min, max) and jumps are found; a pulse that is much narrower than 1/16 s may
/// be missed. The panels are fixed when the object is made, so x(t) does not depend on which times were asked for
/// before. Error: a few roundings of ∫|f|, or of ∫∫|f| in (3), and what roundoff in f itself adds.
/// const after construction, safe to share between threads; evaluate does not allocate.
/// Cost: (2), (3) 24 values of a smooth f for each 1/16 s when made, and 24 at each evaluate.
class DriverMotion {
 public:
  /// `start`: x₀ [rad or m], not read for kPosition. `until`: last time that may be asked for [s].
  /// Throws core::ModelError that names the driver and the time when f is not finite somewhere it is sampled or
  /// cannot be integrated there (a pole, too many oscillations); core::ContractError unless 0 <= until < inf and
  /// x₀ is finite.
  DriverMotion(const model::Driver& driver, double start, double until);

  /// Position, velocity and acceleration of the driven variable at time t ∈ [0, until]; angles are not wrapped.
  /// Throws core::ModelError that names the driver and the time when a value is not finite; core::ContractError
  /// when t is outside by more than roundoff.
  coordinates::CoordinateValue evaluate(double t) const;

 private:
  /// The integrals from 0 to the start of a panel.
  struct Node {
    double integral = 0.0;         ///< ∫ f ds
    double double_integral = 0.0;  ///< ∫ (t − s) f ds
  };

  void add_panels();
  coordinates::CoordinateValue integrate(double t) const;

  model::Driver driver_;
  double start_;
  double start_speed_;
  double until_;
  double panel_width_ = 0.0;  ///< a power of two, so that k · width is exact [s]
  std::vector<Node> nodes_;   ///< (panels) empty for (1) and for a constant f
};

}  // namespace eslabon::kinematics
