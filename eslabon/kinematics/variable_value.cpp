#include "eslabon/kinematics/variable_value.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include <Eigen/Geometry>

#include "eslabon/coordinates/joint_motion.hpp"
#include "eslabon/core/geometry/euler_angles.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/model/variables/euler_sequence.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::BodyMotion;
using coordinates::BodyMotionOf;
using coordinates::MechanismMotion;
using coordinates::MechanismMotionOf;
using Eigen::Vector3d;
using model::Mechanism;
using model::Variable;
using enum model::VariableKind;

void check_size(const Mechanism& mechanism, std::size_t num_bodies) {
  if (num_bodies == mechanism.bodies().size()) return;
  throw core::ContractError(
      {.what = "a motion of another mechanism",
       .where = mechanism.name(),
       .expected = std::to_string(mechanism.bodies().size()) + " bodies with the ground",
       .actual = std::to_string(num_bodies),
       .next = "Give the motion of all bodies, the ground first."});
}

[[noreturn]] void fail_without_forces(const Mechanism& mechanism, const Variable& variable) {
  throw core::ContractError({.what = "a motion does not determine forces",
                             .where = "value_of",
                             .expected = "a variable of the motion",
                             .actual = "'" + model::name(mechanism, variable) + "'",
                             .next = "Ask needs_forces first; layer dynamics gives forces."});
}

template <class T>
coordinates::CoordinateValueOf<T> joint_value(const Mechanism& mechanism, model::JointIndex index,
                                              int component, const MechanismMotionOf<T>& motion) {
  return coordinates::joint_coordinate(mechanism.joint(index), component, motion);
}

template <class T>
T body_value(const Variable& variable, const BodyMotionOf<T>& body) {
  switch (variable.kind) {
    case kBodyAngle:
      return coordinates::turn_about_z(body.X_WB.R_AB.matrix());
    case kBodyRate:
      return body.w_WB_W.z();
    case kBodyAngularAcceleration:
      return body.alpha_WB_W.z();
    case kBodyEulerParameter:
      return body.X_WB.R_AB.to_euler_parameters()(variable.component);
    case kBodyEulerAngle:
      return core::euler_angle<T>(body.X_WB.R_AB.matrix(),
                                  model::kEulerSequences[static_cast<std::size_t>(variable.component / 3)],
                                  variable.component % 3);
    case kBodyAngularVelocity:
      return body.w_WB_W(variable.component);
    default:
      return body.alpha_WB_W(variable.component);
  }
}

template <class T>
T point_value(const Mechanism& mechanism, const Variable& variable, const MechanismMotionOf<T>& motion) {
  const auto& ref = std::get<model::PointRef>(variable.element);
  const Vector3d& p_BP_B = mechanism.point(ref).p_BP_B;
  const BodyMotionOf<T>& body = motion[ref.body.slot()];
  switch (variable.kind) {
    case kPointPosition:
      return body.point_position(p_BP_B)(variable.component);
    case kPointVelocity:
      return body.point_velocity(p_BP_B)(variable.component);
    default:
      return body.point_acceleration(p_BP_B)(variable.component);
  }
}

/// Checked here, because Mechanism has no checked access to springs and dampers.
const model::Connection& connection_of(const Mechanism& mechanism, const Variable& variable) {
  if (const auto* spring = std::get_if<model::SpringIndex>(&variable.element))
    return mechanism.springs().at(spring->slot()).connection;
  return mechanism.dampers().at(std::get<model::DamperIndex>(variable.element).slot()).connection;
}

const model::Formula& formula_of(const Mechanism& mechanism, const Variable& variable) {
  return mechanism.formulas().at(std::get<model::FormulaIndex>(variable.element).slot());
}

/// An angle as it is, and its rate [rad, rad/s].
ConnectionValue angle_value(const Mechanism& mechanism, const Variable& angle,
                            const MechanismMotion& motion) {
  if (angle.kind == kBodyAngle) {
    const BodyMotion& body = motion[std::get<model::BodyIndex>(angle.element).slot()];
    return {coordinates::turn_about_z(body.X_WB.R_AB.matrix()), body.w_WB_W.z()};
  }
  if (angle.kind == kBodyEulerAngle) return {value_of(mechanism, angle, motion), 0.0};
  if (angle.kind == kElementLength)
    return connection_value(mechanism, connection_of(mechanism, angle), motion);
  const auto value =
      joint_value(mechanism, std::get<model::JointIndex>(angle.element), angle.component, motion);
  return {value.position, value.velocity};
}

