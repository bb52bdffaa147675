#include "eslabon/model/elements/mass_properties.hpp"

#include <Eigen/Eigenvalues>

#include "eslabon/core/text/number_text.hpp"

namespace eslabon::model {

namespace {

/// (3) ascending
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& I) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
}

std::string shown_moments(const Eigen::Vector3d& moments) {
  return core::number_text(moments(0)) + ", " + core::number_text(moments(1)) + " and " +
         core::number_text(moments(2)) + " kg*m^2";
}

}  // namespace

std::optional<InertiaFault> find_indefinite_inertia(const Eigen::Matrix3d& I_BC_B) {
  const Eigen::Vector3d moments = principal_moments(I_BC_B);
  if (moments(0) > 1e-12 * moments(2)) return std::nullopt;
  return InertiaFault{"principal moments of inertia > 0", shown_moments(moments)};
}

std::optional<InertiaFault> find_inertia_fault(const Eigen::Matrix3d& I_BC_B) {
  const Eigen::Vector3d moments = principal_moments(I_BC_B);
  const double forgiven = 1e-12 * moments.cwiseAbs().maxCoeff();
  const std::string shown = shown_moments(moments);
  if (moments(0) < -forgiven) return InertiaFault{"principal moments of inertia >= 0", shown};
  if (moments(2) > moments(0) + moments(1) + forgiven)  // (1); the other two follow from the order
    return InertiaFault{"no principal moment of inertia above the sum of the other two", shown};
  return std::nullopt;
}

}  // namespace eslabon::model
