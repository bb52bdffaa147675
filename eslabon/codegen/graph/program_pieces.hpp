#pragma once

#include <vector>

#include "eslabon/codegen/graph/program.hpp"

namespace eslabon::codegen {

/// A program cut into functions of a length that compilers like, where the fewest numbers pass from one to the next.
struct ProgramPieces {
  struct Piece {
    int begin, end;  ///< places of nodes
  };
  std::vector<Piece> pieces;  ///< at least one
  std::vector<int>
      slots;  ///< (nodes) place among the numbers that pass from piece to piece; −1: in none of them
  int num_slots = 0;
};
ProgramPieces cut(const Program& program);

}  // namespace eslabon::codegen
