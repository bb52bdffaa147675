#pragma once

#include <cstddef>

#include "eslabon/core/scalar/program.hpp"

namespace eslabon::codegen {

/// What makes parts of a program depend on each other.
struct IndependentParts {
  std::size_t num_state;    ///< the first inputs; others, as the time, are shared by all
  std::size_t num_results;  ///< the first outputs; others, as the smallest pivot, only compare parts
};

/// The same program with its nodes in another order: first what depends on no state, then part after part those whose results share no
/// number of the state, last what the other outputs need. Each part begins with a mark, and marks inside stay before what followed them: parts
/// that do the same are stretches that are alike, however they were mixed when they were written down. Axles of a vehicle that hang on
/// a ground are such parts.
core::Program independent_parts(const core::Program& program, const IndependentParts& what);

}  // namespace eslabon::codegen
