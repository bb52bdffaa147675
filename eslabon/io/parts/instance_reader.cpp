#include "eslabon/io/parts/instance_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "eslabon/core/text/dotted_name.hpp"
#include "eslabon/core/text/nearest_name.hpp"

namespace eslabon::io {

namespace {

using Eigen::Matrix3d;

constexpr std::array<const char*, 9> kExportedSections{"bodies",  "joints", "couplings", "drivers", "springs",
                                                       "dampers", "stops",  "states",    "tyres"};

std::string shown_node(const Node& node) {
  return node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name());
}

/// "'bar', 'pivot'"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

/// Keys of a map that may be absent.
std::vector<std::string> keys_of(const Node* node) {
  std::vector<std::string> keys;
  if (node != nullptr)
    for (const Entry& entry : node->entries()) keys.push_back(entry.key.text());
  return keys;
}

/// The map under a key, whose values are texts; null pointer if the key is absent.
const Node* find_texts(MapReader& map, const char* key, const char* form) {
  const Node* node = map.find(key);
  if (node == nullptr) return nullptr;
  if (!node->is_map())
    map.reading().fail(*node, map.element(), "'" + std::string(key) + "' is not a map", form,
                       shown_node(*node), "Write it as " + std::string(form) + ".");
  for (const Entry& entry : node->entries()) map.reading().text(entry.value, map.element(), entry.key.text());
  return node;
}

/// Where a drawing is put: `at` and `rotation`.
Placement read_placement(MapReader& map) {
  Placement placement;
  if (const auto at = map.vector("at", kLength)) placement.d = *at;
  placement.T = turn_matrix(read_turn(map));
  return placement;
}

Matrix3d read_mirror(MapReader& map) {
  const auto axis = map.text("mirror");
  if (!axis) return Matrix3d::Identity();
  const bool is_planar = map.reading().is_planar();
  if (*axis != "x" && *axis != "y" && (is_planar || *axis != "z"))
    map.reading().fail(*map.node().find("mirror"), map.element(), "unknown mirror",
                       is_planar ? "'x' or 'y', the coordinate that changes its sign"
                                 : "'x', 'y' or 'z', the coordinate that changes its sign",
                       "'" + *axis + "'", "Write, for example, 'mirror: y' for left and right.");
  return mirror_matrix(axis->front());
}

/// Fails for keys that no part has.
void check_sections(const Document& part, const InstanceContext& context) {
  const ParameterTable none;
  Reading reading(part, none, false, nullptr, context);
  if (const Node* ground = part.root.find("ground"))
    reading.fail(*ground, "part", "a part has no ground", "'mounts:', the bodies that it is given",
                 "'ground:'", "Name a mount, and bind it to the ground where the part is used.");
  MapReader root(reading, part.root, "part");
  for (const char* key : kPartSections) root.find(key);
  root.finish();
}

/// Names that a file gives to what it has itself.
void check_name_is_free(Reading& reading, const Node& key, const std::string& element) {
  const std::string& name = key.text();
  if (name.empty() || name.find('.') != std::string::npos)
    reading.fail(key, element, "an instance has a name that cannot be used", "a name without dots",
                 "'" + name + "'", "Rename it.");
  constexpr std::array<const char*, 14> kSections{"bodies",   "joints", "drivers",   "springs", "dampers",
                                                  "bushings", "stops",  "forces",    "states",  "sensors",
                                                  "mounts",   "events", "actuators", "tyres"};
  for (const char* section : kSections) {
    const Node* node = reading.document().root.find(section);
    if (name == "ground" || (node != nullptr && node->find(name) != nullptr))
      reading.fail(
          key, element, "an instance has the name of something else", "a name of its own",
          "'" + name + "', which also stands under '" + (name == "ground" ? "ground" : section) + ":'",
          "Rename one of the two.");
  }
}

}  // namespace

/// What a file says about one instance, or one copy of one.
struct InstanceReader::Instance {
  std::string name;     ///< "front.left"
  std::string element;  ///< "instance 'front', copy 'left'"
  const Node* key = nullptr;
  Part part;
  const Replacement* replacement = nullptr;
  Placement placement = {};  ///< in the drawing of the file
  Matrix3d mirror = Matrix3d::Identity();
  std::vector<const Node*> mounts = {}, settings = {};  ///< maps, of the instance and of the copy
};

