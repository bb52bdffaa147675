#pragma once

#include <optional>
#include <string>

#include "eslabon/model/elements/time_function.hpp"
#include "eslabon/model/variables/variable.hpp"

namespace eslabon::model {

/// What the function of a driver prescribes; lower levels follow by integration from the start.
enum class DriverLevel { kPosition, kSpeed, kAcceleration };

/// A motion that is imposed on one position variable: a joint coordinate, a point coordinate, a planar angle.
struct Driver {
  std::string name;
  Variable target;
  DriverLevel level = DriverLevel::kPosition;
  TimeFunction function;        ///< of the time in s, SI units
  std::optional<double> start;  ///< value of the target at t = 0 [rad or m]; none: where assembly puts it
  std::optional<double> start_speed;  ///< rate of the target at t = 0, for kAcceleration only; none: 0
  /// The function as the user wrote it, where about_own_origin shifted it
  std::optional<TimeFunction> written = {};
  friend bool operator==(const Driver&, const Driver&) = default;
};

}  // namespace eslabon::model
