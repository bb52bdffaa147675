#include "eslabon/dynamics/forces/applied_forces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/coordinates/row_kernel.hpp"
#include "eslabon/core/index.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/core/text/number_text.hpp"
#include "eslabon/dynamics/forces/bushing_force.hpp"
#include "eslabon/dynamics/forces/friction_law.hpp"
#include "eslabon/dynamics/forces/gas_force.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::dynamics {

namespace {

using coordinates::BodyMotionOf;
using coordinates::MechanismMotion;
using coordinates::MechanismMotionOf;
using core::Vector3;
using Eigen::Vector3d;

/// The value of a table: linear between its rows, and beyond them by the slope of the last two.
template <class T>
T look_up(const model::ForceTable& table, const T& x) {
  if (table.size() == 1) return table.front().second;
  const auto between = [&](std::size_t k) {
    const auto& [x0, f0] = table[k - 1];
    const auto& [x1, f1] = table[k];
    return T(f0 + (f1 - f0) / (x1 - x0) * (x - x0));
  };
  if constexpr (core::NumericScalar<T>) {
    std::size_t k = 1;
    while (k + 1 < table.size() && core::value_of(x) > table[k].first) ++k;
    return between(k);
  } else {
    T f = between(1);
    for (std::size_t k = 1; k + 1 < table.size(); ++k)
      f = core::select_less(T(table[k].first), x, between(k + 1), f);
    return f;
  }
}

constexpr std::size_t kNone = CountedAngles::kNone;

/// Torque of a ball's friction for a unit of the speed with which it turns; at rest the slope of the law, so that derivatives are right.
template <class T>
T resistance_by_speed(const model::JointFriction& friction, const T& speed) {
  return dynamics::friction_effort(friction, 0.0, speed) / speed;
}
double friction_slope_at_rest(const model::JointFriction& friction) {
  return dynamics::friction_effort(friction, 0.0, core::Dual<double>(0.0, 1.0)).derivative;
}

Vector3d point_of(const model::Mechanism& mechanism, const model::PointRef& point) {
  return mechanism.point(point).p_BP_B;
}

core::ErrorText no_force(const std::string& element, double t, const std::string& expected,
                         const std::string& actual, const std::string& next) {
  return {.what = "a force cannot be computed",
          .where = element + ", t = " + core::number_text(t) + " s",
          .expected = expected,
          .actual = actual,
          .next = next};
}

bool is_finite(const Wrench& wrench) { return wrench.force.allFinite() && wrench.torque.allFinite(); }

}  // namespace

AppliedForces::AppliedForces(const model::Mechanism& mechanism)
    : mechanism_(mechanism),
      angles_(mechanism),
      rigid_sides_(stop_sides(mechanism, true)),
      soft_sides_(stop_sides(mechanism, false)) {
  for (const model::Spring& spring : mechanism.springs())
    angles_of_spring_.push_back(angles_.add(spring.connection));
  for (const model::Stop& stop : mechanism.stops()) {
    std::vector<std::size_t>& places = angles_of_stop_.emplace_back();
    if (stop.coupling)
      for (const model::CouplingTerm& term : stop.coupling->terms)
        places.push_back(angles_.add(term.coordinate));
    else if (const auto* joint = std::get_if<model::JointIndex>(&stop.target.element))
      places.push_back(angles_.add(model::JointCoordinate{*joint, stop.target.component}));
    else
      places.push_back(kNone);
    mount_of_stop_.push_back(stop.coupling ? find_mesh_mount(mechanism, *stop.coupling) : std::nullopt);
  }
  for (const model::Tyre& tyre : mechanism.tyres())
    standstill_of_tyre_.push_back(
        tyres::standstill_of(tyres::unloaded_radius(tyre.fitted), mechanism.gravity_W().norm()));
  const auto law_of = [&](const auto& element) {
    return element.law
               ? std::optional<ForceFormula>(std::in_place, mechanism, element.law->variables, angles_)
               : std::nullopt;
  };
  for (const model::Spring& spring : mechanism.springs()) law_of_spring_.push_back(law_of(spring));
  for (const model::Damper& damper : mechanism.dampers()) law_of_damper_.push_back(law_of(damper));
  for (const model::Load& load : mechanism.loads())
    formula_of_load_.emplace_back(mechanism, load.variables, angles_);
  for (const model::AuxiliaryState& state : mechanism.states())
    rate_of_state_.emplace_back(mechanism, state.rate.variables, angles_);
  for (const model::Event& event : mechanism.events())
    formula_of_event_.emplace_back(mechanism, event.quantity.variables, angles_);
  count_choices();
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const model::Joint& joint = mechanism.joints()[j];
    if (joint.rod_mass != 0.0) rods_.push_back(j);
    if (!joint.friction.is_none()) rubbing_.push_back(j);
    if (joint.friction.depends_on_load()) loaded_.emplace_back(static_cast<int>(j));
  }
}

