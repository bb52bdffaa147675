#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "eslabon/codegen/graph/program.hpp"

namespace eslabon::codegen {

/// How code for many states finds its numbers.
class LaneAddresses {
 public:
  virtual ~LaneAddresses() = default;
  /// Of the function of a piece, beside what passes between pieces, and the same as a caller writes them: "const double *x", "x".
  virtual std::string parameters() const = 0;
  virtual std::string arguments() const = 0;
  /// Whether input k differs from state to state …
  virtual bool is_of_state(int k) const = 0;
  /// … then the address of its numbers, otherwise itself.
  virtual std::string input(int k) const = 0;
  virtual std::string uniform(int k) const = 0;
  /// The address of the numbers of output k.
  virtual std::string output(int k) const = 0;
};

/// A program as code in C or C++ that computes a group of states at once, with the vector types that GCC and Clang share: each number of
/// half of them in one register, and of the other half in a second one, so that one computes while the other waits for a result. The same
/// operations with the same roundings as core::LaneProgram, and so the same bits: tests compare them.
struct LanesText {
  std::string pieces;   ///< functions, none of which is long
  std::string calls;    ///< statements that call one after the other
  int num_vectors = 0;  ///< that pass between them, in an array `w`
};
LanesText lanes_text(const std::string& name, const Program& program, const LaneAddresses& addresses);

/// Types and functions that this code uses: GROUP states in a group, which divides core::kCompiledGroup; `V`, a vector of half of them. After
/// #include <math.h>.
std::string_view lanes_head();

}  // namespace eslabon::codegen