std::vector<std::string> InstanceReader::part_files() const {
  std::vector<std::string> paths;
  for (const auto& [path, document] : documents_) paths.push_back(path);
  return paths;
}

InstanceReader::Parts InstanceReader::read_parts(FileReading& file, MapReader& root) const {
  Parts parts;
  const Node* section = find_texts(root, "parts", "{NAME: FILE, NAME: FILE}");
  if (section == nullptr) return parts;
  const std::filesystem::path folder = std::filesystem::path(file.document->file_name).parent_path();
  for (const Entry& entry : section->entries())
    parts.insert_or_assign(entry.key.text(), Part{(folder / entry.value.text()).lexically_normal().string(),
                                                  &entry.value, "part '" + entry.key.text() + "'"});
  return parts;
}

void InstanceReader::read(FileReading& file, MapReader& root, const Replacements& replacements) {
  const Parts parts = read_parts(file, root);
  const Node* section = root.find("instances");
  if (section == nullptr) return;
  if (!section->is_map())
    file.reading.fail(*section, "", "section 'instances' is not a map",
                      "a name and a description for each instance", shown_node(*section),
                      "Write one 'NAME: {part: …}' per line, indented and without '-'.");
  if (open_.empty())
    open_.push_back(std::filesystem::path(file.document->file_name).lexically_normal().string());
  for (const Entry& entry : section->entries()) read_instance(file, entry, parts, replacements);
}

void InstanceReader::read_instance(FileReading& file, const Entry& entry, const Parts& parts,
                                   const Replacements& replacements) {
  Reading& reading = file.reading;
  const std::string& name = entry.key.text();
  MapReader map(reading, entry.value, "instance '" + name + "'");
  reading.remember(map.element(), entry.key.position());
  check_name_is_free(reading, entry.key, map.element());

  const Node& of_part = map.need("part", "the name of a part under 'parts:'");
  const std::string& part_name = reading.text(of_part, map.element(), "part");
  const auto part = parts.find(part_name);
  if (part == parts.end()) {
    std::vector<std::string> known;
    for (const auto& [one, facts] : parts) known.push_back(one);
    const auto nearest = core::nearest_name(part_name, known);
    reading.fail(of_part, map.element(), "no such part",
                 known.empty() ? "a name under 'parts:', which has none" : core::quoted_list(known),
                 "'" + part_name + "'",
                 nearest ? "Did you mean '" + *nearest + "'?" : "Add it under 'parts:'.");
  }
  Instance instance{.name = name, .element = map.element(), .key = &entry.key, .part = part->second};
  if (const auto found = replacements.find(name); found != replacements.end())
    instance.replacement = &found->second;
  instance.placement = read_placement(map);
  if (const Node* mounts = find_texts(map, "mounts", "{MOUNT: BODY, MOUNT: BODY}"))
    instance.mounts.push_back(mounts);
  if (const Node* set = find_texts(map, "set", "{PARAMETER: VALUE}")) instance.settings.push_back(set);
  const Node* copies = map.find("copies");
  if (copies == nullptr) {
    instance.mirror = read_mirror(map);
    map.finish();
    instance.placement = Placement{instance.mirror} * instance.placement;
    return read_part(file, instance);
  }
  map.finish();
  if (!copies->is_map() || copies->entries().empty())
    reading.fail(*copies, map.element(), "'copies' names none", "a name and a map for each copy",
                 copies->is_map() ? "an empty map" : shown_node(*copies),
                 "Write it as {left: {}, right: {mirror: y}}.");
  for (const Entry& one : copies->entries()) {
    MapReader copy(reading, one.value, map.element() + ", copy '" + one.key.text() + "'");
    Instance copied = instance;
    copied.name += "." + one.key.text();
    copied.element = copy.element();
    copied.key = &one.key;
    if (one.key.text().empty() || one.key.text().find('.') != std::string::npos)
      reading.fail(one.key, copy.element(), "a copy has a name that cannot be used", "a name without dots",
                   "'" + one.key.text() + "'", "Rename it.");
    copied.mirror = read_mirror(copy);
    copied.placement = read_placement(copy) * Placement{copied.mirror} * instance.placement;
    if (const Node* mounts = find_texts(copy, "mounts", "{MOUNT: BODY, MOUNT: BODY}"))
      copied.mounts.push_back(mounts);
    if (const Node* set = find_texts(copy, "set", "{PARAMETER: VALUE}")) copied.settings.push_back(set);
    copy.finish();
    read_part(file, copied);
  }
}