ForceMemory AppliedForces::empty_memory() const {
  return {.angles = std::vector<double>(angles_.coordinates().size(), 0.0),
          .loads = std::vector<double>(loaded_.size(), 0.0),
          .rests = std::vector<bool>(rigid_sides_.size(), false),
          .holds = std::vector<double>(rigid_sides_.size(), 0.0),
          .states = std::vector<double>(mechanism_.states().size(), 0.0)};
}

template <core::Scalar T>
bool AppliedForces::evaluate(double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                             WrenchSpan<T> wrenches) const {
  if (!evaluate_without_weights(t, bodies, memory, wrenches)) return false;
  add_weights(bodies, wrenches);
  add_rod_weights(bodies, wrenches);
  return true;
}

bool AppliedForces::has_weights_only() const {
  return mechanism_.springs().empty() && mechanism_.dampers().empty() && mechanism_.bushings().empty() &&
         mechanism_.loads().empty() && mechanism_.stops().empty() && mechanism_.tyres().empty() &&
         mechanism_.states().empty() && rubbing_.empty() && user_.empty();
}

template <core::Scalar T>
bool AppliedForces::evaluate_without_weights(double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                                             WrenchSpan<T> wrenches,
                                             std::span<std::type_identity_t<T>> state_rates,
                                             const ElementFactors<T>* factors) const {
  for (WrenchOf<T>& wrench : wrenches) wrench = {};
  if (!add_springs(t, bodies, memory, wrenches, factors) ||
      !add_dampers(t, bodies, memory, wrenches, factors))
    return false;
  for (const model::Bushing& bushing : mechanism_.bushings())
    add_bushing<T>(bushing, mechanism_.is_planar(), bodies, wrenches);
  for (std::size_t l = 0; l < mechanism_.loads().size(); ++l) add_load(l, t, bodies, memory, wrenches);
  if (!state_rates.empty()) evaluate_formula_states<T>(t, bodies, memory, state_rates);
  for (std::size_t k = 0; k < mechanism_.tyres().size(); ++k) {
    const tyres::FeltSlipOf<T> slips = add_tyre<T>(k, bodies, memory, wrenches);
    if (!state_rates.empty()) write_slips<T>(k, slips, state_rates);
  }
  if (!add_stops(t, bodies, memory, wrenches)) return false;
  add_friction(bodies, memory, wrenches, factors);
  if (!add_user_forces(t, bodies, wrenches)) return false;
  if constexpr (std::is_same_v<T, double>)
    for (std::size_t b = 1; b < wrenches.size(); ++b)
      if (!is_finite(wrenches[b])) return false;
  return has_values<T>(state_rates);
}

template <core::Scalar T>
bool AppliedForces::add_user_forces(double t, const MechanismMotionOf<T>& bodies,
                                    WrenchSpan<T> wrenches) const {
  if constexpr (std::is_same_v<T, double>) {
    try {
      for (const UserForce& force : user_) force(t, bodies, wrenches);
      return true;
    } catch (const core::ModelError&) {  // a user's way to say that it has none
      return false;
    }
  } else {
    return user_.empty();
  }
}

