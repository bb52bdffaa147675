// Section 'couplings': relations between joint coordinates.

#include <array>

#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/quantities/joint_units.hpp"

namespace eslabon::io {

namespace {

using model::CouplingDescription;
using model::CouplingKind;

constexpr std::array kKinds{CouplingKind::kGear, CouplingKind::kRackAndPinion, CouplingKind::kScrew,
                            CouplingKind::kSum};

/// The list under 'joints:'; a screw may have one cylindrical joint under 'joint:' instead.
std::vector<std::string> read_joints_of(MapReader& map, const JointTypeTable& types, CouplingKind kind) {
  std::vector<std::string> coordinates;
  if (kind == CouplingKind::kScrew && map.has("joint")) {
    const Node& node = map.need("joint", "a cylindrical joint");
    const std::string& joint = map.reading().text(node, map.element(), "joint");
    if (const auto type = types.find(joint);
        type != types.end() && type->second != model::JointType::kCylindrical)
      map.reading().fail(node, map.element(), "a screw in a joint that cannot turn and slide",
                         "a cylindrical joint, or two joints under 'joints:'",
                         "'" + joint + "', which is " + std::string(model::facts(type->second).name),
                         "Write 'joints: [JOINT THAT TURNS, JOINT THAT SLIDES]'.");
    coordinates = {joint + ".q1", joint + ".q2"};
    return coordinates;
  }
  const Node& node = map.need("joints", "the two joints that it couples");
  for (const std::string& text : map.reading().texts(node, map.element(), "joints", 2))
    coordinates.push_back(full_variable(types, text));
  return coordinates;
}

/// {prop.q: 1, left.q: = -i/2}. A factor turns what its coordinate measures into what that of the first one does.
void read_sum(MapReader& map, const JointTypeTable& types, CouplingDescription& coupling) {
  Dimension first = kAngle;
  for (const Entry& entry : map.node().entries()) {
    const std::string variable = full_variable(types, entry.key.text());
    const Dimension own = dimension_of_position(types, variable);
    if (coupling.coordinates.empty()) first = own;
    coupling.coordinates.push_back(variable);
    coupling.numbers.push_back(
        map.reading().number(entry.value, map.element(), entry.key.text(), first / own));
  }
}

/// Joints, and teeth, radius or lead.
void read_pair(MapReader& map, const JointTypeTable& types, CouplingDescription& coupling) {
  coupling.coordinates = read_joints_of(map, types, coupling.kind);
  if (coupling.kind == CouplingKind::kGear) {
    const Node& teeth = map.need("teeth", "the numbers of teeth of both wheels");
    coupling.numbers = map.reading().numbers(teeth, map.element(), "teeth", kNumber, 2);
  } else {
    const bool is_screw = coupling.kind == CouplingKind::kScrew;
    const char* const key = is_screw ? "lead" : "radius";
    map.need(key, is_screw ? "the way along the axis in one turn" : "the pitch radius of the pinion");
    coupling.numbers = {*map.number(key, kLength)};
  }
  map.finish();
}

/// What is written under the kind: a map.
const Node& need_content(MapReader& map, const std::string& kind) {
  const Node& content = *map.find(kind);
  if (content.is_map()) return content;
  map.reading().fail(content, map.element(), "'" + kind + "' is not a map",
                     kind == "sum"     ? "joint coordinates and their factors, such as {A.q: 1, B.q: -2}"
                     : kind == "gear"  ? "joints and teeth, such as {joints: [A, B], teeth: [20, 60]}"
                     : kind == "screw" ? "joints and lead, such as {joints: [A, B], lead: 5 mm}"
                                       : "joints and radius, such as {joints: [A, B], radius: 20 mm}",
                     content.is_scalar() ? "'" + content.text() + "'" : std::string(content.kind_name()),
                     "Write it in braces.");
}

}  // namespace

void read_couplings(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "couplings", "coupling", [&](MapReader& map, const std::string& name) {
    std::vector<std::string> words;
    for (const CouplingKind kind : kKinds) words.emplace_back(model::name(kind));
    const std::string word = map.need_one_of(words, "that says what it is");
    CouplingDescription coupling{name, CouplingKind::kSum, {}, {}, 0.0};
    for (const CouplingKind kind : kKinds)
      if (model::name(kind) == word) coupling.kind = kind;
    MapReader content(reading, need_content(map, word), map.element());
    if (coupling.kind == CouplingKind::kSum)
      read_sum(content, types, coupling);
    else
      read_pair(content, types, coupling);
    const Dimension first =
        coupling.coordinates.empty() ? kAngle : dimension_of_position(types, coupling.coordinates.front());
    coupling.offset = map.number("offset", first).value_or(0.0);
    map.finish();
    reading.at_place([&] { builder.add_coupling(std::move(coupling)); });
  });
}

}  // namespace eslabon::io