void InstanceReader::check_circle(const FileReading& file, const Instance& instance) const {
  const Reading& reading = file.reading;
  const std::string& path = instance.part.path;
  if (const auto begin = std::ranges::find(open_, path); begin != open_.end()) {
    std::string circle;
    for (auto step = begin; step != open_.end(); ++step) circle += *step + " -> ";
    reading.fail(*instance.key, instance.element, "parts contain each other in a circle",
                 "a part that is not inside itself", circle + path, "Remove one of the instances.");
  }
  if (static_cast<int>(open_.size()) > kMaxPartDepth)
    reading.fail(*instance.key, instance.element, "parts are nested too deeply",
                 "at most " + std::to_string(kMaxPartDepth) + " inside each other", "more",
                 "Put some of them beside each other.");
  if (static_cast<int>(files_.size()) >= kMaxInstances)
    reading.fail(*instance.key, instance.element, "there are too many instances",
                 "at most " + std::to_string(kMaxInstances), "more", "Use fewer copies.");
}

std::shared_ptr<const Document> InstanceReader::document_of(FileReading& file, const Part& part) {
  std::shared_ptr<const Document>& document = documents_[part.path];
  if (document) return document;
  const std::string place = file.reading.place(*part.node, part.element).where();
  std::string text;
  try {
    text = text_of_file_(part.path);
  } catch (const core::ModelError& error) {
    core::ErrorText parts = error.text();
    parts.where = place;
    parts.expected = "the file of a part";
    parts.actual = "'" + part.path + "'";
    throw core::ModelError(parts);
  }
  try {
    document = std::make_shared<const Document>(read_document(text, part.path));
  } catch (const core::ModelError& error) {
    core::ErrorText parts = error.text();
    parts.where += ", " + part.element + " (" + place + ")";
    throw core::ModelError(parts);
  }
  if (document->root.find("part") == nullptr)
    file.reading.fail(
        *part.node, part.element, "the file is not that of a part", "a file that begins with 'part:'",
        "'" + part.path + "'" + (document->root.find("mechanism") != nullptr ? ", which is a mechanism" : ""),
        "Write 'part: NAME' instead of 'mechanism: NAME', and name what it is fixed to under 'mounts:'.");
  return document;
}

std::vector<ParameterText> InstanceReader::read_settings(FileReading& file, const Instance& instance) const {
  std::vector<ParameterText> settings;
  for (const Node* set : instance.settings)
    for (const Entry& entry : set->entries()) {
      const TextPlace place = file.reading.place(entry.value, instance.element);
      const std::string& text = entry.value.text();
      file.reading.forbid_symbols(entry.value, instance.element);
      settings.push_back({entry.key.text(), text, place, file.reading.place(entry.key, instance.element),
                          read_quantity(text, file.parameters.table.values(), place)});
    }
  return settings;
}

