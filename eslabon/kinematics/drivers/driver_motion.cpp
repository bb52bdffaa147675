#include "eslabon/kinematics/drivers/driver_motion.hpp"

#include <cmath>
#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/kinematics/drivers/driver_error.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;
using core::Dual;
using model::DriverLevel;

void check_rate(const model::Driver& driver, const char* rate, double value, double t) {
  if (std::isfinite(value)) return;
  throw core::ModelError({.what = "the driver's motion has no rate",
                          .where = driver_name(driver),
                          .expected = "a finite " + std::string(rate) + " at every time of the run",
                          .actual = core::number_text(value) + at_time(t),
                          .next = "Smooth the function, or end the run before that time."});
}

}  // namespace

DriverMotion::DriverMotion(const model::Driver& driver, double start)
    : driver_(driver),
      start_(driver.level == DriverLevel::kPosition ? 0.0 : start),
      start_speed_(driver.level == DriverLevel::kAcceleration ? driver.start_speed.value_or(0.0) : 0.0) {
  if (!std::isfinite(start_))
    throw core::ContractError({.what = "a driven variable has no start value",
                               .where = driver_name(driver),
                               .expected = "a finite start",
                               .actual = core::number_text(start_),
                               .next = "Give the value of the variable at t = 0 s."});
  if (driver.level != DriverLevel::kPosition && !driver.function.is_constant())
    integral_ = std::make_shared<const DriverIntegral>(driver);
}

void DriverMotion::prepare(double until) const {
  if (!(until >= 0.0 && std::isfinite(until)))
    throw core::ContractError({.what = "the end of a run is not a time",
                               .where = driver_name(driver_),
                               .expected = "0 s <= until < inf",
                               .actual = core::number_text(until) + " s",
                               .next = "Give the last time of the run."});
  if (integral_) integral_->prepare(until);
}

CoordinateValue DriverMotion::integrate(double t) const {
  const bool is_speed = driver_.level == DriverLevel::kSpeed;
  if (!integral_) {
    const double f = driver_.function.constant_value();
    if (is_speed) return {start_ + f * t, f, 0.0};                                // (2)
    return {start_ + (start_speed_ + 0.5 * f * t) * t, start_speed_ + f * t, f};  // (3)
  }
  const DriverIntegral::Value from_start = integral_->evaluate(t);
  if (is_speed) {
    const Dual<double> f = driver_.function.evaluate(Dual<double>(t, 1.0));
    check_driver_value(driver_, f.value, t);
    return {start_ + from_start.integral, f.value, f.derivative};  // (2)
  }
  const double f = driver_.function.evaluate(t);
  check_driver_value(driver_, f, t);
  return {start_ + (start_speed_ * t + from_start.double_integral), start_speed_ + from_start.integral,
          f};  // (3)
}

CoordinateValue DriverMotion::evaluate(double t) const {
  if (!(t >= 0.0 && std::isfinite(t)))
    throw core::ContractError({.what = "a time at which no driver moves",
                               .where = driver_name(driver_),
                               .expected = "0 s <= t < inf",
                               .actual = core::number_text(t) + " s",
                               .next = "Runs start at t = 0 s."});
  CoordinateValue value;
  if (driver_.level == DriverLevel::kPosition) {
    const Dual<Dual<double>> x = driver_.function.evaluate(Dual<Dual<double>>({t, 1.0}, {1.0, 0.0}));
    value = {x.value.value, x.value.derivative, x.derivative.derivative};  // (1)
    check_driver_value(driver_, value.position, t);
  } else {
    value = integrate(t);
  }
  check_rate(driver_, "position", value.position, t);
  check_rate(driver_, "velocity", value.velocity, t);
  check_rate(driver_, "acceleration", value.acceleration, t);
  return value;
}

}  // namespace eslabon::kinematics
