#include "eslabon/kinematics/drivers/driver_motion.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/kinematics/drivers/driver_error.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::CoordinateValue;
using core::Dual;
using model::DriverLevel;

bool is_time(double t) { return t >= 0.0 && std::isfinite(t); }

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

bool DriverMotion::integrate(double t, CoordinateValue& out) const {
  const bool is_speed = driver_.level == DriverLevel::kSpeed;
  if (!integral_) {
    const double f = driver_.function.constant_value();
    out = is_speed
              ? CoordinateValue{start_ + f * t, f, 0.0}                                               // (2)
              : CoordinateValue{start_ + (start_speed_ + 0.5 * f * t) * t, start_speed_ + f * t, f};  // (3)
    return true;
  }
  DriverIntegral::Value from_start;
  if (!integral_->evaluate(t, from_start)) return false;
  if (is_speed) {
    const Dual<double> f = driver_.function.evaluate(Dual<double>(t, 1.0));
    out = {start_ + from_start.integral, f.value, f.derivative};  // (2)
    return true;
  }
  out = {start_ + (start_speed_ * t + from_start.double_integral), start_speed_ + from_start.integral,
         driver_.function.evaluate(t)};  // (3)
  return true;
}

bool DriverMotion::evaluate(double t, CoordinateValue& out) const {
  if (!is_time(t)) return false;
  if (driver_.level == DriverLevel::kPosition) {
    const Dual<Dual<double>> x = driver_.function.evaluate(Dual<Dual<double>>({t, 1.0}, {1.0, 0.0}));
    out = {x.value.value, x.value.derivative, x.derivative.derivative};  // (1)
  } else if (!integrate(t, out)) {
    return false;
  }
  return std::isfinite(out.position) && std::isfinite(out.velocity) && std::isfinite(out.acceleration);
}

core::ErrorText DriverMotion::why_not(double t) const {
  if (!is_time(t))
    return {.what = "a time at which no driver moves",
            .where = driver_name(driver_),
            .expected = "0 s <= t < inf",
            .actual = core::number_text(t) + " s",
            .next = "Runs start at t = 0 s."};
  CoordinateValue value;
  if (DriverIntegral::Value from_start; integral_ && !integral_->evaluate(t, from_start))
    return integral_->why_not(t);
  static_cast<void>(evaluate(t, value));
  const double f = driver_.level == DriverLevel::kPosition ? value.position
                   : driver_.level == DriverLevel::kSpeed  ? value.velocity
                                                           : value.acceleration;
  if (!std::isfinite(f)) return no_driver_value(driver_, f, t);
  const auto [rate, number] = !std::isfinite(value.position) ? std::pair{"position", value.position}
                              : !std::isfinite(value.velocity)
                                  ? std::pair{"velocity", value.velocity}
                                  : std::pair{"acceleration", value.acceleration};
  return {.what = "the driver's motion has no rate",
          .where = driver_name(driver_),
          .expected = "a finite " + std::string(rate) + " at every time of the run",
          .actual = core::number_text(number) + at_time(t),
          .next = "Smooth the function, or end the run before that time."};
}

CoordinateValue DriverMotion::value_at(double t) const {
  if (!is_time(t)) throw core::ContractError(why_not(t));
  CoordinateValue value;
  if (!evaluate(t, value)) throw core::ModelError(why_not(t));
  return value;
}

}  // namespace eslabon::kinematics