void InstanceReader::bind_mounts(FileReading& file, const Instance& instance, const Document& part,
                                 PartScope& scope) const {
  const Reading& reading = file.reading;
  const Node* section = part.root.find("mounts");
  const std::vector<std::string> known = keys_of(section != nullptr && section->is_map() ? section : nullptr);
  for (const Node* mounts : instance.mounts)
    for (const Entry& entry : mounts->entries()) {
      const std::string& mount = entry.key.text();
      if (std::ranges::find(known, mount) == known.end()) {
        const auto nearest = core::nearest_name(mount, known);
        reading.fail(entry.key, instance.element, "the part has no such mount",
                     known.empty() ? "no mounts for " + part.file_name : core::quoted_list(known),
                     "'" + mount + "'",
                     nearest ? "Did you mean '" + *nearest + "'?"
                             : "Remove it, or add it under 'mounts:' of the part.");
      }
      const std::string& text = entry.value.text();
      const std::string body = reading.at_place(
          [&] { return file.builder.full_name(text, reading.full_element(instance.element)); });
      const auto drawn = drawing_.bodies.find(body);
      if (drawn == drawing_.bodies.end()) {
        const bool is_later = !core::leading_name(text, [&](std::string_view name) {
                                 const Node* all = file.document->root.find("instances");
                                 return all != nullptr && all->find(name) != nullptr;
                               }).empty();
        std::vector<std::string> bodies = keys_of(file.document->root.find("bodies"));
        for (const auto& [name, binding] : scope.mounts) bodies.push_back(name);
        if (!file.scope.is_part()) bodies.insert(bodies.begin(), "ground");
        const auto nearest = core::nearest_name(text, bodies);
        reading.fail(entry.value, instance.element, "a mount is bound to no body",
                     "a body: " + core::quoted_list(bodies), "'" + text + "'",
                     nearest    ? "Did you mean '" + *nearest + "'?"
                     : is_later ? "An instance whose body it is must be written before this one."
                                : "Name one of these.");
      }
      const Placement& X = drawn->second;
      if (!scope.mounts
               .try_emplace(mount, MountBinding{body,
                                                {X.T.transpose() * scope.placement.T,
                                                 X.T.transpose() * (scope.placement.d - X.d)},
                                                {}})
               .second)
        reading.fail(entry.key, instance.element, "a mount is bound twice", "one body for each mount",
                     "'" + mount + "' in the instance and in the copy", "Remove one of the two.");
    }
  for (const std::string& mount : known)
    if (!scope.mounts.contains(mount))
      reading.fail(*instance.key, instance.element, "a mount is not bound",
                   "a body for mount '" + mount + "' of " + part.file_name, "none",
                   "Write 'mounts: {" + mount + ": BODY}', with 'ground' for what does not move.");
}

std::vector<std::string> read_exports(FileReading& part) {
  const Drawing& drawing = part.builder.drawing();
  const Document& document = *part.document;
  Reading& reading = part.reading;
  const Node* node = document.root.find("exports");
  std::vector<std::string> exports;
  if (node == nullptr) return exports;
  if (!node->is_sequence())
    reading.fail(*node, "", "section 'exports' is not a list", "names such as [upright, hub.C]",
                 shown_node(*node), "Write it in brackets.");
  std::vector<std::string> known;
  for (const char* section : kExportedSections) {
    const std::vector<std::string> names = keys_of(document.root.find(section));
    known.insert(known.end(), names.begin(), names.end());
  }
  for (const Node& item : node->items()) {
    const std::string name = reading.text(item, "", "an export");
    const std::string element = "export '" + name + "'";
    reading.remember(element, item.position());
    const auto is_known = [&](std::string_view one) { return std::ranges::find(known, one) != known.end(); };
    const std::string_view owner = core::leading_name(name, is_known);
    const std::string full =
        reading.at_place([&] { return part.builder.full_name(name, reading.full_element(element)); });
    const bool is_of_instance = !core::leading_name(name, [&](std::string_view one) {
                                   return part.scope.instances.contains(one);
                                 }).empty();
    const bool is_marker = drawing.points.contains(full) || drawing.frames.contains(full) ||
                           drawing.curves.contains(full) || part.scope.axes.contains(name);
    const bool is_mount = !core::leading_name(name, [&](std::string_view one) {
                             return part.scope.mounts.contains(one);
                           }).empty();
    if (is_mount || !(owner == name || is_marker || is_of_instance)) {
      const auto nearest = core::nearest_name(name, known);
      reading.fail(
          item, "", "a part exports what it does not have",
          "a body, BODY.POINT, joint, coupling, driver, spring, damper, stop, state or tyre of its own",
          "'" + name + "'", nearest ? "Did you mean '" + *nearest + "'?" : "Remove it.");
    }
    exports.push_back(name);
  }
  return exports;
}