/// e of the turn exp(r) after the turn e.
Eigen::Vector4d turned(const Vector3d& r, const Eigen::Vector4d& e) {
  const double angle = r.norm();
  if (angle == 0.0) return e;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, r / angle));
  const Eigen::Quaterniond result = turn * Eigen::Quaterniond(e(0), e(1), e(2), e(3));
  return {result.w(), result.x(), result.y(), result.z()};
}

}  // namespace

// Seed002 eq. 16, eq. 21
template <core::Scalar T>
ConnectionValueOf<T> connection_value(const Mechanism& mechanism, const model::Connection& connection,
                                      const MechanismMotionOf<T>& motion) {
  if (const auto* coordinate = std::get_if<model::JointCoordinate>(&connection)) {
    const auto value = joint_value(mechanism, coordinate->joint, coordinate->component, motion);
    return {value.position, value.velocity};
  }
  if (const auto* pair = std::get_if<model::CoordinatePair>(&connection)) {
    const auto first = joint_value(mechanism, pair->first.joint, pair->first.component, motion),
               second = joint_value(mechanism, pair->second.joint, pair->second.component, motion);
    return {second.position - first.position, second.velocity - first.velocity};
  }
  if (const auto* coordinate = std::get_if<model::PointCoordinate>(&connection)) {
    const Vector3d& p = mechanism.point(coordinate->point).p_BP_B;
    const BodyMotionOf<T>& body = motion[coordinate->point.body.slot()];
    return {body.point_position(p)(coordinate->axis) + mechanism.origin_W()[coordinate->axis],
            body.point_velocity(p)(coordinate->axis)};
  }
  const auto& [first, second] = std::get<model::PointPair>(connection);
  const Vector3d &p1 = mechanism.point(first).p_BP_B, &p2 = mechanism.point(second).p_BP_B;
  const BodyMotionOf<T>&body1 = motion[first.body.slot()], &body2 = motion[second.body.slot()];
  const core::Vector3<T> dp = body2.point_position(p2) - body1.point_position(p1);
  const core::Vector3<T> dv = body2.point_velocity(p2) - body1.point_velocity(p1);
  const T length = dp.norm();
  return {length, core::select_less(T(0.0), length, T(dp.dot(dv) / length), T(dv.norm()))};
}

bool needs_forces(const Variable& variable) { return model::needs_dynamics(variable); }

template <core::Scalar T>
T value_of(const Mechanism& mechanism, const Variable& variable, const MechanismMotionOf<T>& motion) {
  check_size(mechanism, motion.size());
  const auto joint = [&] {
    return joint_value(mechanism, std::get<model::JointIndex>(variable.element), variable.component, motion);
  };
  const auto element = [&] {
    return connection_value(mechanism, connection_of(mechanism, variable), motion);
  };
  switch (variable.kind) {
    case kBodyAngle:
    case kBodyRate:
    case kBodyAngularAcceleration:
    case kBodyEulerParameter:
    case kBodyAngularVelocity:
    case kBodyAlpha:
    case kBodyEulerAngle:
      return body_value(variable, motion.at(std::get<model::BodyIndex>(variable.element).slot()));
    case kPointPosition:
    case kPointVelocity:
    case kPointAcceleration:
      return point_value(mechanism, variable, motion);
    case kJointPosition:
      return joint().position;
    case kJointVelocity:
      return joint().velocity;
    case kJointAcceleration:
      return joint().acceleration;
    case kElementLength:
      return element().length;
    case kElementRate:
      return element().rate;
    case kAxisDirection: {
      const auto& ref = std::get<model::AxisRef>(variable.element);
      const Vector3d u_B = mechanism.axis(ref).u_B.normalized();
      return motion.at(ref.body.slot()).direction(u_B)(variable.component);
    }
    case kFormula:
      return model::evaluate(formula_of(mechanism, variable), T(0.0),
                             [&](const Variable& operand) { return told_value(mechanism, operand, motion); });
    case kJointForce:
    case kJointMoment:
    case kDriverEffort:
    case kCouplingEffort:
    case kElementForce:
    case kJointFriction:
    case kTyre:
    case kState:
    case kForceFormula:
      break;
  }
  fail_without_forces(mechanism, variable);
}

#define ESLABON_INSTANTIATE(T)                                                               \
  template ConnectionValueOf<T> connection_value(const Mechanism&, const model::Connection&, \
                                                 const MechanismMotionOf<T>&);               \
  template T value_of(const Mechanism&, const Variable&, const MechanismMotionOf<T>&);
ESLABON_FOR_EACH_SCALAR(ESLABON_INSTANTIATE)
#undef ESLABON_INSTANTIATE

