#pragma once

#include "eslabon/kinematics/global/kinematic_solver.hpp"
#include "eslabon/kinematics/groups/velocity_coefficients.hpp"

namespace eslabon::kinematics {

/// K and L of all bodies, without the ground, for the drivers of a mechanism, wherever it stands: VelocityCoefficients (1), whose φ̇ are here
/// v_x, v_y, ω or v, ω of one body after the other, at the origins of the bodies. Of any mechanism, with groups that have no solver and with
/// redundant joints too: unit rates are sent through the velocity and acceleration problems of all coordinates,
///   ż = e_i:  φ̇ = K_i,  φ̈ = L_ii;      ż = e_i + e_j:  φ̈ = L_ii + 2 L_ij + L_jj                                 (1)
/// Idle spins are held, as in every driven motion. Scratch; one per thread. Cost: p (p + 1)/2 sparse solutions for p drivers.
class BodyCoefficients {
 public:
  /// Throws core::ModelError as KinematicSolver does.
  explicit BodyCoefficients(const DrivenMechanism& driven);

  /// Where the bodies are at time t [s]. Throws core::ModelError when the position is singular: then there is no K.
  const VelocityCoefficients& at(double t, const coordinates::MechanismMotion& bodies);

 private:
  /// φ̇, φ̈ for the rates in values_.
  void send(Eigen::VectorXd& velocities, Eigen::VectorXd& accelerations);

  DrivenMechanism driven_;
  KinematicSolver solver_;
  Eigen::Index rows_per_body_;
  std::vector<double> scale_;  ///< (drivers) rate that is sent: 1 rad/s, or the mechanism's size per second
  VelocityCoefficients coefficients_;
  State state_;
  std::vector<coordinates::CoordinateValue> values_;  ///< (prescribed)
  coordinates::MechanismMotion motion_;
};

}  // namespace eslabon::kinematics
