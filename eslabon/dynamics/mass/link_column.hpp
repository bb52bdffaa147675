#pragma once

#include <algorithm>
#include <cmath>

#include "eslabon/dynamics/forces/wrench.hpp"
#include "eslabon/dynamics/mass/link_mass.hpp"
#include "eslabon/kinematics/groups/planar_link.hpp"
#include "eslabon/kinematics/groups/spatial_link.hpp"

/// What a link adds to reduced masses and forces, in the plane and in space.
namespace eslabon::dynamics {

/// Mass of one link of a planar, or spatial, mechanism.
struct PlanarMass {
  double mass, inertia;  ///< [kg], about the centre of mass [kg m²]
  kinematics::PlanarVector centre;

  static PlanarMass of(const LinkMass& m) { return {m.mass, m.I_LC_L(2, 2), {m.p_LC_L.x(), m.p_LC_L.y()}}; }
};
struct SpatialMass {
  double mass;
  Eigen::Matrix3d inertia;
  Eigen::Vector3d centre;

  static SpatialMass of(const LinkMass& m) { return {m.mass, m.I_LC_L, m.p_LC_L}; }
};
template <class Link>
struct MassOf;
template <>
struct MassOf<kinematics::PlanarLink> {
  using Type = PlanarMass;
};
template <>
struct MassOf<kinematics::SpatialLink> {
  using Type = SpatialMass;
};

/// Velocity coefficients of one link for one input: of its centre of mass and of its rotation.
struct PlanarColumn {
  kinematics::PlanarVector v;
  double w;
};
struct SpatialColumn {
  Eigen::Vector3d v, w;
};

/// How the centre of mass moves with these rates of the link.
inline PlanarColumn column_of(const kinematics::PlanarLink& link, const PlanarMass& mass) {
  return {link.v + link.w * turned(link.direction(mass.centre)), link.w};
}
inline SpatialColumn column_of(const kinematics::SpatialLink& link, const SpatialMass& mass) {
  return {link.v + link.w.cross(link.direction(mass.centre)), link.w};
}

/// K_iᵀ M K_j of one link.
inline double product(const kinematics::PlanarLink&, const PlanarMass& mass, const PlanarColumn& a,
                      const PlanarColumn& b) {
  return mass.mass * dot(a.v, b.v) + mass.inertia * a.w * b.w;
}
inline double product(const kinematics::SpatialLink& link, const SpatialMass& mass, const SpatialColumn& a,
                      const SpatialColumn& b) {
  return mass.mass * a.v.dot(b.v) + (link.R.transpose() * a.w).dot(mass.inertia * (link.R.transpose() * b.w));
}

/// What is left of weight and wrench when the link accelerates as it does: a force at the centre of mass and a torque about it.
inline PlanarColumn rest_of(const kinematics::PlanarLink& link, const PlanarMass& mass,
                            const Eigen::Vector3d& g, const Wrench& wrench) {
  const kinematics::PlanarVector r = link.direction(mass.centre);
  const kinematics::PlanarVector a = link.a + link.alpha * turned(r) - (link.w * link.w) * r;
  const kinematics::PlanarVector f{wrench.force.x(), wrench.force.y()};
  return {mass.mass * (kinematics::PlanarVector{g.x(), g.y()} - a) + f,
          wrench.torque.z() - cross(r, f) - mass.inertia * link.alpha};
}
inline SpatialColumn rest_of(const kinematics::SpatialLink& link, const SpatialMass& mass,
                             const Eigen::Vector3d& g, const Wrench& wrench) {
  const Eigen::Vector3d r = link.direction(mass.centre);
  const Eigen::Vector3d a = link.a + link.alpha.cross(r) + link.w.cross(link.w.cross(r));
  const Eigen::Matrix3d I = link.R * mass.inertia * link.R.transpose();
  return {mass.mass * (g - a) + wrench.force,
          wrench.torque - r.cross(wrench.force) - I * link.alpha - link.w.cross(I * link.w)};
}
inline double power(const PlanarColumn& a, const PlanarColumn& b) { return dot(a.v, b.v) + a.w * b.w; }
inline double power(const SpatialColumn& a, const SpatialColumn& b) { return a.v.dot(b.v) + a.w.dot(b.w); }

/// The larger of how fast the link turns and its centre of mass moves, in units of `length`.
inline double speed(const PlanarColumn& K, double length) {
  return std::max(std::abs(K.w), std::sqrt(dot(K.v, K.v)) / length);
}
inline double speed(const SpatialColumn& K, double length) {
  return std::max(K.w.norm(), K.v.norm() / length);
}

}  // namespace eslabon::dynamics
