#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "eslabon/codegen/exported_model.hpp"

/// The derivation of a model as numbered equations that people read, for any language of documents: what is named stands by its name, what is
/// needed more than once and has none becomes s₁, s₂, … below the equation that needs it first.
namespace eslabon::codegen {

struct Symbol {
  std::string base;       ///< "ω"
  std::string subscript;  ///< "coupler,z"; may be empty
  int dots = 0;           ///< derivatives by time

  friend auto operator<=>(const Symbol&, const Symbol&) = default;
};

struct Formula {
  enum class Kind { kNumber, kSymbol, kSum, kProduct, kFraction, kPower, kRoot, kFunction, kAbs, kChoice };
  Kind kind = Kind::kNumber;
  double number = 0.0;                 ///< of kNumber, not negative; of kPower its exponent
  Symbol symbol = {};                  ///< of kSymbol
  std::string function = {};           ///< of kFunction: "sin"
  std::vector<Formula> parts = {};     ///< terms, factors, arguments; of kChoice a < b ? c : d
  std::vector<char> is_negative = {};  ///< (parts) of kSum
  friend bool operator==(const Formula&, const Formula&) = default;
};

struct ReadableEquation {
  struct Entry {
    Symbol symbol;
    std::string identifier;  ///< of the same number in code
    Formula value;
    bool is_zero = false;  ///< always, and nobody asks for it
  };
  int number = 0;
  Symbol symbol;    ///< of the whole; without entries its base is the left side of a law
  std::string law;  ///< may be empty
  int rows = 0, columns = 0;
  double width = 0.0;      ///< of all columns, in letters
  bool is_matrix = false;  ///< all entries are here, row after row; otherwise those that matter
  bool is_solved = false;  ///< entries follow from the law, and have no values here
  std::vector<Entry> entries;
  std::vector<Entry> where;  ///< what entries need, in the order in which it can be computed
  std::vector<int> uses;     ///< numbers of other equations
};

struct ReadableSection {
  std::string title, says;
  std::vector<ReadableEquation> equations;
  std::vector<ReadableSection> parts;
};

struct ReadableEquations {
  std::vector<ReadableSection> sections;
  std::vector<Symbol> inputs;  ///< of x, then u, then p
  /// Numbers of the trace: identifier in code, and equation.
  std::map<int, std::pair<std::string, int>> names;
};
ReadableEquations readable_equations(const ExportedModel& model);
/// (nodes) identifier and equation of each number of a program; empty and 0: none.
std::vector<std::pair<std::string, int>> names_of(const Program& program, const ReadableEquations& equations);

/// How wide a formula is, about, in letters.
double width(const Formula& formula);
/// A sum cut into lines of about this width; others are one line. Lines after the first begin with their sign.
std::vector<Formula> lines(const Formula& formula, double most);
/// Up to six digits, as mantissa and exponent of ten (0: none).
std::pair<std::string, int> readable_number(double value);

}  // namespace eslabon::codegen
