#include "tests/oracles/simbody_system.hpp"

#include <algorithm>

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

constexpr double kTimeStep = 2e-6;  // of differences [s]

/// SimbodyStop as a force of Simbody.
class StopForce final : public SimTK::Force::Custom::Implementation {
 public:
  StopForce(SimTK::MobilizedBody mobod, const SimbodyStop& stop) : mobod_(std::move(mobod)), stop_(stop) {}

  void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>& body_forces,
                 SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector&) const override {
    const SimTK::Vec3 p = to_simtk(stop_.p);
    const double t = state.getTime(), sign = stop_.is_upper ? 1.0 : -1.0;
    const double depth = sign * (mobod_.findStationLocationInGround(state, p)[stop_.axis] - stop_.limit(t));
    if (depth <= 0.0) return;
    const double limit_rate = (stop_.limit(t + kTimeStep) - stop_.limit(t - kTimeStep)) / (2.0 * kTimeStep);
    const double rate = sign * (mobod_.findStationVelocityInGround(state, p)[stop_.axis] - limit_rate);
    SimTK::Vec3 force(0);
    force[stop_.axis] = -sign * std::max(0.0, stop_.stiffness * depth + stop_.damping * rate);
    mobod_.applyForceToBodyPoint(state, p, force, body_forces);
  }
  SimTK::Real calcPotentialEnergy(const SimTK::State&) const override { return 0.0; }  // nobody asks

 private:
  SimTK::MobilizedBody mobod_;
  SimbodyStop stop_;
};

}  // namespace

struct SimbodySystem::Impl {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::DiscreteForces discrete{forces, matter};
  std::vector<SimTK::MobilizedBodyIndex> mobods;    ///< (links)
  std::vector<SimTK::ConstraintIndex> constraints;  ///< of the plan
  std::vector<int> second_links;                    ///< (constraints) link
  SimTK::State last;                                ///< of accelerate

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

  SimTK::ConstraintIndex add(const SimbodyConstraint& c) {
    SimTK::MobilizedBody &first = mobod(c.first), &second = mobod(c.second);
    const SimTK::Vec3 p1 = to_simtk(c.F1.p), p2 = to_simtk(c.F2.p);
    using Kind = SimbodyConstraint::Kind;
    switch (c.kind) {
      case Kind::kBall:
        return SimTK::Constraint::Ball(first, p1, second, p2).getConstraintIndex();
      case Kind::kOnLine:
        return SimTK::Constraint::PointOnLine(first, axis(c.F1, c.axis1), p1, second, p2)
            .getConstraintIndex();
      case Kind::kInPlane:
        return SimTK::Constraint::PointInPlane(first, axis(c.F1, c.axis1), c.F1.R.col(c.axis1).dot(c.F1.p),
                                               second, p2)
            .getConstraintIndex();
      case Kind::kRightAngle:
        return SimTK::Constraint::ConstantAngle(first, axis(c.F1, c.axis1), second, axis(c.F2, c.axis2),
                                                SimTK::Pi / 2)
            .getConstraintIndex();
      case Kind::kOrientation:
        return SimTK::Constraint::ConstantOrientation(first, to_simtk(c.F1.R), second, to_simtk(c.F2.R))
            .getConstraintIndex();
      case Kind::kRod:
        break;
    }
    return SimTK::Constraint::Rod(first, p1, second, p2, c.length).getConstraintIndex();
  }

  /// Simbody has forces of constraints on the left side of its equations, so that what a link gets is their opposite.
  SimbodyForce force_on_second(const SimTK::State& state, std::size_t constraint) const {
    const SimTK::Constraint& c = matter.getConstraint(constraints[constraint]);
    const SimTK::Vector_<SimTK::SpatialVec> forces_W = c.getConstrainedBodyForcesAsVector(state);
    SimbodyForce sum;
    for (SimTK::ConstrainedBodyIndex b(0); b < c.getNumConstrainedBodies(); ++b)
      if (c.getMobilizedBodyFromConstrainedBody(b).getMobilizedBodyIndex() ==
          mobods[static_cast<std::size_t>(second_links[constraint])])
        sum = {-to_eigen(forces_W[b][1]), -to_eigen(forces_W[b][0])};
    return sum;
  }

  SimbodyReactions reactions(const SimTK::State& state) {
    SimbodyReactions out;
    for (const SimTK::MobilizedBodyIndex index : mobods) {
      const SimTK::SpatialVec force =
          matter.getMobilizedBody(index).findMobilizerReactionOnBodyAtOriginInGround(state);
      out.mobilizers.push_back({to_eigen(force[1]), to_eigen(force[0])});
    }
    for (std::size_t c = 0; c < constraints.size(); ++c) out.constraints.push_back(force_on_second(state, c));
    return out;
  }

