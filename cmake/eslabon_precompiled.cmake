# What nearly every file of a kind of target reads first, compiled once per kind: library, teller, test. A kind has flags of its own
# (-fPIC or not, optimised more or less), which a precompiled header must share with the files that read it.
#
# Only headers of others are in it: a change of ours must not compile everything anew. A file still includes all that it uses: the
# presets `debug` and `fuzz` build without precompiled headers, and so find what is missing.

set(eslabon_precompiled_standard
  <algorithm> <array> <bit> <charconv> <cmath> <cstddef> <cstdint> <cstdio> <cstdlib> <functional> <limits> <map>
  <memory> <numbers> <numeric> <optional> <set> <span> <string> <string_view> <tuple> <unordered_map> <utility> <variant>
  <vector>)
set(eslabon_precompiled_library ${eslabon_precompiled_standard} <Eigen/Core> <Eigen/Geometry>)
# Not CLI11: it makes objects of its own in every file that reads it, two seconds each.
set(eslabon_precompiled_teller ${eslabon_precompiled_library} <chrono> <fmt/format.h>)
set(eslabon_precompiled_teller_libraries fmt::fmt)
set(eslabon_precompiled_test ${eslabon_precompiled_standard} <Eigen/Dense> <gmock/gmock.h> <gtest/gtest.h>)
set(eslabon_precompiled_test_libraries GTest::gmock GTest::gtest)

# eslabon_use_precompiled(<target> <kind>)
function(eslabon_use_precompiled target kind)
  set(maker eslabon_precompiled_${kind})
  if(NOT TARGET ${maker})
    set(source ${PROJECT_BINARY_DIR}/${maker}.cpp)
    if(NOT EXISTS ${source})
      file(WRITE ${source} "// Compiles the headers that files of the kind '${kind}' read first.\n")
    endif()
    add_library(${maker} OBJECT ${source})
    target_compile_features(${maker} PRIVATE cxx_std_20)
    target_link_libraries(${maker} PRIVATE Eigen3::Eigen ${eslabon_precompiled_${kind}_libraries})
    eslabon_flags_of_kind(${maker} ${kind})
    target_precompile_headers(${maker} PRIVATE ${eslabon_precompiled_${kind}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${maker})
endfunction()
