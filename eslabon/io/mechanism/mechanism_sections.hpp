#pragma once

#include <map>
#include <string>

#include "eslabon/io/mechanism/map_reader.hpp"
#include "eslabon/model/mechanism_builder.hpp"

/// The readers of the sections of a mechanism file, each from its node into the builder. Private to this
/// layer: docs/mechanism-file.md is what they promise.
namespace eslabon::io {

/// Directions that bodies name under `axes:`, by "body.axis"; joints refer to them.
using AxisTable = std::map<std::string, Eigen::Vector3d, std::less<>>;

/// Types of the joints by name, which say what unit a joint coordinate has.
using JointTypeTable = std::map<std::string, model::JointType, std::less<>>;

void read_ground(Reading& reading, const Node& node, model::MechanismBuilder& builder, AxisTable& axes);
void read_bodies(Reading& reading, const Node& node, model::MechanismBuilder& builder, AxisTable& axes);
void read_joints(Reading& reading, const Node& node, const AxisTable& axes, model::MechanismBuilder& builder,
                 JointTypeTable& types);

void read_drivers(Reading& reading, const Node& node, const JointTypeTable& types,
                  model::MechanismBuilder& builder);
void read_springs(Reading& reading, const Node& node, const JointTypeTable& types,
                  model::MechanismBuilder& builder);
void read_dampers(Reading& reading, const Node& node, const JointTypeTable& types,
                  model::MechanismBuilder& builder);
void read_stops(Reading& reading, const Node& node, const JointTypeTable& types,
                model::MechanismBuilder& builder);
void read_forces(Reading& reading, const Node& node, const JointTypeTable& types,
                 model::MechanismBuilder& builder);
void read_sensors(Reading& reading, const Node& node, const JointTypeTable& types,
                  model::MechanismBuilder& builder);
/// Sections 'assembly', of guesses, and 'start', of values that are met.
void read_start_values(Reading& reading, const Node& node, const char* section, model::StartKind kind,
                       const JointTypeTable& types, model::MechanismBuilder& builder);
void read_inputs(Reading& reading, const Node& node, const JointTypeTable& types,
                 model::MechanismBuilder& builder);
void read_outputs(Reading& reading, const Node& node, model::MechanismBuilder& builder);

/// Calls `read_one(map_reader, name)` for every entry of a section "NAME: {…}"; messages call the entry `KIND
/// 'NAME'`.
template <class ReadOne>
void read_named(Reading& reading, const Node& section, std::string_view key, std::string_view kind,
                ReadOne read_one) {
  if (!section.is_map())
    reading.fail(section, "", "section '" + std::string(key) + "' is not a map",
                 "a name and a description for each " + std::string(kind),
                 section.is_scalar() ? "'" + section.text() + "'" : std::string(section.kind_name()),
                 "Write one 'NAME: {…}' per line, indented and without '-'.");
  for (const Entry& entry : section.entries()) {
    const std::string& name = entry.key.text();
    MapReader map(reading, entry.value, std::string(kind) + " '" + name + "'");
    reading.remember(map.element(), entry.key.position());
    read_one(map, name);
  }
}

}  // namespace eslabon::io
