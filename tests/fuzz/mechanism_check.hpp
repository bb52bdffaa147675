#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::test {

/// A mechanism file: what is read survives the analysis of its structure and comes back equal when it is written and read again.
inline std::string find_mechanism_fault(std::string_view text) {
  std::optional<model::Mechanism> mechanism;
  std::string fault;
  if (is_refused([&] { mechanism = io::read_mechanism(text, "fuzz.yaml"); }, fault)) return fault;
  if (is_refused([&] { structure::analyse_structure(*mechanism); }, fault) && !fault.empty()) return fault;
  const std::string written = io::write_mechanism(*mechanism);
  try {
    const model::Mechanism again = io::read_mechanism(written, "written.yaml");
    if (!(again == *mechanism)) return "written and read again, the mechanism differs:\n" + written;
    if (io::write_mechanism(again) != written) return "written twice, the text differs:\n" + written;
  } catch (const core::ModelError& error) {
    return std::string("what was written is refused: ") + error.what() + "\n" + written;
  }
  return "";
}

}  // namespace eslabon::test
