#include <array>
#include <utility>

#include "eslabon/io/mechanism/force_functions.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"

namespace eslabon::io {

namespace {

using model::PassageDirection;

PassageDirection read_direction(MapReader& map) {
  constexpr std::array<std::pair<const char*, PassageDirection>, 3> kWords{
      {{"both", PassageDirection::kBoth},
       {"rising", PassageDirection::kRising},
       {"falling", PassageDirection::kFalling}}};
  const Node* node = map.find("direction");
  if (!node) return PassageDirection::kBoth;
  if (node->is_scalar())
    for (const auto& [word, direction] : kWords)
      if (node->text() == word) return direction;
  map.reading().fail(*node, map.element(), "direction is not one of three words",
                     "'rising', 'falling' or 'both': how the quantity passes zero",
                     node->is_scalar() ? "'" + node->text() + "'" : std::string(node->kind_name()),
                     "Choose one, or leave it out for 'both'.");
}

bool read_ends_run(MapReader& map) {
  const Node* node = map.find("ends_run");
  if (!node) return false;
  if (node->is_scalar() && (node->text() == "true" || node->text() == "false")) return node->text() == "true";
  map.reading().fail(*node, map.element(), "ends_run is neither true nor false", "'true' or 'false'",
                     node->is_scalar() ? "'" + node->text() + "'" : std::string(node->kind_name()),
                     "Write 'ends_run: true' for a run that is over at this event.");
}

}  // namespace

void read_events(Reading& reading, const Node& node, PartBuilder& builder,
                 std::optional<model::Mechanism>& so_far) {
  read_named(reading, node, "events", "event", [&](MapReader& map, const std::string& name) {
    model::EventDescription event{name};
    ForceFunctions functions(reading, builder, so_far, model::FormulaOf::kEvent);
    const Node& when = map.need("when", "what passes zero, such as '= slot.q1 - 50 mm'");
    event.quantity.function = functions.read_any(when, map.element(), "when");
    event.quantity.variables = functions.variables();
    event.direction = read_direction(map);
    event.ends_run = read_ends_run(map);
    map.finish();
    if (event.quantity.variables.empty())
      reading.fail(when, map.element(), "an event of nothing that moves",
                   "a formula with a variable in it, such as 'A.q'",
                   when.is_scalar() ? "'" + when.text() + "'" : std::string(when.kind_name()),
                   "Name what passes zero: '= A.q - 30 deg'.");
    reading.at_place([&] { builder.add_event(std::move(event)); });
  });
}

}  // namespace eslabon::io
