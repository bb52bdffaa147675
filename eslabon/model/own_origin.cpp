#include "eslabon/model/own_origin.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eslabon/core/geometry/rotation.hpp"
#include "eslabon/model/length_scale.hpp"

namespace eslabon::model {

namespace {

using Eigen::Vector3d;

constexpr double kFar = 64.0;  // of the mechanism's size: nearer, no digit is lost that anyone would miss

/// The middle one of each coordinate: a few places elsewhere do not matter.
Vector3d median(const std::vector<Vector3d>& places) {
  Vector3d middle;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> values;
    for (const Vector3d& place : places) values.push_back(place[k]);
    std::ranges::sort(values);
    middle[k] = values[values.size() / 2];
  }
  return middle;
}

/// Near such places, on a grid of the mechanism's size; zero where they lie near the origin already.
Vector3d origin_near(const std::vector<Vector3d>& places, double size) {
  if (places.empty()) return Vector3d::Zero();
  const Vector3d middle = median(places);
  if (!(middle.norm() > kFar * size)) return Vector3d::Zero();
  const double grid = std::exp2(std::ceil(std::log2(size)));  // its multiples have few digits
  return middle.unaryExpr([grid](double x) { return grid * std::nearbyint(x / grid); });
}

/// What the user says about where a body starts, coordinate by coordinate: where its origin is, or one of its points.
struct GivenPlace {
  Vector3d place = Vector3d::Zero();
  std::array<bool, 3> is_given{};
  bool is_origin_alone =
      false;  ///< where the user's origin of the body is, and not how it is turned about it
};

std::vector<GivenPlace> given_places(const Mechanism& mechanism) {
  std::vector<GivenPlace> given(mechanism.bodies().size());
  for (const StartPose& pose : mechanism.start_poses())
    if (pose.p_WB_W)
      given[pose.body.slot()] = {*pose.p_WB_W, {true, true, true}, !pose.rotation_vector.has_value()};
  for (const StartValue& start : mechanism.start_values()) {
    if (start.variable.kind != VariableKind::kPointPosition) continue;
    GivenPlace& of_body = given[std::get<PointRef>(start.variable.element).body.slot()];
    of_body.place[start.variable.component] = start.value;
    of_body.is_given[static_cast<std::size_t>(start.variable.component)] = true;
  }
  return given;
}

/// Whether it says nothing of where a body is.
bool moves_anywhere(JointType type) { return type == JointType::kFree || type == JointType::kTranslation; }

/// What a body has where joints hold it; of the ground those of free joints apart.
std::vector<std::vector<Vector3d>> joint_places(const Mechanism& mechanism) {
  std::vector<std::vector<Vector3d>> places(mechanism.bodies().size());
  for (const Joint& joint : mechanism.joints())
    for (const JointEnd& end : joint.ends)
      if (end.body != kGround || !moves_anywhere(joint.type))
        places[end.body.slot()].push_back(end.X_BF.p_AB_A);
  return places;
}

/// Calls `see` for the end of each free joint on the ground, with the body that it lets move.
template <class Joints, class See>
void for_each_free_end(Joints& joints, const See& see) {
  for (auto& joint : joints)
    for (std::size_t e = 0; e < 2; ++e)
      if (moves_anywhere(joint.type) && joint.ends[e].body == kGround)
        see(joint.ends[e], joint.ends[1 - e].body);
}

/// Where free bodies start: where the user says, and where their joint begins on the ground in what he does not say.
std::vector<Vector3d> free_starts(const Mechanism& mechanism, const std::vector<GivenPlace>& given) {
  std::vector<Vector3d> places;
  for_each_free_end(mechanism.joints(), [&](const JointEnd& end, BodyIndex body) {
    const GivenPlace& of_body = given[body.slot()];
    Vector3d place = end.X_BF.p_AB_A;
    for (int k = 0; k < 3; ++k)
      if (of_body.is_given[static_cast<std::size_t>(k)]) place[k] = of_body.place[k];
    places.push_back(place);
  });
  return places;
}

/// (bodies) where their origins go, the ground's first.
std::vector<Vector3d> choose_origins(const Mechanism& mechanism, const std::vector<GivenPlace>& given) {
  const double size = length_scale(mechanism);
  std::vector<std::vector<Vector3d>> places = joint_places(mechanism);
  if (places.front().empty()) places.front() = free_starts(mechanism, given);
  std::vector<Vector3d> origins;
  for (std::size_t b = 0; b < places.size(); ++b)
    origins.push_back(given[b].is_origin_alone ? Vector3d(Vector3d::Zero()) : origin_near(places[b], size));
  return origins;
}

void move_shape(Shape& shape, const Vector3d& by) {
  std::visit(
      [&]<class S>(S& one) {
        if constexpr (requires { one.p_BC_B; }) one.p_BC_B += by;
      },
      shape);
}

/// All positions of a body, given in its own axes, moved by so much.
void move_body(Body& body, const Vector3d& by) {
  body.origin_B -= by;
  if (!body.mass_properties.is_massless()) body.mass_properties.p_BC_B += by;
  for (NamedPoint& point : body.points) point.p_BP_B += by;
  for (NamedFrame& frame : body.frames) frame.p_BF_B += by;
  for (NamedCurve& curve : body.curves)
    for (Vector3d& point : curve.points) point += by;
  for (Shape& visual : body.visuals) move_shape(visual, by);
  if (body.shape) move_shape(*body.shape, by);
}

void move_driver(Driver& driver, double by) {
  if (driver.start) *driver.start += by;
  if (driver.level != DriverLevel::kPosition) return;
  if (driver.written) {  // it comes back
    driver.function = *driver.written;
    driver.written.reset();
  } else {
    driver.written = driver.function;
    driver.function = driver.function.shifted(by);
  }
}

void move_stop(Stop& stop, double by) {
  for (std::optional<TimeFunction>* limit : {&stop.lower, &stop.upper})
    if (*limit) *limit = (*limit)->shifted(by);
}

/// Positions of each body moved by so much, and with those of the ground everything that is given in the world; by: (bodies).
void move_parts(MechanismParts& parts, const std::vector<Vector3d>& by) {
  const auto along = [&](const Variable& variable) {
    return variable.kind == VariableKind::kPointPosition ? by.front()[variable.component] : 0.0;
  };
  for (std::size_t b = 0; b < by.size(); ++b)
    if (!by[b].isZero(0.0)) move_body(parts.bodies[b], by[b]);
  for (Joint& joint : parts.joints)
    for (JointEnd& end : joint.ends) end.X_BF.p_AB_A += by[end.body.slot()];
  for (Bushing& bushing : parts.bushings)
    for (JointEnd& end : bushing.ends) end.X_BF.p_AB_A += by[end.body.slot()];
  parts.road.origin_W += by.front();
  for (Driver& driver : parts.drivers)
    if (const double d = along(driver.target); d != 0.0) move_driver(driver, d);
  for (Stop& stop : parts.stops)
    if (const double d = along(stop.target); d != 0.0) move_stop(stop, d);
  for (StartPose& pose : parts.start_poses) {
    if (!pose.p_WB_W) continue;
    *pose.p_WB_W += by.front();
    if (pose.rotation_vector)
      *pose.p_WB_W -=
          core::Rotation<double>::from_rotation_vector(*pose.rotation_vector) * by[pose.body.slot()];
  }
  for (StartValue& start : parts.start_values) start.value += along(start.variable);
}

/// Where the ground has this marker.
Vector3d marked_place(const Body& ground, const std::string& marker) {
  const auto point = std::ranges::find(ground.points, marker, &NamedPoint::name);
  if (point != ground.points.end()) return point->p_BP_B;
  return std::ranges::find(ground.frames, marker, &NamedFrame::name)->p_BF_B;
}

bool is_zero(const Vector3d& x) { return x.isZero(0.0); }

}  // namespace

