#include <algorithm>

#include "eslabon/io/mechanism/element_units.hpp"
#include "eslabon/io/mechanism/force_functions.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

namespace {

using model::ConnectionDescription;
using model::LoadKind;

/// A key that belongs to the other kind of freedom: a joint that turns has no force, one that slides no
/// torque.
void reject_other_key(MapReader& map, const std::string& wrong, const std::string& right, bool slides) {
  if (map.has(wrong))
    map.reading().fail(*map.node().find(wrong), map.element(), "'" + wrong + "' does not fit what it acts on",
                       std::string("'") + right + "' for " +
                           (slides ? "a distance or a joint that slides" : "a joint that turns"),
                       "'" + wrong + "'", "Write '" + right + ":' instead.");
}

/// The full name of a joint coordinate of a pair, which must name one of several.
std::string coordinate_of_pair(MapReader& map, const JointTypeTable& types, const std::string& text) {
  const std::string_view joint = joint_in(types, text);
  if (text != joint || model::coordinate_count(types.find(joint)->second) == 1)
    return full_variable(types, text);
  map.reading().fail(*map.node().find("between"), map.element(),
                     "joint '" + std::string(joint) + "' has no coordinate of that name alone",
                     "one coordinate, such as '" + std::string(joint) + ".q1'", "'" + text + "'",
                     "Say which one.");
}

/// Two points, or two joint coordinates, under `between:`.
ConnectionDescription read_ends(MapReader& map, const JointTypeTable& types, ElementUnits& units) {
  const Node& node = *map.find("between");
  const auto ends = map.reading().texts(node, map.element(), "between", 2);
  const bool is_first = !joint_in(types, ends[0]).empty(), is_second = !joint_in(types, ends[1]).empty();
  units = ElementUnits::of(kLength);
  if (!is_first && !is_second) return {ends[0], ends[1]};
  if (is_first != is_second)
    map.reading().fail(node, map.element(), "'between' has a point and a joint coordinate",
                       "two points, or two joint coordinates", "'" + ends[0] + "' and '" + ends[1] + "'",
                       "Name two of one kind.");
  ConnectionDescription pair{coordinate_of_pair(map, types, ends[0]),
                             coordinate_of_pair(map, types, ends[1])};
  pair.is_of_coordinates = true;
  units = ElementUnits::of(dimension_of_position(types, pair.first));
  return pair;
}

/// Two points or joint coordinates under `between:`, a joint under `joint:`, or a coordinate of a point under `point:`.
ConnectionDescription read_connection(MapReader& map, const JointTypeTable& types, ElementUnits& units) {
  const std::string kind = map.need_one_of({"between", "joint", "point"}, "that says where it acts");
  if (kind == "between") return read_ends(map, types, units);
  if (kind == "point") {
    ConnectionDescription of_point{read_coordinate_of_point(map)};
    of_point.is_of_point = true;
    units = ElementUnits::of(kLength);
    return of_point;
  }
  const std::string coordinate = read_joint_coordinate(map, "joint", types);
  units = ElementUnits::of(dimension_of_position(types, coordinate));
  return {coordinate, {}};
}

/// `gas: {pressure: …, volume: …, area: …}`, of springs along lengths.
std::optional<model::GasCharge> read_gas(MapReader& map, const ElementUnits& units) {
  const Node* node = map.find("gas");
  if (node == nullptr) return std::nullopt;
  if (units.length == kAngle)
    map.reading().fail(*node, map.element(), "'gas' does not fit what it acts on",
                       "'gas' for a distance or a joint that slides", "a joint that turns",
                       "Put it between two points.");
  MapReader gas(map.reading(), *node, map.element() + ", gas");
  const auto need = [&](const char* key, const Dimension& dimension) {
    return map.reading().number(gas.need(key, "its value"), gas.element(), key, dimension);
  };
  model::GasCharge charge{.pressure = need("pressure", kPressure),
                          .volume = need("volume", kVolume),
                          .area = need("area", kArea)};
  charge.exponent = gas.number_or("exponent", kNumber, 1.0);
  charge.ambient = gas.number_or("ambient", kPressure, 0.0);
  gas.finish();
  return charge;
}

/// `force:` or `torque:`, a formula that is read when the mechanism is there.
std::optional<model::LawDescription> find_law(MapReader& map, const ElementUnits& units) {
  const bool turns = units.length == kAngle;
  reject_other_key(map, turns ? "force" : "torque", turns ? "torque" : "force", !turns);
  if (map.find(turns ? "torque" : "force") == nullptr) return std::nullopt;
  return model::LawDescription{};
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
                                                   const Dimension& dimension, ForceFunctions& functions) {
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
    components[i] = functions.read(node.items()[i], map.element(), std::string(key), dimension);
  return components;
}

model::LoadDescription read_point_force(MapReader& map, const std::string& name, ForceFunctions& functions) {
  model::LoadDescription load{name, LoadKind::kPointForce,
                              map.reading().text(*map.find("point"), map.element(), "point")};
  load.components = read_components(map, "force", kForce, functions);
  load.in_body_axes = read_in_body_axes(map);
  return load;
}

model::LoadDescription read_body_torque(MapReader& map, const std::string& name, ForceFunctions& functions) {
  model::LoadDescription load{name, LoadKind::kBodyTorque,
                              map.reading().text(*map.find("body"), map.element(), "body")};
  if (map.reading().is_planar())
    load.components[2] = functions.read(map.need("torque", "a torque"), map.element(), "torque", kTorque);
  else
    load.components = read_components(map, "torque", kTorque, functions);
  load.in_body_axes = read_in_body_axes(map);
  return load;
}

model::LoadDescription read_joint_effort(MapReader& map, const std::string& name, const JointTypeTable& types,
                                         ForceFunctions& functions) {
  const std::string coordinate = read_joint_coordinate(map, "joint", types);
  model::LoadDescription load{name, LoadKind::kJointEffort, coordinate};
  const bool slides = dimension_of_position(types, coordinate) == kLength;
  const std::string key = slides ? "force" : "torque";
  reject_other_key(map, slides ? "torque" : "force", key, slides);
  load.components[0] = functions.read(map.need(key, "its value or a function of the time t"), map.element(),
                                      key, slides ? kForce : kTorque);
  return load;
}

/// Six numbers along and about x, y, z; in the plane three: x, y and the turn.
void read_directions(MapReader& map, const char* key, const Dimension& along, const Dimension& about,
                     std::array<double, 6>& out) {
  const Node* node = map.find(key);
  if (node == nullptr) return;
  const bool is_planar = map.reading().is_planar();
  const std::size_t count = is_planar ? 3 : 6;
  if (!node->is_sequence() || node->items().size() != count)
    map.reading().fail(
        *node, map.element(), "'" + std::string(key) + "' has the wrong form",
        is_planar ? "a list of 3 numbers: along x and y, and about z"
                  : "a list of 6 numbers: along x, y, z, and about x, y, z",
        node->is_sequence() ? std::to_string(node->items().size()) + " entries"
        : node->is_scalar() ? "'" + node->text() + "'"
                            : std::string(node->kind_name()),
        is_planar ? "Write it as [x, y, turn]." : "Write it as [x, y, z, about x, about y, about z].");
  const std::size_t num_along = is_planar ? 2 : 3;
  for (std::size_t k = 0; k < count; ++k)
    out[is_planar && k == 2 ? 5 : k] =
        map.reading().number(node->items()[k], map.element(), key, k < num_along ? along : about);
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
    spring.gas = read_gas(map, units);
    spring.law = find_law(map, units);
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
    damper.law = find_law(map, units);
    map.finish();
    reading.at_place([&] { builder.add_damper(std::move(damper)); });
  });
}

