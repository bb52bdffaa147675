#pragma once

#include <span>
#include <string>
#include <string_view>

/// What must hold for every text in the world, of each reader; shared by the fuzzer and by the tests that replay its corpora.
namespace eslabon::test {

struct FuzzedReader {
  std::string_view name;  ///< of its folder in tests/fuzz/corpus too
  /// Reads a text. It may be refused, with a ModelError and a proper sentence. Returns what broke, empty if nothing did. Lets every exception
  /// but ModelError through.
  std::string (*find_fault)(std::string_view text);
};

std::span<const FuzzedReader> fuzzed_readers();

/// The reader of this name; nullptr if there is none.
const FuzzedReader* find_fuzzed_reader(std::string_view name);

/// Longer texts are passed over: they cost the fuzzer time and show it nothing new.
inline constexpr std::size_t kLongestFuzzedText = 65536;

}  // namespace eslabon::test
