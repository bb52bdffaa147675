#pragma once

#include <array>
#include <span>
#include <type_traits>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// How far a bushing is out of its rest: p and θ as in model::Bushing, and their rates. In the plane only 0, 1 and 5 are not zero.
template <core::Scalar T>
struct BushingStrainOf {
  std::array<T, 6> value{};  ///< (6) [m] and [rad]
  std::array<T, 6> rate{};   ///< (6) [m/s] and [rad/s]
};

/// Without a finite value where the second angle is ±π/2.
template <core::Scalar T>
BushingStrainOf<T> bushing_strain(const model::Bushing& bushing, bool is_planar,
                                  const coordinates::MechanismMotionOf<T>& bodies);

/// What a bushing does to its two bodies. Equal and opposite forces in one point, equal and opposite torques.
template <core::Scalar T>
void add_bushing(const model::Bushing& bushing, bool is_planar,
                 const coordinates::MechanismMotionOf<T>& bodies,
                 std::span<std::type_identity_t<WrenchOf<T>>> wrenches);

/// ½ Σ k x², with the strain x [J].
template <core::Scalar T>
T bushing_energy(const model::Bushing& bushing, const BushingStrainOf<T>& strain) {
  T energy(0.0);
  for (std::size_t k = 0; k < 6; ++k)
    if (bushing.stiffness[k] != 0.0) energy += 0.5 * bushing.stiffness[k] * strain.value[k] * strain.value[k];
  return energy;
}

}  // namespace eslabon::dynamics
