#include "eslabon/model/checks/joint_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/model/checks/curve_checks.hpp"
#include "eslabon/model/checks/value_checks.hpp"
#include "eslabon/model/elements/joint_frame.hpp"

namespace eslabon::model::detail {

namespace {

using Eigen::Vector3d;

Place place_of(const JointDescription& joint) { return {kJointWord, joint.name}; }
Place place_of(const Joint& joint) { return {kJointWord, joint.name}; }

/// The key of the two ends in files is the type: {revolute: [ground.A, crank.A]}.
Field ends_field(JointType type) { return {facts(type).name}; }

/// "a spherical joint"
std::string a_joint(JointType type) { return "a " + std::string(facts(type).name) + " joint"; }

/// Whether a joint of points needs an axis. In the plane everything turns about z, and only sliding has a
/// direction.
bool has_axis(JointType type, bool is_planar) {
  const AxisUse use = facts(type).axis_use;
  return is_planar ? use == AxisUse::kSlide : use != AxisUse::kNone;
}

void check_type(const JointDescription& joint, bool is_planar) {
  if (freedoms(joint.type, is_planar) >= 0) return;
  std::vector<std::string> known;
  for (const JointTypeFacts& type : all_joint_types())
    if (freedoms(type.type, is_planar) >= 0) known.emplace_back(type.name);
  fail(place_of(joint), ends_field(joint.type),
       {a_joint(joint.type) + " is not possible " + (is_planar ? "in a planar mechanism" : "in space"),
        core::quoted_list(known), core::quoted(facts(joint.type).name),
        is_planar ? "Use one of these, or remove 'plane' to make the mechanism spatial."
                  : "Use one of these, or add 'plane: xy' if all moves in one plane."});
}

void check_axis(const JointDescription& joint, bool is_planar) {
  if (!joint.axis) return;
  const Field field{"axis"};
  check_finite(joint.axis->first, place_of(joint), field);
  check_finite(joint.axis->second, place_of(joint), field);
  if (!has_axis(joint.type, is_planar))
    fail(place_of(joint), field,
         {a_joint(joint.type) + " has no axis" + (is_planar ? " in the plane" : ""), "no axis",
          to_text(joint.axis->first), "Remove the axis."});
  check_direction(joint.axis->first, is_planar, place_of(joint), field);
  check_direction(joint.axis->second, is_planar, place_of(joint), field);
}

void check_rod(const JointDescription& joint) {
  const Place place = place_of(joint);
  if (joint.type == JointType::kRod) {
    if (!joint.length)
      fail(place, {"length"},
           {"a rod without length", "length > 0 m", "none",
            "Give the distance of its two points as 'length:'."});
    check_positive(*joint.length, "m", place, {"length"});
    if (joint.rod_mass) check_not_negative(*joint.rod_mass, "kg", place, {"mass"});
    return;
  }
  const auto forbid = [&](const std::optional<double>& value, std::string_view key, std::string_view unit) {
    if (!value) return;
    fail(place, {key},
         {std::string(key) + " of a joint that is not a rod", std::string(key) + " with rods only",
          with_unit(*value, unit) + " for " + a_joint(joint.type), "Remove '" + std::string(key) + ":'."});
  };
  forbid(joint.length, "length", "m");
  forbid(joint.rod_mass, "mass", "kg");
}

/// A circle must have room in the one that it rolls inside of.
void check_circles(const JointDescription& joint) {
  const Place place = place_of(joint);
  const CircleRolling& rolling = *joint.rolling;
  const bool is_inside = rolling.base < 0.0;
  const Field field{is_inside ? "inside" : "on"};
  check_positive(rolling.radius, "m", place, {"radius"});
  check_positive(std::abs(rolling.base), "m", place, field);
  if (is_inside && !(rolling.radius < -rolling.base))
    fail(place, field,
         {"a circle does not fit into the one that it rolls inside of", "a radius below that under 'inside:'",
          with_unit(rolling.radius, "m") + " in " + with_unit(-rolling.base, "m"),
          "Make it smaller, or write 'on:' to roll outside."});
}

void check_radius(const JointDescription& joint) {
  const Place place = place_of(joint);
  if (joint.rolling) return check_circles(joint);
  if (joint.radius && joint.type == JointType::kPointOnSpaceCurve)
    fail(place, {"radius"},
         {"radius of a point on a curve in space", "no radius: in space the point itself stays on the curve",
          with_unit(*joint.radius, "m"), "Remove 'radius:', and give the curve of the roller's centre."});
  if (!may_have_radius(joint.type)) {
    if (joint.radius)
      fail(place, {"radius"},
           {"radius of a joint without a circle",
            "radius with circular_slot, rolling, rolling_disc and point_on_curve joints only",
            with_unit(*joint.radius, "m") + " for " + a_joint(joint.type), "Remove 'radius:'."});
    return;
  }
  if (!joint.radius && !has_radius(joint.type)) return;  // a point
  if (!joint.radius)
    fail(place, {"radius"},
         {a_joint(joint.type) + " without radius", "radius > 0 m", "none",
          joint.type == JointType::kRolling       ? "Give the radius of the circle that rolls as 'radius:'."
          : joint.type == JointType::kRollingDisc ? "Give the radius of the disc as 'radius:'."
                                                  : "Give the radius of the slot as 'radius:'."});
  check_positive(*joint.radius, "m", place, {"radius"});
}

void check_lead(const JointDescription& joint) {
  const Place place = place_of(joint);
  if (!has_lead(joint.type)) {
    if (joint.lead)
      fail(place, {"lead"},
           {"lead of a joint without a thread", "lead with helical joints only",
            with_unit(*joint.lead, "m") + " for " + a_joint(joint.type), "Remove 'lead:'."});
    return;
  }
  if (!joint.lead)
    fail(place, {"lead"},
         {a_joint(joint.type) + " without lead", "the way along the axis in one turn, a length other than 0",
          "none", "Give it as 'lead:', of a left-hand thread with a minus."});
  check_finite(*joint.lead, "m", place, {"lead"});
  if (*joint.lead == 0.0)
    fail(place, {"lead"},
         {"the lead is zero", "a length other than 0", "0",
          "Give the way along the axis in one turn, or use a revolute joint."});
}

// Where the user gives none [rad/s] or [m/s]: a joint that holds a tenth of what it can creeps by 0.024 rad or m in an hour.
constexpr double kCreepSpeed = 1e-4;

/// Stiction that is not given is that of sliding.
JointFriction completed(JointFriction friction) {
  if (friction.stiction == 0.0) friction.stiction = friction.coulomb;
  if (friction.static_coefficient == 0.0) friction.static_coefficient = friction.coefficient;
  if (friction.is_dry() && friction.creep_speed == 0.0) friction.creep_speed = kCreepSpeed;
  return friction;
}

/// Friction that the load of the joint makes.
void check_load_friction(const JointDescription& joint) {
  const Place place = place_of(joint);
  const JointFriction& friction = joint.friction;
  check_not_negative(friction.coefficient, "", place, {"friction, coefficient"});
  check_not_negative(friction.static_coefficient, "", place, {"friction, static_coefficient"});
  check_not_negative(friction.radius, "m", place, {"friction, radius"});
  const double largest = completed(friction).static_coefficient;
  if (largest < friction.coefficient)
    fail(place, {"friction"},
         {"the static coefficient is below that of sliding", "static_coefficient >= coefficient",
          with_unit(largest, "") + " and " + with_unit(friction.coefficient, ""), "Raise it, or remove it."});
  const bool turns = joint.type == JointType::kRevolute;
  if (largest > 0.0 && !turns && joint.type != JointType::kPrismatic)
    fail(place, {"friction"},
         {"a coefficient of friction where the load has no one direction", "a revolute or prismatic joint",
          a_joint(joint.type), "Give 'coulomb:' and 'stiction:' instead."});
  if (largest > 0.0 && turns && friction.radius == 0.0)
    fail(place, {"friction"},
         {"a coefficient of friction without the radius of the pin", "radius > 0", with_unit(0.0, "m"),
          "Give 'radius:'."});
  if (friction.radius > 0.0 && (largest == 0.0 || !turns))
    fail(place, {"friction"},
         {"a radius that nothing asks for", "a radius beside a coefficient, in a revolute joint",
          with_unit(friction.radius, "m"), "Remove the radius, or give 'coefficient:' to a revolute joint."});
}

/// Whether it has coordinates of turning and of sliding.
bool turns_and_slides(JointType type) {
  const auto has = [&](const core::Dimension& dimension) {
    return std::ranges::count(facts(type).coordinates, dimension, &JointCoordinateFacts::dimension) > 0;
  };
  return has(core::kAngle) && has(core::kLength);
}

void check_friction(const JointDescription& joint) {
  const Place place = place_of(joint);
  const Field field{"friction"};
  const JointFriction& friction = joint.friction;
  check_not_negative(friction.viscous, "", place, {"friction, viscous"});
  check_not_negative(friction.coulomb, "", place, {"friction, coulomb"});
  check_not_negative(friction.stiction, "", place, {"friction, stiction"});
  check_not_negative(friction.stribeck_speed, "", place, {"friction, stribeck_speed"});
  check_not_negative(friction.creep_speed, "", place, {"friction, creep_speed"});
  if (friction.is_none()) return;
  if (is_nonholonomic(joint.type))
    fail(place, field,
         {"friction where nothing slides", "a joint whose bodies slide on each other", a_joint(joint.type),
          "Remove the friction, or give a damper to a joint of the disc."});
  if (coordinate_count(joint.type) == 0 && !is_ball(joint.type))
    fail(place, field,
         {"friction where nothing rubs", "a joint whose bodies touch and move", a_joint(joint.type),
          "Remove the friction."});
  if (joint.type == JointType::kRolling)
    fail(place, field,
         {"friction where nothing slides", "a joint whose bodies slide on each other", a_joint(joint.type),
          "Remove the friction, or give a damper to one of its coordinates."});
  if (has_curve(joint.type))
    fail(place, field,
         {"friction of a curve",
          joint.type == JointType::kPointOnSpaceCurve ? "a joint that turns, or slides along a straight line"
                                                      : "a joint of one kind of motion",
          a_joint(joint.type), "Remove the friction, or give a damper to one of its coordinates."});
  if (turns_and_slides(joint.type) || joint.type == JointType::kCircularSlot)
    fail(place, field,
         {"one friction for a joint that turns and slides", "a joint of one kind of motion",
          a_joint(joint.type),
          "Make it two joints with a massless body between them, each with its own friction."});
  const double stiction = completed(friction).stiction;
  if (stiction < friction.coulomb)
    fail(place, field,
         {"stiction is below sliding friction", "stiction >= coulomb",
          with_unit(stiction, "") + " and " + with_unit(friction.coulomb, ""),
          "Raise stiction, or remove it."});
  check_load_friction(joint);
  const JointFriction whole = completed(friction);
  if ((stiction > friction.coulomb || whole.static_coefficient > friction.coefficient) &&
      friction.stribeck_speed == 0.0)
    fail(place, field,
         {"stiction without the speed at which it ends", "stribeck_speed > 0", with_unit(0.0, ""),
          "Give 'stribeck_speed:', or remove stiction."});
  if (friction.creep_speed > 0.0 && !whole.is_dry())
    fail(place, field,
         {"a creep speed without dry friction", "coulomb, stiction or a coefficient beside it", "none",
          "Remove 'creep_speed:', or give one of them."});
}

/// What an end of a joint is: a point or frame of a body, or, by its place in Body::curves, a curve.
struct EndMarker {
  Marker marker;
  bool is_curve;
};
EndMarker find_end(const JointDescription& joint, std::size_t end, const NameLookup& lookup) {
  const std::string& text = end == 0 ? joint.first : joint.second;
  if (!is_curve(joint.type, end))
    return {lookup.marker(text, place_of(joint), ends_field(joint.type)), false};
  const auto [body, position] = lookup.curve(text, place_of(joint), ends_field(joint.type));
  return {{body, false, static_cast<int>(position)}, true};
}

JointEnd make_end(const JointDescription& joint, const EndMarker& end, bool is_first,
                  const Mechanism& mechanism) {
  const Marker& marker = end.marker;
  const Body& body = mechanism.body(marker.body);
  if (end.is_curve) {
    const NamedCurve& curve = body.curves[static_cast<std::size_t>(marker.position)];
    return {marker.body,
            curve.name,
            std::nullopt,
            {core::Rotation<double>(), curve.points.front()},
            touched_curve(curve)};
  }
  const auto position = static_cast<std::size_t>(marker.position);
  if (marker.is_frame) {
    const NamedFrame& frame = body.frames[position];
    return {marker.body, frame.name, std::nullopt, frame.X_BF(), nullptr};
  }
  const NamedPoint& point = body.points[position];
  if (!joint.axis)
    return {marker.body, point.name, std::nullopt, {core::Rotation<double>(), point.p_BP_B}, nullptr};
  const Vector3d& axis_B = is_first ? joint.axis->first : joint.axis->second;
  return {marker.body, point.name, axis_B,
          frame_on_point(facts(joint.type).axis_use, is_first, point.p_BP_B, axis_B), nullptr};
}

/// A circle that rolls: the first frame stands where the centre is when the circle touches the line at the marker.
void raise_to_centre(const JointDescription& joint, JointEnd& line) {
  line.X_BF.p_AB_A += *joint.radius * line.X_BF.R_AB.matrix().col(1);
}

/// A joint with an axis takes it either from two frames or from `axis` for two points.
void check_axis_is_known_once(const JointDescription& joint, const Marker& first, const Marker& second,
                              bool is_planar) {
  if (!has_axis(joint.type, is_planar)) return;
  const Place place = place_of(joint);
  if (first.is_frame != second.is_frame && !has_curve(joint.type))
    fail(place, ends_field(joint.type),
         {"a joint of a point and a frame", "two points and an axis, or two frames",
          core::quoted(joint.first) + " and " + core::quoted(joint.second),
          "Add a frame at the point, and join the frames."});
  if (first.is_frame && joint.axis)
    fail(place, {"axis"},
         {"two axes for one joint", "no axis for a joint of frames, which have their own",
          to_text(joint.axis->first), "Remove the axis, or join points."});
  if (!first.is_frame && !joint.axis)
    fail(place, {"axis"},
         {a_joint(joint.type) + " without axis", "an axis, or frames instead of points", "none",
          "Give the direction as 'axis:'."});
}

/// Union–find over bodies, path halving; nearly constant time per joint.
class ConnectedBodies {
 public:
  explicit ConnectedBodies(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  void join(BodyIndex a, BodyIndex b) { parent_[root(a.slot())] = root(b.slot()); }
  std::size_t root(std::size_t body) {
    for (; parent_[body] != body; body = parent_[body]) parent_[body] = parent_[parent_[body]];
    return body;
  }

 private:
  std::vector<std::size_t> parent_;
};

void check_connected(const Mechanism& mechanism) {
  ConnectedBodies bodies(mechanism.bodies().size());
  for (const Joint& joint : mechanism.joints()) bodies.join(joint.first(), joint.second());
  std::vector<BodyIndex> loose;
  for (std::size_t b = 1; b < mechanism.bodies().size(); ++b)
    if (bodies.root(b) != bodies.root(kGround.slot())) loose.emplace_back(static_cast<int>(b));
  if (loose.empty()) return;

  const std::string& body = mechanism.body(loose.front()).name;
  const std::size_t others = loose.size() - 1;
  const bool has_joint = std::ranges::any_of(mechanism.joints(), [&](const Joint& joint) {
    return joint.first() == loose.front() || joint.second() == loose.front();
  });
  std::string actual = has_joint ? "joints that do not lead there" : "no joint";
  if (others == 1) actual += ", and 1 more body like it";
  if (others > 1) actual += ", and " + std::to_string(others) + " more bodies like it";
  fail({kBodyWord, body}, {},
       {"a body is not connected to the ground", "joints that lead from every body to the ground", actual,
        "Add the joint that is missing, or a 'free' joint to the ground if the body floats."});
}

/// Type and ends, the same whichever end is written first.
std::string signature(const Mechanism& mechanism, const Joint& joint) {
  const auto end_text = [&](const JointEnd& end) { return mechanism.body(end.body).name + "." + end.marker; };
  std::string a = end_text(joint.ends[0]), b = end_text(joint.ends[1]);
  if (b < a) std::swap(a, b);
  return std::string(1, facts(joint.type).letter) + " " + a + " " + b;
}

void check_written_once(const Mechanism& mechanism) {
  std::unordered_map<std::string, const Joint*> seen;
  seen.reserve(mechanism.joints().size());
  for (const Joint& joint : mechanism.joints()) {
    const auto [before, is_new] = seen.emplace(signature(mechanism, joint), &joint);
    if (is_new) continue;
    fail(place_of(joint), ends_field(joint.type),
         {"a joint is written twice",
          "one " + std::string(facts(joint.type).name) + " joint between two markers",
          "the same ends as joint '" + before->second->name + "'", "Remove one of the two."});
  }
}

}  // namespace

void check_joint(const JointDescription& description, bool is_planar) {
  check_element_name(place_of(description));
  check_type(description, is_planar);
  check_axis(description, is_planar);
  check_rod(description);
  check_radius(description);
  check_lead(description);
  check_friction(description);
}

Joint make_joint(const JointDescription& description, const Mechanism& mechanism, const NameLookup& lookup) {
  const Place place = place_of(description);
  const Field field = ends_field(description.type);
  const EndMarker first_end = find_end(description, 0, lookup), second_end = find_end(description, 1, lookup);
  const Marker &first = first_end.marker, &second = second_end.marker;
  if (first.body == second.body)
    fail(place, field,
         {"a joint holds the same body at both ends", "two different bodies",
          core::quoted(description.first) + " and " + core::quoted(description.second),
          "Change one of the ends."});
  check_axis_is_known_once(description, first, second, mechanism.is_planar());
  Joint joint{
      .name = description.name,
      .type = description.type,
      .ends = {make_end(description, first_end, true, mechanism),
               make_end(description, second_end, false, mechanism)},
      .length = description.lead.value_or(description.radius.value_or(description.length.value_or(0.0))),
      .rod_mass = description.rod_mass.value_or(0.0),
      .friction = completed(description.friction),
      .rolling = description.rolling};
  if (joint.rolling) joint.length = joint.rolling->distance();
  if (joint.type == JointType::kRolling) raise_to_centre(description, joint.ends[0]);
  if (has_curve(joint.type)) check_contact(joint, mechanism);
  return joint;
}

void check_joints_together(const Mechanism& mechanism) {
  check_written_once(mechanism);
  check_connected(mechanism);
}

}  // namespace eslabon::model::detail
