#pragma once

#include <optional>
#include <string>

#include "eslabon/model/elements/coupling.hpp"

namespace eslabon::model {

/// Limits of a joint coordinate, of a coordinate of a point, or of what a coupling would hold, which it may not pass. Rigid with
/// restitution: what arrives with the rate v leaves with −restitution·v. Soft without: beyond a limit,
/// max(0, stiffness·depth + damping·rate of depth) pushes back.
struct Stop {
  std::string name;
  Variable target;                         ///< kJointPosition or kPointPosition; of `coupling` its first coordinate
  std::optional<Coupling> coupling = {};   ///< one with play: its left side is limited instead of the target
  std::optional<TimeFunction> lower = {};  ///< [m] or [rad]
  std::optional<TimeFunction> upper = {};  ///< [m] or [rad]
  std::optional<double> restitution = {};  ///< 0 … 1
  double stiffness = 0.0;                  ///< [N/m] or [N m/rad]
  double damping = 0.0;                    ///< [N s/m] or [N m s/rad]
  bool is_rigid() const { return restitution.has_value(); }
  friend bool operator==(const Stop&, const Stop&) = default;
};

}  // namespace eslabon::model
