#include "eslabon/io/mechanism/mechanism_reader.hpp"

#include <algorithm>
#include <memory>

#include "eslabon/io/mechanism/read_formulas.hpp"
#include "eslabon/io/mechanism/readable_error.hpp"
#include "eslabon/io/parts/instance_reader.hpp"
#include "eslabon/io/parts/variant.hpp"

namespace eslabon::io {

namespace {

/// A misspelt section is the first thing to say: what it leaves out would only be said to be missing.
template <class Sections>
void reject_unknown_sections(MapReader& root, const Sections& sections) {
  for (const char* key : sections) root.find(key);
  root.finish();
}

/// Parameters that get another value: those that the variant sets, and those from outside, which go before them.
std::vector<ParameterText> replaced_parameters(const Variant& variant,
                                               const std::vector<ParameterOverride>& overrides) {
  std::vector<ParameterText> replaced;
  for (const ParameterOverride& entry : overrides)
    replaced.push_back({entry.name, entry.text, TextPlace{place_of_setting(entry.name), {}, false, {}}, {}});
  for (const ParameterText& parameter : variant.set)
    if (std::ranges::find(overrides, parameter.name, &ParameterOverride::name) == overrides.end())
      replaced.push_back(parameter);
  return replaced;
}

/// What needs a place on the ground or under 'bodies:': nothing in a file of instances alone.
void read_own_bodies(FileReading& file, MapReader& root, const std::string& element, bool is_part) {
  if (const Node* node = is_part ? nullptr : root.find("ground"))
    read_ground(file.reading, *node, file.builder);
  if (const Node* node = is_part ? root.find("mounts") : nullptr)
    read_mounts(file.reading, *node, file.builder);
  const bool has_instances = root.has("instances");
  const Node* bodies =
      has_instances || is_part ? root.find("bodies") : &root.need("bodies", "the moving bodies");
  if (bodies == nullptr) return;
  file.reading.remember(element, bodies->position());
  read_bodies(file.reading, *bodies, file.builder);
}

DescribedMechanism read_files(std::string_view text, const std::string& file_name,
                              const ReadRequest& request) {
  auto document = std::make_shared<const Document>(read_document(text, file_name));
  const bool is_part = document->root.find("part") != nullptr && document->root.find("mechanism") == nullptr;
  const char* const first_key = is_part ? "part" : "mechanism";
  const Variant variant = read_variant(*document, request.variant);
  ReadParameters parameters = read_parameters(*document, replaced_parameters(variant, request.overrides));
  const bool is_planar = read_is_planar(*document);
  ElementPlaces places;
  std::vector<std::string> data_files;
  Reading before(*document, parameters.table, is_planar, request.numbers, {{}, {}, &places, &data_files});
  MapReader first(before, document->root, first_key);
  if (is_part)
    reject_unknown_sections(first, kPartSections);
  else
    reject_unknown_sections(first, kMechanismSections);
  const Node& name_node = first.need(first_key, std::string("the ") + first_key + "'s name");
  const std::string name = before.text(name_node, first_key, first_key);
  const std::string element = "mechanism '" + name + "'";
  before.remember(element, name_node.position());
  model::MechanismBuilder builder = before.at_place([&] {
    return model::MechanismBuilder(name, is_planar ? model::Space::kPlanar : model::Space::kSpatial);
  });
  if (const auto description = first.text("description")) builder.set_description(*description);
  if (const auto source = first.text("source")) builder.set_source(*source);
  if (const auto gravity = first.vector("gravity", kAcceleration))
    before.at_place([&] { builder.set_gravity(*gravity); });

  Drawing drawing;
  drawing.bodies.emplace("ground", Placement{});
  FileReading file(document, std::move(parameters), is_planar, request.numbers,
                   {{}, {}, &places, &data_files, &request.text_of_file}, {}, builder, drawing);
  Reading& reading = file.reading;
  MapReader root(reading, document->root, first_key);
  read_own_bodies(file, root, element, is_part);
  InstanceReader instances(builder, drawing, places, data_files, is_planar, request.text_of_file);
  instances.read(file, root, variant.replacements);
  if (!is_part && !root.has("instances")) root.need("joints", "the joints between them");
  read_joints_and_springs(file, root);
  if (const Node* node = root.find("road")) read_road(reading, *node, file.builder);
  if (const Node* node = is_part ? nullptr : root.find("vehicle")) read_vehicle(reading, *node, file.builder);
  std::optional<model::Mechanism> so_far;
  instances.read_forces_of_parts(so_far);
  read_forces_of(file, so_far);
  instances.read_sensors_of_parts(so_far);
  const Node* const outputs = root.find("outputs");
  const bool are_formulas = outputs != nullptr && has_formulas(*outputs);
  const std::vector<std::string> formulas =
      are_formulas ? formula_names(*outputs) : std::vector<std::string>();
  const Node* const sensors = root.find("sensors");
  if (sensors != nullptr) read_sensors(reading, *sensors, file.builder, so_far, formulas);
  read_starts(file, root);
  if (const Node* node = root.find("inputs")) read_inputs(reading, *node, file.builder);
  if (outputs != nullptr && !are_formulas) read_outputs(reading, *outputs, file.builder);
  if (is_part) static_cast<void>(read_exports(file));
  model::Mechanism built = reading.at_place([&] { return builder.build(); });
  if (are_formulas) built = with_formula_outputs(reading, *outputs, built);
  if (sensors != nullptr && are_formulas)
    built = with_sensors_of_formulas(reading, *sensors, file.builder, formulas, built);
  const Node* const estimation = is_part ? nullptr : root.find("estimation");
  return {std::move(built), std::move(file.parameters.facts), instances.part_files(), std::move(data_files),
          estimation == nullptr ? std::vector<EstimationSetting>() : read_estimation(reading, *estimation)};
}

}  // namespace

std::string place_of_setting(const std::string& parameter) { return "--set " + parameter; }

std::vector<std::string> DescribedMechanism::doubts() const {
  std::vector<std::string> sentences;
  for (const ParameterFact& parameter : parameters)
    if (!parameter.doubt.empty()) sentences.push_back(parameter.doubt);
  for (const model::Body& body : mechanism.bodies())
    if (body.inertia_as_published)
      if (const auto fault = model::find_inertia_fault(body.mass_properties.I_BC_B))
        sentences.push_back("body '" + body.name +
                            "' has an inertia that no rigid body has, taken as published: expected " +
                            fault->expected + ", got " + fault->actual + ".");
  return sentences;
}

DescribedMechanism read_described_mechanism(std::string_view text, const std::string& file_name,
                                            const std::vector<ParameterOverride>& overrides,
                                            FileNumbers* numbers) {
  return read_described_mechanism(text, file_name, ReadRequest{.overrides = overrides, .numbers = numbers});
}

DescribedMechanism read_described_mechanism(std::string_view text, const std::string& file_name,
                                            const ReadRequest& request) {
  try {
    return read_files(text, file_name, request);
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

DescribedMechanism read_described_file(const std::filesystem::path& path, const ReadRequest& request) {
  return read_described_mechanism(read_file_text(path), path.string(), request);
}

model::Mechanism read_mechanism_file(const std::filesystem::path& path,
                                     const std::vector<ParameterOverride>& overrides) {
  return read_mechanism(read_file_text(path), path.string(), overrides);
}

}  // namespace eslabon::io
