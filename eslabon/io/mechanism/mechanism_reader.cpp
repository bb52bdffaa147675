#include "eslabon/io/mechanism/mechanism_reader.hpp"

#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/mechanism/read_formulas.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"

namespace eslabon::io {

namespace {

/// The parameters of a file, with their values and as people see them.
struct ReadParameters {
  ParameterTable table;
  std::vector<ParameterFact> facts;
};

ReadParameters read_parameters(const Document& document, const std::vector<ParameterOverride>& overrides) {
  std::vector<ParameterText> declared;
  if (const Node* section = document.root.find("parameters")) {
    const auto fail = [&](const Node& node, std::string what, std::string expected, std::string next) {
      throw core::ModelError(
          {.what = std::move(what),
           .where = document.place(node).where(),
           .expected = std::move(expected),
           .actual = node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()),
           .next = node.is_null() ? "Give it a value, or remove it." : std::move(next)});
    };
    if (!section->is_map())
      fail(*section, "section 'parameters' is not a map", "a name and a value for each parameter",
           "Write one 'name: value' per line, indented and without '-'.");
    for (const Entry& entry : section->entries()) {
      const std::string element = "parameter '" + entry.key.text() + "'";
      if (!entry.value.is_scalar())
        fail(entry.value, "parameter '" + entry.key.text() + "' is not a number",
             "a number, or '= ' and an expression", "Declare one parameter for each number.");
      declared.push_back({entry.key.text(), entry.value.text(), document.place(entry.value, element),
                          document.place(entry.key, element)});
    }
  }
  std::vector<ParameterText> replaced;
  for (const ParameterOverride& entry : overrides)
    replaced.push_back({entry.name, entry.text, TextPlace{place_of_setting(entry.name), {}, false, {}}, {}});
  ParameterTable table(declared, replaced);
  std::vector<ParameterFact> facts = parameter_facts(declared, replaced, table);
  return {std::move(table), std::move(facts)};
}

bool read_is_planar(const Document& document) {
  const Node* plane = document.root.find("plane");
  if (!plane) return false;
  if (plane->is_scalar() && plane->text() == "xy") return true;
  throw core::ModelError(
      {.what = "unknown plane",
       .where = document.place(*plane).where(),
       .expected = "'xy', the plane of all planar mechanisms",
       .actual = plane->is_scalar() ? "'" + plane->text() + "'" : std::string(plane->kind_name()),
       .next = "Leave the key out for a mechanism in space."});
}

/// A misspelt section is the first thing to say: what it leaves out would only be said to be missing.
void reject_unknown_sections(MapReader& root) {
  for (const char* key : {"mechanism", "description", "source", "plane", "gravity", "parameters", "ground",
                          "bodies", "joints", "drivers", "springs", "dampers", "stops", "forces", "sensors",
                          "assembly", "start", "inputs", "outputs"})
    root.find(key);
  root.finish();
}

DescribedMechanism read_sections(std::string_view text, const std::string& file_name,
                                 const std::vector<ParameterOverride>& overrides, FileNumbers* numbers) {
  const Document document = read_document(text, file_name);
  ReadParameters parameters = read_parameters(document, overrides);
  Reading reading(document, parameters.table, read_is_planar(document), numbers);
  MapReader root(reading, document.root, "mechanism");
  reject_unknown_sections(root);
  const Node& name_node = root.need("mechanism", "the mechanism's name");
  const std::string name = reading.text(name_node, "mechanism", "mechanism");
  const std::string element = "mechanism '" + name + "'";
  reading.remember(element, name_node.position());
  auto builder = reading.at_place([&] {
    return model::MechanismBuilder(name,
                                   reading.is_planar() ? model::Space::kPlanar : model::Space::kSpatial);
  });
  if (const auto description = root.text("description")) builder.set_description(*description);
  if (const auto source = root.text("source")) builder.set_source(*source);
  if (const auto gravity = root.vector("gravity", kAcceleration))
    reading.at_place([&] { builder.set_gravity(*gravity); });

  AxisTable axes;
  JointTypeTable types;
  if (const Node* node = root.find("ground")) read_ground(reading, *node, builder, axes);
  const Node& bodies = root.need("bodies", "the moving bodies");
  reading.remember(element, bodies.position());
  read_bodies(reading, bodies, builder, axes);
  read_joints(reading, root.need("joints", "the joints between them"), axes, builder, types);
  if (const Node* node = root.find("drivers")) read_drivers(reading, *node, types, builder);
  if (const Node* node = root.find("springs")) read_springs(reading, *node, types, builder);
  if (const Node* node = root.find("dampers")) read_dampers(reading, *node, types, builder);
  if (const Node* node = root.find("stops")) read_stops(reading, *node, types, builder);
  if (const Node* node = root.find("forces")) read_forces(reading, *node, types, builder);
  if (const Node* node = root.find("sensors")) read_sensors(reading, *node, types, builder);
  if (const Node* node = root.find("assembly"))
    read_start_values(reading, *node, "assembly", model::StartKind::kGuess, types, builder);
  if (const Node* node = root.find("start"))
    read_start_values(reading, *node, "start", model::StartKind::kExact, types, builder);
  if (const Node* node = root.find("inputs")) read_inputs(reading, *node, types, builder);
  const Node* outputs = root.find("outputs");
  const bool are_formulas = outputs != nullptr && has_formulas(*outputs);
  if (outputs != nullptr && !are_formulas) read_outputs(reading, *outputs, builder);
  const model::Mechanism built = reading.at_place([&] { return builder.build(); });
  return {are_formulas ? with_formula_outputs(reading, *outputs, built) : built, std::move(parameters.facts)};
}

}  // namespace

std::string place_of_setting(const std::string& parameter) { return "--set " + parameter; }

std::vector<std::string> DescribedMechanism::doubts() const {
  std::vector<std::string> sentences;
  for (const ParameterFact& parameter : parameters)
    if (!parameter.doubt.empty()) sentences.push_back(parameter.doubt);
  return sentences;
}

DescribedMechanism read_described_mechanism(std::string_view text, const std::string& file_name,
                                            const std::vector<ParameterOverride>& overrides,
                                            FileNumbers* numbers) {
  try {
    return read_sections(text, file_name, overrides, numbers);
  } catch (const core::ModelError& error) {
    throw readable(error);
  }
}

model::Mechanism read_mechanism(std::string_view text, const std::string& file_name,
                                const std::vector<ParameterOverride>& overrides) {
  return read_described_mechanism(text, file_name, overrides).mechanism;
}

DescribedMechanism read_described_file(const std::filesystem::path& path,
                                       const std::vector<ParameterOverride>& overrides,
                                       FileNumbers* numbers) {
  return read_described_mechanism(read_file_text(path), path.string(), overrides, numbers);
}

model::Mechanism read_mechanism_file(const std::filesystem::path& path,
                                     const std::vector<ParameterOverride>& overrides) {
  return read_mechanism(read_file_text(path), path.string(), overrides);
}

}  // namespace eslabon::io
