#pragma once

#include <map>
#include <vector>

#include "eslabon/core/scalar/program.hpp"

namespace eslabon::codegen {

/// Stretches of programs that do the same with other numbers, each once.
class BlockLibrary {
 public:
  /// Its inputs are numbers from outside, then constants.
  struct Block {
    core::Program program;
    int num_numbers = 0, num_constants = 0;
  };
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  friend class BlockFinder;
  std::vector<Block> blocks_;
  std::map<std::vector<long>, int> known_;  ///< by what they do
};

/// A program as calls of blocks, which hand numbers on in slots. The first are the inputs of the program.
struct BlockCalls {
  struct Call {
    int block;
    std::vector<int> inputs;  ///< (num_numbers) slots
    std::vector<double> constants;
    std::vector<int> outputs;  ///< slots
  };
  std::vector<Call> calls;
  /// (outputs) slot, or −1 and a constant.
  struct Output {
    int slot = -1;
    double constant = 0.0;
  };
  std::vector<Output> outputs;
  int num_slots = 0;
};

/// The stretches between a program's marks as blocks of the library, which learns those that it does not have.
BlockCalls find_blocks(const core::Program& program, BlockLibrary& library);

}  // namespace eslabon::codegen
