#pragma once

#include <string>

#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/model/elements/driver.hpp"

/// What is said of a driver whose function fails: inside DriverMotion and DriverIntegral.
namespace eslabon::kinematics {

inline std::string at_time(double t) { return " at t = " + core::number_text(t) + " s"; }

inline std::string driver_name(const model::Driver& driver) { return "driver '" + driver.name + "'"; }

/// Of a value f that is not finite.
inline core::ErrorText no_driver_value(const model::Driver& driver, double f, double t) {
  return {.what = "the driver's function has no value",
          .where = driver_name(driver),
          .expected = "a finite number at every time of the run",
          .actual = core::number_text(f) + at_time(t),
          .next = "Change the function, or end the run before that time."};
}

}  // namespace eslabon::kinematics
