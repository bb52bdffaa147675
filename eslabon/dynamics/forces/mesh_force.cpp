#include "eslabon/dynamics/forces/mesh_force.hpp"

#include <cmath>

#include "eslabon/structure/topology.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::MechanismMotion;
using Eigen::Vector3d;

constexpr double kParallel = 1e-9;  // sine of an angle; distances in units of the larger pitch radius

/// A joint of a mesh, seen from the carrier.
struct Mounted {
  model::BodyIndex wheel;
  double sense;     ///< σ
  Vector3d origin;  ///< (3) W [m]
  Vector3d axis;    ///< (3) W, of the turn or the slide
};

Mounted mounted(const model::Joint& joint, int component, std::size_t carrier_end,
                const MechanismMotion& bodies) {
  const model::JointEnd& end = joint.ends[carrier_end];
  const coordinates::BodyMotion& carrier = bodies[end.body.slot()];
  const int axis = model::facts(joint.type).coordinates[static_cast<std::size_t>(component)].axis;
  return {joint.ends[1 - carrier_end].body, carrier_end == 0 ? 1.0 : -1.0,
          carrier.point_position(end.X_BF.p_AB_A),
          carrier.X_WB.R_AB * Vector3d(end.X_BF.R_AB.matrix().col(axis))};
}

/// Whether the axis of a coordinate, and a point on it, stand still in the carrier: a mesh has a place there.
bool stands_in_carrier(const model::Joint& joint, int component, std::size_t carrier_end) {
  switch (joint.type) {
    case model::JointType::kRevolute:
    case model::JointType::kPrismatic:
    case model::JointType::kCylindrical:
      return true;
    case model::JointType::kUniversal:
      return component == static_cast<int>(carrier_end);
    default:
      return false;
  }
}

std::optional<MeshForce> between_wheels(const Mounted& a, const Mounted& b, double z_a, double z_b) {
  if (a.axis.cross(b.axis).norm() > kParallel || a.axis.dot(b.axis) < 0.0) return std::nullopt;
  const Vector3d way = b.origin - a.origin;
  const Vector3d across = way - way.dot(a.axis) * a.axis;
  if (z_a + z_b == 0.0 || across.norm() <= kParallel * way.norm() || across.isZero(0.0)) return std::nullopt;
  const Vector3d to_pitch_point = z_a / (z_a + z_b) * across;
  return MeshForce{a.wheel, b.wheel, a.origin + to_pitch_point,
                   a.sense / to_pitch_point.squaredNorm() * a.axis.cross(to_pitch_point)};  // (1)
}

std::optional<MeshForce> at_rack(const Mounted& pinion, const Mounted& rack, double radius) {
  if (std::abs(pinion.axis.dot(rack.axis)) > kParallel) return std::nullopt;
  return MeshForce{pinion.wheel, rack.wheel,
                   pinion.origin + radius * pinion.sense * rack.sense * rack.axis.cross(pinion.axis),
                   rack.sense / radius * rack.axis};  // (2)
}

/// With σ = 1 outside and −1 inside, e from the centre of the first circle to that of the second, which has the radius r: the contact is at
/// −σ r e from there, and a force f along ẑ × e in it turns the circle by −σ r f.
MeshForce at_circles(const model::Joint& joint, const MechanismMotion& bodies) {
  const auto origin = [&](std::size_t end) {
    return bodies[joint.ends[end].body.slot()].point_position(joint.ends[end].X_BF.p_AB_A);
  };
  const Vector3d e = (origin(1) - origin(0)).normalized();
  const double sense = joint.rolling->base < 0.0 ? -1.0 : 1.0, radius = joint.rolling->radius;
  return {joint.second(), joint.first(), origin(1) - sense * radius * e,
          -sense / radius * Vector3d::UnitZ().cross(e)};
}

}  // namespace

std::optional<MeshMount> find_mesh_mount(const model::Mechanism& mechanism, const model::Coupling& coupling) {
  if (coupling.kind == model::CouplingKind::kRolls) return MeshMount{0, 0};
  if (coupling.kind != model::CouplingKind::kGear && coupling.kind != model::CouplingKind::kRackAndPinion)
    return std::nullopt;
  const structure::Topology topology = structure::find_topology(mechanism);
  const model::Joint &first = mechanism.joint(coupling.terms[0].coordinate.joint),
                     &second = mechanism.joint(coupling.terms[1].coordinate.joint);
  for (const std::size_t i : {0, 1})
    for (const std::size_t j : {0, 1})
      if (stands_in_carrier(first, coupling.terms[0].coordinate.component, i) &&
          stands_in_carrier(second, coupling.terms[1].coordinate.component, j) &&
          topology.link_of(first.ends[i].body) == topology.link_of(second.ends[j].body))
        return MeshMount{i, j};
  return std::nullopt;
}

std::optional<MeshForce> find_mesh_force(const model::Mechanism& mechanism, const model::Coupling& coupling,
                                         const MeshMount& mount, const MechanismMotion& bodies) {
  if (coupling.of_joint) return at_circles(mechanism.joint(*coupling.of_joint), bodies);
  const model::JointCoordinate &one = coupling.terms[0].coordinate, &other = coupling.terms[1].coordinate;
  const Mounted a = mounted(mechanism.joint(one.joint), one.component, mount.first_end, bodies),
                b = mounted(mechanism.joint(other.joint), other.component, mount.second_end, bodies);
  return coupling.kind == model::CouplingKind::kGear
             ? between_wheels(a, b, coupling.numbers[0], coupling.numbers[1])
             : at_rack(a, b, coupling.numbers[0]);
}

}  // namespace eslabon::dynamics
