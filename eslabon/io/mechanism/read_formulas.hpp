#pragma once

#include "eslabon/io/mechanism/map_reader.hpp"
#include "eslabon/model/variables/formula.hpp"

/// Formulas of variables, "= A.q - B.q", in a mechanism file. They are read when the mechanism is built: its names and what they measure
/// are known then.
namespace eslabon::io {

/// The formula that a node has, of variables of the mechanism. `element` as in messages, "output 'twist'". With has_time of t too.
/// Fails: ModelError with the column for names that are no variables, kinds that do not fit, and more.
model::Formula read_formula(const Reading& reading, const Node& node, const std::string& element,
                            const std::string& name, const model::Mechanism& mechanism, bool has_time);

/// The formula as text, "= A.q - B.q": read again it gives an equal one.
std::string formula_text(const model::Mechanism& mechanism, const model::Formula& formula);

/// The same as an output is written: {formula: "= …", unit: N*m} where the text alone does not tell the unit, because numbers of it have none.
std::string output_text(const model::Mechanism& mechanism, const model::Formula& formula);

/// Whether section 'outputs' has formulas: {NAME: = …}, alone or among the names of a list.
bool has_formulas(const Node& outputs);
/// Their names.
std::vector<std::string> formula_names(const Node& outputs);

/// The mechanism with the outputs of a section that has formulas, in their order.
model::Mechanism with_formula_outputs(Reading& reading, const Node& outputs,
                                      const model::Mechanism& mechanism);

}  // namespace eslabon::io
