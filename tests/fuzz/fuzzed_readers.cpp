#include "tests/fuzz/fuzzed_readers.hpp"

#include <algorithm>
#include <array>

#include "tests/fuzz/datagram_check.hpp"
#include "tests/fuzz/journal_check.hpp"
#include "tests/fuzz/measurement_check.hpp"
#include "tests/fuzz/mechanism_check.hpp"
#include "tests/fuzz/page_check.hpp"
#include "tests/fuzz/result_check.hpp"
#include "tests/fuzz/road_check.hpp"
#include "tests/fuzz/study_check.hpp"
#include "tests/fuzz/tyre_check.hpp"
#include "tests/fuzz/units_check.hpp"

namespace eslabon::test {

namespace {

// A new reader is one file, one line here and one folder of texts to begin with.
constexpr std::array kReaders{
    FuzzedReader{"mechanism", &find_mechanism_fault}, FuzzedReader{"measurement", &find_measurement_fault},
    FuzzedReader{"result", &find_result_fault},       FuzzedReader{"study", &find_study_fault},
    FuzzedReader{"journal", &find_journal_fault},     FuzzedReader{"page", &find_page_fault},
    FuzzedReader{"datagram", &find_datagram_fault},   FuzzedReader{"units", &find_units_fault},
    FuzzedReader{"tyre", &find_tyre_fault},           FuzzedReader{"road", &find_road_fault},
};

}  // namespace

std::span<const FuzzedReader> fuzzed_readers() { return kReaders; }

const FuzzedReader* find_fuzzed_reader(std::string_view name) {
  const auto found = std::ranges::find(kReaders, name, &FuzzedReader::name);
  return found == kReaders.end() ? nullptr : &*found;
}

}  // namespace eslabon::test
