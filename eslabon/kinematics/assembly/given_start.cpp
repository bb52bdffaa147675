#include "eslabon/kinematics/assembly/given_start.hpp"

#include <algorithm>
#include <numbers>
#include <optional>

#include "eslabon/kinematics/report_text.hpp"
#include "eslabon/kinematics/variable_value.hpp"

namespace eslabon::kinematics {

namespace {

using coordinates::MechanismMotion;
using core::Rotation;
using Eigen::Vector3d;
using Eigen::VectorXd;
using model::StartValue;
using model::Variable;
using model::VariableKind;

constexpr int kDigits = 4, kFarDigits = 12, kMostDigits = 16;
constexpr double kNothing = 1e-4;    // [°], or of the mechanism's size, beside what is told
constexpr double kToldShift = 5e-3;  // [rad], or in units of the size

/// Which given starts are kept first. Reads the mechanism once: there may be as many starts as joints.
class StartOrder {
 public:
  explicit StartOrder(const model::Mechanism& mechanism) : hinges_(mechanism.bodies().size()) {
    for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
      const model::Joint& joint = mechanism.joints()[j];
      if (joint.type != model::JointType::kRevolute) continue;
      const model::BodyIndex body = joint.first() == model::kGround ? joint.second() : joint.first();
      if (joint.first() != model::kGround && joint.second() != model::kGround) continue;
      if (!hinges_[body.slot()])
        hinges_[body.slot()] = {VariableKind::kJointPosition, model::JointIndex(static_cast<int>(j)), 0};
    }
    for (const Variable& input : mechanism.inputs()) inputs_.push_back(as_joint_coordinate(input));
  }

  /// 0 for what is kept first.
  int place_of(const GivenStart& given) const {
    if (given.kind == model::StartKind::kExact) return 0;
    if (std::holds_alternative<GivenStart::Origin>(given.what)) return 4;
    if (const auto* orientation = std::get_if<GivenStart::Orientation>(&given.what)) {
      const auto& hinge = hinges_[orientation->body.slot()];
      return !hinge ? 4 : is_input(*hinge) ? 1 : 3;
    }
    const Variable& given_variable = std::get<StartValue>(given.what).variable;
    const Variable variable = as_joint_coordinate(given_variable);
    if (is_input(variable)) return 1;
    if (given_variable.kind == VariableKind::kJointPosition) return 2;
    return variable.kind == VariableKind::kJointPosition ? 3 : 4;
  }

 private:
  /// A joint coordinate for the angle of a body that is hinged to the ground; otherwise the variable itself.
  Variable as_joint_coordinate(const Variable& variable) const {
    if (variable.kind != VariableKind::kBodyAngle) return variable;
    return hinges_[std::get<model::BodyIndex>(variable.element).slot()].value_or(variable);
  }
  /// Whether the user calls the variable an input.
  bool is_input(const Variable& variable) const {
    return std::ranges::find(inputs_, variable) != inputs_.end();
  }

