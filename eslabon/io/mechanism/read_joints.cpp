#include <algorithm>
#include <array>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/nearest_name.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

namespace {

using model::JointDescription;
using model::JointType;

/// Contact, and transmissions: people write them as joints, they are something else.
constexpr std::array<std::string_view, 8> kHigherPairs{"gear",        "gears",   "higher", "higher-pair",
                                                       "higher_pair", "contact", "belt",   "chain"};

/// Keys of a joint beside its type.
constexpr std::array<std::string_view, 9> kOtherKeys{"axis", "length", "radius", "on",      "inside",
                                                     "lead", "mass",   "stroke", "friction"};

/// What the types are called elsewhere.
constexpr auto kJointSynonyms = std::to_array<KindSynonym>({
    {"hinge", "revolute"},
    {"hinged", "revolute"},
    {"pin", "revolute"},
    {"pivot", "revolute"},
    {"rotary", "revolute"},
    {"rotation", "revolute"},
    {"rotational", "revolute"},
    {"turning", "revolute"},
    {"bearing", "revolute"},
    {"slider", "prismatic"},
    {"slide", "prismatic"},
    {"sliding", "prismatic"},
    {"linear", "prismatic"},
    {"translational", "prismatic"},
    {"guide", "prismatic"},
    {"cylinder", "cylindrical"},
    {"ball", "spherical"},
    {"sphere", "spherical"},
    {"ball-joint", "spherical"},
    {"ball_joint", "spherical"},
    {"socket", "spherical"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"cross", "universal"},
    {"plane", "planar"},
    {"weld", "fixed"},
    {"welded", "fixed"},
    {"rigid", "fixed"},
    {"floating", "free"},
    {"6dof", "free"},
    {"distance", "rod"},
    {"link", "rod"},
    {"bar", "rod"},
    {"pin-in-slot", "slot"},
    {"pin_in_slot", "slot"},
    {"circular-slot", "circular_slot"},
    {"pin_in_circular_slot", "circular_slot"},
    {"point-on-line", "point_on_line"},
    {"inline", "point_on_line"},
    {"point-on-plane", "point_on_plane"},
    {"inplane", "point_on_plane"},
    {"pure-rolling", "rolling"},
    {"pure_rolling", "rolling"},
    {"roll", "rolling"},
    {"wheel", "rolling"},
    {"linear-actuator", "linear_actuator"},
    {"actuator", "linear_actuator"},
    {"ram", "linear_actuator"},
    {"hydraulic", "linear_actuator"},
    {"hydraulic_cylinder", "linear_actuator"},
    {"hydraulic-cylinder", "linear_actuator"},
    {"strut", "linear_actuator"},
    {"spindle", "linear_actuator"},
    {"no_rotation", "translation"},
    {"parallel", "translation"},
    {"point_mass", "translation"},
    {"disc", "rolling_disc"},
    {"disk", "rolling_disc"},
    {"rolling-disc", "rolling_disc"},
    {"rolling_disk", "rolling_disc"},
    {"cam", "point_on_curve"},
    {"follower", "point_on_curve"},
    {"roller_follower", "point_on_curve"},
    {"point-on-curve", "point_on_curve"},
    {"curve-on-line", "curve_on_line"},
    {"curve-on-curve", "curve_on_curve"},
    {"flat_follower", "curve_on_line"},
    {"screw", "helical"},
    {"helix", "helical"},
    {"thread", "helical"},
});

/// Each name once: two types of one name are neighbours.
std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const model::JointTypeFacts& type : model::all_joint_types())
    if (names.empty() || names.back() != type.name) names.emplace_back(type.name);
  return names;
}

/// The key that says the type: {revolute: [ground.A, crank.A]}.
JointType read_type(MapReader& map) {
  for (const Entry& entry : map.node().entries())
    if (std::ranges::find(kHigherPairs, entry.key.text()) != kHigherPairs.end())
      map.reading().fail(entry.key, map.element(), "'" + entry.key.text() + "' is not supported",
                         "a joint type: " + core::quoted_list(type_names()), "'" + entry.key.text() + "'",
                         "Gears, belts and screws are 'couplings:'; cams and teeth are 'point_on_curve', "
                         "'curve_on_line' and 'curve_on_curve'.");
  return *model::find_joint_type(map.need_kind({.what = "joint type",
                                                .kinds = type_names(),
                                                .what_for = "with the two points or frames it joins",
                                                .others = kOtherKeys,
                                                .synonyms = kJointSynonyms}),
                                 map.reading().is_planar());
}

/// The words x, y and z mean the body's own axes.
std::optional<Eigen::Vector3d> axis_of_the_body(std::string_view word) {
  if (word == "x") return Eigen::Vector3d::UnitX();
  if (word == "y") return Eigen::Vector3d::UnitY();
  if (word == "z") return Eigen::Vector3d::UnitZ();
  return std::nullopt;
}

