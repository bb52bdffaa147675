#include "eslabon/io/mechanism/force_functions.hpp"
#include "eslabon/io/mechanism/mechanism_sections.hpp"

namespace eslabon::io {

void read_states(Reading& reading, const Node& node, PartBuilder& builder) {
  read_named(reading, node, "states", "state", [&](MapReader& map, const std::string& name) {
    model::StateDescription state{name};
    if (const Node* start = map.find("start")) {
      const Quantity quantity = reading.quantity(*start, map.element(), "start");
      state.start = quantity.value;
      if (quantity.certainty == Certainty::kKnown) state.dimension = quantity.dimension;
    }
    state.size = map.number("size", state.dimension);
    map.need("rate", "how fast it changes, such as '= (A.v - lag.value)/(0.1 s)'");
    map.finish();
    reading.at_place([&] { builder.add_state(std::move(state)); });
  });
}

void read_rates(Reading& reading, const Node& node, PartBuilder& builder,
                std::optional<model::Mechanism>& so_far) {
  for (const Entry& entry : node.entries()) {
    const std::string& name = entry.key.text();
    ForceFunctions functions(reading, builder, so_far);
    model::TimeFunction function = functions.read(*entry.value.find("rate"), "state '" + name + "'", "rate",
                                                  builder.state_dimension(name) / kTime);
    reading.at_place([&] { builder.set_rate(name, {std::move(function), functions.variables()}); });
  }
}

}  // namespace eslabon::io
