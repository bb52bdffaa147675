#include <algorithm>

#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

namespace {

using model::ConnectionDescription;
using model::LoadKind;

/// Units of a spring or damper: those of forces between points and in sliding joints, or those of torques.
struct ElementUnits {
  Dimension length, force;

  static ElementUnits of(const Dimension& position) {
    return position == kLength ? ElementUnits{kLength, kForce} : ElementUnits{kAngle, kTorque};
  }
  Dimension stiffness() const { return force / length; }
  Dimension damping() const { return force / (length / kTime); }
};

/// Two points under `between:`, or a joint under `joint:`.
ConnectionDescription read_connection(MapReader& map, const JointTypeTable& types, ElementUnits& units) {
  const std::string kind = map.need_one_of({"between", "joint"}, "that says where it acts");
  if (kind == "between") {
    const auto ends = map.reading().texts(*map.find("between"), map.element(), "between", 2);
    units = ElementUnits::of(kLength);
    return {ends[0], ends[1]};
  }
  const std::string coordinate = read_joint_coordinate(map, "joint", types);
  units = ElementUnits::of(dimension_of_position(types, coordinate));
  return {coordinate, {}};
}

/// Rows [argument, force].
model::ForceTable read_table(MapReader& map, const Dimension& argument, const Dimension& force) {
  const Node* node = map.find("table");
  if (!node) return {};
  if (!node->is_sequence())
    map.reading().fail(*node, map.element(), "table is not a list", "rows [argument, force]",
                       node->is_scalar() ? "'" + node->text() + "'" : std::string(node->kind_name()),
                       "Write it as [[argument, force], [argument, force]].");
  model::ForceTable table;
  for (const Node& row : node->items()) {
    if (!row.is_sequence() || row.items().size() != 2)
      map.reading().fail(row, map.element(), "a row of the table is not a pair", "[argument, force]",
                         row.is_scalar()     ? "'" + row.text() + "'"
                         : row.is_sequence() ? "a list of " + std::to_string(row.items().size())
                                             : std::string(row.kind_name()),
                         "Write two numbers per row.");
    table.emplace_back(map.reading().number(row.items()[0], map.element(), "table", argument),
                       map.reading().number(row.items()[1], map.element(), "table", force));
  }
  return table;
}

/// A key that belongs to the other kind of freedom: a joint that turns has no force, one that slides no
/// torque.
void reject_other_key(MapReader& map, const std::string& wrong, const std::string& right, bool slides) {
  if (map.has(wrong))
    map.reading().fail(*map.node().find(wrong), map.element(), "'" + wrong + "' does not fit what it acts on",
                       std::string("'") + right + "' for " +
                           (slides ? "a distance or a joint that slides" : "a joint that turns"),
                       "'" + wrong + "'", "Write '" + right + ":' instead.");
}

/// World axes unless `axes: body` is written.
bool read_in_body_axes(MapReader& map) {
  const auto axes = map.text("axes");
  if (!axes || *axes == "world") return false;
  if (*axes != "body")
    map.reading().fail(*map.node().find("axes"), map.element(), "unknown axes", "'world' or 'body'",
                       "'" + *axes + "'", "Write 'body' for axes that turn with the body.");
  return true;
}

std::array<model::TimeFunction, 3> read_components(MapReader& map, std::string_view key,
                                                   const Dimension& dimension) {
  const Node& node = map.need(key, "its components");
  const auto count = static_cast<std::size_t>(map.reading().dimensions());
  if (!node.is_sequence() || node.items().size() != count)
    map.reading().fail(node, map.element(), std::string(key) + " has the wrong form",
                       "a list of " + std::to_string(count) + " numbers or functions of the time t",
                       node.is_sequence() ? std::to_string(node.items().size()) + " entries"
                       : node.is_scalar() ? "'" + node.text() + "'"
                                          : std::string(node.kind_name()),
                       count == 2 ? "Write it as [x, y]." : "Write it as [x, y, z].");
  std::array<model::TimeFunction, 3> components;
  for (std::size_t i = 0; i < count; ++i)
    components[i] = map.reading().function(node.items()[i], map.element(), std::string(key), dimension);
  return components;
}

model::LoadDescription read_point_force(MapReader& map, const std::string& name) {
  model::LoadDescription load{name, LoadKind::kPointForce,
                              map.reading().text(*map.find("point"), map.element(), "point")};
  load.components = read_components(map, "force", kForce);
  load.in_body_axes = read_in_body_axes(map);
  return load;
}

model::LoadDescription read_body_torque(MapReader& map, const std::string& name) {
  model::LoadDescription load{name, LoadKind::kBodyTorque,
                              map.reading().text(*map.find("body"), map.element(), "body")};
  if (map.reading().is_planar())
    load.components[2] =
        map.reading().function(map.need("torque", "a torque"), map.element(), "torque", kTorque);
  else
    load.components = read_components(map, "torque", kTorque);
  load.in_body_axes = read_in_body_axes(map);
  return load;
}

model::LoadDescription read_joint_effort(MapReader& map, const std::string& name,
                                         const JointTypeTable& types) {
  const std::string coordinate = read_joint_coordinate(map, "joint", types);
  model::LoadDescription load{name, LoadKind::kJointEffort, coordinate};
  const bool slides = dimension_of_position(types, coordinate) == kLength;
  const std::string key = slides ? "force" : "torque";
  reject_other_key(map, slides ? "torque" : "force", key, slides);
  load.components[0] = map.reading().function(map.need(key, "its value or a function of the time t"),
                                              map.element(), key, slides ? kForce : kTorque);
  return load;
}

/// What a stop limits: {joint: A} or {point: wheel.W.z}.
std::string read_stopped(MapReader& map, const JointTypeTable& types) {
  const std::string kind = map.need_one_of({"joint", "point"}, "that says what it stops");
  map.reading().remember(map.element() + ", target", map.node().find(kind)->position());
  if (kind == "joint") return read_joint_coordinate(map, kind, types);
  const std::string target = map.reading().text(*map.find(kind), map.element(), kind);
  if (std::ranges::count(target, '.') < 2)
    map.reading().fail(*map.node().find(kind), map.element(), "the direction is missing",
                       "BODY.POINT.x or another coordinate of a point", "'" + target + "'",
                       "Write the body, the point and the letter, with dots between them.");
  return target;
}

/// `lower:` and `upper:`, functions of time, or `play:` around `center:`.
void read_limits(MapReader& map, const Dimension& dimension, model::StopDescription& stop) {
  const auto play = map.number("play", dimension);
  const auto center = map.number("center", dimension);
  if (!play && center)
    map.reading().fail(*map.node().find("center"), map.element(), "a center without play",
                       "'play:' beside it", "none", "Give 'play:', or 'lower:' and 'upper:' instead.");
  for (const char* key : {"lower", "upper"}) {
    const Node* node = map.find(key);
    if (!node) continue;
    if (play)
      map.reading().fail(*node, map.element(), std::string("'play' and '") + key + "' are both given",
                         "one of the two", "both", "Remove one of them.");
    (key[0] == 'l' ? stop.lower : stop.upper) = map.reading().function(*node, map.element(), key, dimension);
  }
  if (!play) return;
  if (!(*play > 0.0))
    map.reading().fail(*map.node().find("play"), map.element(), "play is not positive", "play > 0",
                       "'" + map.node().find("play")->text() + "'",
                       "Give how far it moves from side to side.");
  stop.lower = center.value_or(0.0) - 0.5 * *play;
  stop.upper = center.value_or(0.0) + 0.5 * *play;
}

}  // namespace