/// One direction in one body: components, or the name of one of its axes ("arm.u", or "u").
Eigen::Vector3d read_direction(MapReader& map, const Node& node, const std::string& body,
                               const AxisTable& axes) {
  if (!node.is_scalar()) return map.reading().vector(node, map.element(), "axis", kNumber);
  if (const auto axis = axis_of_the_body(node.text())) return *axis;
  const std::string full =
      node.text().find('.') == std::string::npos ? body + "." + node.text() : node.text();
  if (full.starts_with(body + "."))
    if (const auto found = axes.find(full); found != axes.end()) return found->second;
  std::vector<std::string> names;
  for (auto it = axes.lower_bound(body + "."); it != axes.end() && it->first.starts_with(body + "."); ++it)
    names.push_back(it->first);
  const auto nearest = core::nearest_name(full, names);
  map.reading().fail(
      node, map.element(), "the axis is not one of body '" + body + "'",
      "components, or " + (names.empty() ? "an axis named under its 'axes:'" : core::quoted_list(names)),
      "'" + node.text() + "'",
      nearest ? "Did you mean '" + *nearest + "'?" : "Write its components, or name it there.");
}

/// What a reference "body.point" says of the body.
std::string body_part(const std::string& reference, const AxisTable& axes) {
  const auto has_axes = [&](std::string_view body) {
    const auto next = axes.lower_bound(std::string(body) + ".");
    return next != axes.end() && next->first.starts_with(std::string(body) + ".");
  };
  const std::string_view body = core::leading_name(reference, has_axes);
  return std::string(body.empty() ? std::string_view(reference).substr(0, reference.rfind('.')) : body);
}

/// One vector, or x, y, z, for both bodies; [first, second] as names; or {first: …, second: …} as names or
/// vectors.
std::optional<model::AxisPair> read_axis(MapReader& map, const JointDescription& joint,
                                         const AxisTable& axes) {
  const Node* node = map.find("axis");
  if (!node) return std::nullopt;
  if (joint.type == JointType::kCurveOnLine) {  // of the face alone: a curve has no axis
    if (node->is_map() ||
        (node->is_sequence() && !node->items().empty() && node->items()[0].is_scalar() &&
         node->items()[0].text().find('.') != std::string::npos && axes.contains(node->items()[0].text())))
      map.reading().fail(*node, map.element(), "two axes where one counts",
                         "one direction in the axes of the first body, that of the face",
                         node->is_map() ? "a map" : "a list of names", "Write the direction of the face.");
    const Eigen::Vector3d face = read_direction(map, *node, body_part(joint.first, axes), axes);
    return model::AxisPair{face, face};
  }
  const std::string first = body_part(joint.first, axes);
  const std::string second = body_part(joint.second, axes);
  if (node->is_map()) {
    MapReader pair(map.reading(), *node, map.element() + ", axis");
    const model::AxisPair axis{
        read_direction(pair, pair.need("first", "the direction in the first body"), first, axes),
        read_direction(pair, pair.need("second", "the direction in the second body"), second, axes)};
    pair.finish();
    return axis;
  }
  const bool is_named_pair =
      node->is_sequence() && node->items().size() == 2 &&
      std::ranges::all_of(node->items(), [](const Node& item) {
        return item.is_scalar() && item.text().find('.') != std::string::npos &&
               std::string_view("0123456789.+-=").find(item.text().front()) == std::string_view::npos;
      });
  if (is_named_pair)
    return model::AxisPair{read_direction(map, node->items()[0], first, axes),
                           read_direction(map, node->items()[1], second, axes)};
  if (joint.type == JointType::kUniversal)
    map.reading().fail(*node, map.element(), "a universal joint has two axes",
                       "'{first: …, second: …}', the axis of the cross in each body",
                       node->is_scalar() ? "'" + node->text() + "'" : "one vector", "Give both.");
  if (joint.type == JointType::kRollingDisc)
    map.reading().fail(*node, map.element(), "a rolling disc has two axes",
                       "'{first: …, second: …}', the normal of the plane and the axis of the disc",
                       node->is_scalar() ? "'" + node->text() + "'" : "one vector", "Give both.");
  const Eigen::Vector3d both = read_direction(map, *node, first, axes);
  return model::AxisPair{both, node->is_scalar() ? read_direction(map, *node, second, axes) : both};
}

/// Below it a joint that holds is stiffer than any integrator can follow [rad/s] or [m/s].
constexpr double kLeastCreepSpeed = 1e-9;

