#pragma once

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::kinematics {

/// Velocities of everything that has mass, weighted so that half their square is the kinetic energy,
///   y = (√m v_WC, I^½ ω) of bodies,   (√(m/4) (v₁ + v₂), √(m/12) (v₂ − v₁)) of rods,       T = ½ yᵀ y       (1)
/// linear in the velocities of the motion: six numbers for each body and each rod with mass, none for others.
class WeightedVelocity {
 public:
  explicit WeightedVelocity(const model::Mechanism& mechanism);
  /// y is empty: nothing has mass.
  bool is_empty() const { return num_rows_ == 0; }
  Eigen::VectorXd of(const coordinates::MechanismMotion& motion) const;

 private:
  struct Weight {
    std::size_t body;
    double root_mass;              ///< √m [√kg]
    Eigen::Vector3d p_BC_B;        ///< [m]
    Eigen::Matrix3d root_inertia;  ///< I^½, body axes [√kg m]
  };
  std::vector<Weight> bodies_;
  std::vector<model::Joint> rods_;
  Eigen::Index num_rows_;
};

}  // namespace eslabon::kinematics