  /// (bodies) the coordinate of the first revolute joint between the ground and the body, which says how the body is turned
  std::vector<std::optional<Variable>> hinges_;
  std::vector<Variable> inputs_;
};

bool is_angle(const model::Mechanism& mechanism, const Variable& variable) {
  return model::dimension(mechanism, variable) == core::kAngle;
}

/// Given minus actual, [rad] or [m].
double difference(const model::Mechanism& mechanism, const StartValue& start, const MechanismMotion& bodies) {
  const double value = value_of(mechanism, start.variable, bodies);
  return start.value -
         (is_angle(mechanism, start.variable) ? coordinates::unwrapped(value, start.value) : value);
}

Variable rate_of(const Variable& position) {
  const auto kind = position.kind == VariableKind::kBodyAngle       ? VariableKind::kBodyRate
                    : position.kind == VariableKind::kJointPosition ? VariableKind::kJointVelocity
                                                                    : VariableKind::kPointVelocity;
  return {kind, position.element, position.component};
}

/// Rounded where it is far below what is told; `digits` that count.
std::string angle_text(double angle, int digits) {
  const double value = angle * 180.0 / std::numbers::pi;
  return short_number(digits == kDigits && std::abs(value) < kNothing ? 0.0 : value, digits) + "°";
}

/// `length`: beside which components are rounded.
std::string vector_text(const Vector3d& p, double length, int digits) {
  const double nothing = digits == kDigits ? kNothing * length : 0.0;
  const auto text = [&](double x) { return short_number(std::abs(x) < nothing ? 0.0 : x, digits); };
  return "[" + text(p.x()) + ", " + text(p.y()) + ", " + text(p.z()) + "] m";
}

/// "from 60° to 59.4°", with as many digits as tell the two apart.
template <class TextOf, class Value>
std::string from_to(const TextOf& text_of, const Value& from, const Value& to, int digits = kDigits) {
  while (digits < kMostDigits && text_of(from, digits) == text_of(to, digits)) digits += 4;
  return "from " + text_of(from, digits) + " to " + text_of(to, digits);
}

}  // namespace

std::vector<GivenStart> given_starts(const model::Mechanism& mechanism) {
  std::vector<GivenStart> list;
  for (const StartValue& start : mechanism.start_values())
    list.push_back({start, model::name(mechanism, start.variable), start.kind});
  for (const model::StartPose& pose : mechanism.start_poses()) {
    const std::string& body = mechanism.body(pose.body).name;
    if (pose.p_WB_W)
      list.push_back({GivenStart::Origin{pose.body, *pose.p_WB_W}, body + ".position", pose.position_kind});
    if (pose.rotation_vector)
      list.push_back(
          {GivenStart::Orientation{pose.body, Rotation<double>::from_rotation_vector(*pose.rotation_vector)},
           body + ".rotation", pose.rotation_kind});
  }
  const StartOrder order(mechanism);
  std::ranges::stable_sort(list, {}, [&](const GivenStart& given) { return order.place_of(given); });
  return list;
}

VectorXd distance_from(const model::Mechanism& mechanism, const GivenStart& given,
                       const MechanismMotion& bodies) {
  const auto length = [&] {
    return coordinates::length_scale(mechanism);
  };  // which costs as much as there are joints
  if (const auto* start = std::get_if<StartValue>(&given.what))
    return VectorXd::Constant(
        1, difference(mechanism, *start, bodies) / (is_angle(mechanism, start->variable) ? 1.0 : length()));
  if (const auto* origin = std::get_if<GivenStart::Origin>(&given.what))
    return (origin->p_WB_W - bodies[origin->body.slot()].X_WB.p_AB_A) / length();
  const auto& orientation = std::get<GivenStart::Orientation>(given.what);
  return (orientation.R_WB * bodies[orientation.body.slot()].X_WB.R_AB.inverse()).to_rotation_vector();
}

VectorXd rate_towards(const model::Mechanism& mechanism, const GivenStart& given,
                      const MechanismMotion& motion) {
  const double length = coordinates::length_scale(mechanism);
  if (const auto* start = std::get_if<StartValue>(&given.what))
    return VectorXd::Constant(1, value_of(mechanism, rate_of(start->variable), motion) /
                                     (is_angle(mechanism, start->variable) ? 1.0 : length));
  if (const auto* origin = std::get_if<GivenStart::Origin>(&given.what))
    return motion[origin->body.slot()].v_WB_W / length;
  return motion[std::get<GivenStart::Orientation>(given.what).body.slot()].w_WB_W;
}

double largest_distance(const model::Mechanism& mechanism, const std::vector<GivenStart>& given,
                        const MechanismMotion& bodies) {
  double largest = 0.0;
  for (const GivenStart& start : given)
    largest = std::max(largest, distance_from(mechanism, start, bodies).norm());
  return largest;
}

