#include "apps/cli/text/info_tables.hpp"

#include <algorithm>
#include <span>

#include "apps/cli/text/text_table.hpp"
#include <fmt/format.h>

#include "eslabon/core/text/name_list.hpp"
#include "eslabon/core/text/shown_digits.hpp"
#include "eslabon/io/mechanism/read_formulas.hpp"
#include "eslabon/io/quantities/expression.hpp"
#include "eslabon/recording/pages/element_texts.hpp"

namespace eslabon::cli {

std::string parameter_table(const std::vector<io::ParameterFact>& parameters, std::size_t most_rows) {
  if (parameters.empty()) return "";
  TextTable table({"name", ">value", "unit", "from"});
  for (const io::ParameterFact& parameter : parameters) {
    const bool is_worked_out = io::is_expression(parameter.text);
    table.add_row({parameter.name, fmt::format("{:.10g}", parameter.written_value),
                   parameter.written_unit.empty() ? "–" : parameter.written_unit,
                   is_worked_out ? parameter.text : parameter.meaning});
  }
  return table.text(most_rows);
}

std::string driver_table(const model::Mechanism& mechanism, std::size_t most_rows) {
  if (mechanism.drivers().empty()) return "";
  TextTable table({"name", "moves", "prescribes", "law", "unit", "start"});
  for (const recording::DriverText& driver : recording::driver_texts(mechanism))
    table.add_row({driver.name, driver.target, driver.level, driver.law, driver.unit,
                   driver.start                 ? fmt::format("{:.{}g} {}", *driver.start,
                                                              core::shown_digits(*driver.start, driver.target_unit, 6),
                                                              driver.target_unit)
                   : driver.level == "position" ? "–"
                                                : "where it is assembled"});
  return table.text(most_rows);
}

std::string load_table(const model::Mechanism& mechanism, std::size_t most_rows) {
  if (mechanism.loads().empty()) return "";
  TextTable table({"name", "kind", "on", "value", "unit", "axes"});
  for (const recording::LoadText& load : recording::load_texts(mechanism)) {
    std::string value = core::joined(load.components);
    if (load.components.size() > 1) value = "(" + value + ")";
    table.add_row({load.name, load.kind, load.on, value, load.unit,
                   load.components.size() < 2 ? "–"
                   : load.in_body_axes        ? "body"
                                              : "world"});
  }
  return table.text(most_rows);
}

std::string state_table(const model::Mechanism& mechanism, std::size_t most_rows) {
  const auto described = std::span(mechanism.states()).first(mechanism.num_described_states());
  if (described.empty()) return "";
  TextTable table({"name", ">start", "unit", "rate"});
  for (const model::AuxiliaryState& state : described)
    table.add_row({state.name, fmt::format("{:.6g}", state.start), core::si_unit(state.dimension),
                   io::formula_text(mechanism, {state.name, state.rate.function, state.rate.variables, {}})});
  return table.text(most_rows);
}

}  // namespace eslabon::cli
