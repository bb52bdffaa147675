#include "tests/oracles/simbody_oracle.hpp"

#include <algorithm>
#include <string>

#include <Eigen/Geometry>

#include "eslabon/coordinates/layout.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::test {

namespace {

using coordinates::BodyMotion;
using coordinates::MechanismMotion;
using core::Pose;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::JointType;

[[noreturn]] void refuse(const std::string& what) {
  throw core::ContractError({.what = "Simbody cannot be asked about this",
                             .where = "SimbodyOracle",
                             .expected = "what the translation has",
                             .actual = what,
                             .next = "Test this mechanism otherwise."});
}

SimbodyFrame plain(const Pose<double>& X) { return {X.R_AB.matrix(), X.p_AB_A}; }

SimbodyMobilizer mobilizer_of(JointType type, bool is_planar) {
  switch (type) {
    case JointType::kRevolute:
      return SimbodyMobilizer::kPin;
    case JointType::kPrismatic:
      return SimbodyMobilizer::kSlider;
    case JointType::kCylindrical:
      return SimbodyMobilizer::kCylinder;
    case JointType::kUniversal:
      return SimbodyMobilizer::kUniversal;
    case JointType::kSpherical:
      return SimbodyMobilizer::kBall;
    case JointType::kPlanar:
      return SimbodyMobilizer::kPlanar;
    case JointType::kFree:
    case JointType::kRod:
      return is_planar ? SimbodyMobilizer::kPlanar : SimbodyMobilizer::kFree;
    default:
      refuse("a joint of type '" + std::string(model::facts(type).name) + "' between links");
  }
}

/// What the translation would leave out.
void refuse_what_is_left_out(const model::Mechanism& mechanism) {
  if (!mechanism.drivers().empty()) refuse("drivers");
  if (!mechanism.couplings().empty()) refuse("couplings");
  if (!mechanism.bushings().empty()) refuse("bushings");
  if (!mechanism.states().empty()) refuse("auxiliary states");
  for (const model::Joint& joint : mechanism.joints())
    if (model::measures_distance(joint.type)) refuse("linear actuators");
  const auto check = [](const auto& element) {
    if (element.law) refuse("a formula");
    if (std::holds_alternative<model::CoordinatePair>(element.connection) ||
        std::holds_alternative<model::PointCoordinate>(element.connection))
      refuse("a spring or damper on two coordinates, or on that of a point");
  };
  for (const model::Spring& spring : mechanism.springs()) {
    check(spring);
    if (spring.gas) refuse("a gas spring");
  }
  for (const model::Damper& damper : mechanism.dampers()) check(damper);
  for (const model::Load& load : mechanism.loads())
    if (!load.variables.empty()) refuse("a formula");
}

}  // namespace

SimbodyOracle::SimbodyOracle(const model::Mechanism& mechanism, const structure::Structure& structure)
    : mechanism_(mechanism),
      structure_(structure),
      X_LB_(coordinates::poses_in_links(mechanism, structure.topology)),
      places_(structure.topology.links.size(), 0) {
  refuse_what_is_left_out(mechanism);
  plan_.gravity = mechanism.gravity_W();
  const auto constrain = [&](model::JointIndex joint) {
    add_constraints(mechanism.joint(joint), plan_);
    joint_of_constraint_.resize(plan_.constraints.size(), joint);
  };
  plan_.links.emplace_back();
  for (const structure::LinkIndex link : structure.tree.order) {
    const auto joint = structure.tree.joint_to_parent[link.slot()];
    if (!joint) continue;
    places_[link.slot()] = static_cast<int>(plan_.links.size());
    plan_.links.push_back(make_link(link, mechanism.joint(*joint)));
    if (mechanism.joint(*joint).type == JointType::kRod) constrain(*joint);
  }
  for (const structure::Loop& loop : structure.tree.loops) constrain(loop.closing_joint);
  add_springs(plan_);
  add_stops(plan_);
  system_ = std::make_unique<SimbodySystem>(plan_);
}

