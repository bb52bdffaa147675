#include "eslabon/kinematics/assembly/weighted_velocity.hpp"

#include <cmath>

#include "eslabon/core/linalg/eigenvalues.hpp"

namespace eslabon::kinematics {

namespace {

/// I^½ of a symmetric I; principal moments that roundoff made negative count as 0.
Eigen::Matrix3d symmetric_root(const Eigen::Matrix3d& I) {
  const core::SymmetricEigen eigen = core::symmetric_eigen(I);
  return eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * eigen.vectors.transpose();
}

}  // namespace

WeightedVelocity::WeightedVelocity(const model::Mechanism& mechanism) {
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b) {
    const model::MassProperties& properties = mechanism.bodies()[b].mass_properties;
    if (properties.is_massless()) continue;
    bodies_.push_back({b, std::sqrt(properties.mass), properties.p_BC_B, symmetric_root(properties.I_BC_B)});
  }
  for (const model::Joint& joint : mechanism.joints())
    if (joint.rod_mass > 0.0) rods_.push_back(joint);
  num_rows_ = static_cast<Eigen::Index>(6 * (bodies_.size() + rods_.size()));
}

Eigen::VectorXd WeightedVelocity::of(const coordinates::MechanismMotion& motion) const {
  Eigen::VectorXd y(num_rows_);
  Eigen::Index row = 0;
  const auto put = [&](const Eigen::Vector3d& part) {
    y.segment<3>(row) = part;
    row += 3;
  };
  for (const Weight& weight : bodies_) {  // (1)
    const coordinates::BodyMotion& body = motion[weight.body];
    put(weight.root_mass * body.point_velocity(weight.p_BC_B));
    put(weight.root_inertia * (body.X_WB.R_AB.matrix().transpose() * body.w_WB_W));
  }
  for (const model::Joint& rod : rods_) {  // (1)
    const Eigen::Vector3d v1 = motion[rod.first().slot()].point_velocity(rod.ends[0].X_BF.p_AB_A);
    const Eigen::Vector3d v2 = motion[rod.second().slot()].point_velocity(rod.ends[1].X_BF.p_AB_A);
    put(std::sqrt(rod.rod_mass / 4.0) * (v1 + v2));
    put(std::sqrt(rod.rod_mass / 12.0) * (v2 - v1));
  }
  return y;
}

}  // namespace eslabon::kinematics
