// Fuzzes the readers of files and datagrams: `tools/fuzz` builds and runs it. ESLABON_FUZZED_READER names the one; the rules themselves are
// in *_check.hpp.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/fuzz/fuzzed_readers.hpp"

namespace {

const eslabon::test::FuzzedReader& chosen_reader() {
  const char* const name = std::getenv("ESLABON_FUZZED_READER");
  if (name != nullptr)
    if (const auto* reader = eslabon::test::find_fuzzed_reader(name)) return *reader;
  std::fprintf(stderr, "ESLABON_FUZZED_READER must be one of:");
  for (const auto& reader : eslabon::test::fuzzed_readers()) std::fprintf(stderr, " %s", reader.name.data());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const eslabon::test::FuzzedReader& reader = chosen_reader();
  if (size > eslabon::test::kLongestFuzzedText) return 0;
  const std::string fault = reader.find_fault({reinterpret_cast<const char*>(data), size});
  if (fault.empty()) return 0;
  std::fprintf(stderr, "ERROR: %s\n", fault.c_str());
  std::abort();
}
