#pragma once

#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/constraint_system.hpp"

namespace eslabon::kinematics {

/// The motions that are left when all rows of a system hold, as motions of the bodies.
class FreeMotions {
 public:
  /// At q; `null_space` as in RowRank.
  FreeMotions(const coordinates::ConstraintSystem& system, const std::vector<double>& q,
              const Eigen::MatrixXd& null_space);

  int count() const { return static_cast<int>(motions_.size()); }
  /// Σ weights[k] · motion k: velocities; poses are those at q.
  coordinates::MechanismMotion combined(const Eigen::VectorXd& weights) const;
  /// Weights of the motions that move only the bodies of these links, orthonormal columns.
  Eigen::MatrixXd confined_to(const std::vector<structure::LinkIndex>& links) const;

 private:
  bool is_in(std::size_t body, const std::vector<structure::LinkIndex>& links) const;

  const coordinates::ConstraintSystem& system_;
  double length_;
  std::vector<coordinates::MechanismMotion> motions_;
};

/// A part that can spin about a line fixed in it, through two balls or along the axis of its coaxial joints, without moving anything else.
struct IdleSpin {
  model::BodyIndex body;    ///< first body of the part
  Eigen::Vector3d axis_W;   ///< (3) unit, the line's direction
  Eigen::VectorXd weights;  ///< of the free motions
};

/// The idle spins among free motions: those of the parts that structure::find_idle_parts names, as far as the rows leave them free.
/// Weights are orthonormal.
std::vector<IdleSpin> find_idle_spins(const coordinates::ConstraintSystem& system,
                                      const FreeMotions& motions);

}  // namespace eslabon::kinematics
