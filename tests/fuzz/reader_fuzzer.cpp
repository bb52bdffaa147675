// Fuzzes the reader of mechanism files: `tools/fuzz` builds and runs it. The rule itself is in
// reader_check.hpp.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/fuzz/reader_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string fault = eslabon::test::find_reader_fault(text);
  if (fault.empty()) return 0;
  std::fprintf(stderr, "ERROR: %s\n", fault.c_str());
  std::abort();
}
