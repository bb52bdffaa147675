#include "tests/oracles/simbody_system.hpp"

#include <Simbody.h>

namespace eslabon::test {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

SimTK::Vec3 to_simtk(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }
Vector3d to_eigen(const SimTK::Vec3& a) { return {a[0], a[1], a[2]}; }
SimTK::Rotation to_simtk(const Matrix3d& R) {
  SimTK::Mat33 m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = R(i, j);
  return SimTK::Rotation(m, true);
}
SimTK::Transform to_simtk(const SimbodyFrame& X) { return {to_simtk(X.R), to_simtk(X.p)}; }
SimTK::UnitVec3 axis(const SimbodyFrame& F, int k) { return SimTK::UnitVec3(to_simtk(Vector3d(F.R.col(k)))); }

}  // namespace

struct SimbodySystem::Impl {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::DiscreteForces discrete{forces, matter};
  std::vector<SimTK::MobilizedBodyIndex> mobods;  ///< (links)

  SimTK::MobilizedBody& mobod(int link) {
    return matter.updMobilizedBody(mobods[static_cast<std::size_t>(link)]);
  }

  SimTK::MobilizedBodyIndex add(const SimbodyLink& link) {
    const Matrix3d& I = link.I;
    const SimTK::Body::Rigid body(
        SimTK::MassProperties(link.mass, to_simtk(link.center),
                              SimTK::Inertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2))));
    SimTK::MobilizedBody& parent = mobod(link.parent);
    const SimTK::Transform F = to_simtk(link.X_PF), M = to_simtk(link.X_LM);
    using MB = SimTK::MobilizedBody;
    switch (link.mobilizer) {
      case SimbodyMobilizer::kPin:
        return MB::Pin(parent, F, body, M).getMobilizedBodyIndex();
      case SimbodyMobilizer::kSlider:
        return MB::Slider(parent, F, body, M).getMobilizedBodyIndex();
      case SimbodyMobilizer::kCylinder:
        return MB::Cylinder(parent, F, body, M).getMobilizedBodyIndex();
      case SimbodyMobilizer::kUniversal:
        return MB::Universal(parent, F, body, M).getMobilizedBodyIndex();
      case SimbodyMobilizer::kBall:
        return MB::Ball(parent, F, body, M).getMobilizedBodyIndex();
      case SimbodyMobilizer::kPlanar:
        return MB::Planar(parent, F, body, M).getMobilizedBodyIndex();
      case SimbodyMobilizer::kFree:
        break;
    }
    return MB::Free(parent, F, body, M).getMobilizedBodyIndex();
  }

  void add(const SimbodyConstraint& c) {
    SimTK::MobilizedBody &first = mobod(c.first), &second = mobod(c.second);
    const SimTK::Vec3 p1 = to_simtk(c.F1.p), p2 = to_simtk(c.F2.p);
    using Kind = SimbodyConstraint::Kind;
    switch (c.kind) {
      case Kind::kBall:
        SimTK::Constraint::Ball(first, p1, second, p2);
        break;
      case Kind::kOnLine:
        SimTK::Constraint::PointOnLine(first, axis(c.F1, c.axis1), p1, second, p2);
        break;
      case Kind::kInPlane:
        SimTK::Constraint::PointInPlane(first, axis(c.F1, c.axis1), c.F1.R.col(c.axis1).dot(c.F1.p), second,
                                        p2);
        break;
      case Kind::kRightAngle:
        SimTK::Constraint::ConstantAngle(first, axis(c.F1, c.axis1), second, axis(c.F2, c.axis2),
                                         SimTK::Pi / 2);
        break;
      case Kind::kOrientation:
        SimTK::Constraint::ConstantOrientation(first, to_simtk(c.F1.R), second, to_simtk(c.F2.R));
        break;
      case Kind::kRod:
        SimTK::Constraint::Rod(first, p1, second, p2, c.length);
        break;
    }
  }

  void add(const SimbodySpring& s) {
    SimTK::MobilizedBody &first = mobod(s.first), &second = mobod(s.second);
    const SimTK::Vec3 p1 = to_simtk(s.p1), p2 = to_simtk(s.p2);
    if (s.stiffness != 0.0)
      SimTK::Force::TwoPointLinearSpring(forces, first, p1, second, p2, s.stiffness, s.free_length);
    if (s.damping != 0.0) SimTK::Force::TwoPointLinearDamper(forces, first, p1, second, p2, s.damping);
    if (s.preload != 0.0) SimTK::Force::TwoPointConstantForce(forces, first, p1, second, p2, -s.preload);
  }
};

SimbodySystem::SimbodySystem(const SimbodyPlan& plan) : impl_(std::make_unique<Impl>()) {
  SimTK::Force::UniformGravity(impl_->forces, impl_->matter, to_simtk(plan.gravity));
  impl_->mobods.push_back(impl_->matter.updGround().getMobilizedBodyIndex());
  for (std::size_t i = 1; i < plan.links.size(); ++i) impl_->mobods.push_back(impl_->add(plan.links[i]));
  for (const SimbodyConstraint& constraint : plan.constraints) impl_->add(constraint);
  for (const SimbodySpring& spring : plan.springs) impl_->add(spring);
  impl_->system.realizeTopology();
}

SimbodySystem::~SimbodySystem() = default;

std::vector<SimbodyLinkMotion> SimbodySystem::accelerate(const std::vector<SimbodyLinkState>& states) {
  SimTK::State state = impl_->system.getDefaultState();
  impl_->system.realizeModel(state);
  const int count = static_cast<int>(states.size());
  for (int i = 1; i < count; ++i)
    impl_->mobod(i).setQToFitTransform(state, to_simtk(states[static_cast<std::size_t>(i)].X_FM));
  impl_->system.realize(state, SimTK::Stage::Position);
  for (int i = 1; i < count; ++i) {
    const SimbodyLinkState& link = states[static_cast<std::size_t>(i)];
    impl_->mobod(i).setUToFitVelocity(state, SimTK::SpatialVec(to_simtk(link.w), to_simtk(link.v)));
    impl_->discrete.setOneBodyForce(state, impl_->mobod(i),
                                    SimTK::SpatialVec(to_simtk(link.torque), to_simtk(link.force)));
  }
  impl_->system.realize(state, SimTK::Stage::Acceleration);
  std::vector<SimbodyLinkMotion> result(states.size());
  for (int i = 0; i < count; ++i) {
    const SimTK::MobilizedBody& mobod = impl_->mobod(i);
    SimbodyLinkMotion& motion = result[static_cast<std::size_t>(i)];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) motion.X_WL.R(r, c) = mobod.getBodyRotation(state).asMat33()(r, c);
    motion.X_WL.p = to_eigen(mobod.getBodyOriginLocation(state));
    motion.w = to_eigen(mobod.getBodyAngularVelocity(state));
    motion.v = to_eigen(mobod.getBodyOriginVelocity(state));
    motion.alpha = to_eigen(mobod.getBodyAngularAcceleration(state));
    motion.a = to_eigen(mobod.getBodyOriginAcceleration(state));
  }
  return result;
}

}  // namespace eslabon::test
