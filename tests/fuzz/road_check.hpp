#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/roads/crg_file.hpp"

namespace eslabon::test {

/// A road in a text format of OpenCRG: what is read is a surface without holes, wherever somebody looks, and line ends do not matter.
inline std::string find_road_fault(std::string_view text) {
  std::string fault, other_ends;
  for (const char c : text) {
    if (c == '\n') other_ends += '\r';
    other_ends += c;
  }
  tyres::CrgGrid grid, other;
  const bool is_bad = is_refused([&] { grid = io::read_crg(text, "fuzz.crg"); }, fault);
  if (!fault.empty()) return fault;
  if (is_refused([&] { other = io::read_crg(other_ends, "fuzz.crg"); }, fault) != is_bad)
    return "with other line ends it is read, or refused, otherwise";
  if (!fault.empty() || is_bad) return fault;
  if (!(grid == other)) return "with other line ends another road";
  const tyres::CrgSurface surface(grid);
  for (const double x : {-1e3, -0.3, 0.0, 0.7, 5.0, 1e6})
    for (const double y : {-1e3, -0.4, 0.0, 1.1, 1e6}) {
      const auto at = surface.at(x, y);
      if (!std::isfinite(at.height) || !std::isfinite(at.slope_x) || !std::isfinite(at.slope_y))
        return "a place without a height or a slope";
    }
  return "";
}

}  // namespace eslabon::test