void read_bushings(Reading& reading, const Node& node, PartBuilder& builder) {
  read_named(reading, node, "bushings", "bushing", [&](MapReader& map, const std::string& name) {
    const Node& ends = map.need("between", "two points or frames");
    const auto markers = reading.texts(ends, map.element(), "between", 2);
    model::BushingDescription bushing{name, markers[0], markers[1]};
    read_directions(map, "stiffness", kStiffness, kTorsionalStiffness, bushing.stiffness);
    read_directions(map, "damping", kDamping, kTorsionalDamping, bushing.damping);
    map.finish();
    reading.at_place([&] { builder.add_bushing(std::move(bushing)); });
  });
}

void read_laws(Reading& reading, const Node& node, const char* kind, PartBuilder& builder,
               std::optional<model::Mechanism>& so_far) {
  for (const Entry& entry : node.entries())
    for (const char* key : {"force", "torque"}) {
      const Node* law = entry.value.find(key);
      if (law == nullptr) continue;
      const std::string& name = entry.key.text();
      ForceFunctions functions(reading, builder, so_far);
      model::TimeFunction function =
          functions.read(*law, std::string(kind) + " '" + name + "'", key, key[0] == 'f' ? kForce : kTorque);
      reading.at_place([&] { builder.set_law(name, {std::move(function), functions.variables()}); });
    }
}

void read_forces(Reading& reading, const Node& node, PartBuilder& builder,
                 std::optional<model::Mechanism>& so_far) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "forces", "force", [&](MapReader& map, const std::string& name) {
    const std::string kind = map.need_one_of({"point", "body", "joint"}, "that says where it acts");
    ForceFunctions functions(reading, builder, so_far);
    model::LoadDescription load = kind == "point"  ? read_point_force(map, name, functions)
                                  : kind == "body" ? read_body_torque(map, name, functions)
                                                   : read_joint_effort(map, name, types, functions);
    load.variables = functions.variables();
    map.finish();
    reading.at_place([&] { builder.add_load(std::move(load)); });
  });
}

}  // namespace eslabon::io
