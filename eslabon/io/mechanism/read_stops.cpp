// Section 'stops': limits, play and backlash.

#include "eslabon/io/mechanism/element_units.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"
#include "eslabon/io/mechanism/read_relation.hpp"

namespace eslabon::io {

namespace {

/// What a stop limits: {joint: A}, {point: wheel.W.z}, or the relation that a coupling would hold, {gear: {…}}. Gives its unit.
Dimension read_stopped(MapReader& map, const JointTypeTable& types, model::StopDescription& stop) {
  std::vector<std::string> words{"joint", "point"};
  for (const std::string& word : relation_words()) words.push_back(word);
  const std::string word = map.need_one_of(words, "that says what it stops");
  if (word != "joint" && word != "point") {
    stop.coupling = read_relation(map, word, stop.name, types);
    return dimension_of_first(*stop.coupling, types);
  }
  map.reading().remember(map.element() + ", target", map.node().find(word)->position());
  stop.target = word == "joint" ? read_joint_coordinate(map, word, types) : read_coordinate_of_point(map);
  return dimension_of_position(types, stop.target);
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

void read_stops(Reading& reading, const Node& node, PartBuilder& builder) {
  const JointTypeTable& types = builder.scope().types;
  read_named(reading, node, "stops", "stop", [&](MapReader& map, const std::string& name) {
    model::StopDescription stop{.name = name};
    const ElementUnits units = ElementUnits::of(read_stopped(map, types, stop));
    read_limits(map, units.length, stop);
    stop.restitution = map.number("restitution", kNumber);
    stop.stiffness = map.number_or("stiffness", units.stiffness(), 0.0);
    stop.damping = map.number_or("damping", units.damping(), 0.0);
    map.finish();
    reading.at_place([&] { builder.add_stop(std::move(stop)); });
  });
}

}  // namespace eslabon::io