/// Another part in the place of the first one must be the same to the outside.
void InstanceReader::check_replaced(FileReading& file, const Instance& instance) {
  const std::shared_ptr<const Document> before = document_of(file, instance.part);
  Part other = instance.part;
  other.path = instance.replacement->path;
  const std::shared_ptr<const Document> after = document_of(file, other);
  const auto names_of = [](const Document& document, const char* section) {
    std::vector<std::string> names;
    if (const Node* node = document.root.find(section)) {
      names = keys_of(node->is_map() ? node : nullptr);
      for (const Node& item : node->items()) names.push_back(item.text());
    }
    std::ranges::sort(names);
    return names;
  };
  for (const char* section : {"mounts", "exports"}) {
    const auto expected = names_of(*before, section), actual = names_of(*after, section);
    if (expected == actual) continue;
    throw core::ModelError({.what = "a part that replaces another has other " + std::string(section),
                            .where = instance.replacement->place.where(),
                            .expected = listed(expected) + ", as " + before->file_name,
                            .actual = listed(actual) + " in " + after->file_name,
                            .next = "Give both parts the same " + std::string(section) + "."});
  }
}

void InstanceReader::read_part(FileReading& file, const Instance& given) {
  Instance instance = given;
  if (instance.replacement != nullptr) {
    check_replaced(file, instance);
    instance.part.path = instance.replacement->path;
  }
  Reading& outer = file.reading;
  check_circle(file, instance);
  const std::shared_ptr<const Document> document = document_of(file, instance.part);
  InstanceContext context{
      .path = file.scope.own_name(instance.name),
      .chain = "in " + file.scope.own_name(instance.name) + " (" +
               TextPlace{file.document->file_name, instance.key->position(), false, {}}.where() + ")" +
               (outer.instance().chain.empty() ? "" : ", " + outer.instance().chain),
      .places = &places_,
      .data_files = &data_files_,
      .text_of_file = &text_of_file_};
  PartScope scope;
  scope.path = context.path;
  scope.placement = file.scope.placement * instance.placement;
  if (scope.placement.is_mirrored())
    scope.mirror = file.scope.placement.is_mirrored() ? file.scope.mirror : instance.mirror;
  check_sections(*document, context);
  bind_mounts(file, instance, *document, scope);
  ReadParameters parameters = read_parameters(*document, read_settings(file, instance), context.chain);
  if (read_is_planar(*document, context.chain) != is_planar_)
    outer.fail(*instance.key, instance.element,
               "a part in the plane and a mechanism in space, or the other way round",
               is_planar_ ? "'plane: xy' in the part too" : "no 'plane:' in the part",
               "'" + document->file_name + "'", "Use a part of the same kind.");
  files_.push_back(std::make_unique<FileReading>(document, std::move(parameters), is_planar_, nullptr,
                                                 std::move(context), std::move(scope), builder_, drawing_));
  FileReading& part = *files_.back();
  MapReader root(part.reading, document->root, "part");
  open_.push_back(instance.part.path);
  if (const Node* node = root.find("mounts")) read_mounts(part.reading, *node, part.builder);
  if (const Node* node = root.find("bodies")) read_bodies(part.reading, *node, part.builder);
  read(part, root);
  read_joints_and_springs(part, root);
  read_starts(part, root);
  open_.pop_back();

  InstanceFacts facts{document->file_name, read_exports(part), instance.mirror};
  const auto give = [&](const auto& table, auto& to) {
    for (const auto& [name, value] : table) to.insert_or_assign(instance.name + "." + name, value);
  };
  give(part.scope.types, file.scope.types);
  for (const auto& [name, u] : part.scope.axes)
    file.scope.axes.insert_or_assign(instance.name + "." + name, instance.mirror * u);
  for (const auto& [name, coordinate] : part.scope.springs)
    file.scope.springs.insert_or_assign(instance.name + "." + name,
                                        coordinate.empty() ? "" : instance.name + "." + coordinate);
  file.scope.instances.insert_or_assign(instance.name, std::move(facts));
}

void InstanceReader::read_forces_of_parts(std::optional<model::Mechanism>& so_far) {
  for (const std::unique_ptr<FileReading>& file : files_) read_forces_of(*file, so_far);
}

void InstanceReader::read_sensors_of_parts(std::optional<model::Mechanism>& so_far) {
  for (const std::unique_ptr<FileReading>& file : files_)
    if (const Node* node = file->document->root.find("sensors"))
      read_sensors(file->reading, *node, file->builder, so_far);
}

}  // namespace eslabon::io
