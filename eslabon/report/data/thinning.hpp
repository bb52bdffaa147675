#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace eslabon::report {

/// A column of numbers; all of a table have the same length.
using Column = std::span<const double>;

/// Which rows of a table to keep so that at most `most` remain and every column keeps its look: the first and the last, and of each of
/// 2^L runs of rows, as equal as they can be, those where a column has its min and max. L is the largest that fits.
///
/// A spike of one row survives. Halving a run keeps its extremes, so a smaller `most` keeps a part of what a larger one keeps. Where
/// even one run is too much, 2 + 2·columns rows, L is 0 and more than `most` may be kept: no extreme of a column is lost ever.
/// Increasing positions of rows; the same for the same numbers.
std::vector<std::size_t> kept_rows(const std::vector<Column>& columns, std::size_t rows, std::size_t most);

/// `most` positions of 0 … count − 1, the first and the last among them, as evenly as they can be; all where count ≤ most.
std::vector<std::size_t> evenly_kept(std::size_t count, std::size_t most);

}  // namespace eslabon::report
