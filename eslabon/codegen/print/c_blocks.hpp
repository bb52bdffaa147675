#pragma once

#include <array>
#include <string>
#include <vector>

#include "eslabon/codegen/graph/program_blocks.hpp"
#include "eslabon/codegen/print/expression_text.hpp"

namespace eslabon::codegen {

/// Programs as C code that grows with the kinds of what is computed, not with how often: a function for each block and a table of slots and
/// constants for each program.
class CBlocks {
 public:
  /// `real`: "double"; `prefix`: of all names; `first_slot`: in w; `num_state`: length of x.
  CBlocks(std::string prefix, std::string real, int first_slot, std::size_t num_state, const Syntax& syntax)
      : prefix_(std::move(prefix)),
        real_(std::move(real)),
        first_slot_(first_slot),
        num_state_(num_state),
        syntax_(syntax) {}

  /// Whether that makes the code of a program much shorter; if so it is one of these. `num_y`: its outputs that are results.
  bool takes(const std::string& function, const core::Program& program, std::size_t num_y);
  bool has(const std::string& function) const { return find(function) != nullptr; }
  int num_slots() const { return num_slots_; }

  /// The functions of all blocks and what calls them; the tables of a program, and the statements that carry it out: x, u and p, of which
  /// there are as many as the constants `counts` say, are its inputs; outputs from `num_y` on go to w[0], w[1] ….
  std::string functions() const;
  std::string tables(const std::string& function) const;
  std::string statements(const std::string& function, const std::array<std::string, 3>& counts,
                         int num_y) const;

 private:
  struct Taken {
    std::string function;
    BlockCalls calls;
  };
  const Taken* find(const std::string& function) const;
  std::string block_text(std::size_t block) const;

  std::string prefix_, real_;
  int first_slot_;
  std::size_t num_state_;
  const Syntax& syntax_;
  BlockLibrary library_;
  std::vector<Taken> taken_;
  int num_slots_ = 0;
};

}  // namespace eslabon::codegen