SimbodyLink SimbodyOracle::make_link(structure::LinkIndex link, const model::Joint& joint) const {
  const bool is_forward = link_of(joint.second()) == link.slot();
  SimbodyLink out;
  out.parent = places_[structure_.tree.parent[link.slot()].slot()];
  out.mobilizer = mobilizer_of(joint.type, mechanism_.is_planar());
  out.X_PF = plain(frame(joint.ends[is_forward ? 0 : 1]));
  out.X_LM = plain(frame(joint.ends[is_forward ? 1 : 0]));
  if (joint.type == JointType::kUniversal && !is_forward) {
    // Seen from its other end, x and y change places.
    Matrix3d swap;
    swap << 0, 1, 0, 1, 0, 0, 0, 0, -1;
    out.X_PF.R *= swap;
    out.X_LM.R *= swap;
  }
  add_mass(link, out);
  return out;
}

void SimbodyOracle::add_mass(structure::LinkIndex link, SimbodyLink& out) const {
  Vector3d moment = Vector3d::Zero();
  for (const model::BodyIndex body : structure_.topology.links[link.slot()]) {
    const model::MassProperties& part = mechanism_.body(body).mass_properties;
    const Matrix3d& R = X_LB_[body.slot()].R_AB.matrix();
    const Vector3d c = X_LB_[body.slot()].apply_to_point(part.p_BC_B);
    Matrix3d I_C = part.I_BC_B;
    // Planar bodies know their moment about z only; the others are never felt, but must be possible.
    if (mechanism_.is_planar()) I_C = I_C(2, 2) * Matrix3d::Identity();
    out.mass += part.mass;
    moment += part.mass * c;
    out.I +=
        R * I_C * R.transpose() + part.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  }
  if (out.mass > 0.0) out.center = moment / out.mass;
}

void SimbodyOracle::add_constraints(const model::Joint& joint, SimbodyPlan& plan) const {
  using Kind = SimbodyConstraint::Kind;
  const auto add = [&](Kind kind, int axis1 = 0, int axis2 = 0) {
    plan.constraints.push_back({kind, place_of(joint.first()), place_of(joint.second()),
                                plain(frame(joint.ends[0])), plain(frame(joint.ends[1])), axis1, axis2,
                                joint.length});
  };
  const auto keep_parallel = [&](int axis) {
    add(Kind::kRightAngle, (axis + 1) % 3, axis);
    add(Kind::kRightAngle, (axis + 2) % 3, axis);
  };
  const bool is_planar = mechanism_.is_planar();
  switch (joint.type) {
    case JointType::kRevolute:
      if (is_planar) return add(Kind::kOnLine, 2);
      add(Kind::kBall);
      return keep_parallel(2);
    case JointType::kPrismatic:
      add(is_planar ? Kind::kInPlane : Kind::kOnLine, is_planar ? 1 : 0);
      return is_planar ? add(Kind::kRightAngle, 0, 1) : add(Kind::kOrientation);
    case JointType::kCylindrical:
      add(Kind::kOnLine, 2);
      return keep_parallel(2);
    case JointType::kUniversal:
      add(Kind::kBall);
      return add(Kind::kRightAngle, 0, 1);
    case JointType::kSpherical:
      return add(Kind::kBall);
    case JointType::kPlanar:
      add(Kind::kInPlane, 2);
      return keep_parallel(2);
    case JointType::kRod:
      if (joint.rod_mass > 0.0) refuse("rods with mass");
      return add(Kind::kRod);
    case JointType::kFree:
      return;
    default:
      refuse("a joint of type '" + std::string(model::facts(joint.type).name) + "' between links");
  }
}

