#pragma once

#include <span>
#include <utility>
#include <vector>

#include "eslabon/core/scalar/trace.hpp"

namespace eslabon::codegen {

/// One entry of a matrix that is mostly empty.
struct Entry {
  int row, column;
  core::Traced value;
};

/// A number whose derivatives are known already, as those of what a linear system was solved for: what it was computed from is not looked at.
struct KnownDerivative {
  core::Traced number;
  std::vector<std::pair<int, core::Traced>>
      by_inputs;  ///< input and derivative, in the order of inputs; others are 0
};

/// ∂values/∂inputs, exact, written into the trace that listens on this thread: all entries that are not 0 everywhere, row by row.
/// `inputs`: places of inputs in the trace. Numbers on which values depend by a choice (select_less) have the derivative of the branch;
/// rounding has none.
std::vector<Entry> derivative(core::Trace& trace, std::span<const core::Traced> values,
                              std::span<const core::Traced> inputs,
                              std::span<const KnownDerivative> known = {});

/// The entries that the derivatives of a list of numbers are, row by row.
std::vector<Entry> entries_of(const std::vector<KnownDerivative>& numbers);
/// Those of a matrix that are not 0 everywhere.
std::vector<Entry> entries_of(const Eigen::Matrix<core::Traced, Eigen::Dynamic, Eigen::Dynamic>& matrix);

}  // namespace eslabon::codegen
