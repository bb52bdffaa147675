#pragma once

#include <vector>

#include "eslabon/coordinates/feature.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// The features by which the masses of a mechanism are written down, in any kind of coordinates. Every body carries four, its origin and its
/// three axes (two in the plane); with x_i all features and constant numbers m_ij its kinetic energy is
///   T = ½ Σ m_ij ẋ_i·ẋ_j,   m_00 = m,   m_0k = m c_k,   m_kl = ½ tr(I_O) δ_kl − I_O,kl                        (1)
/// with c the centre of mass and I_O the inertia about the origin in body axes; a rod with mass between two points has
///   m_11 = m_22 = m_rod / 3,   m_12 = m_rod / 6.                                                            (2)
struct FeatureMasses {
  struct Coupling {
    int i, j;  ///< features
    double m;  ///< m_ij, not 0
  };
  struct BodyFeatures {
    std::size_t body;
    int origin;    ///< feature
    int num_axes;  ///< that follow it
  };
  std::vector<coordinates::Feature> features;
  std::vector<Coupling> couplings;
  std::vector<BodyFeatures> bodies;
};
FeatureMasses feature_masses(const model::Mechanism& mechanism);

}  // namespace eslabon::dynamics