void SimbodyOracle::add_springs(SimbodyPlan& plan) const {
  const auto add = [&](const auto& element, double stiffness, double free_length, double preload) {
    if (!element.table.empty()) refuse("a table");
    const auto* pair = std::get_if<model::PointPair>(&element.connection);
    if (pair == nullptr) return;
    const auto point = [&](const model::PointRef& ref) {
      return X_LB_[ref.body.slot()].apply_to_point(mechanism_.point(ref).p_BP_B);
    };
    plan.springs.push_back({place_of(pair->first.body), place_of(pair->second.body), point(pair->first),
                            point(pair->second), stiffness, free_length, element.damping, preload});
  };
  for (const model::Spring& spring : mechanism_.springs())
    add(spring, spring.stiffness, spring.free_length, spring.preload);
  for (const model::Damper& damper : mechanism_.dampers()) add(damper, 0.0, 0.0, 0.0);
}

void SimbodyOracle::add_stops(SimbodyPlan& plan) const {
  for (const model::Stop& stop : mechanism_.stops()) {
    const auto* point = std::get_if<model::PointRef>(&stop.target.element);
    if (point == nullptr || stop.is_rigid()) refuse("a stop that is rigid or in a joint");
    const auto add = [&](const std::optional<model::TimeFunction>& limit, bool is_upper) {
      if (!limit) return;
      plan.stops.push_back({place_of(point->body),
                            X_LB_[point->body.slot()].apply_to_point(mechanism_.point(*point).p_BP_B),
                            stop.target.component, is_upper, [f = *limit](double t) { return f.evaluate(t); },
                            stop.stiffness, stop.damping});
    };
    add(stop.lower, false);
    add(stop.upper, true);
  }
}

BodyMotion SimbodyOracle::link_motion(std::size_t link, const MechanismMotion& bodies) const {
  const model::BodyIndex head = structure_.topology.links[link].front();
  const BodyMotion& body = bodies[head.slot()];
  const Pose<double> X_BL = X_LB_[head.slot()].inverse();
  BodyMotion motion;
  motion.X_WB = body.X_WB * X_BL;
  motion.w_WB_W = body.w_WB_W;
  motion.v_WB_W = body.point_velocity(X_BL.p_AB_A);
  return motion;
}

void SimbodyOracle::push(const MechanismMotion& bodies, model::BodyIndex body, const Vector3d& p_W,
                         const Vector3d& force, const Vector3d& torque, std::vector<LinkLoad>& out) const {
  LinkLoad& load = out[link_of(body)];
  load.force += force;
  load.torque += torque + (p_W - link_motion(link_of(body), bodies).X_WB.p_AB_A).cross(force);
}

void SimbodyOracle::push_in_joint(const MechanismMotion& bodies, const model::JointCoordinate& coordinate,
                                  double effort, std::vector<LinkLoad>& out) const {
  const model::Joint& joint = mechanism_.joint(coordinate.joint);
  const Pose<double> F1 = bodies[joint.first().slot()].X_WB * joint.ends[0].X_BF;
  const Pose<double> F2 = bodies[joint.second().slot()].X_WB * joint.ends[1].X_BF;
  const Matrix3d &R1 = F1.R_AB.matrix(), &R2 = F2.R_AB.matrix();
  const int k = coordinate.component;
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  if (joint.type == JointType::kUniversal)
    torque = effort * (k == 0 ? R1.col(0) : R2.col(1));  // at right angles: neither works in the other
  else if (joint.type == JointType::kPrismatic)
    force = effort * R1.col(0);
  else if (joint.type == JointType::kCylindrical && k == 1)
    force = effort * R1.col(2);
  else if (joint.type == JointType::kPlanar && k < 2)
    force = effort * R1.col(k);
  else
    torque = effort * R1.col(2);
  push(bodies, joint.second(), F2.p_AB_A, force, torque, out);
  push(bodies, joint.first(), F2.p_AB_A, -force, -torque, out);
}

