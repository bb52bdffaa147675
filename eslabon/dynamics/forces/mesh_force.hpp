#pragma once

#include <optional>

#include <Eigen/Core>

#include "eslabon/coordinates/body_motion.hpp"
#include "eslabon/model/mechanism.hpp"

namespace eslabon::dynamics {

/// What one wheel, or the pinion, does to the other where their teeth meet.
struct MeshForce {
  model::BodyIndex first, second;                     ///< wheels of the first and second joint; pinion, rack
  Eigen::Vector3d place_W = Eigen::Vector3d::Zero();  ///< (3) the pitch point [m]
  Eigen::Vector3d per_effort_W =
      Eigen::Vector3d::Zero();  ///< (3) on `first` for a unit effort [1/m]; on `second` the opposite
};

/// The ends of both joints of a mesh that are on the carrier.
struct MeshMount {
  std::size_t first_end, second_end;
};
/// Nothing for couplings that are no mesh.
std::optional<MeshMount> find_mesh_mount(const model::Mechanism& mechanism, const model::Coupling& coupling);

/// The force in the pitch point that a unit effort of a coupling is, along the tangent of the pitch circles: what the flanks add towards the
/// axes by their pressure angle is left out. With the axis u of the first joint through A, that of the second through B, e the unit
/// vector across u from A to B at the distance d, and σ = ±1 as a joint is written from the carrier to the wheel or back,
///   wheels   P = A + ρ e,  ρ = d z_a / (z_a + z_b),     F = σ_a u × (P − A) / ρ²                        (1)
///   rack     P = A + r σ_a σ_b s × u,                   F = σ_b s / r,    s the direction of the slide   (2)
/// Nothing where there is no such point: axes that are not parallel (bevel wheels), coaxial wheels, belts between equal wheels, a slide
/// that is not square to the axis. These, as couplings that are no mesh, act along their coordinates alone: a torque about the axis, a
/// force along the slide, with its reaction on the other body of the joint.
std::optional<MeshForce> find_mesh_force(const model::Mechanism& mechanism, const model::Coupling& coupling,
                                         const MeshMount& mount, const coordinates::MechanismMotion& bodies);

}  // namespace eslabon::dynamics