  void add(const SimbodySpring& s) {
    SimTK::MobilizedBody &first = mobod(s.first), &second = mobod(s.second);
    const SimTK::Vec3 p1 = to_simtk(s.p1), p2 = to_simtk(s.p2);
    if (s.stiffness != 0.0)
      SimTK::Force::TwoPointLinearSpring(forces, first, p1, second, p2, s.stiffness, s.free_length);
    if (s.damping != 0.0) SimTK::Force::TwoPointLinearDamper(forces, first, p1, second, p2, s.damping);
    if (s.preload != 0.0) SimTK::Force::TwoPointConstantForce(forces, first, p1, second, p2, -s.preload);
  }

  /// Positions, velocities and forces of these states at t = 0.
  SimTK::State start(const std::vector<SimbodyLinkState>& states) {
    SimTK::State state = system.getDefaultState();
    system.realizeModel(state);
    const int count = static_cast<int>(states.size());
    for (int i = 1; i < count; ++i)
      mobod(i).setQToFitTransform(state, to_simtk(states[static_cast<std::size_t>(i)].X_FM));
    system.realize(state, SimTK::Stage::Position);
    for (int i = 1; i < count; ++i) {
      const SimbodyLinkState& link = states[static_cast<std::size_t>(i)];
      mobod(i).setUToFitVelocity(state, SimTK::SpatialVec(to_simtk(link.w), to_simtk(link.v)));
      discrete.setOneBodyForce(state, mobod(i),
                               SimTK::SpatialVec(to_simtk(link.torque), to_simtk(link.force)));
    }
    return state;
  }

  /// Of a state whose accelerations are realized.
  std::vector<SimbodyLinkMotion> motions(const SimTK::State& state) const {
    std::vector<SimbodyLinkMotion> result;
    for (const SimTK::MobilizedBodyIndex index : mobods) {
      const SimTK::MobilizedBody& link = matter.getMobilizedBody(index);
      SimbodyLinkMotion& motion = result.emplace_back();
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) motion.X_WL.R(r, c) = link.getBodyRotation(state).asMat33()(r, c);
      motion.X_WL.p = to_eigen(link.getBodyOriginLocation(state));
      motion.w = to_eigen(link.getBodyAngularVelocity(state));
      motion.v = to_eigen(link.getBodyOriginVelocity(state));
      motion.alpha = to_eigen(link.getBodyAngularAcceleration(state));
      motion.a = to_eigen(link.getBodyOriginAcceleration(state));
    }
    return result;
  }
};

SimbodySystem::SimbodySystem(const SimbodyPlan& plan) : impl_(std::make_unique<Impl>()) {
  SimTK::Force::UniformGravity(impl_->forces, impl_->matter, to_simtk(plan.gravity));
  impl_->mobods.push_back(impl_->matter.updGround().getMobilizedBodyIndex());
  for (std::size_t i = 1; i < plan.links.size(); ++i) impl_->mobods.push_back(impl_->add(plan.links[i]));
  for (const SimbodyConstraint& constraint : plan.constraints) {
    impl_->constraints.push_back(impl_->add(constraint));
    impl_->second_links.push_back(constraint.second);
  }
  for (const SimbodySpring& spring : plan.springs) impl_->add(spring);
  for (const SimbodyStop& stop : plan.stops)
    SimTK::Force::Custom(impl_->forces, new StopForce(impl_->mobod(stop.link), stop));  // it is theirs
  impl_->system.realizeTopology();
}

SimbodySystem::~SimbodySystem() = default;

std::vector<SimbodyLinkMotion> SimbodySystem::accelerate(const std::vector<SimbodyLinkState>& states,
                                                         SimbodyReactions* reactions) {
  SimTK::State state = impl_->start(states);
  impl_->system.realize(state, SimTK::Stage::Acceleration);
  if (reactions != nullptr) *reactions = impl_->reactions(state);
  impl_->last = state;
  return impl_->motions(state);
}

std::vector<std::vector<SimbodyLinkMotion>> SimbodySystem::integrate(
    const std::vector<SimbodyLinkState>& states, const std::vector<double>& times, double accuracy) {
  SimTK::RungeKuttaMersonIntegrator integrator(impl_->system);
  integrator.setAccuracy(accuracy);
  integrator.setConstraintTolerance(accuracy);
  integrator.setProjectEveryStep(true);
  SimTK::TimeStepper stepper(impl_->system, integrator);
  stepper.initialize(impl_->start(states));
  std::vector<std::vector<SimbodyLinkMotion>> result;
  for (const double t : times) {
    stepper.stepTo(t);
    impl_->system.realize(stepper.getState(), SimTK::Stage::Acceleration);
    result.push_back(impl_->motions(stepper.getState()));
  }
  return result;
}

void SimbodySystem::accelerate_again() {
  // From here: one evaluation of an integrator, which has changed q and u.
  impl_->last.invalidateAllCacheAtOrAbove(SimTK::Stage::Position);
  impl_->system.realize(impl_->last, SimTK::Stage::Acceleration);
}

}  // namespace eslabon::test
