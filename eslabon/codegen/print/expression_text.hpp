#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/codegen/graph/program_pieces.hpp"

namespace eslabon::codegen {

/// How numbers and operations are written in a language. Sums, products and quotients look the same in all of them.
class Syntax {
 public:
  virtual ~Syntax() = default;
  virtual std::string number(double value) const = 0;
  /// Input k of the trace: an element of x, u or p.
  virtual std::string input(int k) const = 0;
  /// Whether an input that is asked for more than once gets a name.
  virtual bool names_inputs() const { return false; }
  /// A number that is computed at a place of the program and has a name.
  virtual std::string name(int place) const { return "v" + std::to_string(place); }
  /// Number k that all states share; exports have none.
  virtual std::string uniform(int k) const { return "uniform[" + std::to_string(k) + "]"; }
  /// A number that passes between pieces.
  virtual std::string slot(int k) const = 0;
  /// A function by its name in C: "sqrt", "atan2".
  virtual std::string call(std::string_view name, std::span<const std::string> arguments) const = 0;
  /// a < b ? c : d
  virtual std::string choice(const std::string& a, const std::string& b, const std::string& c,
                             const std::string& d) const = 0;
};

/// The statements of a program, piece by piece: a number that is asked for once stands where it is asked for, others get a name.
class ExpressionText {
 public:
  /// A name, or an output, and what it is set to.
  struct Statement {
    int output = -1;           ///< of y; −1: a name of its own …
    int slot = -1;             ///< … which passes to later pieces, if not −1
    bool is_used_here = true;  ///< the name, in its own piece
    std::string name;          ///< "v12", or what people call it
    int node = -1;             ///< of the program
    std::string value;
  };

  /// `names`: (nodes) what people call them; empty: nothing. Numbers with a name of their own stand by it.
  ExpressionText(const Program& program, const ProgramPieces& pieces, const Syntax& syntax,
                 std::vector<std::string> names = {});
  std::vector<Statement> statements(std::size_t piece);

 private:
  struct Text {
    std::string text;
    int strength;  ///< 1: a sum, 2: a product, 3: a sign, 4: stands alone
  };
  void find_names();
  bool has_own_name(int place) const {
    return !names_.empty() && !names_[static_cast<std::size_t>(place)].empty();
  }
  std::string name(int place) const {
    return has_own_name(place) ? names_[static_cast<std::size_t>(place)] : syntax_.name(place);
  }
  bool is_named(int place) const { return is_named_[static_cast<std::size_t>(place)] != 0; }
  Text operand(int place) const;
  Text expression(int place) const;
  Text binary(const Program::Node& node, std::string_view symbol, int strength) const;
  std::string enclosed(int place, int strength) const;

  const Program& program_;
  const ProgramPieces& pieces_;
  const Syntax& syntax_;
  std::vector<std::string> names_;
  std::vector<char> is_named_, is_used_here_;
  std::vector<int> piece_of_;
  std::size_t now_ = 0;  ///< the piece that is written
};

/// The shortest text that reads back to the same number, always with a point or an exponent.
std::string real_text(double value);

}  // namespace eslabon::codegen
