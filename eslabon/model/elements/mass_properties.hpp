#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

namespace eslabon::model {

/// Mass, centre of mass and inertia of one body. A massless body has all three zero.
// Seed000 eq. 33
struct MassProperties {
  double mass = 0.0;                                 ///< [kg]
  Eigen::Vector3d p_BC_B = Eigen::Vector3d::Zero();  ///< centre of mass from the body's origin [m]
  Eigen::Matrix3d I_BC_B = Eigen::Matrix3d::Zero();  ///< inertia about the centre of mass, body axes [kg m²]

  bool is_massless() const { return mass == 0.0; }
  friend bool operator==(const MassProperties& a, const MassProperties& b) {
    return a.mass == b.mass && a.p_BC_B == b.p_BC_B && a.I_BC_B == b.I_BC_B;
  }
};

/// The rule that a matrix of inertia breaks, as "expected …, got …"; nothing when a rigid body can have it.
struct InertiaFault {
  std::string expected;
  std::string actual;
};

/// A real body's principal moments are ≥ 0 and none exceeds the sum of the other two:
///   A + B ≥ C,  B + C ≥ A,  C + A ≥ B.                                                     (1)
/// Equality (a thin bar, a flat plate) is allowed; roundoff of 1e-12 of the largest moment is forgiven.
std::optional<InertiaFault> find_inertia_fault(const Eigen::Matrix3d& I_BC_B);
/// For a matrix that is taken as it was published, whether (1) holds or not: its principal moments must be > 0.
std::optional<InertiaFault> find_indefinite_inertia(const Eigen::Matrix3d& I_BC_B);

}  // namespace eslabon::model
