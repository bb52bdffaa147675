#pragma once

#include <string>
#include <vector>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/column.hpp"
#include "eslabon/dynamics/reduced/traced_motion.hpp"

namespace eslabon::codegen {

/// What positions, rates and accelerations of all bodies follow from.
struct TracedFreedoms {
  dynamics::TracedVector z, z_dot;  ///< (f) degrees of freedom and their rates
  dynamics::TracedVector near;      ///< (positions) where positions are looked for that have no closed form
  dynamics::TracedVector branches;  ///< (branches) +1 or −1: which of the two ways a group is closed
  dynamics::TracedMotion::Drivers drivers;  ///< what they prescribe
  dynamics::TracedVector parameters = {};   ///< (parameters) of the mechanism that are symbols
};

/// Their numbers at the start of the model.
struct FreedomValues {
  std::vector<double> z, z_dot;   ///< (f)
  std::vector<double> positions;  ///< (positions)
  std::vector<double> branches;   ///< (branches)
};

/// All bodies of a mechanism with these freedoms.
struct TracedBodies {
  using Bodies = coordinates::MechanismMotionOf<core::Traced>;
  Bodies bodies;              ///< positions, velocities, and accelerations with z̈ = 0
  std::vector<Bodies> units;  ///< (f) the same positions; velocities for ż_k = 1, others 0, drivers at rest
  dynamics::TracedVector positions;  ///< (positions) those found: `near` of the next call
  core::Traced closure_error;        ///< [m]
  core::Traced margin;               ///< how far from singular what was solved is: 1 far from it, 0 at it
  /// Numbers whose derivatives are known without looking at how they were found.
  struct Known {
    core::Traced number;
    dynamics::TracedVector by_z;                ///< (f)
    dynamics::TracedVector by_drivers;          ///< (drivers) by the positions that they prescribe
    dynamics::TracedVector by_parameters = {};  ///< (parameters)
  };
  std::vector<Known> known;
  // Where they are found in relative coordinates: those with rates, b with which a = R z̈ + b, and R = ∂q/∂z.
  dynamics::TracedVector q = {}, v = {}, b = {};  ///< (n)
  dynamics::TracedMatrix R = {};                  ///< (n × f)
};

/// Bodies whose positions are found together, for people who read how.
struct BodySection {
  std::string title, says;
  std::vector<model::BodyIndex> bodies;
};

/// How a mechanism moves, as a function of as many numbers as it has degrees of freedom, in traced numbers.
class TracedKinematics {
 public:
  virtual ~TracedKinematics() = default;
  virtual std::string description() const = 0;
  virtual std::vector<coordinates::Coordinate> freedoms() const = 0;  ///< (f) what z are
  virtual std::vector<core::Column> position_names() const = 0;       ///< (positions)
  virtual std::vector<core::Column> branch_names() const = 0;         ///< (branches)
  virtual FreedomValues start() const = 0;
  virtual TracedBodies write(const TracedFreedoms& freedoms) const = 0;
  /// In solving order; none where positions are found in ways that are not worth reading.
  virtual std::vector<BodySection> sections() const { return {}; }
};

}  // namespace eslabon::codegen
