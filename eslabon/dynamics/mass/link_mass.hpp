#pragma once

#include <vector>

#include <Eigen/Core>

#include "eslabon/coordinates/kinematic_tree.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// Mass, centre of mass and inertia about it of a link: all bodies that fixed joints weld together, in the link's frame.
struct LinkMass {
  double mass = 0.0;                                 ///< [kg]
  Eigen::Vector3d p_LC_L = Eigen::Vector3d::Zero();  ///< (3) centre of mass [m]
  Eigen::Matrix3d I_LC_L = Eigen::Matrix3d::Zero();  ///< (3 × 3) about it [kg m²]
};

/// Adds a point mass at p_LP_L [kg], [m].
void add_point_mass(double mass, const Eigen::Vector3d& p_LP_L, LinkMass& link);

/// (links) of all links; that of the frame is zero.
std::vector<LinkMass> link_masses(const model::Mechanism& mechanism, const coordinates::KinematicTree& tree);

}  // namespace eslabon::dynamics
