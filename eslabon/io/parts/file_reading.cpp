#include "eslabon/io/parts/file_reading.hpp"

namespace eslabon::io {

bool read_is_planar(const Document& document, const std::string& chain) {
  const Node* plane = document.root.find("plane");
  if (!plane) return false;
  if (plane->is_scalar() && plane->text() == "xy") return true;
  throw core::ModelError(
      {.what = "unknown plane",
       .where = document.place(*plane, chain).where(),
       .expected = "'xy', the plane of all planar mechanisms",
       .actual = plane->is_scalar() ? "'" + plane->text() + "'" : std::string(plane->kind_name()),
       .next = "Leave the key out for a mechanism in space."});
}

void read_joints_and_springs(FileReading& file, MapReader& root) {
  if (const Node* node = root.find("joints")) read_joints(file.reading, *node, file.builder);
  if (const Node* node = root.find("couplings")) read_couplings(file.reading, *node, file.builder);
  if (const Node* node = root.find("drivers")) read_drivers(file.reading, *node, file.builder);
  if (const Node* node = root.find("springs")) read_springs(file.reading, *node, file.builder);
  if (const Node* node = root.find("dampers")) read_dampers(file.reading, *node, file.builder);
  if (const Node* node = root.find("bushings")) read_bushings(file.reading, *node, file.builder);
  if (const Node* node = root.find("stops")) read_stops(file.reading, *node, file.builder);
  if (const Node* node = root.find("tyres")) read_tyres(file.reading, *node, file.builder);
  if (const Node* node = root.find("states")) read_states(file.reading, *node, file.builder);
  if (const Node* node = root.find("actuators")) read_actuator_lags(file.reading, *node, file.builder);
}

void read_forces_of(FileReading& file, std::optional<model::Mechanism>& so_far) {
  const Node& root = file.document->root;
  if (const Node* node = root.find("springs")) read_laws(file.reading, *node, "spring", file.builder, so_far);
  if (const Node* node = root.find("dampers")) read_laws(file.reading, *node, "damper", file.builder, so_far);
  if (const Node* node = root.find("states")) read_rates(file.reading, *node, file.builder, so_far);
  if (const Node* node = root.find("actuators")) read_actuators(file.reading, *node, file.builder);
  if (const Node* node = root.find("forces")) read_forces(file.reading, *node, file.builder, so_far);
  if (const Node* node = root.find("events")) read_events(file.reading, *node, file.builder, so_far);
}

void read_starts(FileReading& file, MapReader& root) {
  if (const Node* node = root.find("assembly"))
    read_start_values(file.reading, *node, "assembly", model::StartKind::kGuess, file.builder);
  if (const Node* node = root.find("start"))
    read_start_values(file.reading, *node, "start", model::StartKind::kExact, file.builder);
}

}  // namespace eslabon::io
