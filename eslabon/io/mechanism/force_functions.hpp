#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eslabon/io/mechanism/map_reader.hpp"
#include "eslabon/io/parts/part_builder.hpp"
#include "eslabon/model/mechanism.hpp"
#include "eslabon/model/variables/force_variables.hpp"

namespace eslabon::io {

/// Reads the functions of one force: of the time t, and of variables of the mechanism, "= -k*A.q^3 - c*A.v*abs(A.v)". Where no number in
/// one has a unit everything in it is SI; otherwise its units must give what is needed.
class ForceFunctions {
 public:
  /// `so_far`: the mechanism without its forces and sensors, made when a formula asks for the first time, for all files of the mechanism.
  ForceFunctions(const Reading& reading, const PartBuilder& builder, std::optional<model::Mechanism>& so_far,
                 model::FormulaOf whose = model::FormulaOf::kForce)
      : reading_(reading), builder_(builder), so_far_(so_far), whose_(whose) {}

  /// As Reading::function, and in the names and directions of the mechanism; argument k is variables()[k].
  model::TimeFunction read(const Node& node, const std::string& element, const std::string& field,
                           const Dimension& dimension);
  /// The same of a formula with variables that may measure anything; one without variables is a number.
  model::TimeFunction read_any(const Node& node, const std::string& element, const std::string& field);
  /// Names in the mechanism, of all functions read so far.
  const std::vector<std::string>& variables() const { return names_; }

 private:
  Argument find(const std::string& name, const std::string& where);
  TimeExpression read_formula(const Node& node, const std::string& element);

  const Reading& reading_;
  const PartBuilder& builder_;
  std::optional<model::Mechanism>& so_far_;
  model::FormulaOf whose_;
  std::vector<std::string> names_;
  std::vector<model::TimeFunction> moved_;  ///< (variables) as they are in the file
};

}  // namespace eslabon::io
