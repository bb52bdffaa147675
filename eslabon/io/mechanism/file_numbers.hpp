#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "eslabon/core/scalar/traced.hpp"
#include "eslabon/io/quantities/parameter_facts.hpp"

namespace eslabon::io {

/// The numbers of a mechanism file that follow from some of its parameters, "= crank/2", each once however often it is written, as functions
/// of these parameters. Given to the reader of the file it finds them; given to it again after replace(), the file is read with other
/// numbers in their places, each on its own.
class FileNumbers {
 public:
  /// `parameters`: all of the file, as they stand; `symbols`: names of those that numbers are functions of. A parameter that is one of them
  /// does not follow from others. Throws core::ModelError for names that are none, with the nearest one.
  FileNumbers(std::vector<ParameterFact> parameters, std::vector<std::string> symbols);

  const std::vector<std::string>& symbols() const { return symbols_; }
  const ParameterFact& parameter(const std::string& name) const;

  /// What the reader asks: the number that stands for this text with that value …
  double number(const std::string& text, double value);
  /// … and what parameters are inside this function of time.
  Parameters within(const std::string& text, const Parameters& values);
  /// Throws core::ModelError when one of these parameters is a symbol or follows from one: numbers of formulas cannot be replaced.
  void refuse_symbols(const std::vector<std::string>& names, const std::string& where) const;

  /// Whether an expression follows from some of the symbols.
  bool follows_from_symbols(const std::string& text) const;

  /// The numbers that were found: what is written, "= crank/2", and their values in SI.
  const std::vector<std::string>& texts() const { return texts_; }
  const std::vector<double>& values() const { return values_; }
  void replace(std::span<const double> values) { replaced_.assign(values.begin(), values.end()); }
  /// (numbers) as functions of the symbols, in the trace of this thread.
  std::vector<core::Traced> trace(std::span<const core::Traced> symbols) const;
  /// The symbols that a number follows from.
  std::vector<std::string> symbols_of(std::size_t number) const;

 private:
  Expression parsed(const std::string& text, bool has_time = false) const;
  std::vector<std::string> names_in(const std::string& text, bool has_time = false) const;
  /// Adds those symbols that a parameter follows from.
  void follow(const std::string& name, std::vector<std::string>& out) const;
  bool is_symbol(const std::string& name) const;

  std::vector<ParameterFact> parameters_;
  std::vector<std::string> symbols_;
  Parameters names_;
  std::map<std::string, std::size_t> places_;  ///< by text
  std::vector<std::string> texts_;
  std::vector<double> values_, replaced_;
};

/// Names of the parameters that are numbers; others follow from them.
std::vector<std::string> independent_parameters(const std::vector<ParameterFact>& parameters);

}  // namespace eslabon::io
