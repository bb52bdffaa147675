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

/// A part that can spin about the line through two balls (or ends of rods) without moving anything else.
struct IdleSpin {
  model::BodyIndex body;    ///< first body of the part
  Eigen::Vector3d axis_W;   ///< (3) unit, the line's direction
  Eigen::VectorXd weights;  ///< of the free motions
};

/// The idle spins among free motions: those of one link, or of a part that structure calls idle, in which nothing of the
/// part's own moves, the joints to other links that move are balls and rods alone, and their points stand
/// still. Two balls to one other link make a hinge and are none. Weights are orthonormal.
std::vector<IdleSpin> find_idle_spins(const coordinates::ConstraintSystem& system,
                                      const FreeMotions& motions);

}  // namespace eslabon::kinematics
