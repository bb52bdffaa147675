#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "eslabon/core/error.hpp"
#include "eslabon/io/mechanism_reader.hpp"
#include "eslabon/io/mechanism_writer.hpp"
#include "eslabon/structure/structure.hpp"

/// What must hold for every text in the world; shared by the fuzzer and by the tests that replay its corpus.
namespace eslabon::test {

/// Longer texts are passed over: they cost the fuzzer time and show it nothing new.
inline constexpr std::size_t kLongestFuzzedText = 65536;

/// What is wrong with the form of an error's sentence, whatever was typed; empty if nothing is.
inline std::string find_sentence_fault(const std::string& sentence) {
  if (sentence.empty()) return "the sentence is empty";
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::ranges::any_of(sentence, is_control)) return "a line break or control character in: " + sentence;
  if (sentence.size() > 4096) return "a sentence that nobody reads to its end: " + sentence.substr(0, 200);
  if (sentence.back() != '.' && sentence.back() != '?') return "no full stop at the end of: " + sentence;
  return "";
}

/// Reads the text as a mechanism file. It may be refused, with a ModelError and a proper sentence; what is
/// read must survive the analysis of its structure and come back equal when it is written and read again.
/// Returns what broke, empty if nothing did. Lets every exception but ModelError through.
inline std::string find_reader_fault(std::string_view text) {
  if (text.size() > kLongestFuzzedText) return "";
  std::optional<model::Mechanism> mechanism;
  try {
    mechanism = io::read_mechanism(text, "fuzz.yaml");
  } catch (const core::ModelError& error) {
    return find_sentence_fault(error.what());
  }
  try {
    structure::analyse_structure(*mechanism);
  } catch (const core::ModelError& error) {
    if (std::string fault = find_sentence_fault(error.what()); !fault.empty()) return fault;
  }
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
