#pragma once

#include <memory>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/kinematics/drivers/driver_integral.hpp"
#include "eslabon/model/elements/driver.hpp"

namespace eslabon::kinematics {

/// The motion that one driver prescribes, as a function of time from 0 on:
///   kPosition        x(t) = f(t),                           ẋ, ẍ by dual numbers of second order        (1)
///   kSpeed           x(t) = x₀ + ∫₀ᵗ f(s) ds,               ẋ = f, ẍ = f'                                (2)
///   kAcceleration    x(t) = x₀ + v₀ t + ∫₀ᵗ (t − s) f(s) ds                                              (3)
/// A constant f is integrated in closed form, any other by DriverIntegral: x(t) does not depend on which times were asked for before, nor
/// on the end of the run. Error: a few roundings of ∫|f|, or of ∫∫|f| in (3), and what roundoff in f itself adds.
/// Safe to share between threads; copies share what was integrated.
class DriverMotion {
 public:
  /// `start`: x₀ [rad or m], not read for kPosition. Throws core::ContractError unless x₀ is finite.
  DriverMotion(const model::Driver& driver, double start);

  /// Integrates up to `until` [s] at once, so that evaluate allocates nothing there, and errors come before the run; later times
  /// are integrated when they are asked for. Throws core::ModelError that names the driver and the time when f is not finite somewhere
  /// it is sampled or cannot be integrated there (a pole, too many oscillations); core::ContractError unless 0 <= until < inf.
  void prepare(double until) const;

  /// Position, velocity and acceleration of the driven variable at time t >= 0; angles are not wrapped. False where one of them is not
  /// finite, where f cannot be integrated, and for other t.
  [[nodiscard]] bool evaluate(double t, coordinates::CoordinateValue& out) const;
  /// What is said of a t at which evaluate fails: names the driver and the time. Slow.
  core::ErrorText why_not(double t) const;
  /// For callers who must have it: throws core::ModelError where evaluate fails, core::ContractError unless 0 <= t < inf.
  coordinates::CoordinateValue value_at(double t) const;

 private:
  [[nodiscard]] bool integrate(double t, coordinates::CoordinateValue& out) const;

  model::Driver driver_;
  double start_;
  double start_speed_;
  std::shared_ptr<const DriverIntegral> integral_;  ///< none for (1) and for a constant f
};

}  // namespace eslabon::kinematics
