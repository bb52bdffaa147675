#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/tyres/tyre_file.hpp"

namespace eslabon::test {

/// A tyre file: what is read is finite and has a size, and line ends do not matter.
inline std::string find_tyre_fault(std::string_view text) {
  std::string fault, other_ends;
  for (const char c : text) {
    if (c == '\n') other_ends += '\r';
    other_ends += c;
  }
  io::TyreFile file, other;
  const bool is_bad = is_refused([&] { file = io::read_tyre(text, "fuzz.tir"); }, fault);
  if (!fault.empty()) return fault;
  if (other_ends.size() <= (std::size_t{1} << 20) &&
      is_refused([&] { other = io::read_tyre(other_ends, "fuzz.tir"); }, fault) != is_bad)
    return "with other line ends it is read, or refused, otherwise";
  if (!fault.empty()) return fault;
  if (is_bad) return "";
  for (const tyres::Coefficient& one : tyres::coefficients()) {
    const double value = file.tyre.*one.member;
    if (!std::isfinite(value) && value != one.otherwise) return "not finite: " + std::string(one.name);
    if (value != other.tyre.*one.member) return "with other line ends another " + std::string(one.name);
  }
  if (!(file.tyre.UNLOADED_RADIUS > 0.0 && file.tyre.FNOMIN > 0.0 && file.tyre.NOMPRES > 0.0))
    return "a tyre without size, load or pressure";
  std::string why;
  if (is_refused([&] { static_cast<void>(file.with_combined_slip()); }, why) ==
      file.missing_combined_slip.empty())
    return "combined slip is given, or refused, for no reason";
  return why;
}

}  // namespace eslabon::test
