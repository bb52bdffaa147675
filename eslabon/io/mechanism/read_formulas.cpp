#include "eslabon/io/mechanism/read_formulas.hpp"

#include <algorithm>

#include "eslabon/io/mechanism/flow_text.hpp"
#include "eslabon/io/quantities/expression.hpp"
#include "eslabon/io/quantities/unit.hpp"
#include "eslabon/model/mechanism_variant.hpp"

namespace eslabon::io {

namespace {

/// The variables of one formula as they are met.
class FoundVariables {
 public:
  /// With may_be_bare as ArgumentScope has it.
  explicit FoundVariables(const model::Mechanism& mechanism, bool may_be_bare = false)
      : mechanism_(mechanism),
        scope_{[this](const std::string& name) { return find(name); }, mechanism.is_planar(), may_be_bare} {}
  FoundVariables(const FoundVariables&) = delete;
  FoundVariables& operator=(const FoundVariables&) = delete;

  const ArgumentScope& scope() const { return scope_; }
  const std::vector<model::Variable>& variables() const { return variables_; }

 private:
  Argument find(const std::string& name) {
    const model::Variable variable = model::find_variable(mechanism_, name);
    const auto found = std::ranges::find(variables_, variable);
    const auto place = static_cast<int>(found - variables_.begin());
    if (found == variables_.end()) variables_.push_back(variable);
    return {place, model::dimension(mechanism_, variable)};
  }

  const model::Mechanism& mechanism_;
  ArgumentScope scope_;
  std::vector<model::Variable> variables_;
};

/// A name, or a formula with its name.
struct OutputEntry {
  std::string name;
  const Node* formula;  ///< nullptr: a variable
};

std::vector<OutputEntry> output_entries(Reading& reading, const Node& outputs) {
  std::vector<OutputEntry> entries;
  const auto add_formulas = [&](const Node& map) {
    for (const Entry& entry : map.entries()) {
      reading.remember("output '" + entry.key.text() + "'", entry.key.position());
      entries.push_back({entry.key.text(), &entry.value});
    }
  };
  if (outputs.is_map()) add_formulas(outputs);
  for (const Node& item : outputs.items()) {
    if (item.is_map()) {
      add_formulas(item);
      continue;
    }
    if (!item.is_scalar())
      reading.fail(item, "", "an output is no name and no formula",
                   "a variable such as 'crank.angle', or {NAME: = FORMULA}", std::string(item.kind_name()),
                   "Write one of both.");
    reading.remember("output '" + item.text() + "'", item.position());
    entries.push_back({item.text(), nullptr});
  }
  return entries;
}

TimeExpression compile(const Reading& reading, const Node& node, const std::string& element,
                       const ArgumentScope& scope, bool has_time) {
  if (!node.is_scalar() || !is_expression(node.text()))
    reading.fail(node, element, "a formula is missing", "'= ' and a formula such as '= A.q - B.q'",
                 node.is_scalar() ? "'" + node.text() + "'" : std::string(node.kind_name()),
                 node.is_scalar() ? "Write '= " + node.text() + "' for the variable itself."
                                  : "Write a formula after the name.");
  return reading.formula(node, element, scope, has_time);
}

core::Dimension dimension_of(const Measure& measure) {
  core::Dimension dimension = measure.certainty == Certainty::kKnown ? measure.dimension : core::kNumber;
  // A torque times an angle is work: the angle is a number there.
  if (dimension.kg != 0 && dimension.rad > 0) dimension.rad = 0;
  return dimension;
}

/// The unit in which an output is told: one of the SI, or 1.
core::Dimension read_unit(const Reading& reading, const Node& node, const std::string& element) {
  const std::string& text = reading.text(node, element, "unit");
  if (text == "1") return core::kNumber;
  const Unit unit = parse_unit(text, reading.place(node, element).where());
  if (unit.factor != 1.0)
    reading.fail(node, element, "the unit of an output is none of the SI",
                 "'" + unit_text(unit.dimension) + "'", "'" + text + "'", "Write that: results are told in SI units.");
  return unit.dimension;
}

/// A formula, or {formula: = …, unit: N*m}: with numbers that do not say what they measure, everything in SI.
model::Formula read_output(Reading& reading, const Node& node, const std::string& element,
                           const std::string& name, const model::Mechanism& mechanism) {
  if (!node.is_map()) return read_formula(reading, node, element, name, mechanism, false);
  MapReader map(reading, node, element);
  const Node& text = map.need("formula", "a formula such as '= 3*A.q'");
  const Dimension dimension = read_unit(reading, map.need("unit", "the unit that it gives"), element);
  map.finish();
  FoundVariables found(mechanism, true);
  TimeExpression read = compile(reading, text, element, found.scope(), false);
  check_dimension(read.measure, dimension,
                  {"formula", text.text(), reading.place(text, element).where(), true});
  return {name, std::move(read.function), found.variables(), dimension};
}

bool tells_its_unit(const model::Mechanism& mechanism, const model::Formula& formula,
                    const std::string& text) {
  FoundVariables found(mechanism);
  try {
    const TimeExpression read = compile_formula(text, {}, found.scope(), false, {});
    return dimension_of(read.measure) == formula.dimension;
  } catch (const core::ModelError&) {  // such as 3*A.q + B.fx
    return false;
  }
}

}  // namespace

model::Formula read_formula(const Reading& reading, const Node& node, const std::string& element,
                            const std::string& name, const model::Mechanism& mechanism, bool has_time) {
  FoundVariables found(mechanism);
  TimeExpression read = compile(reading, node, element, found.scope(), has_time);
  return {name, std::move(read.function), found.variables(), dimension_of(read.measure)};
}

std::string formula_text(const model::Mechanism& mechanism, const model::Formula& formula) {
  std::vector<std::string> names;
  for (const model::Variable& variable : formula.variables) names.push_back(model::name(mechanism, variable));
  return "= " + write_expression(formula.function, names);
}

std::string output_text(const model::Mechanism& mechanism, const model::Formula& formula) {
  const std::string text = formula_text(mechanism, formula);
  if (tells_its_unit(mechanism, formula, text)) return double_quoted(text);
  return flow_map({{"formula", double_quoted(text)}, {"unit", double_quoted(unit_text(formula.dimension))}});
}

bool has_formulas(const Node& outputs) {
  return outputs.is_map() || std::ranges::any_of(outputs.items(), &Node::is_map);
}

std::vector<std::string> formula_names(const Node& outputs) {
  std::vector<std::string> names;
  const auto add = [&](const Node& map) {
    for (const Entry& entry : map.entries()) names.push_back(entry.key.text());
  };
  if (outputs.is_map()) add(outputs);
  for (const Node& item : outputs.items())
    if (item.is_map()) add(item);
  return names;
}

model::Mechanism with_formula_outputs(Reading& reading, const Node& outputs,
                                      const model::Mechanism& mechanism) {
  model::Mechanism result = mechanism;
  std::vector<std::string> names;
  for (const OutputEntry& entry : output_entries(reading, outputs)) {
    names.push_back(entry.name);
    if (entry.formula == nullptr) continue;
    const std::string element = "output '" + entry.name + "'";
    const model::Formula formula = read_output(reading, *entry.formula, element, entry.name, result);
    result = reading.at_place([&] { return model::with_formula(result, formula); });
  }
  return reading.at_place([&] { return model::with_outputs(result, names); });
}

}  // namespace eslabon::io
