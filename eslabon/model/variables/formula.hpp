#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/dimension.hpp"
#include "eslabon/core/text/error.hpp"
#include "eslabon/model/elements/time_function.hpp"
#include "eslabon/model/variables/variable.hpp"

namespace eslabon::model {

/// A function of variables of one mechanism and of time, described, not coded: what outputs and forces may be, for any scalar.
///
///   twist = A.q − B.q          function: argument 0 − argument 1, variables: A.q, B.q, dimension: an angle
///
/// Variables are as the user is told them: positions of points from the user's origin. A value, as TimeFunction is.
struct Formula {
  static constexpr std::size_t kMostVariables = 32;

  std::string name;                 ///< "twist"
  TimeFunction function;            ///< SI; its argument k is variable k
  std::vector<Variable> variables;  ///< each once, kMostVariables at most
  core::Dimension dimension;        ///< of the value

  friend bool operator==(const Formula&, const Formula&) = default;
};

/// The value at time t [s], with T value_of(const Variable&). Does not allocate. Where it is not defined it is what T gives, inf or NaN for
/// double: no_value names the formula then.
template <class T, class ValueOf>
T evaluate(const Formula& formula, const T& t, const ValueOf& value_of) {
  std::array<T, Formula::kMostVariables> values{};
  for (std::size_t k = 0; k < formula.variables.size(); ++k) values[k] = value_of(formula.variables[k]);
  return formula.function.evaluate(t, std::span<const T>(values.data(), formula.variables.size()));
}

/// What is said of a formula without a finite value where its variables have these (variables): "a formula has no value [output 'twist',
/// t = 0.5 s]: expected a finite number, got nan with A.q = 0 rad". `kind` is what it was written as: "output", "force".
core::ErrorText no_value(const Mechanism& mechanism, const Formula& formula, std::string_view kind, double t,
                         std::span<const double> values);

}  // namespace eslabon::model
