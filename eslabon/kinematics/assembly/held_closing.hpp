#pragma once

#include <vector>

#include "eslabon/coordinates/constraint_system.hpp"
#include "eslabon/kinematics/assembly/least_squares.hpp"

namespace eslabon::kinematics {

/// What is held while loops are closed, and where.
struct HeldValues {
  std::vector<coordinates::Prescribed> what;
  std::vector<coordinates::CoordinateValue> values;  ///< at rest
  std::vector<double> near;                          ///< the same numbers: of angles they say the turn

  /// The origin of a body in space.
  struct Origin {
    model::BodyIndex body;
    Eigen::Vector3d p_WB_W;  ///< (3) [m]
  };
  std::vector<Origin> origins;

  void add(coordinates::Prescribed prescribed, double value);
  /// Rows for the origins in reference-point coordinates.
  RowChoice rows(const model::Mechanism& mechanism) const;
};

/// One attempt to close a mechanism.
struct ClosingAttempt {
  ClosingReport closing;
  coordinates::MechanismMotion bodies;  ///< where they are then, at rest; the best found when not closed
};

/// Closes the loops with these values held, nearest to the guess, in reference-point coordinates.
ClosingAttempt close_held(const model::Mechanism& mechanism, const structure::Structure& structure,
                          const HeldValues& held, const coordinates::MechanismMotion& guess);

/// The bodies at q, at rest.
coordinates::MechanismMotion bodies_at_rest(const coordinates::ConstraintSystem& system,
                                            const std::vector<double>& q);

}  // namespace eslabon::kinematics
