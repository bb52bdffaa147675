#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/codegen/derivation.hpp"
#include "eslabon/core/column.hpp"

namespace eslabon::codegen {

/// One function of an export:  y = f(x, u, p).
struct ExportedFunction {
  std::string name;  ///< "accelerations"
  std::string says;  ///< for people: "accelerations of all coordinates"
  /// What y are: the numbers of a list, or the entries of a matrix that are not 0 everywhere.
  std::vector<core::Column> numbers;
  struct Matrix {
    int rows = 0, columns = 0;
    std::vector<std::pair<int, int>> places;  ///< (y) row and column of each
  };
  std::optional<Matrix> matrix = std::nullopt;
  /// Its outputs: y, then how large the constraint error is [m], and how far from singular what is solved is (0 … 1).
  Program program;
  /// As kernels ask for them, before what is the same is computed once, and signs, factors 1 and constants are collected; of derivatives,
  /// which are made from what is simplified, nothing.
  std::optional<OperationCounts> requested = std::nullopt;
};

/// Numbers that functions are given, and some that are not.
struct CheckState {
  std::vector<double> x, u, p;
};

/// The equations of a mechanism as functions of numbers, ready to be printed in any language.
struct ExportedModel {
  std::string name;                    ///< an identifier: "fourbar_testbed"
  std::string title;                   ///< the mechanism's own name
  std::string form;                    ///< for people: "relative coordinates, Lagrange multipliers"
  std::vector<std::string> made_from;  ///< lines about model, program and hash
  std::vector<core::Column> x;         ///< state: coordinates q, then their rates, then the memory
  std::size_t num_memory = 0;   ///< last numbers of x, which the function `positions` gives anew after a step
  std::vector<core::Column> u;  ///< time and what comes from outside
  std::vector<core::Column> p;  ///< parameters
  CheckState start;             ///< where the model starts, with default parameters
  std::vector<CheckState> checks;    ///< states that a printed model is tried with; the first is the start, where all have a value there
  double smallest_margin = 1.0;      ///< of all that is solved, over the checks
  std::string pivots_by = "column";  ///< what pivots are measured by
  double closed_length = 0.0;  ///< where functions close the loops by themselves: the mechanism's size [m]
  std::vector<ExportedFunction> functions;
  Derivation derivation;              ///< the same for people
  OperationCounts plain_scheme = {};  ///< what accelerations cost by the plain scheme of textbooks

  std::size_t num_coordinates() const { return (x.size() - num_memory) / 2; }
  /// Whether the state can be stepped on: the form tells its accelerations.
  bool has_steps() const;
  /// y and then error and margin of a function at a state, by the program itself.
  static std::vector<double> evaluate(const ExportedFunction& function, const CheckState& state);
};

/// A name that C, MATLAB and Python accept: letters, digits and '_' of the text, not beginning with a digit.
std::string identifier(const std::string& text);

}  // namespace eslabon::codegen
