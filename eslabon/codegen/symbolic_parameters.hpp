#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "eslabon/codegen/symbolic_constants.hpp"
#include "eslabon/core/column.hpp"
#include "eslabon/dynamics/dynamic_model.hpp"

namespace eslabon::codegen {

/// Parameters of a mechanism that stay symbols, and the numbers of its description that follow from them.
struct SymbolicParameters {
  std::vector<core::Column> symbols;  ///< name and unit
  std::vector<double> values;         ///< (symbols)
  std::vector<double> numbers;        ///< those that follow from the symbols, as they stand
  /// (numbers) as functions of the symbols, in the trace of this thread.
  std::function<std::vector<core::Traced>(std::span<const core::Traced> symbols)> trace;
  /// The mechanism with other numbers, each on its own.
  std::function<model::Mechanism(std::span<const double> numbers)> mechanism;
  /// The symbols that a number follows from.
  std::function<std::vector<std::string>(std::size_t number)> symbols_of;
};

/// A model with other numbers in the places of those that follow from parameters: numbers whose digits nothing else has, so that every
/// constant of a trace tells what it follows from.
struct MarkedModel {
  dynamics::DynamicModel model;
  std::vector<double> numbers;  ///< (numbers)
  /// Constants that kernels computed from several numbers before they were traced, with functions that they are of them.
  std::vector<std::pair<double, ConstantFunction>> constants = {};
};

/// Throws core::ModelError unless a model with other numbers has the same independent rows as the model itself.
void check_rows(const model::Mechanism& mechanism, const std::vector<int>& rows,
                const std::vector<int>& nominal);

/// Writes what kernels compute of a model, with constants replaced that are known, and gives what was written.
using WriteKernels = std::function<std::vector<core::Trace::Node>(const MarkedModel& model)>;

/// A model of which all constants are known as functions of the parameters. Kernels compute with plain numbers and know nothing of symbols;
/// so what they write is looked at for many values of the numbers: the operations must be the same, and constants that move are
/// functions that ConstantFunction can tell. Throws core::ModelError that names the parameter for which that is not so: it
/// cannot stay a symbol.
MarkedModel mark_model(const dynamics::DynamicModel& nominal, const SymbolicParameters& parameters,
                       const WriteKernels& write);

/// An export of a form: `Form` is made of a Model, where everything starts and elimination is planned, of the Model that is written, of how that
/// is marked (null pointer: it is the same), and of options; it has write_kernels(), as above, and make(). `Model` is made of a
/// dynamics::DynamicModel and options, and of one with other numbers with the Model that it is a variant of.
template <class Form, class Model, class Options>
auto export_with_parameters(const dynamics::DynamicModel& model, const Options& options) {
  const Model nominal(model, options);
  if (options.parameters.symbols.empty()) return Form(nominal, nominal, nullptr, options).make();
  const MarkedModel marked = mark_model(model, options.parameters, [&](const MarkedModel& sample) {
    return Form(nominal, Model(sample.model, options, nominal), &sample, options).write_kernels();
  });
  return Form(nominal, Model(marked.model, options, nominal), &marked, options).make();
}

}  // namespace eslabon::codegen
