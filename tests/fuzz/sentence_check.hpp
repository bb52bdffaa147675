#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "eslabon/core/text/error.hpp"

/// What must hold for the sentence of every error, whatever was read.
namespace eslabon::test {

/// What is wrong with the form of an error's sentence, whatever was typed; empty if nothing is.
inline std::string find_sentence_fault(const std::string& sentence) {
  if (sentence.empty()) return "the sentence is empty";
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::ranges::any_of(sentence, is_control)) return "a line break or control character in: " + sentence;
  if (sentence.size() > 4096) return "a sentence that nobody reads to its end: " + sentence.substr(0, 200);
  if (sentence.back() != '.' && sentence.back() != '?') return "no full stop at the end of: " + sentence;
  return "";
}

/// Whether reading refuses the text, with a ModelError; then `fault` says what is wrong with its sentence. Lets every other exception
/// through.
template <class Read>
bool is_refused(Read read, std::string& fault) {
  try {
    read();
  } catch (const core::ModelError& error) {
    fault = find_sentence_fault(error.what());
    return true;
  }
  return false;
}

}  // namespace eslabon::test
