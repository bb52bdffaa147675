#pragma once

#include <span>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/mechanism.hpp"

/// The mechanical energy of a mechanism that moves, in J. No function here allocates; all throw
/// core::ContractError when the motion is of another number of bodies.
namespace eslabon::dynamics {

/// Of bodies with mass m and inertia I about the centre of mass C, and of rods with mass between points 1, 2:
///   T = Σ ½ m v_WC² + ½ ωᵀ I ω + Σ m_rod/6 (v₁² + v₁·v₂ + v₂²)                           (1)
/// The second sum is ∫₀¹ ½ m_rod |(1 − s) v₁ + s v₂|² ds: points of a bar move at speeds linear in s.
double kinetic_energy(const model::Mechanism& mechanism, const coordinates::MechanismMotion& motion);

/// Of the weights from the mechanism's origin, with the centre of a rod midway between its ends, and of the springs:
///   V = −Σ m g·p_WC − Σ m_rod g·(p₁ + p₂)/2 + Σ spring_energy                              (2)
/// Angles of joints that springs turn are taken in (−π, π]; a joint that turns further needs the overload.
double potential_energy(const model::Mechanism& mechanism, const coordinates::MechanismMotion& motion);

/// The same with lengths of the springs [m or rad] that the caller knows, (springs), in the order of
/// Mechanism::springs(): angles may be beyond ±π.
double potential_energy(const model::Mechanism& mechanism, const coordinates::MechanismMotion& motion,
                        std::span<const double> spring_lengths);

/// T + V.
double mechanical_energy(const model::Mechanism& mechanism, const coordinates::MechanismMotion& motion);
double mechanical_energy(const model::Mechanism& mechanism, const coordinates::MechanismMotion& motion,
                         std::span<const double> spring_lengths);

/// What the weights have at the mechanism's own origin, told from the user's: −Σ m g·origin_W.
double origin_energy(const model::Mechanism& mechanism);

/// What a spring holds at this length, 0 at its free length: the integral of its force without damping,
///   V(d) = preload·d + ½ stiffness·d²   or   preload·d + ∫₀ᵈ table,    d = length − free_length.    (3)
/// The table is integrated exactly: trapezes between rows, and beyond them by the slope of the last two.
double spring_energy(const model::Spring& spring, double length);

}  // namespace eslabon::dynamics
