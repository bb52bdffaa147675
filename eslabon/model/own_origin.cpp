#include "eslabon/model/own_origin.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "eslabon/model/length_scale.hpp"

namespace eslabon::model {

namespace {

using Eigen::Vector3d;

constexpr double kFar = 64.0;  // of its size: nearer, no digit is lost that anyone would miss

/// What holds the mechanism on the ground. Free bodies are held nowhere.
Eigen::AlignedBox3d box_of_holds(const Mechanism& mechanism) {
  Eigen::AlignedBox3d box;
  for (const Joint& joint : mechanism.joints())
    for (const JointEnd& end : joint.ends)
      if (end.body == kGround && joint.type != JointType::kFree) box.extend(end.X_BF.p_AB_A);
  const auto see = [&](const Connection& connection) {
    if (const auto* pair = std::get_if<PointPair>(&connection))
      for (const PointRef& ref : {pair->first, pair->second})
        if (ref.body == kGround) box.extend(mechanism.point(ref).p_BP_B);
  };
  for (const Spring& spring : mechanism.springs()) see(spring.connection);
  for (const Damper& damper : mechanism.dampers()) see(damper.connection);
  return box;
}

/// Where bodies start.
Eigen::AlignedBox3d box_of_starts(const Mechanism& mechanism) {
  Eigen::AlignedBox3d box;
  for (const StartPose& pose : mechanism.start_poses())
    if (pose.p_WB_W) box.extend(*pose.p_WB_W);
  if (!box.isEmpty()) return box;
  // Points have one coordinate at a time; those that are not given are 0.
  Vector3d low = Vector3d::Constant(INFINITY), high = -low;
  for (const StartValue& start : mechanism.start_values()) {
    if (start.variable.kind != VariableKind::kPointPosition) continue;
    const int k = start.variable.component;
    low[k] = std::min(low[k], start.value);
    high[k] = std::max(high[k], start.value);
  }
  if ((low.array() > high.array()).all()) return box;
  const auto is_given = low.array() <= high.array();
  box.extend(is_given.select(low, 0.0).matrix());
  box.extend(is_given.select(high, 0.0).matrix());
  return box;
}

/// Zero for one that lies at the origin of its file.
Vector3d choose_origin(const Mechanism& mechanism) {
  Eigen::AlignedBox3d box = box_of_holds(mechanism);
  if (box.isEmpty()) box = box_of_starts(mechanism);
  if (box.isEmpty()) return Vector3d::Zero();
  const double size = std::max(length_scale(mechanism), box.diagonal().norm());
  if (!(box.center().norm() > kFar * size)) return Vector3d::Zero();
  const double grid = std::exp2(std::ceil(std::log2(size)));  // its multiples have few digits
  return box.center().unaryExpr([grid](double x) { return grid * std::nearbyint(x / grid); });
}

void move(Shape& shape, const Vector3d& by) {
  std::visit(
      [&]<class S>(S& one) {
        if constexpr (requires { one.p_BC_B; }) one.p_BC_B += by;
      },
      shape);
}

void move_ground(Body& ground, const Vector3d& by) {
  for (NamedPoint& point : ground.points) point.p_BP_B += by;
  for (NamedFrame& frame : ground.frames) frame.p_BF_B += by;
  for (Shape& visual : ground.visuals) move(visual, by);
  if (ground.shape) move(*ground.shape, by);
}

void move_joint(Joint& joint, const Vector3d& by) {
  for (JointEnd& end : joint.ends)
    if (end.body == kGround) end.X_BF.p_AB_A += by;
}

/// Where the ground has this marker.
Vector3d marked_place(const Body& ground, const std::string& marker) {
  const auto point = std::ranges::find(ground.points, marker, &NamedPoint::name);
  if (point != ground.points.end()) return point->p_BP_B;
  return std::ranges::find(ground.frames, marker, &NamedFrame::name)->p_BF_B;
}

/// Nobody sees where a free joint begins on the ground: from the mechanism's own origin its coordinates are small.
void place_free_joints(MechanismParts& parts) {
  const bool is_moved = !parts.origin_W.isZero(0.0);
  for (Joint& joint : parts.joints)
    for (JointEnd& end : joint.ends)
      if (end.body == kGround && joint.type == JointType::kFree)
        end.X_BF.p_AB_A =
            is_moved ? Vector3d(Vector3d::Zero()) : marked_place(parts.bodies.front(), end.marker);
}

void move_driver(Driver& driver, double by) {
  if (driver.level == DriverLevel::kPosition) driver.function = driver.function.shifted(by);
  if (driver.start) *driver.start += by;
}

void move_stop(Stop& stop, double by) {
  for (std::optional<TimeFunction>* limit : {&stop.lower, &stop.upper})
    if (*limit) *limit = (*limit)->shifted(by);
}

/// Everything that is given as a position, moved by so much.
void move_parts(MechanismParts& parts, const Vector3d& by) {
  const auto along = [&](const Variable& variable) {
    return variable.kind == VariableKind::kPointPosition ? by[variable.component] : 0.0;
  };
  parts.origin_W -= by;
  move_ground(parts.bodies.front(), by);
  for (Joint& joint : parts.joints) move_joint(joint, by);
  for (Driver& driver : parts.drivers)
    if (const double d = along(driver.target); d != 0.0) move_driver(driver, d);
  for (Stop& stop : parts.stops)
    if (const double d = along(stop.target); d != 0.0) move_stop(stop, d);
  for (StartPose& pose : parts.start_poses)
    if (pose.p_WB_W) *pose.p_WB_W += by;
  for (StartValue& start : parts.start_values) start.value += along(start.variable);
  place_free_joints(parts);
}

}  // namespace

Mechanism about_own_origin(const Mechanism& mechanism) {
  Mechanism result = mechanism;
  const Vector3d origin_W = choose_origin(mechanism);
  if (!origin_W.isZero(0.0)) move_parts(result.parts_, -origin_W);
  return result;
}

Mechanism about_user_origin(const Mechanism& mechanism) {
  Mechanism result = mechanism;
  if (!mechanism.origin_W().isZero(0.0)) move_parts(result.parts_, mechanism.origin_W());
  return result;
}

double origin_part(const Mechanism& mechanism, const Variable& variable) {
  return variable.kind == VariableKind::kPointPosition ? mechanism.origin_W()[variable.component] : 0.0;
}

}  // namespace eslabon::model
