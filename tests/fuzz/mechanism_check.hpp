#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/io/mechanism/mechanism_reader.hpp"
#include "eslabon/io/mechanism/mechanism_writer.hpp"
#include "eslabon/structure/structure.hpp"

namespace eslabon::test {

/// Between the texts of two files: what follows it is the part that every file of a part is.
inline constexpr std::string_view kPartFollows = "\n---8<---\n";

/// A mechanism, of files that are in memory.
inline model::Mechanism read_in_memory(std::string_view text) {
  const std::size_t cut = text.find(kPartFollows);
  const std::string part(cut == std::string_view::npos ? std::string_view()
                                                       : text.substr(cut + kPartFollows.size()));
  return io::read_described_mechanism(text.substr(0, cut), "fuzz.yaml",
                                      io::ReadRequest{.text_of_file = [&](const auto&) { return part; }})
      .mechanism;
}

/// A mechanism file, with that of a part behind it: what is read survives the analysis of its structure and comes back equal when it is written and read again.
inline std::string find_mechanism_fault(std::string_view text) {
  std::optional<model::Mechanism> mechanism;
  std::string fault;
  if (is_refused([&] { mechanism = read_in_memory(text); }, fault)) return fault;
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