VariableRecorder::VariableRecorder(const Mechanism& mechanism, std::vector<Variable> variables, From from)
    : mechanism_(mechanism), variables_(std::move(variables)), from_(from) {
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const Variable& variable = variables_[k];
    if (needs_forces(variable)) continue;
    if (variable.kind == kFormula)
      formulas_.push_back({.slot = k, .formula = &formula_of(mechanism, variable), .first_operand = 0});
    else if (variable.kind == kBodyEulerParameter)
      add_orientation(std::get<model::BodyIndex>(variable.element), k);
    else if (model::dimension(mechanism, variable) == core::kAngle)
      angles_.push_back({.slot = k});
    else
      plain_.push_back(k);
  }
  add_formulas();
}

void VariableRecorder::add_formulas() {
  if (formulas_.empty()) return;
  std::vector<Variable> operands;
  for (FormulaSlot& formula : formulas_) {
    formula.first_operand = operands.size();
    operands.insert(operands.end(), formula.formula->variables.begin(), formula.formula->variables.end());
  }
  operand_values_.resize(operands.size());
  operands_.emplace_back(mechanism_, std::move(operands), From::kUserOrigin);
}

void VariableRecorder::reset() {
  is_first_ = true;
  for (VariableRecorder& operands : operands_) operands.reset();
}

void VariableRecorder::add_orientation(model::BodyIndex body, std::size_t slot) {
  auto found = std::ranges::find(orientations_, body, &Orientation::body);
  if (found == orientations_.end()) found = orientations_.insert(found, {.body = body, .slots = {}});
  found->slots.push_back(slot);
}

void VariableRecorder::set_hint(int k, double value) {
  if (k < 0 || static_cast<std::size_t>(k) >= variables_.size())
    throw core::ContractError({.what = "a hint for a variable that is not recorded",
                               .where = "VariableRecorder::set_hint",
                               .expected = "a number from 0 to below " + std::to_string(variables_.size()),
                               .actual = std::to_string(k),
                               .next = "Count in the list that the recorder was made with."});
  for (Angle& angle : angles_)
    if (angle.slot == static_cast<std::size_t>(k)) angle.hint = value;
}

void VariableRecorder::record(double t, const MechanismMotion& motion, std::span<double> out) {
  if (out.size() != variables_.size())
    throw core::ContractError({.what = "no place for the values",
                               .where = "VariableRecorder::record",
                               .expected = "one number per variable, " + std::to_string(variables_.size()),
                               .actual = std::to_string(out.size()),
                               .next = "Give a span of that size."});
  follow(t, motion);
  for (const std::size_t k : plain_)
    out[k] = from_ == From::kUserOrigin ? told_value(mechanism_, variables_[k], motion)
                                        : value_of(mechanism_, variables_[k], motion);
  for (const Angle& angle : angles_) out[angle.slot] = angle.before;
  for (const Orientation& orientation : orientations_)
    for (const std::size_t k : orientation.slots) out[k] = orientation.before(variables_[k].component);
  if (formulas_.empty()) return;
  operands_.front().record(t, motion, operand_values_);
  for (const FormulaSlot& formula : formulas_)
    out[formula.slot] = formula.formula->function.evaluate(
        t, std::span<const double>(operand_values_)
               .subspan(formula.first_operand, formula.formula->variables.size()));
}

void VariableRecorder::follow(double t, const MechanismMotion& motion) {
  check_size(mechanism_, motion.size());
  const double h = t - t_before_;
  for (Angle& angle : angles_) follow_angle(angle, h, motion);
  for (Orientation& orientation : orientations_) follow_orientation(orientation, h, motion);
  for (VariableRecorder& operands : operands_) operands.follow(t, motion);
  t_before_ = t;
  is_first_ = false;
}

void VariableRecorder::follow_angle(Angle& angle, double h, const MechanismMotion& motion) const {
  const auto [value, rate] = angle_value(mechanism_, variables_[angle.slot], motion);
  const double near = is_first_ ? angle.hint : angle.before + 0.5 * h * (angle.rate_before + rate);  // (1)
  angle.before = coordinates::unwrapped(value, near);
  angle.rate_before = rate;
}

void VariableRecorder::follow_orientation(Orientation& orientation, double h,
                                          const MechanismMotion& motion) const {
  const BodyMotion& body = motion[orientation.body.slot()];
  Eigen::Vector4d e = body.X_WB.R_AB.to_euler_parameters();
  if (!is_first_) {
    const Vector3d r = 0.5 * h * (orientation.w_before + body.w_WB_W);
    if (e.dot(turned(r, orientation.before)) < 0.0) e = -e;  // (2)
  }
  orientation.before = e;
  orientation.w_before = body.w_WB_W;
}

}  // namespace eslabon::kinematics