GivenStart part_of_the_way(const model::Mechanism& mechanism, const GivenStart& given,
                           const MechanismMotion& bodies, double part) {
  GivenStart between = given;
  if (auto* start = std::get_if<StartValue>(&between.what)) {
    start->value -= (1.0 - part) * difference(mechanism, *start, bodies);
  } else if (auto* origin = std::get_if<GivenStart::Origin>(&between.what)) {
    const Vector3d& actual = bodies[origin->body.slot()].X_WB.p_AB_A;
    origin->p_WB_W = actual + part * (origin->p_WB_W - actual);
  } else {
    auto& orientation = std::get<GivenStart::Orientation>(between.what);
    const Vector3d turn = distance_from(mechanism, given, bodies);
    orientation.R_WB =
        Rotation<double>::from_rotation_vector(part * turn) * bodies[orientation.body.slot()].X_WB.R_AB;
  }
  return between;
}

void hold(const model::Mechanism& mechanism, const GivenStart& given, const MechanismMotion& bodies,
          HeldValues& held) {
  const std::string name = "start value '" + given.name + "'";
  if (const auto* start = std::get_if<StartValue>(&given.what)) {
    held.add({start->variable, name},
             is_angle(mechanism, start->variable)
                 ? coordinates::unwrapped(start->value, value_of(mechanism, start->variable, bodies))
                 : start->value);
  } else if (const auto* origin = std::get_if<GivenStart::Origin>(&given.what)) {
    held.origins.push_back(*origin);
  } else {
    // With R = exp(r) R_WB:  R x · R_WB y = r_z,  R y · R_WB z = r_x,  R z · R_WB x = r_y  to first order in R_WB axes.
    const auto& orientation = std::get<GivenStart::Orientation>(given.what);
    for (int c = 0; c < 3; ++c)
      held.add({coordinates::HeldDirection{orientation.body, Vector3d::Unit(c),
                                           orientation.R_WB.matrix().col((c + 1) % 3)},
                name},
               0.0);
  }
}

std::string move_text(const model::Mechanism& mechanism, const GivenStart& given,
                      const MechanismMotion& bodies) {
  if (const auto* start = std::get_if<StartValue>(&given.what)) {
    const double actual = start->value - difference(mechanism, *start, bodies);
    if (is_angle(mechanism, start->variable)) return from_to(angle_text, start->value, actual);
    const double origin = model::origin_part(mechanism, start->variable);
    return from_to([](double x, int digits) { return short_number(x, digits) + " m"; }, origin + start->value,
                   origin + actual, origin == 0.0 ? kDigits : kFarDigits);
  }
  if (const auto* origin = std::get_if<GivenStart::Origin>(&given.what)) {
    const core::Pose<double>& X_WB = bodies[origin->body.slot()].X_WB;
    const Vector3d user = mechanism.origin_W() - X_WB.R_AB * mechanism.body(origin->body).origin_B;
    return from_to([length = coordinates::length_scale(mechanism)](
                       const Vector3d& p, int digits) { return vector_text(p, length, digits); },
                   Vector3d(user + origin->p_WB_W), Vector3d(user + X_WB.p_AB_A),
                   user.isZero(0.0) ? kDigits : kFarDigits);
  }
  const double turn = distance_from(mechanism, given, bodies).norm() * 180.0 / std::numbers::pi;
  return "by " + short_number(turn, kDigits) + "°";
}

std::vector<StartShift> start_shifts(const model::Mechanism& mechanism, const MechanismMotion& bodies) {
  std::vector<StartShift> shifts;
  for (const GivenStart& given : given_starts(mechanism)) {
    const double size = distance_from(mechanism, given, bodies).norm();
    if (size > kToldShift) shifts.push_back({given.name, move_text(mechanism, given, bodies), size});
  }
  std::ranges::stable_sort(shifts, std::ranges::greater(), &StartShift::size);
  return shifts;
}

}  // namespace eslabon::kinematics
