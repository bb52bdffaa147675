#pragma once

#include <optional>
#include <span>
#include <string>

#include "eslabon/io/mechanism/estimation_section.hpp"
#include "eslabon/io/mechanism/map_reader.hpp"
#include "eslabon/io/parts/part_builder.hpp"
#include "eslabon/model/mechanism_builder.hpp"

/// The readers of the sections of a mechanism file, each from its node into the builder. Private to this
/// layer: docs/mechanism-file.md is what they promise.
namespace eslabon::io {

/// How something is turned: `rotation`, axis times angle; in the plane `angle`. Axis times angle, 0 where it is not given.
Eigen::Vector3d read_turn(MapReader& map);

/// `left` or `right` under a key; kSymmetric where it is not there.
tyres::TyreSide read_side(MapReader& map, const char* key, const char* advice);

void read_ground(Reading& reading, const Node& node, PartBuilder& builder);
void read_bodies(Reading& reading, const Node& node, PartBuilder& builder);
/// The mounts of a part, bound already; in a file on its own they are bodies that are held still.
void read_mounts(Reading& reading, const Node& node, PartBuilder& builder);
void read_joints(Reading& reading, const Node& node, PartBuilder& builder);

/// Actuators become loads and, where they lag, auxiliary states: the states first, the loads when all else but sensors is there.
void read_actuator_lags(Reading& reading, const Node& node, PartBuilder& builder);
void read_actuators(Reading& reading, const Node& node, PartBuilder& builder);
void read_couplings(Reading& reading, const Node& node, PartBuilder& builder);
void read_drivers(Reading& reading, const Node& node, PartBuilder& builder);
void read_springs(Reading& reading, const Node& node, PartBuilder& builder);
void read_dampers(Reading& reading, const Node& node, PartBuilder& builder);
void read_bushings(Reading& reading, const Node& node, PartBuilder& builder);
void read_tyres(Reading& reading, const Node& node, PartBuilder& builder);
void read_road(Reading& reading, const Node& node, PartBuilder& builder);
/// When all tyres and drivers are there.
void read_vehicle(Reading& reading, const Node& node, PartBuilder& builder);
void read_stops(Reading& reading, const Node& node, PartBuilder& builder);
/// Auxiliary states without their rates, and their rates when all else but sensors is there.
void read_states(Reading& reading, const Node& node, PartBuilder& builder);
void read_rates(Reading& reading, const Node& node, PartBuilder& builder,
                std::optional<model::Mechanism>& so_far);
/// `so_far` as for sensors: formulas of forces look at variables.
void read_forces(Reading& reading, const Node& node, PartBuilder& builder,
                 std::optional<model::Mechanism>& so_far);
/// What to look out for; `so_far` as for forces.
void read_events(Reading& reading, const Node& node, PartBuilder& builder,
                 std::optional<model::Mechanism>& so_far);
/// The formulas of springs, or dampers, that are read already. `kind`: "spring" or "damper".
void read_laws(Reading& reading, const Node& node, const char* kind, PartBuilder& builder,
               std::optional<model::Mechanism>& so_far);
/// All sensors but those that read one of the formulas. `so_far`: the mechanism without its sensors, made when a sensor asks for the first
/// time, for all files of the mechanism.
void read_sensors(Reading& reading, const Node& node, PartBuilder& builder,
                  std::optional<model::Mechanism>& so_far, std::span<const std::string> formulas = {});
/// The mechanism, which has the formulas, with the sensors that read them.
model::Mechanism with_sensors_of_formulas(Reading& reading, const Node& node, const PartBuilder& builder,
                                          std::span<const std::string> formulas,
                                          const model::Mechanism& mechanism);
/// Sections 'assembly', of guesses, and 'start', of values that are met.
void read_start_values(Reading& reading, const Node& node, const char* section, model::StartKind kind,
                       PartBuilder& builder);
void read_inputs(Reading& reading, const Node& node, PartBuilder& builder);
void read_outputs(Reading& reading, const Node& node, PartBuilder& builder);
/// Settings of filters, as they are written: what they mean is not known here.
std::vector<EstimationSetting> read_estimation(Reading& reading, const Node& node);

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