void SimbodyOracle::push_load(const MechanismMotion& bodies, const model::Load& load,
                              std::vector<LinkLoad>& out) const {
  const auto components = [](const std::array<model::TimeFunction, 3>& f) {
    return Vector3d(f[0].evaluate(0.0), f[1].evaluate(0.0), f[2].evaluate(0.0));
  };
  if (const auto* at = std::get_if<model::PointForce>(&load.action)) {
    const BodyMotion& body = bodies[at->point.body.slot()];
    const Vector3d f = components(at->components);
    push(bodies, at->point.body, body.point_position(mechanism_.point(at->point).p_BP_B),
         at->in_body_axes ? body.X_WB.apply_to_direction(f) : f, Vector3d::Zero(), out);
  } else if (const auto* torque = std::get_if<model::BodyTorque>(&load.action)) {
    const Vector3d m = components(torque->components);
    push(bodies, torque->body, Vector3d::Zero(), Vector3d::Zero(),
         torque->in_body_axes ? bodies[torque->body.slot()].X_WB.apply_to_direction(m) : m, out);
  } else {
    const auto& effort = std::get<model::JointEffort>(load.action);
    push_in_joint(bodies, effort.coordinate, effort.effort.evaluate(0.0), out);
  }
}

coordinates::CoordinateValue SimbodyOracle::value(const MechanismMotion& bodies,
                                                  const model::JointCoordinate& coordinate) const {
  const model::Joint& joint = mechanism_.joint(coordinate.joint);
  return coordinates::joint_coordinate(joint.type, coordinate.component,
                                       coordinates::relative_motion(joint, bodies));
}

std::vector<SimbodyOracle::LinkLoad> SimbodyOracle::loads(const MechanismMotion& bodies) const {
  std::vector<LinkLoad> out(places_.size());
  for (const model::Spring& spring : mechanism_.springs())
    if (const auto* c = std::get_if<model::JointCoordinate>(&spring.connection))
      push_in_joint(bodies, *c,
                    -(spring.preload + spring.stiffness * (value(bodies, *c).position - spring.free_length) +
                      spring.damping * value(bodies, *c).velocity),
                    out);
  for (const model::Damper& damper : mechanism_.dampers())
    if (const auto* c = std::get_if<model::JointCoordinate>(&damper.connection))
      push_in_joint(bodies, *c, -damper.damping * value(bodies, *c).velocity, out);
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
    const model::Joint& joint = mechanism_.joints()[j];
    const double c = joint.friction.viscous;
    if (c == 0.0) continue;
    if (joint.type == JointType::kSpherical) {
      const Vector3d torque =
          -c * (bodies[joint.second().slot()].w_WB_W - bodies[joint.first().slot()].w_WB_W);
      push(bodies, joint.second(), Vector3d::Zero(), Vector3d::Zero(), torque, out);
      push(bodies, joint.first(), Vector3d::Zero(), Vector3d::Zero(), -torque, out);
    }
    for (int k = 0; k < model::coordinate_count(joint.type); ++k) {
      const model::JointCoordinate coordinate{model::JointIndex(static_cast<int>(j)), k};
      push_in_joint(bodies, coordinate, -c * value(bodies, coordinate).velocity, out);
    }
  }
  for (const model::Load& load : mechanism_.loads()) push_load(bodies, load, out);
  return out;
}

void SimbodyOracle::find_reactions(const MechanismMotion& bodies, const SimbodyReactions& found) {
  reactions_.assign(mechanism_.joints().size(), std::nullopt);
  const auto add = [&](model::JointIndex index, std::size_t link, const SimbodyForce& on_link) {
    const model::Joint& joint = mechanism_.joint(index);
    const Vector3d r = link_motion(link, bodies).X_WB.p_AB_A -
                       bodies[joint.second().slot()].point_position(joint.ends[1].X_BF.p_AB_A);
    const double sign = link_of(joint.second()) == link ? 1.0 : -1.0;  // of the link: it may be the first
    std::optional<JointLoad>& sum = reactions_[index.slot()];
    if (!sum) sum.emplace();
    sum->force += sign * on_link.force;
    sum->moment += sign * (on_link.torque + r.cross(on_link.force));
  };
  for (std::size_t link = 1; link < places_.size(); ++link)
    if (const auto joint = structure_.tree.joint_to_parent[link])
      add(*joint, link, found.mobilizers[static_cast<std::size_t>(places_[link])]);
  for (std::size_t c = 0; c < joint_of_constraint_.size(); ++c)
    add(joint_of_constraint_[c], link_of(mechanism_.joint(joint_of_constraint_[c]).second()),
        found.constraints[c]);
}