model::JointFriction read_friction(MapReader& joint, JointType type) {
  const Node* node = joint.find("friction");
  if (!node) return {};
  MapReader map(joint.reading(), *node, joint.element() + ", friction");
  const bool turns = model::coordinate_dimension(type, 0) != kLength;
  model::JointFriction friction;
  friction.viscous = map.number_or("viscous", turns ? kTorsionalDamping : kDamping, 0.0);
  friction.coulomb = map.number_or("coulomb", turns ? kTorque : kForce, 0.0);
  friction.stiction = map.number_or("stiction", turns ? kTorque : kForce, friction.coulomb);
  friction.coefficient = map.number_or("coefficient", kNumber, 0.0);
  friction.static_coefficient = map.number_or("static_coefficient", kNumber, friction.coefficient);
  friction.radius = map.number_or("radius", kLength, 0.0);
  friction.stribeck_speed = map.number_or("stribeck_speed", turns ? kAngularVelocity : kVelocity, 0.0);
  friction.creep_speed = map.number_or("creep_speed", turns ? kAngularVelocity : kVelocity, 0.0);
  if (map.has("creep_speed") && !(friction.creep_speed >= kLeastCreepSpeed))
    map.reading().fail(*map.node().find("creep_speed"), map.element(), "creep_speed is too small",
                       "at least 1e-9 rad/s or m/s", "'" + map.node().find("creep_speed")->text() + "'",
                       "Leave it out for 1e-4, or give a larger one.");
  map.finish();
  return friction;
}

/// The limits of a linear actuator's length, of which a stop is made.
std::optional<model::StopDescription> read_stroke(MapReader& map, const std::string& name, JointType type) {
  const Node* node = map.find("stroke");
  if (!node) return std::nullopt;
  if (!model::measures_distance(type))
    map.reading().fail(
        *node, map.element(), "stroke of a joint that is not a linear actuator",
        "stroke with linear actuators only", "a " + std::string(model::facts(type).name) + " joint",
        "Write a stop: 'stops: {" + name + "_stroke: {joint: " + name + ", lower: …, upper: …}}'.");
  const auto limits = map.reading().numbers(*node, map.element(), "stroke", kLength, 2);
  if (!(limits[0] > 0.0 && limits[1] > limits[0]))
    map.reading().fail(*node, map.element(), "a stroke without room",
                       "[shortest, longest] with 0 < shortest < longest",
                       core::number_text(limits[0]) + " m to " + core::number_text(limits[1]) + " m",
                       "Give the distance of the two points when the actuator is drawn in, then drawn out.");
  return model::StopDescription{.name = name + "_stroke",
                                .target = name + ".q",
                                .lower = model::TimeFunction(limits[0]),
                                .upper = model::TimeFunction(limits[1]),
                                .restitution = 0.0};
}

/// `on: R` or `inside: R` beside the radius of what rolls: the circle that it rolls on.
void read_base_circle(MapReader& map, JointDescription& joint) {
  const auto on = map.number("on", kLength), inside = map.number("inside", kLength);
  if (!on && !inside) return;
  const char* const key = on ? "on" : "inside";
  const Node& node = *map.node().find(key);
  if (joint.type != JointType::kRolling)
    map.reading().fail(node, map.element(), std::string("'") + key + "' of a joint that does not roll",
                       "'" + std::string(key) + ":' beside 'rolling:'",
                       "a " + std::string(model::facts(joint.type).name) + " joint", "Remove it.");
  if (on && inside)
    map.reading().fail(*map.node().find("inside"), map.element(), "'on' and 'inside' are both given",
                       "one of the two", "both", "Remove one of them.");
  if (!(on.value_or(1.0) > 0.0) || !(inside.value_or(1.0) > 0.0))
    map.reading().fail(
        node, map.element(), "the radius of the circle under '" + std::string(key) + "' is not positive",
        "a radius > 0 m", "'" + node.text() + "'", "Give its size; 'inside:' says which side.");
  if (!joint.radius) return;  // which is said to be missing
  joint.type = JointType::kCircularSlot;
  joint.rolling = {*joint.radius, on ? *on : -*inside};
  joint.radius.reset();
}

}  // namespace

void read_joints(Reading& reading, const Node& node, PartBuilder& builder) {
  read_named(reading, node, "joints", "joint", [&](MapReader& map, const std::string& name) {
    const JointType type = read_type(map);
    const std::string key(model::facts(type).name);
    const auto ends = reading.texts(*map.find(key), map.element(), key, 2);
    JointDescription joint{name, type, ends[0], ends[1]};
    joint.axis = read_axis(map, joint, builder.scope().axes);
    joint.length = map.number("length", kLength);
    joint.rod_mass = map.number("mass", kMass);
    joint.radius = map.number("radius", kLength);
    joint.lead = map.number("lead", kLength);
    read_base_circle(map, joint);
    joint.friction = read_friction(map, type);
    const auto stroke = read_stroke(map, name, type);
    map.finish();
    reading.at_place([&] {
      builder.add_joint(std::move(joint));
      if (stroke) builder.add_stop(*stroke);
    });
  });
}

}  // namespace eslabon::io