Mechanism about_own_origin(const Mechanism& mechanism) {
  Mechanism result = about_user_origin(mechanism);
  const std::vector<GivenPlace> given = given_places(result);
  std::vector<Vector3d> by = choose_origins(result, given);
  if (std::ranges::all_of(by, is_zero)) return result;
  for (Vector3d& origin : by) origin = -origin;
  move_parts(result.parts_, by);
  if (is_zero(by.front())) return result;
  // Where a free joint begins does not matter in what the user says of the start: from the own origin its coordinates are small.
  for_each_free_end(result.parts_.joints, [&](JointEnd& end, BodyIndex body) {
    for (int k = 0; k < 3; ++k)
      if (given[body.slot()].is_given[static_cast<std::size_t>(k)]) end.X_BF.p_AB_A[k] = 0.0;
  });
  return result;
}

Mechanism about_user_origin(const Mechanism& mechanism) {
  Mechanism result = mechanism;
  std::vector<Vector3d> by;
  for (const Body& body : mechanism.bodies()) by.push_back(body.origin_B);
  if (std::ranges::all_of(by, is_zero)) return result;
  move_parts(result.parts_, by);
  for_each_free_end(result.parts_.joints, [&](JointEnd& end, BodyIndex) {
    end.X_BF.p_AB_A = marked_place(result.bodies().front(), end.marker);
  });
  return result;
}

double origin_part(const Mechanism& mechanism, const Variable& variable) {
  return variable.kind == VariableKind::kPointPosition ? mechanism.origin_W()[variable.component] : 0.0;
}

}  // namespace eslabon::model