std::vector<SimbodyLinkState> SimbodyOracle::states_of(const MechanismMotion& bodies) const {
  std::vector<SimbodyLinkState> states(places_.size());
  const std::vector<LinkLoad> acting = loads(bodies);
  for (std::size_t link = 1; link < places_.size(); ++link) {
    const auto place = static_cast<std::size_t>(places_[link]);
    const SimbodyLink& planned = plan_.links[place];
    const BodyMotion P = link_motion(structure_.tree.parent[link].slot(), bodies);
    const BodyMotion L = link_motion(link, bodies);
    // How frame M of the mobilizer moves as seen from frame F.
    const Matrix3d R_WF = P.X_WB.R_AB.matrix() * planned.X_PF.R;
    const Vector3d r = L.point_position(planned.X_LM.p) - P.point_position(planned.X_PF.p);
    SimbodyLinkState& state = states[place];
    state.X_FM = {R_WF.transpose() * L.X_WB.R_AB.matrix() * planned.X_LM.R, R_WF.transpose() * r};
    state.w = R_WF.transpose() * (L.w_WB_W - P.w_WB_W);
    state.v = R_WF.transpose() *
              (L.point_velocity(planned.X_LM.p) - P.point_velocity(planned.X_PF.p) - P.w_WB_W.cross(r));
    state.force = acting[link].force;
    state.torque = acting[link].torque;
  }
  return states;
}

MechanismMotion SimbodyOracle::motion_of(const std::vector<SimbodyLinkMotion>& links) const {
  MechanismMotion out(X_LB_.size());
  for (std::size_t b = 1; b < out.size(); ++b) {
    const SimbodyLinkMotion& motion =
        links[static_cast<std::size_t>(place_of(model::BodyIndex(static_cast<int>(b))))];
    const Pose<double>& X = X_LB_[b];
    const BodyMotion link{{core::Rotation<double>::from_matrix(motion.X_WL.R, 1e-12), motion.X_WL.p},
                          motion.w,
                          motion.v,
                          motion.alpha,
                          motion.a};
    out[b] = {link.X_WB * X, link.w_WB_W, link.point_velocity(X.p_AB_A), link.alpha_WB_W,
              link.point_acceleration(X.p_AB_A)};
  }
  return out;
}

MechanismMotion SimbodyOracle::accelerated(const MechanismMotion& bodies) {
  SimbodyReactions forces;
  const std::vector<SimbodyLinkMotion> found = system_->accelerate(states_of(bodies), &forces);
  find_reactions(bodies, forces);
  return motion_of(found);
}

std::vector<MechanismMotion> SimbodyOracle::integrated(const MechanismMotion& start,
                                                       const std::vector<double>& times, double accuracy) {
  const auto is_in_joint = [](const auto& element) {
    return std::holds_alternative<model::JointCoordinate>(element.connection);
  };
  const auto rubs = [](const model::Joint& joint) { return joint.friction.viscous != 0.0; };
  if (!mechanism_.loads().empty() || std::ranges::any_of(mechanism_.springs(), is_in_joint) ||
      std::ranges::any_of(mechanism_.dampers(), is_in_joint) ||
      std::ranges::any_of(mechanism_.joints(), rubs))
    refuse("a run with loads or with what acts in joints");
  std::vector<MechanismMotion> out;
  for (const std::vector<SimbodyLinkMotion>& links : system_->integrate(states_of(start), times, accuracy))
    out.push_back(motion_of(links));
  return out;
}

}  // namespace eslabon::test