void read_springs(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "springs", "spring", [&](MapReader& map, const std::string& name) {
    ElementUnits units{};
    model::SpringDescription spring{name, read_connection(map, types, units)};
    const bool turns = units.length == kAngle;
    reject_other_key(map, turns ? "free_length" : "free_angle", turns ? "free_angle" : "free_length", !turns);
    spring.stiffness = map.number_or("stiffness", units.stiffness(), 0.0);
    spring.free_length = map.number_or(turns ? "free_angle" : "free_length", units.length, 0.0);
    spring.damping = map.number_or("damping", units.damping(), 0.0);
    spring.preload = map.number_or("preload", units.force, 0.0);
    spring.table = read_table(map, units.length, units.force);
    map.finish();
    reading.at_place([&] { builder.add_spring(std::move(spring)); });
  });
}

void read_dampers(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "dampers", "damper", [&](MapReader& map, const std::string& name) {
    ElementUnits units{};
    model::DamperDescription damper{name, read_connection(map, types, units)};
    damper.damping = map.number_or("damping", units.damping(), 0.0);
    damper.table = read_table(map, units.length / kTime, units.force);
    map.finish();
    reading.at_place([&] { builder.add_damper(std::move(damper)); });
  });
}

void read_stops(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "stops", "stop", [&](MapReader& map, const std::string& name) {
    model::StopDescription stop{name, read_stopped(map, types)};
    const ElementUnits units = ElementUnits::of(dimension_of_position(types, stop.target));
    read_limits(map, units.length, stop);
    stop.restitution = map.number("restitution", kNumber);
    stop.stiffness = map.number_or("stiffness", units.stiffness(), 0.0);
    stop.damping = map.number_or("damping", units.damping(), 0.0);
    map.finish();
    reading.at_place([&] { builder.add_stop(std::move(stop)); });
  });
}

void read_forces(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "forces", "force", [&](MapReader& map, const std::string& name) {
    const std::string kind = map.need_one_of({"point", "body", "joint"}, "that says where it acts");
    model::LoadDescription load = kind == "point"  ? read_point_force(map, name)
                                  : kind == "body" ? read_body_torque(map, name)
                                                   : read_joint_effort(map, name, types);
    map.finish();
    reading.at_place([&] { builder.add_load(std::move(load)); });
  });
}

}  // namespace eslabon::io