template <core::Scalar T>
void AppliedForces::add_effort(const model::Variable& along, const T& effort,
                               const MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const {
  if (const auto* joint = std::get_if<model::JointIndex>(&along.element)) {
    add_joint_effort<T>({*joint, along.component}, effort, bodies, wrenches);
    return;
  }
  const auto& point = std::get<model::PointRef>(along.element);
  wrenches[point.body.slot()].add_force(effort * Vector3<T>::Unit(along.component).eval(),
                                        bodies[point.body.slot()].direction(point_of(mechanism_, point)));
}

core::ErrorText AppliedForces::why_not(double t, const MechanismMotion& bodies,
                                       const ForceMemory& memory) const {
  if (const std::optional<core::ErrorText> text = why_no_formula(t, bodies, memory)) return *text;
  if (const std::optional<std::string> element = undirected(t, bodies, memory))
    return no_force(*element, t, "two points apart from each other",
                    "points that coincide, so that the force has no direction",
                    "Start somewhere else, or choose other points.");
  for (const StopSide& side : soft_sides_)
    if (!find_gap(side, t, bodies, memory)) return why_no_gap(side, t);
  std::vector<Wrench> wrenches(bodies.size());
  try {
    for (const UserForce& force : user_) force(t, bodies, wrenches);
  } catch (const core::ModelError& error) {
    return error.text();
  }
  if (evaluate_without_weights(t, bodies, memory, wrenches))
    for (const StopSide& side : rigid_sides_)
      if (!find_gap(side, t, bodies, memory)) return why_no_gap(side, t);
  for (std::size_t k = 0; k < mechanism_.tyres().size(); ++k) {
    const tyres::TyreActionOf<double> action = tyre_action<double>(k, bodies, memory);
    if (std::isfinite(action.load) || !std::isfinite(action.gamma)) continue;
    const std::string tyre = "tyre '" + mechanism_.tyres()[k].name + "'";
    if (std::abs(action.contact.sin_camber) > 0.98)
      return no_force(
          tyre, t, "a wheel on the road that leans by less than 80°",
          "one that leans by " + core::rounded_text(std::abs(action.gamma) * 180.0 / std::numbers::pi) + "°",
          "Give the vehicle stops to lie on, or end the run before.");
    if (std::isnan(action.contact.radius))
      return no_force(tyre, t, "a road that is curved less than the wheel",
                      "one on which it finds no single point",
                      "Give the tyre a 'contact_length', or a longer one, or the road longer 'waves'.");
    if (action.contact.radius <= 0.0)
      return no_force(tyre, t, "a wheel with its centre above the road",
                      "one that has come down to it, its tyre pressed flat",
                      "Start nearer to the road, or slower, or give the tyre more stiffness.");
  }
  return no_force(culprit(t, bodies, memory, wrenches), t, "a finite force", "one that is not a number",
                  "Look at what it is computed from at this time.");
}

core::ErrorText AppliedForces::why_no_derivatives(double t) {
  return no_force("a user's force", t, "forces with derivatives", "a function of plain numbers",
                  "Describe it by elements of the mechanism.");
}

std::optional<std::string> AppliedForces::undirected(double t, const MechanismMotion& bodies,
                                                     const ForceMemory& memory) const {
  std::vector<Wrench> wrenches(bodies.size());
  for (std::size_t s = 0; s < mechanism_.springs().size(); ++s)
    if (!add_connection_force(mechanism_.springs()[s].connection, spring_force(s, t, bodies, memory), bodies,
                              wrenches))
      return "spring '" + mechanism_.springs()[s].name + "'";
  for (std::size_t d = 0; d < mechanism_.dampers().size(); ++d)
    if (!add_connection_force(mechanism_.dampers()[d].connection, damper_force(d, t, bodies, memory), bodies,
                              wrenches))
      return "damper '" + mechanism_.dampers()[d].name + "'";
  return std::nullopt;
}

std::string AppliedForces::culprit(double t, const MechanismMotion& bodies, const ForceMemory& memory,
                                   std::span<const Wrench> wrenches) const {
  for (std::size_t s = 0; s < mechanism_.springs().size(); ++s)
    if (!std::isfinite(spring_force(s, t, bodies, memory)))
      return "spring '" + mechanism_.springs()[s].name + "'";
  for (std::size_t d = 0; d < mechanism_.dampers().size(); ++d)
    if (!std::isfinite(damper_force(d, t, bodies, memory)))
      return "damper '" + mechanism_.dampers()[d].name + "'";
  for (const model::Bushing& bushing : mechanism_.bushings()) {
    std::vector<Wrench> alone(bodies.size());
    add_bushing<double>(bushing, mechanism_.is_planar(), bodies, alone);
    if (!std::ranges::all_of(alone, is_finite)) return "bushing '" + bushing.name + "'";
  }
  for (std::size_t l = 0; l < mechanism_.loads().size(); ++l) {
    std::vector<Wrench> alone(bodies.size());
    add_load(l, t, bodies, memory, alone);
    if (!std::ranges::all_of(alone, is_finite)) return "force '" + mechanism_.loads()[l].name + "'";
  }
  for (std::size_t k = 0; k < mechanism_.tyres().size(); ++k) {
    std::vector<Wrench> alone(bodies.size());
    add_tyre<double>(k, bodies, memory, alone);
    if (!std::ranges::all_of(alone, is_finite)) return "tyre '" + mechanism_.tyres()[k].name + "'";
  }
  for (std::size_t b = 1; b < wrenches.size(); ++b)
    if (!is_finite(wrenches[b])) return "a user's force on body '" + mechanism_.bodies()[b].name + "'";
  return "a user's force";
}

template <core::Scalar T>
void AppliedForces::add_weights(const MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const {
  const Vector3d& g = mechanism_.gravity_W();
  if (g.isZero(0.0)) return;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const model::MassProperties& body = mechanism_.bodies()[b].mass_properties;
    if (!body.is_massless())
      wrenches[b].add_force((body.mass * g).template cast<T>(), bodies[b].direction(body.p_BC_B));
  }
}

template <core::Scalar T>
void AppliedForces::add_rod_weights(const MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const {
  const Vector3d& g = mechanism_.gravity_W();
  for (const std::size_t j : rods_)
    for (const model::JointEnd& end : mechanism_.joints()[j].ends)
      wrenches[end.body.slot()].add_force((0.5 * mechanism_.joints()[j].rod_mass * g).template cast<T>(),
                                          bodies[end.body.slot()].direction(end.X_BF.p_AB_A));
}

namespace {

/// An effort Q along the place u of a contact does the work Q u̇. A point that the curve sees go by C'·ṗ = (C'·C' − C''·off) u̇ with off = p − C(u)
/// is pushed by Q C'/(C'·C' − C''·off); of a straight face, which turns against the curve by ω = k ẇ, it is the torque −Q/k on the curve's body.
template <class T>
void add_place_effort(const model::Joint& joint, const T& effort, const MechanismMotionOf<T>& bodies,
                      WrenchSpan<T> wrenches) {
  const model::JointEnd& curved = joint.ends[model::is_curve(joint.type, 0) ? 0 : 1];
  const BodyMotionOf<T>&first = bodies[joint.first().slot()], &second = bodies[joint.second().slot()];
  if (joint.type == model::JointType::kCurveOnCurve) {  // what the place changes by, feature by feature
    std::array<Vector3<T>, 4> x;
    coordinates::FeaturesOf<T> f{};
    for (std::size_t k = 0; k < 4; ++k) {
      const model::JointEnd& end = joint.ends[k % 2];
      const BodyMotionOf<T>& body = bodies[end.body.slot()];
      x[k] = k < 2 ? body.direction(Eigen::Vector3d(end.X_BF.R_AB.matrix().col(0)))
                   : body.point_position(end.X_BF.p_AB_A);
      f[k] = &x[k];
    }
    const auto gradient =
        coordinates::row_gradient<T>(coordinates::RowForm::kPairPlace, f,
                                     {0.0, joint.ends[0].curve.get(), joint.ends[1].curve.get()}, T(0.0));
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t body = joint.ends[k % 2].body.slot();
      const Vector3<T> push = effort * gradient.by_feature[k];
      if (k < 2)
        wrenches[body].torque += x[k].cross(push);
      else
        wrenches[body].add_force(push, x[k] - bodies[body].X_WB.p_AB_A);
    }
    return;
  }
  const T u = coordinates::joint_coordinate(joint, 0, bodies).position;
  if (model::is_curve(joint.type, 1)) {
    const T torque = T(-effort / core::planar_point<T>(curved.curve->spline, u).turning);
    wrenches[joint.second().slot()].torque.z() += torque;
    wrenches[joint.first().slot()].torque.z() -= torque;
    return;
  }
  const Vector3<T> P = second.point_position(joint.ends[1].X_BF.p_AB_A);
  const core::CurvePoint<T> at = curved.curve->spline.at<T>(u);
  const core::Matrix3<T> R_WB = first.X_WB.R_AB.matrix();
  const Vector3<T> off = R_WB.transpose() * (P - first.point_position(curved.X_BF.p_AB_A)) - at.p;
  const Vector3<T> force = T(effort / (at.d1.dot(at.d1) - at.d2.dot(off))) * (R_WB * at.d1);
  wrenches[joint.second().slot()].add_force(force, P - second.X_WB.p_AB_A);
  wrenches[joint.first().slot()].add_force(-force, P - first.X_WB.p_AB_A);
}

}  // namespace

// Seed000 eq. 98
template <core::Scalar T>
void AppliedForces::add_joint_effort(const model::JointCoordinate& coordinate, const T& effort,
                                     const MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const {
  const model::Joint& joint = mechanism_.joint(coordinate.joint);
  const model::JointCoordinateFacts& along =
      model::facts(joint.type).coordinates[core::index(coordinate.component)];
  const model::JointEnd& end = joint.ends[core::index(along.end)];
  const Vector3<T> e = bodies[end.body.slot()].direction(end.X_BF.R_AB.matrix().col(along.axis));
  const std::size_t first = joint.first().slot(), second = joint.second().slot();
  if (along.is_place) {
    add_place_effort<T>(joint, effort, bodies, wrenches);
    return;
  }
  if (along.is_bearing) {  // a force across the way from the first frame to the second, at the second
    const Vector3<T> P = bodies[second].point_position(joint.ends[1].X_BF.p_AB_A);
    const Vector3<T> way = P - bodies[first].point_position(joint.ends[0].X_BF.p_AB_A);
    const Vector3<T> force = T(effort / way.dot(way)) * e.cross(way);
    wrenches[second].add_force(force, P - bodies[second].X_WB.p_AB_A);
    wrenches[first].add_force(-force, P - bodies[first].X_WB.p_AB_A);
    return;
  }
  if (along.dimension == core::kAngle) {
    wrenches[second].torque += effort * e;
    wrenches[first].torque -= effort * e;
    return;
  }
  const Vector3<T> P = bodies[second].point_position(joint.ends[1].X_BF.p_AB_A);
  Vector3<T> force = effort * e;
  if (along.is_distance) {
    const Vector3<T> way = P - bodies[first].point_position(joint.ends[0].X_BF.p_AB_A);
    force = T(effort / way.norm()) * way;
  }
  wrenches[second].add_force(force, P - bodies[second].X_WB.p_AB_A);
  wrenches[first].add_force(-force, P - bodies[first].X_WB.p_AB_A);
}

template <core::Scalar T>
bool AppliedForces::add_connection_force(const model::Connection& connection, const T& f,
                                         const MechanismMotionOf<T>& bodies, WrenchSpan<T> wrenches) const {
  if (const auto* joint = std::get_if<model::JointCoordinate>(&connection)) {
    add_joint_effort<T>(*joint, -f, bodies, wrenches);
    return true;
  }
  if (const auto* both = std::get_if<model::CoordinatePair>(&connection)) {
    add_joint_effort<T>(both->second, -f, bodies, wrenches);
    add_joint_effort<T>(both->first, f, bodies, wrenches);
    return true;
  }
  if (const auto* coordinate = std::get_if<model::PointCoordinate>(&connection)) {
    add_effort<T>({model::VariableKind::kPointPosition, coordinate->point, coordinate->axis}, T(-f), bodies,
                  wrenches);
    return true;
  }
  if (f == 0.0) return true;
  const auto& pair = std::get<model::PointPair>(connection);
  const BodyMotionOf<T>&first = bodies[pair.first.body.slot()], &second = bodies[pair.second.body.slot()];
  const Vector3<T> p1 = first.point_position(point_of(mechanism_, pair.first)),
                   p2 = second.point_position(point_of(mechanism_, pair.second));
  const T length = (p2 - p1).norm();
  if constexpr (core::NumericScalar<T>)
    if (!(core::value_of(length) > 0.0)) return false;
  const Vector3<T> pull = T(f / length) * (p2 - p1);
  wrenches[pair.first.body.slot()].add_force(pull, p1 - first.X_WB.p_AB_A);
  wrenches[pair.second.body.slot()].add_force(-pull, p2 - second.X_WB.p_AB_A);
  return true;
}

// Seed002 eq. 17
template <core::Scalar T>
T AppliedForces::spring_force(std::size_t s, double t, const MechanismMotionOf<T>& bodies,
                              MemoryOf<T> memory) const {
  const model::Spring& spring = mechanism_.springs()[s];
  if (spring.law)
    return law_of_spring_[s]->template value<T>(spring.law->function, t, angles_, bodies, memory);
  const kinematics::ConnectionValueOf<T> value =
      kinematics::connection_value(mechanism_, spring.connection, bodies);
  const std::size_t counted = angles_of_spring_[s].first;
  const T length = std::holds_alternative<model::CoordinatePair>(spring.connection)
                       ? spring_length(s, bodies, memory)
                   : counted == kNone ? value.length
                                      : coordinates::unwrapped(value.length, memory->angles[counted]);
  const T d = length - spring.free_length, rate = value.rate;
  const T elastic = spring.gas             ? gas_force(*spring.gas, d)
                    : spring.table.empty() ? T(spring.stiffness * d)
                                           : look_up(spring.table, d);
  return spring.preload + elastic + spring.damping * rate;
}

// Seed002 eq. 20
template <core::Scalar T>
T AppliedForces::damper_force(std::size_t d, double t, const MechanismMotionOf<T>& bodies,
                              MemoryOf<T> memory) const {
  const model::Damper& damper = mechanism_.dampers()[d];
  if (damper.law)
    return law_of_damper_[d]->template value<T>(damper.law->function, t, angles_, bodies, memory);
  const T rate = kinematics::connection_value(mechanism_, damper.connection, bodies).rate;
  return damper.table.empty() ? T(damper.damping * rate) : look_up(damper.table, rate);
}

template <core::Scalar T>
bool AppliedForces::add_springs(double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                                WrenchSpan<T> wrenches, const ElementFactors<T>* factors) const {
  for (std::size_t s = 0; s < mechanism_.springs().size(); ++s) {
    const T own = spring_force(s, t, bodies, memory), f = factors ? T(factors->springs[s] * own) : own;
    if (!add_connection_force<T>(mechanism_.springs()[s].connection, f, bodies, wrenches)) return false;
  }
  return true;
}

template <core::Scalar T>
bool AppliedForces::add_dampers(double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                                WrenchSpan<T> wrenches, const ElementFactors<T>* factors) const {
  for (std::size_t d = 0; d < mechanism_.dampers().size(); ++d) {
    const T own = damper_force(d, t, bodies, memory), f = factors ? T(factors->dampers[d] * own) : own;
    if (!add_connection_force<T>(mechanism_.dampers()[d].connection, f, bodies, wrenches)) return false;
  }
  return true;
}

template <core::Scalar T>
Vector3<T> AppliedForces::load_value(std::size_t l, double t, const MechanismMotionOf<T>& bodies,
                                     MemoryOf<T> memory) const {
  const model::Load& load = mechanism_.loads()[l];
  const std::span<const model::TimeFunction> functions = functions_of(load);
  std::array<T, 3> values{T(0.0), T(0.0), T(0.0)};
  formula_of_load_[l].template evaluate<T>(functions, t, angles_, bodies, memory,
                                           std::span<T>(values.data(), functions.size()));
  const Vector3<T> value(values[0], values[1], values[2]);
  if (const auto* force = std::get_if<model::PointForce>(&load.action); force && force->in_body_axes)
    return bodies[force->point.body.slot()].X_WB.R_AB.matrix() * value;
  if (const auto* torque = std::get_if<model::BodyTorque>(&load.action); torque && torque->in_body_axes)
    return bodies[torque->body.slot()].X_WB.R_AB.matrix() * value;
  return value;
}

template <core::Scalar T>
void AppliedForces::add_load(std::size_t l, double t, const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                             WrenchSpan<T> wrenches) const {
  const Vector3<T> value = load_value(l, t, bodies, memory);
  const model::Load& load = mechanism_.loads()[l];
  if (const auto* force = std::get_if<model::PointForce>(&load.action))
    wrenches[force->point.body.slot()].add_force(
        value, bodies[force->point.body.slot()].direction(point_of(mechanism_, force->point)));
  else if (const auto* torque = std::get_if<model::BodyTorque>(&load.action))
    wrenches[torque->body.slot()].torque += value;
  else
    add_joint_effort<T>(std::get<model::JointEffort>(load.action).coordinate, value.x(), bodies, wrenches);
}

double AppliedForces::load(model::JointIndex joint, const ForceMemory& memory) const {
  const auto at = std::ranges::lower_bound(loaded_, joint.value(), {}, &model::JointIndex::value);
  return at != loaded_.end() && *at == joint ? memory.loads[static_cast<std::size_t>(at - loaded_.begin())]
                                             : 0.0;
}

template <core::Scalar T>
T AppliedForces::friction_effort(const model::JointCoordinate& coordinate, const MechanismMotionOf<T>& bodies,
                                 MemoryOf<T> memory) const {
  const model::Joint& joint = mechanism_.joint(coordinate.joint);
  if (joint.friction.is_none()) return T(0.0);
  const T v = coordinates::joint_coordinate(joint, coordinate.component, bodies).velocity;
  return -dynamics::friction_effort(joint.friction, load(coordinate.joint, *memory), v);
}

template <core::Scalar T>
void AppliedForces::add_friction(const MechanismMotionOf<T>& bodies, MemoryOf<T> memory,
                                 WrenchSpan<T> wrenches, const ElementFactors<T>* factors) const {
  for (const std::size_t j : rubbing_) {
    const model::Joint& joint = mechanism_.joints()[j];
    const model::JointIndex index(static_cast<int>(j));
    const T factor = factors ? factors->frictions[j] : T(1.0);
    if (model::is_ball(joint.type)) {  // against the direction in which it turns
      const Vector3<T> w = bodies[joint.second().slot()].w_WB_W - bodies[joint.first().slot()].w_WB_W;
      T resistance(friction_slope_at_rest(joint.friction));
      if constexpr (core::NumericScalar<T>) {
        if (core::value_of(T(w.dot(w))) > 0.0) resistance = resistance_by_speed(joint.friction, T(w.norm()));
      } else {
        resistance = core::select_less(T(0.0), T(w.dot(w)), resistance_by_speed(joint.friction, T(w.norm())),
                                       resistance);
      }
      const Vector3<T> torque = T(factor * resistance) * w;
      wrenches[joint.second().slot()].torque -= torque;
      wrenches[joint.first().slot()].torque += torque;
      continue;
    }
    for (int c = 0; c < model::coordinate_count(joint.type); ++c)
      add_joint_effort<T>({index, c}, T(factor * friction_effort<T>({index, c}, bodies, memory)), bodies,
                          wrenches);
  }
}

#define ESLABON_INSTANTIATE(T)                                                                             \
  template bool AppliedForces::evaluate(double, const MechanismMotionOf<T>&, MemoryOf<T>, WrenchSpan<T>)   \
      const;                                                                                               \
  template bool AppliedForces::evaluate_without_weights(double, const MechanismMotionOf<T>&, MemoryOf<T>,  \
                                                        WrenchSpan<T>, std::span<std::type_identity_t<T>>, \
                                                        const ElementFactors<T>*) const;                   \
  template void AppliedForces::add_effort(const model::Variable&, const T&, const MechanismMotionOf<T>&,   \
                                          WrenchSpan<T>) const;                                            \
  template T AppliedForces::spring_force(std::size_t, double, const MechanismMotionOf<T>&, MemoryOf<T>)    \
      const;                                                                                               \
  template T AppliedForces::damper_force(std::size_t, double, const MechanismMotionOf<T>&, MemoryOf<T>)    \
      const;                                                                                               \
  template Vector3<T> AppliedForces::load_value(std::size_t, double, const MechanismMotionOf<T>&,          \
                                                MemoryOf<T>) const;                                        \
  template T AppliedForces::friction_effort(const model::JointCoordinate&, const MechanismMotionOf<T>&,    \
                                            MemoryOf<T>) const;
ESLABON_INSTANTIATE(double)
ESLABON_INSTANTIATE(core::Dual<double>)
ESLABON_INSTANTIATE(core::Traced)
#undef ESLABON_INSTANTIATE

}  // namespace eslabon::dynamics
